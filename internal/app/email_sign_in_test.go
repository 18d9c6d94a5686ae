package app_test

import (
	"net/http"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// TestTheOperatorTurnsSigningInByEmailOff asks the whole server, which has to hand the setting on.
func TestTheOperatorTurnsSigningInByEmailOff(t *testing.T) {
	t.Parallel()
	for setting, status := range map[string]int{"off": 422, "on": 200} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, dbtest.Location(t, db.SQLite), map[string]string{"GREENROOM_EMAIL_SIGN_IN": setting}, clock.System{})
			do(t, s, status, http.MethodPost, "/auth/v1/otp", "", `{"email":"nobody@example.com","create_user":true}`)
		})
	}
}

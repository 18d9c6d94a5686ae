package saved_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
	"greenroom/internal/saved"
)

// TestAFullListTakesTheNewestOfAGuest gives a list with room for three a guest's four, of which it has one already.
func TestAFullListTakesTheNewestOfAGuest(t *testing.T) {
	t.Parallel()
	at := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	dbtest.EachClock(t, at, func(t *testing.T, d *db.DB) {
		api, owner, guest := open(t, d)
		course := func(name string) string { return id.Named("course " + name) }
		save := func(by who.Actor, names ...string) {
			for _, name := range names {
				at.Advance(time.Minute)
				resttest.Call(t, api, by, "POST", "/saved_courses", row(by, course(name))).Want(t, http.StatusCreated, "")
			}
		}
		save(owner, "documentary-filmmaking", "the-self-tape-lab")
		save(guest, "negotiating-your-rate", "podcasting-end-to-end", "documentary-filmmaking", "stage-combat-and-stunt-safety")
		move := func(most, want int) {
			t.Helper()
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				got, err := saved.MoveUpTo(ctx, tx, guest.UserID, owner.UserID, most)
				if got != want {
					t.Errorf("a list of %d took %d", most, got)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		move(2, 0)
		move(3, 1)
		var has []string
		for _, one := range resttest.Call(t, api, owner, "GET", "/saved_courses?select=course_id&order=created_at", "").Rows(t) {
			has = append(has, one["course_id"].(string))
		}
		want := []string{course("documentary-filmmaking"), course("the-self-tape-lab"), course("stage-combat-and-stunt-safety")}
		if !slices.Equal(has, want) {
			t.Errorf("the list is %v, not %v", has, want)
		}
		move(3, 0)
		move(5, 2)
	})
}

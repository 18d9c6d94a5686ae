package key_test

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"greenroom/internal/key"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// FuzzToken: whatever comes in place of a token is refused, unless it says what we signed.
func FuzzToken(f *testing.F) {
	box, err := key.OpenBox(filepath.Join(f.TempDir(), "secret"))
	if err != nil {
		f.Fatal(err)
	}
	set, err := key.OpenSet(f.Context(), dbtest.Open(f, db.SQLite, clock.System{}), box, "")
	if err != nil {
		f.Fatal(err)
	}
	now := time.Now()
	signed := claims(now)
	token, err := set.Sign(signed)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{token, token + ".", "." + token, "", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJFUzI1NiIsImtpZCI6IiJ9.bnVsbA.AA"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := set.Verify(text, issuer, now)
		if err == nil && !reflect.DeepEqual(got, signed) {
			t.Errorf("%q is taken for %+v", text, got)
		}
	})
}

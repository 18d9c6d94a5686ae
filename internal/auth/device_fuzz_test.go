package auth

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// FuzzDeviceCookie: whatever a browser carries gives at most four marks of the right size, and none of an account.
func FuzzDeviceCookie(f *testing.F) {
	site, err := newRedirects(testSite, nil)
	if err != nil {
		f.Fatal(err)
	}
	s := &Service{Options: Options{DB: dbtest.Open(f, db.SQLite, clock.System{}), Pepper: []byte("pepper")}, redirects: site}
	u := newUser("ada@example.com", nil, start, true)
	u.passwordHash = "$argon2id$"
	for _, seed := range []string{"", ".", "....", "AAAA", "\x00", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		r := httptest.NewRequest(http.MethodPost, "/token", nil)
		r.Header.Set("Cookie", s.deviceCookie("", 0).Name+"="+value)
		marks := s.marksOf(r)
		if len(marks) > mostMarks {
			t.Errorf("%d marks", len(marks))
		}
		for _, mark := range marks {
			if len(mark) != markBytes || s.marks(u, mark) {
				t.Errorf("%q gives the mark %x", value, mark)
			}
		}
	})
}

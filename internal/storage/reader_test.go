package storage

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// readLink is a link to read an object for a year that somebody made.
func (s *stage) readLink(as, place string) string {
	w := s.do(as, "POST", "/object/sign/"+place, strings.NewReader(`{"expiresIn":31536000}`), "Content-Type", "application/json")
	return strings.Split(w.Body.String(), `"`)[3]
}

// A link to what is private reads as long as its maker could. What is public, what the service role signed, and links from before
// they named anybody are read until they end.
func TestALinkToReadEndsWithItsMakersRight(t *testing.T) {
	t.Parallel()
	for how := range losses {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s *stage) {
				s.do("admin", "POST", "/object/lessons/a", strings.NewReader("text"), "Content-Type", "text/plain")
				s.do("admin", "POST", "/object/artwork/a", bytes.NewReader(png), "Content-Type", "image/png")
				many := s.do("admin", "POST", "/object/sign/lessons", strings.NewReader(`{"expiresIn":60,"paths":["a"]}`), "Content-Type", "application/json").Body.String()
				_, many, _ = strings.Cut(many, `"signedURL":"`)
				many, _, _ = strings.Cut(many, `"`)
				var o object
				row := s.do("admin", "GET", "/object/info/lessons/a", nil).Body.String()
				for field, into := range map[string]*string{"id": &o.ID, "version": &o.Version} {
					_, rest, _ := strings.Cut(row, `"`+field+`":"`)
					*into, _, _ = strings.Cut(rest, `"`)
				}
				older, err := s.sign(t.Context(), claims{URL: "lessons/a", Scope: download, ID: o.ID, Version: o.Version}, time.Hour)
				if err != nil {
					t.Fatal(err)
				}
				ends := map[string]string{"one": s.readLink("admin", "lessons/a"), "one of many": many}
				stays := map[string]string{
					"public": s.readLink("admin", "artwork/a"), "the service role's": s.readLink("service", "lessons/a"), "older": "/object/sign/lessons/a?token=" + older,
				}
				read := func(links map[string]string, want int) {
					t.Helper()
					for name, link := range links {
						for _, method := range []string{"GET", "HEAD"} {
							if w := s.do("", method, link, nil); w.Code != want {
								t.Errorf("%s %s: %d %s", method, name, w.Code, w.Body)
							}
						}
					}
				}
				read(ends, 200)
				read(stays, 200)
				s.lose(t, how)
				read(ends, 400)
				read(stays, 200)
				// A bucket that is not public any more is its maker's to show.
				s.do("service", "PUT", "/bucket/artwork", strings.NewReader(`{"public":false}`), "Content-Type", "application/json")
				read(map[string]string{"not public any more": stays["public"]}, 400)
			})
		})
	}
}

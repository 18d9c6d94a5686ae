package storage

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/db"
)

// uploadLink is a link for an upload that somebody made, and its token.
func (s *stage) uploadLink(as, place string, headers ...string) (link, token string) {
	w := s.do(as, "POST", "/object/upload/sign/"+place, strings.NewReader("{}"), append(headers, "Content-Type", "application/json")...)
	link = "/object/upload/sign/" + place + "?token="
	_, token, _ = strings.Cut(strings.Split(w.Body.String(), `"url":"`)[1], "?token=")
	token, _, _ = strings.Cut(token, `"`)
	return link + token, token
}

var losses = map[string]string{
	"demoted": "delete from user_roles where user_id = $1",
	"banned":  "update users set banned_until = $2 where id = $1",
	"deleted": "delete from users where id = $1",
}

func (s *stage) lose(t *testing.T, how string) {
	t.Helper()
	args := []any{actors["admin"].UserID}
	if how == "banned" {
		args = append(args, db.At(s.hands.Now().Add(time.Hour)))
	}
	write(t, s.DB, losses[how], args...)
}

// A link ends with the right of whoever made it, also for what is under way. The service role's have nobody who could lose it.
func TestALinkDoesNoMoreThanItsMakerCould(t *testing.T) {
	t.Parallel()
	for how := range losses {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s *stage) {
				text := []string{"Content-Type", "text/plain"}
				before, _ := s.uploadLink("admin", "lessons/before")
				during, _ := s.uploadLink("admin", "lessons/during", "X-Upsert", "true")
				late, lateToken := s.uploadLink("admin", "lessons/late")
				of, _ := s.uploadLink("service", "lessons/service")
				if w := s.do("", "PUT", before, strings.NewReader("text"), text...); w.Code != 200 {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
				if n := s.count(t, "select count(*) from audit_entries where action = 'object.add' and actor_id = '"+actors["admin"].UserID+"'"); n != 1 {
					t.Errorf("the trail names the maker %d times", n)
				}
				signed := []string{"X-Signature", lateToken, "Upload-Length", "4", "Upload-Metadata", said("bucketName", "lessons", "objectName", "late", "contentType", "text/plain")}
				begun := strings.TrimPrefix(s.tus("", "POST", tusPath+"/sign", nil, signed...).Header().Get("Location"), "http://example.com"+Prefix)
				own := s.upload(t, "admin", "lessons/own", 4, "Upload-Metadata", said("bucketName", "lessons", "objectName", "own", "contentType", "text/plain"))
				loses := func() { s.lose(t, how) }
				for name, w := range map[string]*httptest.ResponseRecorder{
					"while the bytes come": s.do("", "PUT", during, watched{strings.NewReader("text"), func() { loses(); loses = func() {} }}, text...),
					"by a link":            s.do("", "PUT", late, strings.NewReader("text"), text...),
					"in pieces by a link":  s.tus("", "PATCH", begun, strings.NewReader("text"), "Upload-Offset", "0", "X-Signature", lateToken),
					"in new pieces":        s.tus("", "POST", tusPath+"/sign", nil, signed...),
					"in pieces of their own, by a session that is remembered": s.patch(own, 0, []byte("text")),
				} {
					if w.Code < 400 || w.Code >= 500 {
						t.Errorf("%s: %d %s", name, w.Code, w.Body)
					}
				}
				if w := s.do("", "PUT", of, strings.NewReader("text"), text...); w.Code != 200 {
					t.Errorf("the service role's: %d %s", w.Code, w.Body)
				}
				if n := s.count(t, "select count(*) from storage_objects"); n != 2 {
					t.Errorf("%d objects", n)
				}
				s.hands.Advance(resumableTime)
				s.whole(t)
			})
		})
	}
}

// Once is once, also when the object is not there any more; and the links that were used are forgotten when they end.
func TestALinkWorksOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		link, token := s.uploadLink("admin", "lessons/a")
		put := func() *httptest.ResponseRecorder {
			return s.do("", "PUT", link, strings.NewReader("text"), "Content-Type", "text/plain")
		}
		if w := put(); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		s.do("admin", "DELETE", "/object/lessons/a", nil)
		if w := put(); !strings.Contains(w.Body.String(), `"409"`) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		w := s.tus("", "POST", tusPath+"/sign", strings.NewReader("text"), "X-Signature", token, "Upload-Length", "4", "Content-Type", chunk, "Upload-Metadata", said("bucketName", "lessons", "objectName", "a", "contentType", "text/plain"))
		if w.Code != 409 {
			t.Errorf("in pieces: %d %s", w.Code, w.Body)
		}
		again, _ := s.uploadLink("admin", "lessons/a", "X-Upsert", "true")
		for range 2 {
			if w := s.do("", "PUT", again, strings.NewReader("text"), "Content-Type", "text/plain"); w.Code != 200 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
		// Two at once, at two instances, are one.
		other := s.another()
		link, _ = s.uploadLink("admin", "lessons/b")
		inner := 0
		w = s.do("", "PUT", link, watched{strings.NewReader("text"), func() {
			if inner == 0 {
				inner = other.do("", "PUT", link, strings.NewReader("text"), "Content-Type", "text/plain").Code
				s.do("admin", "DELETE", "/object/lessons/b", nil)
			}
		}}, "Content-Type", "text/plain")
		if inner != 200 || !strings.Contains(w.Body.String(), `"409"`) {
			t.Errorf("%d, then %d %s", inner, w.Code, w.Body)
		}
		s.hands.Advance(uploadTime)
		s.whole(t)
		if n := s.count(t, "select count(*) from storage_links"); n > 0 {
			t.Errorf("%d links are remembered", n)
		}
	})
}

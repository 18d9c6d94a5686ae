package storage

import (
	"strings"
	"testing"
)

// A link writes to its own uploads alone, once, and for as long as who made it is there.
func TestSecurity62ALinkIsGoodForItsOwnUpload(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		about := []string{"Upload-Length", "4", "Upload-Metadata", said("bucketName", "lessons", "objectName", "a", "contentType", "video/mpeg")}
		link := func(as string) []string {
			answer := s.do(as, "POST", "/object/upload/sign/lessons/a", strings.NewReader("{}"), "Content-Type", "application/json").Body.String()
			return []string{"X-Signature", strings.Split(strings.Split(answer, `"token":"`)[1], `"`)[0]}
		}
		mine, theirs := link("admin"), link("service")
		begin := func(with []string) (int, string) {
			w := s.tus("", "POST", tusPath+"/sign", nil, append(with, about...)...)
			return w.Code, strings.TrimPrefix(w.Header().Get("Location"), "http://example.com"+Prefix)
		}
		_, path := begin(mine)
		if w := s.tus("", "PATCH", path, strings.NewReader("\x00\x01\x02\x03"), append(theirs, "Upload-Offset", "0")...); w.Code != 400 {
			t.Errorf("with another's link: %d %s", w.Code, w.Body)
		}
		s.do("admin", "PUT", "/object/lessons/a", strings.NewReader("first"), "Content-Type", "text/plain")
		if w := s.tus("", "PATCH", path, strings.NewReader("\x00\x01\x02\x03"), append(mine, "Upload-Offset", "0")...); w.Code != 409 || s.tus("", "HEAD", path, nil, mine...).Code != 410 {
			t.Errorf("the place was taken meanwhile: %d %s", w.Code, w.Body)
		}
		if code, _ := begin(mine); code != 409 || s.do("admin", "GET", "/object/lessons/a", nil).Body.String() != "first" {
			t.Errorf("the place is taken: %d", code)
		}
		s.do("admin", "DELETE", "/object/lessons/a", nil)
		token := "/object/upload/sign/lessons/a?token=" + mine[1]
		write(t, s.DB, "delete from users where id = $1", actors["admin"].UserID)
		if code, _ := begin(mine); code != 403 || s.do("", "PUT", token, strings.NewReader("x"), "Content-Type", "text/plain").Code != 400 {
			t.Errorf("who made the link is gone: %d", code)
		}
		s.whole(t)
	})
}

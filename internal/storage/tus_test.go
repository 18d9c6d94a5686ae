package storage

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/who"
)

func said(pairs ...string) string {
	var out []string
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, pairs[i]+" "+base64.StdEncoding.EncodeToString([]byte(pairs[i+1])))
	}
	return strings.Join(out, ",")
}

// tus sends a request of the protocol; headers with an empty value are left out.
func (s *stage) tus(as, method, path string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	all := map[string]string{"Tus-Resumable": "1.0.0"}
	if method == "PATCH" {
		all["Content-Type"] = chunk
	}
	for i := 0; i+1 < len(headers); i += 2 {
		all[headers[i]] = headers[i+1]
	}
	var list []string
	for name, value := range all {
		if value != "" {
			list = append(list, name, value)
		}
	}
	return s.do(as, method, path, body, list...)
}

// begin opens an upload and gives its path.
func (s *stage) upload(t *testing.T, as, place string, length int, headers ...string) string {
	t.Helper()
	bucket, name, _ := strings.Cut(place, "/")
	all := append([]string{"Upload-Length", strconv.Itoa(length), "Upload-Metadata", said("bucketName", bucket, "objectName", name, "contentType", "video/mpeg", "cacheControl", "60", "metadata", `{"a":1}`)}, headers...)
	w := s.tus(as, "POST", tusPath, nil, all...)
	if w.Code != 201 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return strings.TrimPrefix(w.Header().Get("Location"), "http://example.com"+Prefix)
}

func (s *stage) patch(path string, at int, bytes []byte, headers ...string) *httptest.ResponseRecorder {
	return s.tus("admin", "PATCH", path, strings.NewReader(string(bytes)), append([]string{"Upload-Offset", strconv.Itoa(at)}, headers...)...)
}

func TestAnUploadInPieces(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		content := make([]byte, 5000)
		for i := range content {
			content[i] = byte(i * 7)
		}
		path := s.upload(t, "admin", "lessons/a/film.mpg", len(content))
		for at := 0; at < len(content); {
			w := s.tus("admin", "HEAD", path, nil)
			if h := w.Header(); w.Code != 200 || h.Get("Upload-Offset") != strconv.Itoa(at) || h.Get("Upload-Length") != "5000" || h.Get("Cache-Control") != "no-store" || h.Get("Upload-Expires") == "" || h.Get("Upload-Metadata") == "" {
				t.Fatalf("%d %v", w.Code, h)
			}
			if s.do("admin", "GET", "/object/lessons/a/film.mpg", nil).Code != 400 {
				t.Error("it is there before its time")
			}
			end := min(at+1900, len(content))
			w = s.patch(path, at, content[at:end])
			if at = end; w.Code != 204 || w.Header().Get("Upload-Offset") != strconv.Itoa(at) || (w.Header().Get("Tus-Complete") == "1") != (at == len(content)) {
				t.Fatalf("%d %s %v", w.Code, w.Body, w.Header())
			}
		}
		w := s.do("admin", "GET", "/object/lessons/a/film.mpg", nil)
		if !bytes.Equal(w.Body.Bytes(), content) || w.Header().Get("Content-Type") != "video/mpeg" || w.Header().Get("Cache-Control") != "private, max-age=60" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
		if w := s.tus("admin", "HEAD", path, nil); w.Code != 200 || w.Header().Get("Upload-Offset") != "5000" {
			t.Errorf("afterwards: %d %v", w.Code, w.Header())
		}
		if w := s.tus("admin", "DELETE", path, nil); w.Code != 409 {
			t.Errorf("deleted though it is complete: %d", w.Code)
		}
		whole := s.tus("admin", "POST", tusPath, bytes.NewReader(content[:9]), "Upload-Length", "9", "Content-Type", chunk, "Upload-Metadata", said("bucketName", "lessons", "objectName", "at once", "contentType", "video/mpeg"))
		if whole.Code != 201 || whole.Header().Get("Tus-Complete") != "1" || whole.Header().Get("Upload-Offset") != "9" {
			t.Errorf("%d %s %v", whole.Code, whole.Body, whole.Header())
		}
		if w := s.tus("admin", "POST", tusPath, nil, "Upload-Length", "0", "Upload-Metadata", said("bucketName", "lessons", "objectName", "nothing", "contentType", "text/plain")); w.Code != 201 || s.do("admin", "GET", "/object/lessons/nothing", nil).Code != 200 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		late := s.upload(t, "admin", "lessons/late", 0, "Upload-Length", "", "Upload-Defer-Length", "1")
		if w := s.patch(late, 0, content[:100]); w.Code != 204 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if w := s.patch(late, 100, content[100:300], "Upload-Length", "300"); w.Code != 204 || w.Header().Get("Tus-Complete") != "1" {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		dead := s.upload(t, "admin", "lessons/dead", 10)
		if s.patch(dead, 0, content[:5]).Code != 204 || s.tus("admin", "DELETE", dead, nil).Code != 204 || s.tus("admin", "HEAD", dead, nil).Code != 404 {
			t.Error("an upload that was deleted is there")
		}
		s.whole(t)
	})
}

func TestSecurity62EveryRefusalOfAnUploadInPieces(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.do("admin", "POST", "/object/lessons/there", strings.NewReader("x"), "Content-Type", "text/plain")
		path := s.upload(t, "admin", "lessons/open", 10)
		theirs := s.upload(t, "service", "lessons/theirs", 10)
		lessons := func(pairs ...string) string { return said(append([]string{"bucketName", "lessons"}, pairs...)...) }
		named := lessons("objectName", "x")
		for _, c := range []struct {
			as, method, path string
			headers          []string
			body             string
			status           int
			text             string
		}{
			{"admin", "POST", tusPath, []string{"Tus-Resumable", ""}, "", 412, "Tus-Resumable Required"},
			{"admin", "POST", tusPath, []string{"Upload-Metadata", named}, "", 400, "Upload-Length or Upload-Defer-Length header required"},
			{"admin", "POST", tusPath, []string{"Upload-Metadata", named, "Upload-Length", "-1"}, "", 400, "Invalid upload-length"},
			{"admin", "POST", tusPath, []string{"Upload-Length", "1"}, "", 400, "Metadata header is required"},
			{"admin", "POST", tusPath, []string{"Upload-Length", "1", "Upload-Metadata", "bucketName %%"}, "", 400, "Invalid upload-metadata"},
			{"admin", "POST", tusPath, []string{"Upload-Length", "1", "Upload-Metadata", said("objectName", "x")}, "", 400, "Bucket name invalid"},
			{"admin", "POST", tusPath, []string{"Upload-Length", "1", "Upload-Metadata", said("bucketName", "none", "objectName", "x")}, "", 404, "Bucket not found"},
			{"admin", "POST", tusPath, []string{"Upload-Length", "1", "Upload-Metadata", lessons("objectName", "../x")}, "", 400, "Invalid key: ../x"},
			{"admin", "POST", tusPath, []string{"Upload-Length", "1", "Upload-Metadata", lessons("objectName", "there")}, "", 409, "The resource already exists"},
			{"user", "POST", tusPath, []string{"Upload-Length", "1", "Upload-Metadata", named}, "", 403, "new row violates row-level security policy"},
			{"anon", "POST", tusPath, []string{"Upload-Length", "1", "Upload-Metadata", named}, "", 403, "new row violates row-level security policy"},
			{"admin", "POST", tusPath, []string{"Upload-Length", "1", "Upload-Metadata", lessons("objectName", "x", "contentType", "text/html")}, "", 415, "mime type text/html is not supported"},
			{"admin", "POST", tusPath, []string{"Upload-Length", strconv.Itoa(mostResumable + 1), "Upload-Metadata", named}, "", 413, "Maximum size exceeded"},
			{"admin", "PATCH", path, []string{"Upload-Offset", "3"}, "abc", 409, "Upload-Offset conflict"},
			{"admin", "PATCH", path, nil, "abc", 403, "Upload-Offset header required"},
			{"admin", "PATCH", path, []string{"Upload-Offset", "0", "Content-Type", "text/plain"}, "abc", 400, "Invalid content-type"},
			{"admin", "PATCH", path, []string{"Upload-Offset", "0"}, "abcdefghijk", 413, "upload's size exceeded"},
			{"admin", "PATCH", path, []string{"Upload-Offset", "0", "Tus-Resumable", ""}, "abc", 412, "Tus-Resumable Required"},
			{"admin", "PATCH", tusPath + "/00000000-0000-4000-8000-00000000000f", []string{"Upload-Offset", "0"}, "abc", 404, "The upload does not exist"},
			{"admin", "PATCH", tusPath + "/nonsense", []string{"Upload-Offset", "0"}, "abc", 400, "Invalid upload id"},
			{"admin", "PATCH", theirs, []string{"Upload-Offset", "0"}, "abc", 404, "The upload does not exist"},
			{"user", "PATCH", path, []string{"Upload-Offset", "0"}, "abc", 404, "The upload does not exist"},
			{"user", "HEAD", path, nil, "", 404, "The upload does not exist"},
			{"anon", "DELETE", theirs, nil, "", 404, "The upload does not exist"},
			{"admin", "POST", tusPath + "/sign", []string{"Upload-Length", "1", "Upload-Metadata", named}, "", 400, "Missing x-signature header"},
			{"", "PATCH", strings.Replace(path, "resumable/", "resumable/sign/", 1), []string{"Upload-Offset", "0"}, "abc", 400, "Missing x-signature header"},
		} {
			w := s.tus(c.as, c.method, c.path, strings.NewReader(c.body), c.headers...)
			if w.Code != c.status || w.Body.String() != c.text || w.Header().Get("Tus-Resumable") != "1.0.0" || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
				t.Errorf("%s %s as %s %v: %d %s", c.method, c.path, c.as, c.headers, w.Code, w.Body)
			}
		}
		if w := s.tus("nobody", "HEAD", path, nil); w.Code != 400 || !strings.Contains(w.Body.String(), "Invalid Compact JWS") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if w := s.tus("admin", "GET", path, nil); w.Code != 404 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if w := s.patch(path, 0, []byte("<html><b>!")); w.Code != 415 || s.tus("admin", "HEAD", path, nil).Code != 410 {
			t.Errorf("what it is not: %d %s", w.Code, w.Body)
		}
		if w := s.tus("service", "DELETE", theirs, nil); w.Code != 204 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		s.whole(t)
	})
}

// An account may have so many uploads open, and each ends after a day; whoever lost the right to write in between is refused.
func TestUploadsAreBoundedAndEnd(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		var paths []string
		for i := range mostOpen {
			paths = append(paths, s.upload(t, "admin", fmt.Sprintf("lessons/%d", i), 100))
		}
		more := []string{"Upload-Length", "1", "Upload-Metadata", said("bucketName", "lessons", "objectName", "more", "contentType", "video/mpeg")}
		if w := s.tus("admin", "POST", tusPath, nil, more...); w.Code != 429 {
			t.Errorf("one more: %d %s", w.Code, w.Body)
		}
		if w := s.patch(paths[0], 0, make([]byte, 40)); w.Code != 204 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		s.hands.Advance(unused)
		last := s.upload(t, "admin", "lessons/last", 100) // in the place of one that has nothing
		if a, b, c := s.tus("admin", "HEAD", paths[0], nil).Code, s.count(t, "select count(*) from storage_uploads where state = 'open'"), s.tus("admin", "HEAD", last, nil).Code; a != 200 || b != mostOpen || c != 200 {
			t.Errorf("%d, %d open, %d", a, b, c)
		}
		identify := s.Identify
		s.Identify = func(*http.Request) (who.Actor, error) {
			return who.Actor{Role: who.User, UserID: actors["admin"].UserID}, nil
		}
		for _, method := range []string{"PATCH", "DELETE"} {
			if w := s.tus("admin", method, paths[0], strings.NewReader("x"), "Upload-Offset", "40"); w.Code != 403 {
				t.Errorf("%s by somebody who is no admin any more: %d %s", method, w.Code, w.Body)
			}
		}
		s.Identify = identify
		s.hands.Advance(resumableTime - unused - time.Minute)
		if err := s.Sweep(t.Context()); err != nil || s.tus("admin", "HEAD", paths[0], nil).Code != 200 {
			t.Errorf("before its time: %v", err)
		}
		s.hands.Advance(time.Minute)
		if code := s.patch(paths[0], 40, make([]byte, 60)).Code; code != 410 {
			t.Errorf("after its time: %d", code)
		}
		s.hands.Advance(unused)
		s.whole(t)
		if code := s.tus("admin", "HEAD", last, nil).Code; code != 410 {
			t.Errorf("after the sweep: %d", code)
		}
		s.hands.Advance(resumableTime)
		if err := s.Sweep(t.Context()); err != nil || s.count(t, "select count(*) from storage_uploads") != 0 {
			t.Errorf("uploads are left: %v", err)
		}
	})
}

func TestALinkUploadsInPieces(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		answer := s.do("admin", "POST", "/object/upload/sign/lessons/linked", strings.NewReader("{}"), "Content-Type", "application/json").Body.String()
		token := strings.Split(strings.Split(answer, `"token":"`)[1], `"`)[0]
		about := said("bucketName", "lessons", "objectName", "linked", "contentType", "video/mpeg")
		if w := s.tus("", "POST", tusPath+"/sign", nil, "X-Signature", token, "Upload-Length", "4", "Upload-Metadata", said("bucketName", "lessons", "objectName", "other")); w.Code != 400 || w.Body.String() != "Invalid signature" {
			t.Errorf("another place: %d %s", w.Code, w.Body)
		}
		w := s.tus("", "POST", tusPath+"/sign", nil, "X-Signature", token, "Upload-Length", "4", "Upload-Metadata", about)
		path := strings.TrimPrefix(w.Header().Get("Location"), "http://example.com"+Prefix)
		if w.Code != 201 || !strings.HasPrefix(path, tusPath+"/sign/") {
			t.Fatalf("%d %s %v", w.Code, w.Body, w.Header())
		}
		for _, c := range []struct {
			token string
			code  int
		}{{token + "x", 400}, {token, 204}} {
			if w := s.tus("", "PATCH", path, strings.NewReader("\x00\x01\x02\x03"), "X-Signature", c.token, "Upload-Offset", "0"); w.Code != c.code {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
		if w := s.do("admin", "GET", "/object/lessons/linked", nil); w.Body.Len() != 4 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		s.whole(t)
	})
}

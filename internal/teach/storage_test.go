package teach_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// storage makes a request of the storage and gives its answer.
func (s *stage) storage(token, method, path, body string, headers ...string) (int, string) {
	s.t.Helper()
	answer := s.Do(s.t, method, "/storage/v1/"+path, token, body, headers...)
	return answer.Status, answer.Body
}

// Who may change a course does everything in its folder, and nothing in any other.
func TestTeachersStoreInTheFolderOfTheirCourse(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		ours, theirs := s.course+"/a/notes.txt", s.other+"/a/notes.txt"
		s.upload(s.ed, ours, "text/plain", "ours")
		s.upload(s.bo, theirs, "text/plain", "theirs")
		type try struct{ method, path, body, kind string }
		json := "application/json"
		in := func(path, course string) []try {
			return []try{
				{"GET", "object/lessons/" + path, "", ""},
				{"GET", "object/authenticated/lessons/" + path, "", ""},
				{"GET", "object/info/lessons/" + path, "", ""},
				{"POST", "object/sign/lessons/" + path, `{"expiresIn":60}`, json},
				{"POST", "object/upload/sign/lessons/" + course + "/signed.txt", `{}`, json},
				{"PUT", "object/lessons/" + path, "changed", "text/plain"},
				{"POST", "object/copy", fmt.Sprintf(`{"bucketId":"lessons","sourceKey":%q,"destinationKey":%q}`, path, course+"/copied.txt"), json},
				{"POST", "object/move", fmt.Sprintf(`{"bucketId":"lessons","sourceKey":%q,"destinationKey":%q}`, course+"/copied.txt", course+"/moved.txt"), json},
				{"DELETE", "object/lessons/" + course + "/moved.txt", "", ""},
				{"POST", "object/lessons/" + course + "/new.txt", "new", "text/plain"},
			}
		}
		sent := func(token string, all []try, fine bool) {
			t.Helper()
			for _, one := range all {
				status, body := s.storage(token, one.method, one.path, one.body, "Content-Type", one.kind)
				if (status < 300) != fine || status >= 500 {
					t.Errorf("%s %s: %d %s", one.method, one.path, status, body)
				}
			}
		}
		sent(s.ed, in(ours, s.course), true)
		before := s.one("select count(*) from storage_objects")
		for _, token := range []string{s.ann, s.bo, s.eve} {
			sent(token, in(ours, s.course), false)
		}
		sent(s.ed, in(theirs, s.other), false)
		for _, place := range []string{"notes.txt", "x/notes.txt", "/" + s.course + "/x.txt", strings.ToUpper(s.course) + "/x.txt", s.course, s.course + "x/a.txt"} {
			if status, body := s.storage(s.ed, "POST", "object/lessons/"+place, "x", "Content-Type", "text/plain"); status < 400 {
				t.Errorf("stored in %s: %s", place, body)
			}
		}
		// A journey from one course into another needs the right to both.
		for _, way := range [][2]string{{ours, s.other + "/x.txt"}, {theirs, s.course + "/x.txt"}} {
			for _, verb := range []string{"copy", "move"} {
				body := fmt.Sprintf(`{"bucketId":"lessons","sourceKey":%q,"destinationKey":%q}`, way[0], way[1])
				if status, said := s.storage(s.ed, "POST", "object/"+verb, body, "Content-Type", json); status < 400 {
					t.Errorf("%s: %s", verb, said)
				}
			}
		}
		if after := s.one("select count(*) from storage_objects"); after != before {
			t.Errorf("%s objects, then %s", before, after)
		}
		for token, want := range map[string]int{s.ed: 2, s.ann: 0, s.bo: 0, s.eve: 0} {
			for _, list := range []string{"list", "list-v2"} {
				_, said := s.storage(token, "POST", "object/"+list+"/lessons", fmt.Sprintf(`{"prefix":%q,"limit":100}`, s.course+"/"), "Content-Type", json)
				if (strings.Contains(said, "new.txt")) != (want > 0) || strings.Contains(said, "theirs") {
					t.Errorf("%s: %s", list, said)
				}
			}
			_, gone := s.storage(token, "DELETE", "object/lessons", fmt.Sprintf(`{"prefixes":[%q,%q]}`, theirs, "nothing"), "Content-Type", json)
			if strings.Contains(gone, "theirs") != false || (token == s.bo) != strings.Contains(gone, s.other) {
				t.Errorf("removed: %s", gone)
			}
			if token == s.bo {
				s.upload(s.bo, theirs, "text/plain", "theirs")
			}
		}
		if status, _ := s.storage(s.ed, "POST", "object/artwork/x.txt", "x", "Content-Type", "text/plain"); status < 400 {
			t.Error("stored among the pictures")
		}
	})
}

// An upload in pieces is refused where it begins, and where it goes on after the right went.
func TestUploadsInPiecesStandInTheFolderOfTheCourse(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		begin := func(token, name string) (int, string) {
			t.Helper()
			told := fmt.Sprintf("bucketName %s,objectName %s,contentType %s", b64("lessons"), b64(name), b64("video/mp4"))
			answer := s.Do(t, "POST", "/storage/v1/upload/resumable", token, "", "Tus-Resumable", "1.0.0", "Upload-Length", fmt.Sprint(len(aFilm)), "Upload-Metadata", told)
			return answer.Status, strings.TrimPrefix(answer.Header.Get("Location"), s.URL)
		}
		send := func(token, at string, offset int, body string) int {
			t.Helper()
			return s.Do(t, "PATCH", at, token, body, "Tus-Resumable", "1.0.0", "Upload-Offset", fmt.Sprint(offset), "Content-Type", "application/offset+octet-stream").Status
		}
		name := s.course + "/l/film.mp4"
		for _, token := range []string{s.ann, s.bo, s.eve} {
			if status, _ := begin(token, name); status != http.StatusForbidden {
				t.Error(status)
			}
		}
		if status, _ := begin(s.ed, s.other+"/l/film.mp4"); status != http.StatusForbidden {
			t.Error(status)
		}
		status, at := begin(s.ed, name)
		if status != http.StatusCreated || send(s.ed, at, 0, aFilm[:9]) != http.StatusNoContent || send(s.ed, at, 9, aFilm[9:]) != http.StatusNoContent {
			t.Fatal(status, at)
		}
		_, at = begin(s.ed, s.course+"/l/late.mp4")
		if status := send(s.ed, at, 0, aFilm[:9]); status != http.StatusNoContent {
			t.Fatal(status)
		}
		s.write("update course_teachers set may_edit = $2 where user_id = $1", s.edsID, false)
		if status := send(s.ed, at, 9, aFilm[9:]); status != http.StatusForbidden {
			t.Error(status)
		}
		s.wants("select name from storage_objects where bucket_id = 'lessons'", name)
	})
}

// A link that a teacher made reads as long as they may change the course.
func TestALinkOfATeachersEndsWithTheirRight(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		path := s.course + "/l/notes.txt"
		s.upload(s.ed, path, "text/plain", "ours")
		_, said := s.storage(s.ed, "POST", "object/sign/lessons/"+path, `{"expiresIn":31536000}`, "Content-Type", "application/json")
		link := strings.TrimPrefix(strings.Split(said, `"`)[3], "/")
		for _, step := range []struct {
			edits bool
			want  int
		}{{true, http.StatusOK}, {false, http.StatusBadRequest}, {true, http.StatusOK}} {
			s.write("update course_teachers set may_edit = $2 where user_id = $1", s.edsID, step.edits)
			if status, body := s.storage("", "GET", link, ""); status != step.want {
				t.Errorf("%v: %d %s", step.edits, status, body)
			}
		}
	})
}

// Whoever loses the right while the bytes come has nothing stored.
func TestARightThatEndsDuringAnUpload(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		told := fmt.Sprintf("bucketName %s,objectName %s,contentType %s", b64("lessons"), b64(s.course+"/l/pieces.mp4"), b64("video/mp4"))
		begun := s.Do(t, "POST", "/storage/v1/upload/resumable", s.ed, "", "Tus-Resumable", "1.0.0", "Upload-Length", fmt.Sprint(len(aFilm)), "Upload-Metadata", told)
		for _, one := range []struct {
			method, address string
			header          http.Header
		}{
			{"POST", s.URL + "/storage/v1/object/lessons/" + s.course + "/l/plain.mp4", http.Header{"Content-Type": {"video/mp4"}}},
			{"PATCH", begun.Header.Get("Location"), http.Header{"Content-Type": {"application/offset+octet-stream"}, "Tus-Resumable": {"1.0.0"}, "Upload-Offset": {"0"}}},
		} {
			s.write("update course_teachers set may_edit = $2 where user_id = $1", s.edsID, true)
			body, sender := io.Pipe()
			r, err := http.NewRequestWithContext(t.Context(), one.method, one.address, body)
			if err != nil {
				t.Fatal(err)
			}
			r.ContentLength, r.Header = int64(len(aFilm)), one.header
			r.Header.Set("Authorization", "Bearer "+s.ed)
			done := make(chan int, 1)
			go func() {
				answer, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Error(err)
					done <- 0
					return
				}
				defer answer.Body.Close()
				done <- answer.StatusCode
			}()
			if _, err := io.WriteString(sender, aFilm[:9]); err != nil {
				t.Fatal(err)
			}
			s.until("the first bytes are there", "select count(*) from storage_versions where state = 'pending'")
			s.write("update course_teachers set may_edit = $2 where user_id = $1", s.edsID, false)
			if _, err := io.WriteString(sender, aFilm[9:]); err != nil {
				t.Fatal(err)
			}
			_ = sender.Close()
			if status := <-done; status < 400 || status >= 500 {
				t.Error(one.method, status)
			}
		}
		s.wants("select count(*) from storage_objects where bucket_id = 'lessons'", "0")
	})
}

func b64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// What a lesson, a course or a film shows is not taken away from under it, by nobody but the service role.
func TestAnUploadInUseStays(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		section := s.section("One")
		lesson, text := s.lesson(section, "film", "video"), s.lesson(section, "text", "text")
		place := s.course + "/" + lesson + "/"
		film := s.upload(s.ed, place+"film.mp4", "video/mp4", aFilm)
		trailer := s.upload(s.ed, place+"trailer.mp4", "video/mp4", aFilm+"!")
		sheet := s.upload(s.ed, place+"sheet.txt", "text/plain", "sheet")
		free := s.upload(s.ed, place+"free.txt", "text/plain", "free")
		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": film}, http.StatusOK)
		s.call(s.ed, "set-trailer", ask{"course": s.course, "path": trailer}, http.StatusOK)
		s.call(s.ed, "add-lesson-file", ask{"lesson": text, "path": sheet, "name": "Sheet.txt"}, http.StatusOK)
		for _, token := range []string{s.ed, s.admin} {
			for _, path := range []string{film, trailer, sheet} {
				if status, body := s.storage(token, "DELETE", "object/lessons/"+path, ""); status != http.StatusBadRequest || !strings.Contains(body, `"statusCode":"403"`) {
					t.Errorf("%s: %d %s", path, status, body)
				}
			}
			status, body := s.storage(token, "DELETE", "object/lessons", fmt.Sprintf(`{"prefixes":[%q,%q,%q]}`, film, trailer, sheet), "Content-Type", "application/json")
			if status != http.StatusOK || body != "[]" {
				t.Errorf("together: %d %s", status, body)
			}
		}
		if status, body := s.storage(s.ed, "DELETE", "object/lessons/"+free, ""); status != http.StatusOK {
			t.Errorf("what nothing shows: %d %s", status, body)
		}
		s.wants("select count(*) from storage_objects where bucket_id = 'lessons'", "3")
		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": nil}, http.StatusOK)
		s.wants("select count(*) from storage_objects where bucket_id = 'lessons'", "2")
	})
}

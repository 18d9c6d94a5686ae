package teach_test

import (
	"encoding/json"
	"net/http"
	"testing"
)

// One upload may be a lesson's video and a file beside a lesson: it goes with the last of them.
func TestAnUploadStaysWhileAnythingShowsIt(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		section := s.section("One")
		lesson, other := s.lesson(section, "film", "video"), s.lesson(section, "notes", "text")
		path := s.upload(s.ed, s.course+"/"+lesson+"/film.mp4", "video/mp4", aFilm)
		beside := func(lesson string) (file string) {
			t.Helper()
			var added struct{ ID string }
			_ = json.Unmarshal([]byte(s.call(s.ed, "add-lesson-file", ask{"lesson": lesson, "path": path, "name": "Film.mp4"}, http.StatusOK)), &added)
			return added.ID
		}
		there := func(want string) {
			t.Helper()
			s.wants("select count(*) from storage_objects where bucket_id = 'lessons'", want)
		}
		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": path}, http.StatusOK)
		s.call(s.ed, "publish-lesson", ask{"lesson": lesson}, http.StatusOK)
		s.call(s.ed, "remove-lesson-file", ask{"file": beside(other)}, http.StatusNoContent)
		there("1")
		s.wants("select count(*) from lesson_contents where video_id is not null", "1")

		// The same for a trailer.
		s.call(s.ed, "set-trailer", ask{"course": s.course, "path": path}, http.StatusOK)
		s.call(s.ed, "unpublish-lesson", ask{"lesson": lesson}, http.StatusOK)
		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": nil}, http.StatusOK)
		s.call(s.ed, "remove-lesson-file", ask{"file": beside(other)}, http.StatusNoContent)
		there("1")

		// And the other way about: the video goes, the file stays.
		file := beside(other)
		s.call(s.ed, "set-trailer", ask{"course": s.course, "path": nil}, http.StatusOK)
		there("1")
		s.call(s.ed, "remove-lesson-file", ask{"file": file}, http.StatusNoContent)
		there("0")
	})
}

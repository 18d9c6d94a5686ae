package teach_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// What a published lesson shows before it plays is on pages: they are told, once, and what an admin does stands in the trail.
func TestAPosterOfAPublishedLessonIsOnItsPages(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.lesson(s.section("One"), "film", "video")
		film := s.upload(s.ed, s.course+"/"+lesson+"/first.mp4", "video/mp4", aFilm)
		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": film}, http.StatusOK)
		answer := s.Do(t, "POST", "/storage/v1/picture/lessons?folder="+s.course+"/"+lesson, s.ed, aPhoto(t), "Content-Type", "image/png")
		var told struct{ Key string }
		if err := json.Unmarshal([]byte(answer.Body), &told); err != nil || answer.Status != http.StatusOK {
			t.Fatal(answer.Status, answer.Body, err)
		}
		path := strings.TrimPrefix(told.Key, "lessons/")
		const version = "select number from versions where name = 'catalog'"
		before := s.one(version)
		s.call(s.ed, "set-lesson-poster", ask{"lesson": lesson, "path": path}, http.StatusNoContent)
		s.wants(version, before) // nobody sees a draft
		s.call(s.ed, "publish-lesson", ask{"lesson": lesson}, http.StatusOK)
		before = s.one(version)
		s.call(s.ed, "set-lesson-poster", ask{"lesson": lesson, "path": path}, http.StatusNoContent)
		s.wants(version, before) // as it was
		s.call(s.admin, "set-lesson-poster", ask{"lesson": lesson, "path": nil}, http.StatusNoContent)
		if s.one(version) == before {
			t.Error("the pages were not told")
		}
		s.wants("select count(*) from audit_entries where action = 'admin.lesson.change' and subject like '%"+lesson+"%'", "1")
	})
}

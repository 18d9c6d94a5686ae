package teach_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"greenroom/internal/platform/limit"
)

// The pages are made anew for what they show, and for nothing else: whoever says the same again costs the visitors nothing.
func TestPagesAreToldOnlyOfWhatTheyShow(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		one, two := s.section("One"), s.section("Two")
		text, film, idle := s.lesson(one, "a", "text"), s.lesson(one, "b", "video"), s.lesson(two, "c", "text")
		path := s.upload(s.ed, s.course+"/"+film+"/film.mp4", "video/mp4", aFilm)
		next := s.upload(s.ed, s.course+"/"+film+"/next.mp4", "video/mp4", aFilm+"!")
		s.written(text, "Light")
		version := func() string { return s.one("select number from versions where name = 'catalog'") }
		told := func(want bool, what string, do func()) {
			s.t.Helper()
			before := version()
			do()
			if got := version() != before; got != want {
				s.t.Errorf("%s: told is %t", what, got)
			}
		}
		patch := func(token, path, body string) func() {
			return func() { s.rest(token, "PATCH", path, body, http.StatusOK) }
		}
		call := func(name string, with ask) func() { return func() { s.call(s.ed, name, with, http.StatusOK) } }
		order := func(lessons ...string) ask {
			return ask{"course": s.course, "sections": []ask{{"id": one, "lessons": lessons}, {"id": two, "lessons": []string{idle}}}}
		}
		steps := []struct {
			what  string
			told  bool
			again bool // the same once more, of which nobody is told
			do    func()
		}{
			{"a draft's name", false, true, patch(s.ed, "lessons?id=eq."+text, `{"title":"A"}`)},
			{"a draft's video", false, true, call("set-lesson-video", ask{"lesson": film, "path": path})},
			{"to unpublish a draft", false, true, call("unpublish-lesson", ask{"lesson": text})},
			{"to publish", true, true, call("publish-lesson", ask{"lesson": text})},
			{"to publish the video", true, true, call("publish-lesson", ask{"lesson": film})},
			{"another video", true, true, call("set-lesson-video", ask{"lesson": film, "path": next})},
			{"a lesson's name", true, true, patch(s.ed, "lessons?id=eq."+text, `{"title":"AA","preview":false}`)},
			{"a lesson's name among drafts", true, true, patch(s.ed, "lessons?course_id=eq."+s.course, `{"release_days":3}`)},
			{"the name of another draft", false, true, patch(s.ed, "lessons?id=eq."+idle, `{"title":"CC"}`)},
			{"a section's name", true, true, patch(s.ed, "course_sections?id=eq."+one, `{"title":"1"}`)},
			{"a section of drafts", false, true, patch(s.ed, "course_sections?id=eq."+two, `{"title":"2"}`)},
			{"another order", true, true, call("arrange-lessons", order(film, text))},
			{"a draft's text", false, false, call("save-draft", ask{"lesson": text, "body": "Shade", "draft_version": 2})},
			{"to publish a change", true, true, call("publish-lesson", ask{"lesson": text})},
			{"a trailer", true, true, call("set-trailer", ask{"course": s.course, "path": next})},
			{"the terms", true, true, patch(s.admin, "course_offers?course_id=eq."+s.course, `{"strict":true}`)},
			{"a teacher's name", true, true, patch(s.admin, "course_teachers?course_id=eq."+s.course, `{"shown_name":"Ed"}`)},
			{"a draft that goes", false, false, func() { s.rest(s.ed, "DELETE", "lessons?id=eq."+idle, "", http.StatusOK) }},
			{"to unpublish", true, true, call("unpublish-lesson", ask{"lesson": film})},
			{"a lesson that goes", true, false, func() { s.rest(s.ed, "DELETE", "lessons?id=eq."+text, "", http.StatusOK) }},
		}
		for _, step := range steps {
			told(step.told, step.what, step.do)
			if step.again {
				told(false, step.what+", again", step.do)
			}
		}
		s.wants(fmt.Sprintf("select version from lessons where id = '%s'", film), "2")
	})
}

// Whoever changes things back and forth comes to an end; others, and admins, go on.
func TestTheStudioTakesSoManyChangesAMinute(t *testing.T) {
	t.Parallel()
	onStageWith(t, "on", func(s *stage) {
		section := s.section("One")
		lesson := s.lesson(section, "a", "text")
		s.written(lesson, "Light")
		s.rest(s.ed, "PATCH", "lessons?id=eq."+lesson, `{"title":"A"}`, http.StatusOK)
		s.call(s.ed, "publish-lesson", ask{"lesson": lesson}, http.StatusOK)
		// As if the three had been all that there are.
		rule := limit.StudioPerAccount
		taken := s.one("select taken from limits where rule = '" + rule.Name + "'")
		s.write("update limits set taken = $2 where rule = $1", rule.Name, strings.Repeat(taken, rule.Times/3))
		order := ask{"course": s.course, "sections": []ask{{"id": section, "lessons": []string{lesson}}}}
		for range 2 {
			s.rest(s.ed, "PATCH", "lessons?id=eq."+lesson, `{"title":"B"}`, http.StatusTooManyRequests)
			s.rest(s.ed, "PATCH", "course_sections?id=eq."+section, `{"title":"B"}`, http.StatusTooManyRequests)
			s.call(s.ed, "unpublish-lesson", ask{"lesson": lesson}, http.StatusTooManyRequests)
			s.call(s.ed, "arrange-lessons", order, http.StatusTooManyRequests)
		}
		s.wants("select title from lessons", "A", "select state from lessons", "published")
		s.call(s.ed, "studio-lesson", ask{"lesson": lesson}, http.StatusOK)
		s.rest(s.admin, "PATCH", "lessons?id=eq."+lesson, `{"title":"B"}`, http.StatusOK)
		s.call(s.admin, "unpublish-lesson", ask{"lesson": lesson}, http.StatusOK)
		s.call(s.bo, "arrange-lessons", ask{"course": s.other, "sections": []ask{}}, http.StatusOK)
	})
}

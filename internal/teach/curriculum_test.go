package teach_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"greenroom/internal/platform/id"
)

func TestACurriculumStandsInOrder(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		one, two := s.section("One"), s.section("Two")
		first := s.lesson(two, "a", "text")
		s.lesson(two, "b", "video")
		s.lesson(one, "c", "text")
		s.lesson(one, "d", "text")
		if got := s.order(); got != "One/c1 One/d2 Two/a3 Two/b4" {
			t.Error(got)
		}
		if got := s.one("select count(*) from lessons where preview and id = '" + first + "'"); got != "1" {
			t.Error("the first lesson is not for everybody")
		}
		s.wants("select count(*) from lessons where preview", "1", "select count(*) from lessons where state <> 'draft'", "0",
			"select count(*) from course_offers where published_at is null", "1")
		answer := s.rest(s.ed, "DELETE", "course_sections?id=eq."+one, "", http.StatusConflict)
		if !strings.Contains(answer, "Move or delete its lessons first.") {
			t.Error(answer)
		}
		s.rest(s.ed, "DELETE", "lessons?section_id=eq."+one, "", http.StatusOK)
		s.rest(s.ed, "DELETE", "course_sections?id=eq."+one, "", http.StatusOK)
		if got := s.order(); got != "Two/a1 Two/b2" {
			t.Error(got)
		}
		// A section of another course, and none at all.
		foreign := s.add(s.bo, "course_sections", fmt.Sprintf(`{"course_id":%q,"title":"Theirs"}`, s.other))
		for _, section := range []string{foreign, id.New()} {
			s.rest(s.ed, "POST", "lessons", fmt.Sprintf(`{"course_id":%q,"section_id":%q,"title":"x","kind":"text"}`, s.course, section), http.StatusBadRequest)
		}
		for _, kind := range []string{"film", ""} {
			s.rest(s.ed, "POST", "lessons", fmt.Sprintf(`{"course_id":%q,"section_id":%q,"title":"x","kind":%q}`, s.course, two, kind), http.StatusBadRequest)
		}
	})
}

func TestLessonsArePublishedAndTakenBack(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		section := s.section("One")
		a, b, film := s.lesson(section, "a", "text"), s.lesson(section, "b", "text"), s.lesson(section, "film", "video")
		for _, lesson := range []string{a, film} {
			s.call(s.ed, "publish-lesson", ask{"lesson": lesson}, http.StatusBadRequest)
		}
		s.written(a, "# Light")
		s.written(b, "Shade")
		version := s.one("select number from versions where name = 'catalog'")
		answer := s.call(s.ed, "publish-lesson", ask{"lesson": a}, http.StatusOK)
		if !strings.Contains(answer, `"state":"published"`) || !strings.Contains(answer, `"version":2`) {
			t.Error(answer)
		}
		if s.one("select number from versions where name = 'catalog'") == version {
			t.Error("the pages do not know of it")
		}
		s.wants("select body from lesson_contents where lesson_id = '"+a+"'", "# Light", "select body from lesson_contents where lesson_id = '"+b+"'", "",
			"select lessons from course_offers where published_at is not null", "1", "select lessons from courses where id = '"+s.course+"'", "1")
		for path, want := range map[string]int{"lessons": 1, "course_sections": 1, "course_offers": 1, "course_teachers": 2} {
			if rows := s.rest("", "GET", path+"?select=id&course_id=eq."+s.course, "", http.StatusOK); strings.Count(rows, `"id"`) != want {
				t.Errorf("anybody sees of %s: %s", path, rows)
			}
		}
		s.call(s.ed, "publish-lesson", ask{"lesson": b}, http.StatusOK)
		s.call(s.ed, "unpublish-lesson", ask{"lesson": a}, http.StatusOK)
		s.wants("select lessons from course_offers where published_at is not null", "1")
		s.call(s.ed, "unpublish-lesson", ask{"lesson": b}, http.StatusOK)
		s.wants("select count(*) from course_offers where published_at is null and lessons = 0", "1", "select lessons from courses where id = '"+s.course+"'", "1")
		if rows := s.rest("", "GET", "lessons?course_id=eq."+s.course, "", http.StatusOK); rows != "[]" {
			t.Error(rows)
		}
	})
}

// What is counted is what is published, however many publish at once.
func TestAllWhoPublishAtOnceAreCounted(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		section := s.section("One")
		var lessons []string
		for i := range 8 {
			lesson := s.lesson(section, fmt.Sprint(i), "text")
			s.written(lesson, "x")
			lessons = append(lessons, lesson)
		}
		var all sync.WaitGroup
		for _, lesson := range lessons {
			all.Go(func() { s.sent("POST", "/functions/v1/publish-lesson", `{"lesson":"`+lesson+`"}`) })
		}
		all.Wait()
		s.wants("select lessons from course_offers", "8", "select lessons from courses where id = '"+s.course+"'", "8")
		for i, lesson := range lessons[:4] {
			all.Go(func() {
				if i%2 == 0 {
					s.sent("POST", "/functions/v1/unpublish-lesson", `{"lesson":"`+lesson+`"}`)
				} else {
					s.sent("DELETE", "/rest/v1/lessons?id=eq."+lesson, "")
				}
			})
		}
		all.Wait()
		s.wants("select lessons from course_offers", "4", "select lessons from courses where id = '"+s.course+"'", "4")
	})
}

// An admin's own number of lessons counts as long as nothing is published.
func TestTheLessonsOfACourseAreCounted(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.lesson(s.section("One"), "a", "text")
		s.written(lesson, "x")
		change := func(want string) {
			t.Helper()
			answer := s.rest(s.admin, "PATCH", "courses?select=lessons,level&id=eq."+s.course, `{"lessons":77,"level":"Advanced"}`, http.StatusOK)
			if answer != `[{"lessons":`+want+`,"level":"Advanced"}]` {
				t.Error(answer)
			}
			s.wants("select lessons from courses where id = '"+s.course+"'", want)
		}
		change("77")
		s.call(s.ed, "publish-lesson", ask{"lesson": lesson}, http.StatusOK)
		change("1")
		s.call(s.ed, "unpublish-lesson", ask{"lesson": lesson}, http.StatusOK)
		change("77")
	})
}

func TestArrangingNeedsAllThatThereIs(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		one, two := s.section("One"), s.section("Two")
		a, b, c := s.lesson(one, "a", "text"), s.lesson(one, "b", "text"), s.lesson(two, "c", "text")
		foreign := s.add(s.bo, "course_sections", fmt.Sprintf(`{"course_id":%q,"title":"Theirs"}`, s.other))
		theirs := s.add(s.bo, "lessons", fmt.Sprintf(`{"course_id":%q,"section_id":%q,"title":"t","kind":"text"}`, s.other, foreign))
		part := func(section string, lessons ...string) ask { return ask{"id": section, "lessons": lessons} }
		before := s.order()
		for name, sections := range map[string][]ask{
			"a lesson is missing":      {part(one, a), part(two, c)},
			"a section is missing":     {part(one, a, b, c)},
			"another course's lesson":  {part(one, a, b), part(two, c, theirs)},
			"another course's section": {part(one, a, b), part(two, c), part(foreign)},
			"one in place of another":  {part(one, a, b), part(two, theirs)},
			"a lesson twice":           {part(one, a, b), part(two, c, a)},
			"a section twice":          {part(one, a), part(two, c), part(one, b)},
			"a section as a lesson":    {part(one, a, b, two, c)},
			"a lesson as a section":    {part(one, a, b), part(c), part(two)},
			"no ids":                   {part("x", "y")},
			"nothing":                  {},
		} {
			answer := s.call(s.ed, "arrange-lessons", ask{"course": s.course, "sections": sections}, http.StatusConflict)
			if !strings.Contains(answer, "Somebody else changed this curriculum. Reload to see it.") || s.order() != before {
				t.Errorf("%s: %s, %s", name, answer, s.order())
			}
		}
		s.call(s.ed, "arrange-lessons", ask{"course": s.course, "sections": []ask{part(two, b, c), part(one, a)}}, http.StatusOK)
		if got := s.order(); got != "Two/b1 Two/c2 One/a3" {
			t.Error(got)
		}
		s.wants("select count(*) from lessons where course_id = '"+s.other+"' and position = 1", "1")
	})
}

// Two tabs arrange the same lessons: who did not see what the other did changes nothing, and who says the same again is told that it
// is so.
func TestTwoTabsThatArrange(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		one, two := s.section("One"), s.section("Two")
		a, b, c := s.lesson(one, "a", "text"), s.lesson(one, "b", "text"), s.lesson(one, "c", "text")
		part := func(section string, lessons ...string) ask { return ask{"id": section, "lessons": lessons} }
		seen := []ask{part(one, a, b, c), part(two)}
		put := func(status int, was, next []ask) {
			t.Helper()
			s.call(s.ed, "arrange-lessons", ask{"course": s.course, "sections": next, "was": was}, status)
		}
		first := []ask{part(one, b, a, c), part(two)}
		put(http.StatusOK, seen, first)
		put(http.StatusOK, seen, first) // the answer was lost
		put(http.StatusConflict, seen, []ask{part(one, a, c, b), part(two)})
		put(http.StatusConflict, seen, []ask{part(two), part(one, a, b, c)})
		if got := s.order(); got != "One/b1 One/a2 One/c3" {
			t.Error(got)
		}
		put(http.StatusOK, first, []ask{part(two, c), part(one, b, a)})
		put(http.StatusConflict, []ask{part(two), part(one, c, b, a)}, []ask{part(one, a, b), part(two, c)})
		if got := s.order(); got != "Two/c1 One/b2 One/a3" {
			t.Error(got)
		}

		// Of many at once, from one order, one is first.
		var won atomic.Int32
		var all sync.WaitGroup
		now := []ask{part(two, c), part(one, b, a)}
		for _, next := range [][]ask{{part(two, c), part(one, a, b)}, {part(one, b, a), part(two, c)}, {part(two, c, b), part(one, a)}, {part(two), part(one, c, b, a)}} {
			body, _ := json.Marshal(ask{"course": s.course, "sections": next, "was": now})
			all.Go(func() {
				if answer := s.Do(t, "POST", "/functions/v1/arrange-lessons", s.ed, string(body)); answer.Status == http.StatusOK {
					won.Add(1)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Errorf("%d were first", won.Load())
		}
	})
}

// Two editors of one draft: one wins, and the other is told and changes nothing.
func TestTwoEditorsOfOneDraft(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.lesson(s.section("One"), "a", "text")
		answers := make([]int, 8)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				body := fmt.Sprintf(`{"lesson":%q,"body":"text %d","draft_version":1}`, lesson, i)
				answers[i] = s.Do(t, "POST", "/functions/v1/save-draft", s.ed, body).Status
			})
		}
		all.Wait()
		winner := -1
		for i, status := range answers {
			switch {
			case status == http.StatusOK && winner < 0:
				winner = i
			case status != http.StatusConflict:
				t.Errorf("%v", answers)
			}
		}
		s.wants("select draft_body from lesson_contents", fmt.Sprintf("text %d", winner), "select draft_version from lesson_contents", "2")
		// Who did not hear the answer says it again.
		s.call(s.ed, "save-draft", ask{"lesson": lesson, "body": fmt.Sprintf("text %d", winner), "draft_version": 1}, http.StatusOK)
		answer := s.call(s.admin, "save-draft", ask{"lesson": lesson, "body": "other", "draft_version": 1}, http.StatusConflict)
		if !strings.Contains(answer, "Somebody else changed this lesson. Reload to see their version.") {
			t.Error(answer)
		}
		s.wants("select draft_version from lesson_contents", "2", "select body from lesson_contents", "")
	})
}

func TestACourseIsBounded(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		section := s.section("One")
		lesson := s.lesson(section, "a", "text")
		fill := func(n int, query string) {
			t.Helper()
			for range n {
				s.write(query, id.New(), s.course, s.now())
			}
		}
		s.call(s.ed, "save-draft", ask{"lesson": lesson, "body": strings.Repeat("x", 100_001), "draft_version": 1}, http.StatusRequestEntityTooLarge)
		s.call(s.ed, "save-draft", ask{"lesson": lesson, "body": strings.Repeat("x", 100_000), "draft_version": 1}, http.StatusOK)
		fill(199, "insert into course_sections (id, course_id, title, position, created_at) values ($1, $2, 'S', 2, $3)")
		s.rest(s.ed, "POST", "course_sections", fmt.Sprintf(`{"course_id":%q,"title":"one more"}`, s.course), http.StatusBadRequest)
		fill(499, "insert into lessons (id, course_id, section_id, title, kind, position, created_at) values ($1, $2, '"+section+"', 'L', 'text', 2, $3)")
		s.rest(s.ed, "POST", "lessons", fmt.Sprintf(`{"course_id":%q,"section_id":%q,"title":"one more","kind":"text"}`, s.course, section), http.StatusBadRequest)
		path := s.upload(s.admin, s.course+"/"+lesson+"/notes.txt", "text/plain", "notes")
		for range 50 {
			s.call(s.ed, "add-lesson-file", ask{"lesson": lesson, "path": path, "name": "notes.txt"}, http.StatusOK)
		}
		s.call(s.ed, "add-lesson-file", ask{"lesson": lesson, "path": path, "name": "notes.txt"}, http.StatusBadRequest)
	})
}

// A course with a curriculum goes with all of it.
func TestACourseGoesWithItsCurriculum(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.lesson(s.section("One"), "a", "video")
		path := s.upload(s.admin, s.course+"/"+lesson+"/film.mp4", "video/mp4", aFilm)
		kept := s.upload(s.admin, s.other+"/"+lesson+"/film.mp4", "video/mp4", aFilm)
		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": path}, http.StatusOK)
		s.call(s.ed, "publish-lesson", ask{"lesson": lesson}, http.StatusOK)
		s.rest(s.admin, "DELETE", "courses?id=eq."+s.course, "", http.StatusOK)
		s.wants("select count(*) from lessons", "0", "select count(*) from lesson_contents", "0", "select count(*) from course_sections", "0",
			"select count(*) from course_offers", "0", "select name from storage_objects where bucket_id = 'lessons'", kept)
	})
}

// The moment at which a course came out stays, whatever comes out after it; what changes the page raises its version.
func TestACourseComesOutOnce(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		one, two := s.section("One"), s.section("Two")
		a, b := s.lesson(one, "a", "text"), s.lesson(two, "b", "text")
		s.written(a, "x")
		s.written(b, "x")
		s.call(s.ed, "publish-lesson", ask{"lesson": a}, http.StatusOK)
		out := s.one("select published_at from course_offers")
		s.call(s.ed, "publish-lesson", ask{"lesson": b}, http.StatusOK)
		s.wants("select published_at from course_offers", out)
		version := s.one("select number from versions where name = 'catalog'")
		s.call(s.ed, "arrange-lessons", ask{"course": s.course, "sections": []ask{{"id": two, "lessons": []string{b}}, {"id": one, "lessons": []string{a}}}}, http.StatusOK)
		if s.one("select number from versions where name = 'catalog'") == version {
			t.Error("the page does not know of the new order")
		}
	})
}

// Nothing but space is no text, and a film that cannot be played is no lesson.
func TestNothingToShowIsNotPublished(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		section := s.section("One")
		text, film := s.lesson(section, "a", "text"), s.lesson(section, "film", "video")
		s.written(text, " \n\t ")
		s.call(s.ed, "publish-lesson", ask{"lesson": text}, http.StatusBadRequest)
		path := s.upload(s.admin, s.course+"/"+film+"/film.mp4", "video/mp4", aFilm)
		s.call(s.ed, "set-lesson-video", ask{"lesson": film, "path": path}, http.StatusOK)
		s.write("update videos set state = 'refused', problem = 'This is no film.'")
		answer := s.call(s.ed, "publish-lesson", ask{"lesson": film}, http.StatusBadRequest)
		if !strings.Contains(answer, "cannot be played") {
			t.Error(answer)
		}
		s.wants("select count(*) from lessons where state = 'published'", "0")
	})
}

// One lesson is enough to keep its section, and drafts take no time.
func TestALessonKeepsItsSectionAndADraftTakesNoTime(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		section := s.section("One")
		draft := s.lesson(section, "a", "text")
		if answer := s.rest(s.ed, "DELETE", "course_sections?id=eq."+section, "", http.StatusConflict); !strings.Contains(answer, "Move or delete its lessons first.") {
			t.Error(answer)
		}
		out := s.lesson(section, "b", "text")
		s.written(out, "x")
		s.write("update lessons set seconds = 30 where id = $1", out)
		s.write("update lessons set seconds = 600 where id = $1", draft)
		s.call(s.ed, "publish-lesson", ask{"lesson": out}, http.StatusOK)
		s.wants("select seconds from course_offers", "30", "select lessons from course_offers", "1", "select count(*) from lessons", "2")
	})
}

package teach_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"greenroom/internal/platform/id"
)

// Whoever does not teach a course changes nothing of it by any way, and sees nothing that is not published; whoever may not change
// it sees all of it.
func TestOnlyTheirOwnCourse(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		section := s.section("One")
		lesson, film := s.lesson(section, "a", "text"), s.lesson(section, "film", "video")
		file := s.upload(s.admin, s.course+"/"+lesson+"/notes.txt", "text/plain", "notes")
		path := s.upload(s.admin, s.course+"/"+lesson+"/film.mp4", "video/mp4", aFilm)
		s.call(s.ed, "set-lesson-video", ask{"lesson": film, "path": path}, http.StatusOK)
		s.written(lesson, "secret")
		added := s.call(s.ed, "add-lesson-file", ask{"lesson": lesson, "path": file, "name": "notes.txt"}, http.StatusOK)
		added = strings.Split(added, `"`)[3]
		before := s.order()

		guest, guests := s.Person(t, "guest@example.com")
		s.write("insert into course_teachers (id, course_id, user_id, shown_name, may_edit, created_at) values ($1, $2, $3, 'G', $4, $5)", id.New(), s.course, guest.ID, true, s.now())
		s.write("update users set is_anonymous = $2 where id = $1", guest.ID, true)
		s.Accounts().Forget(guest.ID)

		changing := map[string]ask{
			"save-draft": {"lesson": lesson, "body": "x", "draft_version": 2}, "publish-lesson": {"lesson": lesson}, "unpublish-lesson": {"lesson": lesson},
			"arrange-lessons":  {"course": s.course, "sections": []ask{{"id": section, "lessons": []string{film, lesson}}}},
			"set-lesson-video": {"lesson": film, "path": nil}, "retry-lesson-video": {"lesson": film}, "cancel-lesson-video": {"lesson": film},
			"caption-lesson":    {"lesson": film, "language": "en", "label": "English", "text": "WEBVTT\n\n00:00.000 --> 00:01.000\nHi"},
			"set-lesson-poster": {"lesson": film, "path": nil},
			"set-trailer":       {"course": s.course, "path": path},
			"add-lesson-file":   {"lesson": lesson, "path": file, "name": "x"}, "remove-lesson-file": {"file": added},
		}
		for name, token := range map[string]string{"ann": s.ann, "bo": s.bo, "eve": s.eve, "guest": guests} {
			for function, body := range changing {
				s.call(token, function, body, http.StatusForbidden)
			}
			want := map[bool]int{true: http.StatusOK, false: http.StatusForbidden}[name == "ann"]
			if answer := s.call(token, "studio-lesson", ask{"lesson": lesson}, want); strings.Contains(answer, "secret") != (name == "ann") {
				t.Errorf("%s: %s", name, answer)
			}
			for _, function := range []string{"teachers", "add-teacher"} {
				s.call(token, function, ask{"course": s.course, "email": "eve@example.com", "shown_name": "E"}, http.StatusForbidden)
			}
			for _, body := range []string{`{"course_id":%q,"title":"x"}`, `{"course_id":%q,"section_id":"` + section + `","title":"x","kind":"text"}`} {
				table := map[bool]string{true: "lessons", false: "course_sections"}[strings.Contains(body, "section_id")]
				s.rest(token, "POST", table, fmt.Sprintf(body, s.course), http.StatusForbidden)
			}
			for _, table := range []string{"lessons", "course_sections"} {
				for _, method := range []string{"PATCH", "DELETE"} {
					if rows := s.rest(token, method, table+"?course_id=eq."+s.course, `{"title":"x"}`, http.StatusOK); rows != "[]" {
						t.Errorf("%s %s as %s: %s", method, table, name, rows)
					}
				}
				if rows := s.rest(token, "GET", table+"?course_id=eq."+s.course, "", http.StatusOK); (rows != "[]") != (name == "ann") {
					t.Errorf("%s as %s: %s", table, name, rows)
				}
			}
		}
		for function, body := range changing {
			s.call("", function, body, http.StatusUnauthorized)
		}
		if s.order() != before {
			t.Error(s.order())
		}
		s.wants("select draft_body from lesson_contents where lesson_id = '"+lesson+"'", "secret", "select count(*) from lesson_files", "1")
		// A teacher of one course cannot take files of another.
		theirs := s.add(s.bo, "course_sections", fmt.Sprintf(`{"course_id":%q,"title":"Theirs"}`, s.other))
		stolen := s.add(s.bo, "lessons", fmt.Sprintf(`{"course_id":%q,"section_id":%q,"title":"t","kind":"video"}`, s.other, theirs))
		for _, from := range []string{path, s.other + "/../" + path, "/" + path} {
			s.call(s.bo, "set-lesson-video", ask{"lesson": stolen, "path": from}, http.StatusNotFound)
			s.call(s.bo, "set-trailer", ask{"course": s.other, "path": from}, http.StatusNotFound)
			s.call(s.bo, "add-lesson-file", ask{"lesson": stolen, "path": from, "name": "x"}, http.StatusNotFound)
		}
	})
}

// A right ends with its row.
func TestARightEndsWithItsRow(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.lesson(s.section("One"), "a", "text")
		row := s.one("select id from course_teachers where user_id = '" + s.edsID + "'")
		s.rest(s.admin, "PATCH", "course_teachers?id=eq."+row, `{"may_edit":false}`, http.StatusOK)
		s.call(s.ed, "save-draft", ask{"lesson": lesson, "body": "x", "draft_version": 1}, http.StatusForbidden)
		s.rest(s.ed, "POST", "course_sections", fmt.Sprintf(`{"course_id":%q,"title":"x"}`, s.course), http.StatusForbidden)
		s.call(s.ed, "studio-lesson", ask{"lesson": lesson}, http.StatusOK)
		s.rest(s.admin, "DELETE", "course_teachers?id=eq."+row, "", http.StatusOK)
		s.call(s.ed, "studio-lesson", ask{"lesson": lesson}, http.StatusForbidden)
		s.wants("select count(*) from audit_entries where action = 'admin.teacher.change'", "1", "select count(*) from audit_entries where action = 'admin.teacher.delete'", "1")
	})
}

func TestTeachersAreAddedByProvenAddress(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		add := func(address string, status int) string {
			t.Helper()
			return s.call(s.admin, "add-teacher", ask{"course": s.course, "email": address, "shown_name": "Eve Example", "may_edit": false}, status)
		}
		if answer := add("nobody@example.com", http.StatusNotFound); !strings.Contains(answer, "No account has this address.") {
			t.Error(answer)
		}
		s.write("update users set email_proven_at = null where email = 'eve@example.com'")
		add("eve@example.com", http.StatusConflict)
		s.write("update users set email_proven_at = created_at where email = 'eve@example.com'")
		add(" EVE@example.com", http.StatusOK)
		add("eve@example.com", http.StatusConflict)
		list := s.call(s.admin, "teachers", ask{"course": s.course}, http.StatusOK)
		if !strings.Contains(list, `"shown_name":"Eve Example","email":"eve@example.com","may_edit":false`) {
			t.Error(list)
		}
		if got := s.call(s.eve, "teaching", ask{}, http.StatusOK); !strings.Contains(got, s.course) || !strings.Contains(got, `"may_edit":false`) {
			t.Error(got)
		}
		rows := s.rest(s.eve, "GET", "course_teachers?mine=is.true", "", http.StatusOK)
		if strings.Count(rows, `"id"`) != 1 || strings.Contains(rows, "user_id") {
			t.Error(rows)
		}
		s.wants("select count(*) from audit_entries where action = 'admin.teacher.add'", "1")
	})
}

// What nobody has published is nobody's to read: neither its terms, nor who teaches it. Who was put out is no learner.
func TestACourseThatIsBeingMadeIsNotShown(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.lesson(s.section("One"), "a", "text")
		for _, token := range []string{"", s.eve, s.bo} {
			for _, table := range []string{"course_teachers", "course_offers", "course_sections", "lessons"} {
				if rows := s.rest(token, "GET", table+"?course_id=eq."+s.course, "", http.StatusOK); rows != "[]" {
					t.Errorf("%s: %s", table, rows)
				}
			}
		}
		s.written(lesson, "x")
		s.call(s.ed, "publish-lesson", ask{"lesson": lesson}, http.StatusOK)
		for i := range 2 {
			person, _ := s.Person(t, fmt.Sprintf("learner%d@example.com", i))
			s.write("insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), person.ID, s.course, s.now())
		}
		s.write("update enrollments set revoked_at = $1 where user_id = (select id from users where email = 'learner1@example.com')", s.now())
		if answer := s.call(s.ed, "teaching", ask{}, http.StatusOK); !strings.Contains(answer, `"learners":1`) {
			t.Error(answer)
		}
	})
}

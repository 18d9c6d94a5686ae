package teach_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// stage is an installation with two courses: ed may change the first and ann only look at it, bo may change the second, and
// eve teaches nothing.
type stage struct {
	*apptest.Server
	t                       *testing.T
	course, other           string
	admin, ed, ann, bo, eve string // tokens
	edsID                   string
}

func onStage(t *testing.T, fn func(s *stage)) {
	t.Helper()
	onStageWith(t, "off", fn)
}

// onStageWith is onStage with limits on or off.
func onStageWith(t *testing.T, limits string, fn func(s *stage)) {
	t.Helper()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": limits, "GREENROOM_VIDEO_WORK": "off"}, func(t *testing.T, server *apptest.Server) {
		s := &stage{Server: server, t: t, course: id.Named("course cinematography-masterclass"), other: id.Named("course documentary-filmmaking")}
		var ann, bo, ed accounttest.Person
		_, s.admin = s.Admin(t, "admin@example.com")
		ed, s.ed = s.Person(t, "ed@example.com")
		ann, s.ann = s.Person(t, "ann@example.com")
		bo, s.bo = s.Person(t, "bo@example.com")
		_, s.eve = s.Person(t, "eve@example.com")
		s.edsID = ed.ID
		for _, one := range []struct {
			user, course string
			edits        bool
		}{{ed.ID, s.course, true}, {ann.ID, s.course, false}, {bo.ID, s.other, true}} {
			s.write("insert into course_teachers (id, course_id, user_id, shown_name, may_edit, created_at) values ($1, $2, $3, 'T', $4, $5)",
				id.New(), one.course, one.user, one.edits, s.now())
		}
		fn(s)
	})
}

func (s *stage) now() db.Time { return db.At(s.DB().Clock.Now()) }

func (s *stage) write(query string, args ...any) {
	s.t.Helper()
	err := s.DB().Write(s.t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// one reads a single value.
func (s *stage) one(query string) string {
	s.t.Helper()
	var found any
	err := s.DB().Read(s.t.Context(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, query).Scan(&found) })
	if err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprint(found)
}

// until waits for a count that is not zero.
func (s *stage) until(what, query string) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); s.one(query) == "0"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("in vain: %s", what)
		}
	}
}

// wants checks single values, each query with what it must give.
func (s *stage) wants(pairs ...string) {
	s.t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		if got := s.one(pairs[i]); got != pairs[i+1] {
			s.t.Errorf("%s: %s, not %s", pairs[i], got, pairs[i+1])
		}
	}
}

// rest makes a request to the data API that must have this status, and gives the answer.
func (s *stage) rest(token, method, path, body string, status int) string {
	s.t.Helper()
	answer := s.Do(s.t, method, "/rest/v1/"+path, token, body, "Prefer", "return=representation")
	if answer.Status != status {
		s.t.Fatalf("%s %s %s: %d %s, not %d", method, path, body, answer.Status, answer.Body, status)
	}
	return answer.Body
}

// add inserts a row and gives its id.
func (s *stage) add(token, table, body string) string {
	s.t.Helper()
	var rows []struct{ ID string }
	if err := json.Unmarshal([]byte(s.rest(token, "POST", table, body, http.StatusCreated)), &rows); err != nil || len(rows) != 1 {
		s.t.Fatal(err, rows)
	}
	return rows[0].ID
}

func (s *stage) section(title string) string {
	s.t.Helper()
	return s.add(s.ed, "course_sections", fmt.Sprintf(`{"course_id":%q,"title":%q}`, s.course, title))
}

func (s *stage) lesson(section, title, kind string) string {
	s.t.Helper()
	return s.add(s.ed, "lessons", fmt.Sprintf(`{"course_id":%q,"section_id":%q,"title":%q,"kind":%q}`, s.course, section, title, kind))
}

// call calls a function that must answer with this status, and gives the answer.
func (s *stage) call(token, name string, ask any, status int) string {
	s.t.Helper()
	body, err := json.Marshal(ask)
	if err != nil {
		s.t.Fatal(err)
	}
	answer := s.Do(s.t, "POST", "/functions/v1/"+name, token, string(body))
	if answer.Status != status {
		s.t.Fatalf("%s %s: %d %s, not %d", name, body, answer.Status, answer.Body, status)
	}
	return answer.Body
}

// sent makes a request as ed that must succeed, from any goroutine.
func (s *stage) sent(method, path, body string) {
	if answer := s.Do(s.t, method, path, s.ed, body); answer.Status >= 300 {
		s.t.Errorf("%s %s: %d %s", method, path, answer.Status, answer.Body)
	}
}

// written gives a text lesson something to publish.
func (s *stage) written(lesson, text string) {
	s.t.Helper()
	s.call(s.ed, "save-draft", ask{"lesson": lesson, "body": text, "draft_version": 1}, http.StatusOK)
}

type ask map[string]any

// order reads the lessons of the course as they stand, each with its section.
func (s *stage) order() string {
	s.t.Helper()
	var lines []string
	err := s.DB().Read(s.t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, `select s.title, l.title, l.position from lessons l join course_sections s on s.id = l.section_id
			where l.course_id = $1 order by s.position, s.id, l.position, l.id`, []any{s.course}, func(scan func(...any) error) error {
			var section, lesson string
			var position int
			err := scan(&section, &lesson, &position)
			lines = append(lines, fmt.Sprintf("%s/%s%d", section, lesson, position))
			return err
		})
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.Join(lines, " ")
}

// upload stores a file and gives its path.
func (s *stage) upload(token, name, kind, content string) string {
	s.t.Helper()
	answer := s.Do(s.t, "POST", "/storage/v1/object/lessons/"+name, token, content, "Content-Type", kind)
	if answer.Status != http.StatusOK {
		s.t.Fatalf("upload %s: %d %s", name, answer.Status, answer.Body)
	}
	return name
}

// aFilm is what a film begins with; nobody looks further here.
const aFilm = "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom and some more bytes"

package discuss_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/discuss"
	"greenroom/internal/fn"
	"greenroom/internal/learn"
	"greenroom/internal/mail/mailtest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
)

const site = "https://greenroom.example"

// stage is a course with one lesson, who takes and teaches it, and somebody who does neither: on one instance, or two on one
// database.
type stage struct {
	d      *db.DB
	at     db.Options
	hands  *clock.Manual
	post   *mailtest.Mailbox
	talk   *discuss.Service
	data   http.Handler // the data API
	called http.Handler // the functions

	course, lesson      string
	ada, bob, tea, none who.Actor
}

var begin = time.Date(2026, 11, 16, 13, 30, 0, 0, time.UTC)

func each(t *testing.T, fn func(t *testing.T, s *stage)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			s := &stage{hands: clock.NewManual(begin), at: dbtest.Location(t, engine)}
			s.d = dbtest.Reopen(t, s.at, s.hands)
			s.post = mailtest.Open(t, s.d)
			s.wire()
			s.ada, s.bob, s.tea, s.none = s.person(t, "Ada"), s.person(t, "Bob"), s.person(t, "Tea"), s.person(t, "None")
			s.course, s.lesson = s.teach(t, s.tea)
			s.take(t, s.ada)
			s.take(t, s.bob)
			fn(t, s)
		})
	}
}

// other is one more instance, where the database takes one; else it is the same.
func (s *stage) other(t *testing.T) *stage {
	t.Helper()
	if s.d.Engine == db.SQLite {
		return s
	}
	more := *s
	more.d = dbtest.Reopen(t, s.at, s.hands)
	more.wire()
	return &more
}

func (s *stage) wire() {
	log := slog.New(slog.DiscardHandler)
	s.talk = discuss.New(discuss.Options{
		DB: s.d, Learn: learn.New(learn.Options{DB: s.d, Log: log}), Limits: limit.New(limit.Options{DB: s.d, Secret: []byte("secret")}), Enqueue: s.post.Enqueue, SiteURL: site, Log: log,
	})
	s.data, s.called = rest.Handler(s.d, s.talk.Tables()...), fn.Handler(s.talk.Functions()...)
}

func (s *stage) now() db.Time { return db.At(s.hands.Now()) }

func (s *stage) person(t testing.TB, name string) who.Actor {
	t.Helper()
	p := accounttest.Add(t, s.d, strings.ToLower(name)+"@example.com")
	a := resttest.Signed(p.ID, p.Email)
	a.Name = name
	return a
}

// teach is a course with one lesson that somebody teaches.
func (s *stage) teach(t testing.TB, teacher who.Actor) (course, lesson string) {
	t.Helper()
	course, lesson = id.New(), id.New()
	s.write(t, `insert into courses (id, title, instructor, duration, category, thumbnail, description, lessons, level, rating, created_at)
		values ($1, 'The Self-Tape Lab', 'Rosalind Mbeki', '1 week', 'AI Tools', '/art/x.webp', 'D', 1, 'Beginner', 4, $2)`, course, s.now())
	s.write(t, "insert into course_sections (id, course_id, title, position, created_at) values ($1, $1, 'S', 0, $2)", course, s.now())
	s.write(t, `insert into lessons (id, course_id, section_id, title, kind, position, state, seconds, created_at)
		values ($1, $2, $2, 'Framing', 'video', 0, 'published', 600, $3)`, lesson, course, s.now())
	if teacher.UserID != "" {
		s.write(t, "insert into course_teachers (id, course_id, user_id, shown_name, may_edit, created_at) values ($1, $2, $3, 'Prof. Tea', $4, $5)",
			id.New(), course, teacher.UserID, false, s.now())
	}
	return course, lesson
}

func (s *stage) take(t testing.TB, learner who.Actor) {
	t.Helper()
	s.write(t, "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), learner.UserID, s.course, s.now())
}

func (s *stage) write(t testing.TB, query string, args ...any) {
	t.Helper()
	err := s.d.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (s *stage) count(t testing.TB, query string, args ...any) (n int) {
	t.Helper()
	err := s.d.Read(context.Background(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, query, args...).Scan(&n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// call calls a function and wants a status, and part of the answer.
func (s *stage) call(t testing.TB, as who.Actor, name, body string, status int, part string) string {
	t.Helper()
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/functions/v1/"+name, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.called.ServeHTTP(w, r.WithContext(who.With(r.Context(), as)))
	if w.Code != status || !strings.Contains(w.Body.String(), part) {
		t.Errorf("%s %s answered %d %s, not %d …%s…", name, body, w.Code, w.Body, status, part)
	}
	return w.Body.String()
}

// add posts a row and gives its id.
func (s *stage) add(t testing.TB, as who.Actor, table, body string) string {
	t.Helper()
	got := resttest.Call(t, s.data, as, "POST", "/"+table, body, "Prefer: return=representation").Want(t, http.StatusCreated, "")
	return got.Rows(t)[0]["id"].(string)
}

func (s *stage) ask(t testing.TB, as who.Actor, title string) string {
	t.Helper()
	return s.add(t, as, "lesson_questions", fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,"title":%q,"at_seconds":42}`, s.course, s.lesson, title))
}

func (s *stage) answer(t testing.TB, as who.Actor, question, text string) string {
	t.Helper()
	return s.add(t, as, "lesson_answers", fmt.Sprintf(`{"course_id":%q,"question_id":%q,"text":%q}`, s.course, question, text))
}

func (s *stage) note(t testing.TB, as who.Actor, text string) string {
	t.Helper()
	return s.add(t, as, "lesson_notes", fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,"text":%q,"at_seconds":7}`, s.course, s.lesson, text))
}

// rows reads a table as somebody sees it.
func (s *stage) rows(t testing.TB, as who.Actor, path string) []map[string]any {
	t.Helper()
	return resttest.Call(t, s.data, as, "GET", "/"+path, "").Want(t, http.StatusOK, "").Rows(t)
}

// tell does what the worker does, and gives how many letters of a kind there are.
func (s *stage) tell(t testing.TB, kind string) int {
	t.Helper()
	if err := s.talk.Tell(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s.count(t, "select count(*) from outbox where kind = $1", kind)
}

// anHour lets an hour go by for those who are told of something, and for the limits.
func (s *stage) anHour(t testing.TB) {
	t.Helper()
	s.hands.Advance(time.Hour)
	then := db.At(time.Now().Add(-2 * time.Hour))
	s.write(t, "update question_digests set sent_at = $1", then)
	s.write(t, "update lesson_questions set answers_told_at = $1 where answers_told_at is not null", then)
}

type listed struct {
	Questions []struct {
		ID, Title string
		Reports   int
		Flags     []struct{ Kind, Reason string }
		Answered  bool
	}
	Next       string
	Unanswered int
	Reported   int
}

func (s *stage) list(t testing.TB, as who.Actor, more string) (got listed) {
	t.Helper()
	if err := json.Unmarshal([]byte(s.call(t, as, "questions", fmt.Sprintf(`{"course":%q%s}`, s.course, more), 200, "")), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

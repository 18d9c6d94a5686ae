package certificate_test

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

	"greenroom/internal/account"
	"greenroom/internal/account/accounttest"
	"greenroom/internal/certificate"
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

// stage is the product as far as certificates go: one instance, or two on one database.
type stage struct {
	d       *db.DB
	at      db.Options
	hands   *clock.Manual
	post    *mailtest.Mailbox
	papers  *certificate.Service
	data    http.Handler // the data API
	called  http.Handler // the functions
	web     http.Handler // the pages
	changes int          // of what pages show
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
	more := &stage{hands: s.hands, at: s.at, d: dbtest.Reopen(t, s.at, s.hands), post: s.post}
	more.wire()
	return more
}

func (s *stage) wire() {
	log := slog.New(slog.DiscardHandler)
	s.papers = certificate.New(certificate.Options{
		DB: s.d, Limits: limit.New(limit.Options{DB: s.d, Secret: []byte("secret")}), Enqueue: s.post.Enqueue, Name: account.NameIn, SiteURL: site, Log: log,
		Changed: func(context.Context, *db.Tx) error { s.changes++; return nil },
		Address: func(r *http.Request) string { return r.RemoteAddr },
	})
	taking := learn.New(learn.Options{
		DB: s.d, Log: log, Name: account.NameIn, Completed: s.papers.Issue,
		Joined: func(context.Context, *db.Tx, string, string) error { return nil },
	})
	s.data = rest.Handler(s.d, append(s.papers.Tables(), taking.Tables()...)...)
	s.called = fn.Handler(append(s.papers.Functions(), taking.Functions()...)...)
	// The site is told by the path that it was asked for.
	s.web = s.papers.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("site " + r.URL.Path)) }))
}

func (s *stage) call(t testing.TB, as who.Actor, name, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/functions/v1/"+name, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.called.ServeHTTP(w, r.WithContext(who.With(r.Context(), as)))
	return w.Code, w.Body.String()
}

func (s *stage) get(t testing.TB, path string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, path, http.NoBody)
	w := httptest.NewRecorder()
	s.web.ServeHTTP(w, r)
	return w
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

func (s *stage) person(t testing.TB, name string) who.Actor {
	t.Helper()
	p := accounttest.Add(t, s.d, id.New()[:8]+"@example.com")
	metadata, _ := json.Marshal(map[string]string{"name": name})
	s.write(t, "update users set user_metadata = $2 where id = $1", p.ID, string(metadata))
	return resttest.Signed(p.ID, p.Email)
}

// course is one with so many lessons of ten minutes, which somebody takes.
func (s *stage) course(t testing.TB, learner who.Actor, lessons int) (course string, all []string) {
	t.Helper()
	now := db.At(s.hands.Now())
	course = id.New()
	s.write(t, `insert into courses (id, title, instructor, duration, category, thumbnail, description, lessons, level, rating, created_at)
		values ($1, 'The Self-Tape Lab', 'Rosalind Mbeki', '1 week', 'AI Tools', '/art/x.webp', 'D', 1, 'Beginner', 4, $2)`, course, now)
	s.write(t, "insert into course_offers (id, course_id, published_at, created_at) values ($1, $2, $3, $3)", id.New(), course, now)
	s.write(t, "insert into course_sections (id, course_id, title, position, created_at) values ($1, $1, 'S', 0, $2)", course, now)
	for i := range lessons {
		all = append(all, id.New())
		s.write(t, `insert into lessons (id, course_id, section_id, title, kind, position, state, seconds, created_at)
			values ($1, $2, $2, 'L', 'video', $3, 'published', 600, $4)`, all[i], course, i, now)
	}
	s.write(t, "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), learner.UserID, course, now)
	return course, all
}

// complete completes a lesson, and gives the code that the answer names.
func (s *stage) complete(t testing.TB, as who.Actor, lesson string) string {
	t.Helper()
	status, body := s.call(t, as, "save-progress", fmt.Sprintf(`{"lesson":%q,"complete":true}`, lesson))
	var got struct{ Certificate *string }
	if err := json.Unmarshal([]byte(body), &got); err != nil || status != http.StatusOK {
		t.Errorf("%d %s", status, body)
		return ""
	}
	if got.Certificate == nil {
		return ""
	}
	return *got.Certificate
}

// held is a certificate of somebody new.
func (s *stage) held(t testing.TB, name string) (holder who.Actor, course, code string) {
	t.Helper()
	holder = s.person(t, name)
	course, lessons := s.course(t, holder, 1)
	if code = s.complete(t, holder, lessons[0]); code == "" {
		t.Fatal("no certificate")
	}
	return holder, course, code
}

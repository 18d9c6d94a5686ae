package review_test

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
	"greenroom/internal/catalog"
	"greenroom/internal/fn"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
	"greenroom/internal/review"
)

// stage is the product as far as reviews go: one instance, or two on one database.
type stage struct {
	d       *db.DB
	at      db.Options
	hands   *clock.Manual
	catalog *catalog.Catalog
	reviews *review.Service
	data    http.Handler // the data API
	called  http.Handler // the functions
	boss    who.Actor
}

var begin = time.Date(2026, 11, 16, 13, 30, 0, 0, time.UTC)

func each(t *testing.T, fn func(t *testing.T, s *stage)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			s := &stage{hands: clock.NewManual(begin), at: dbtest.Location(t, engine)}
			s.d = dbtest.Reopen(t, s.at, s.hands)
			s.wire()
			s.boss = s.person(t, "Boss")
			s.boss.Admin = true
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
	more := &stage{hands: s.hands, at: s.at, d: dbtest.Reopen(t, s.at, s.hands), boss: s.boss}
	more.wire()
	return more
}

func (s *stage) wire() {
	s.catalog = catalog.New(s.d, slog.New(slog.DiscardHandler))
	s.catalog.Rated = review.Rated
	s.reviews = review.New(review.Options{
		DB: s.d, Limits: limit.New(limit.Options{DB: s.d, Secret: []byte("secret")}), Secret: []byte("secret"), Changed: s.catalog.Changed, Name: account.NameIn,
	})
	s.data = rest.Handler(s.d, append(s.reviews.Tables(), s.catalog.Tables()...)...)
	s.called = fn.Handler(s.reviews.Functions()...)
}

func (s *stage) call(t testing.TB, as who.Actor, status int, name, body string) string {
	t.Helper()
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/functions/v1/"+name, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.called.ServeHTTP(w, r.WithContext(who.With(r.Context(), as)))
	if w.Code != status {
		t.Fatalf("%s %s: %d %s, not %d", name, body, w.Code, w.Body, status)
	}
	return w.Body.String()
}

func (s *stage) write(t testing.TB, query string, args ...any) {
	t.Helper()
	s.tx(t, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
}

func (s *stage) tx(t testing.TB, do func(ctx context.Context, tx *db.Tx) error) {
	t.Helper()
	if err := s.d.Write(context.Background(), do); err != nil {
		t.Fatal(err)
	}
}

func (s *stage) count(t testing.TB, query string, args ...any) (n int) {
	t.Helper()
	s.read(t, &n, query, args...)
	return n
}

func (s *stage) read(t testing.TB, into any, query string, args ...any) {
	t.Helper()
	err := s.d.Read(context.Background(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, query, args...).Scan(into) })
	if err != nil {
		t.Fatal(err)
	}
}

func (s *stage) now() db.Time { return db.At(s.hands.Now()) }

func (s *stage) person(t testing.TB, name string) who.Actor {
	t.Helper()
	return s.personAt(t, name, id.New()[:13]+"@example.com")
}

func (s *stage) personAt(t testing.TB, name, email string) who.Actor {
	t.Helper()
	p := accounttest.Add(t, s.d, email)
	metadata, _ := json.Marshal(map[string]string{"name": name})
	s.write(t, "update users set user_metadata = $2 where id = $1", p.ID, string(metadata))
	return resttest.Signed(p.ID, p.Email)
}

// course is one with two lessons of twenty minutes, which editors rate with 4.
func (s *stage) course(t testing.TB) string {
	t.Helper()
	course := id.New()
	s.write(t, `insert into courses (id, title, instructor, duration, category, thumbnail, description, lessons, level, rating, created_at)
		values ($1, $2, 'Rosalind Mbeki', '1 week', 'AI Tools', '/art/x.webp', 'D', 2, 'Beginner', 4, $3)`, course, "Course "+course, s.now())
	s.write(t, "insert into course_offers (id, course_id, lessons, published_at, created_at) values ($1, $1, 2, $2, $2)", course, s.now())
	s.write(t, "insert into course_sections (id, course_id, title, position, created_at) values ($1, $1, 'S', 0, $2)", course, s.now())
	for i := range 2 {
		s.write(t, `insert into lessons (id, course_id, section_id, title, kind, position, state, seconds, created_at)
			values ($1, $2, $2, 'L', 'video', $3, 'published', 1200, $4)`, id.New(), course, i, s.now())
	}
	return course
}

func (s *stage) enroll(t testing.TB, as who.Actor, course string) {
	t.Helper()
	s.write(t, "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), as.UserID, course, s.now())
}

// watch covers so many seconds of each of the course's lessons; complete completes them.
func (s *stage) watch(t testing.TB, as who.Actor, course string, covered string, complete bool) {
	t.Helper()
	done := db.Time{}
	if complete {
		done = s.now()
	}
	s.write(t, "delete from lesson_progress where user_id = $1", as.UserID)
	var lessons []string
	s.tx(t, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select id from lessons where course_id = $1", []any{course}, func(scan func(...any) error) error {
			var one string
			err := scan(&one)
			lessons = append(lessons, one)
			return err
		})
	})
	for _, lesson := range lessons {
		s.write(t, `insert into lesson_progress (id, user_id, course_id, lesson_id, position_at, covered, completed_at, updated_at, created_at)
			values ($1, $2, $3, $4, $5, $6, $7, $5, $5)`, id.New(), as.UserID, course, lesson, s.now(), covered, done)
	}
}

// learner is somebody who takes the course and has completed it.
func (s *stage) learner(t testing.TB, name, course string) who.Actor {
	t.Helper()
	return s.takes(t, s.person(t, name), course)
}

func (s *stage) takes(t testing.TB, as who.Actor, course string) who.Actor {
	t.Helper()
	s.enroll(t, as, course)
	s.watch(t, as, course, "", true)
	return as
}

func (s *stage) post(t testing.TB, as who.Actor, course string, stars int, text string) resttest.Answer {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"course_id": course, "stars": stars, "text": text})
	return resttest.Call(t, s.data, as, "POST", "/course_reviews?select=id", string(body), "Prefer: return=representation")
}

// say is post that must work; it gives the review's id.
func (s *stage) say(t testing.TB, as who.Actor, course string, stars int) string {
	t.Helper()
	var rows []struct{ ID string }
	if err := json.Unmarshal([]byte(s.post(t, as, course, stars, "Said.").Want(t, 201, "").Body), &rows); err != nil || len(rows) != 1 {
		t.Fatal(err, rows)
	}
	return rows[0].ID
}

// many lets new learners give these stars.
func (s *stage) many(t testing.TB, course string, stars ...int) (all []string, by []who.Actor) {
	t.Helper()
	for i, one := range stars {
		by = append(by, s.learner(t, fmt.Sprintf("Learner %d", i), course))
		all = append(all, s.say(t, by[i], course, one))
	}
	return all, by
}

// shows wants a course's rating, its number of reviews and what is kept of the editors' (-1 for nothing), and that its counters are
// those of its reviews.
func (s *stage) shows(t testing.TB, course string, rating float64, reviews int, editorial float64) {
	t.Helper()
	var got, kept float64
	s.read(t, &got, "select rating from courses where id = $1", course)
	s.read(t, &kept, "select coalesce(editorial_rating, -1) from course_offers where course_id = $1", course)
	if got != rating || kept != editorial {
		t.Errorf("rated %v, editors' %v, not %v and %v", got, kept, rating, editorial)
	}
	if n := s.count(t, "select reviews from course_offers where course_id = $1", course); n != reviews {
		t.Errorf("%d reviews, not %d", n, reviews)
	}
	if n := s.count(t, `select count(*) from course_offers o where o.course_id = $1
		and o.reviews = o.stars1 + o.stars2 + o.stars3 + o.stars4 + o.stars5
		and o.rating_sum = o.stars1 + 2 * o.stars2 + 3 * o.stars3 + 4 * o.stars4 + 5 * o.stars5
		and o.reviews = (select count(*) from course_reviews r where r.course_id = o.course_id and r.state = 'published' and r.author_name not like '%(sample)')
		and o.rating_sum = (select coalesce(sum(r.stars), 0) from course_reviews r where r.course_id = o.course_id and r.state = 'published' and r.author_name not like '%(sample)')`, course); n != 1 {
		t.Error("the counters are not those of the reviews")
	}
}

func (s *stage) version(t testing.TB) int {
	t.Helper()
	return s.count(t, "select number from versions where name = 'catalog'")
}

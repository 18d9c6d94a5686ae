package learn_test

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
	"greenroom/internal/fn"
	"greenroom/internal/learn"
	"greenroom/internal/mail/mailtest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
	"greenroom/internal/video"
	"greenroom/internal/visitor"
	"greenroom/internal/waitlist"
)

// stage is the product as far as taking courses goes: one instance, or two on one database.
type stage struct {
	d         *db.DB
	hands     *clock.Manual
	at        db.Options
	data      http.Handler // the data API
	called    http.Handler // the functions
	learn     *learn.Service
	letters   *mailtest.Mailbox
	positions int
}

var begin = time.Date(2026, 11, 16, 13, 30, 0, 0, time.UTC)

func each(t *testing.T, fn func(t *testing.T, s *stage)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			fn(t, open(t, engine))
		})
	}
}

func open(t testing.TB, engine db.Engine) *stage {
	t.Helper()
	s := &stage{hands: clock.NewManual(begin), at: dbtest.Location(t, engine)}
	s.d = dbtest.Reopen(t, s.at, s.hands)
	s.wire(t)
	return s
}

// other is one more instance, where the database takes one; else it is the same.
func (s *stage) other(t *testing.T) *stage {
	t.Helper()
	if s.d.Engine == db.SQLite {
		return s
	}
	more := &stage{hands: s.hands, at: s.at, d: dbtest.Reopen(t, s.at, s.hands)}
	more.wire(t)
	return more
}

func (s *stage) wire(t testing.TB) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	s.letters = mailtest.Open(t, s.d)
	lists := waitlist.New(waitlist.Options{
		DB: s.d, Outbox: s.letters.Outbox, SiteURL: "https://greenroom.example", Log: log,
		Changed: func(context.Context, *db.Tx) error { return nil },
	})
	s.learn = learn.New(learn.Options{
		DB: s.d, Joined: lists.Joined, Log: log, Enqueue: s.letters.Enqueue, Left: visitor.OpenedLessons.Left, SiteURL: "https://greenroom.example",
		Leave:     func(user string) (string, error) { return "https://greenroom.example/unsubscribe/" + user, nil },
		Completed: func(context.Context, *db.Tx, string, string) (string, error) { return "", nil },
		Name: func(metadata string) string {
			var known struct{ Name string }
			_ = json.Unmarshal([]byte(metadata), &known)
			return known.Name
		},
		Play: func(ctx context.Context, a who.Actor, name string) (video.Play, error) {
			allowed, err := s.learn.Allowed(ctx, a, name)
			if err == nil && !allowed {
				err = fault.New(fault.NotFound, "That video does not exist.")
			}
			return video.Play{Video: name, HLS: "/media/x/" + name + "/master.m3u8"}, err
		},
		Link: func(_ context.Context, _ who.Actor, _ string, f learn.Stored) (string, error) {
			return "/signed/" + f.Bucket + "/" + f.Name, nil
		},
	})
	s.data = rest.Handler(s.d, append(s.learn.Tables(), lists.Tables()...)...)
	s.called = fn.Handler(s.learn.Functions()...)
}

// told is what a function answered.
type told struct {
	status int
	body   string
}

func (a told) want(t testing.TB, status int, part string) told {
	t.Helper()
	if a.status != status || !strings.Contains(a.body, part) {
		t.Fatalf("answered %d %s, not %d …%s…", a.status, a.body, status, part)
	}
	return a
}

func (a told) read(t testing.TB, into any) {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("answered %d %s", a.status, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), into); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
}

func (s *stage) call(t testing.TB, as who.Actor, name, body string) told {
	t.Helper()
	return s.send(t, as, http.MethodPost, name, body)
}

func (s *stage) send(t testing.TB, as who.Actor, method, name, body string) told {
	t.Helper()
	r := httptest.NewRequestWithContext(context.Background(), method, "/functions/v1/"+name, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	s.called.ServeHTTP(w, r.WithContext(who.With(r.Context(), as)))
	return told{w.Code, w.Body.String()}
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

func (s *stage) now() db.Time { return db.At(s.hands.Now()) }

func (s *stage) person(t testing.TB, name string) who.Actor {
	t.Helper()
	p := accounttest.Add(t, s.d, name+"@example.com")
	s.write(t, "update users set user_metadata = $2 where id = $1", p.ID, fmt.Sprintf(`{"name":%q}`, name))
	return resttest.Signed(p.ID, p.Email)
}

func (s *stage) admin(t testing.TB) who.Actor {
	t.Helper()
	a := s.person(t, "admin")
	a.Admin = true
	return a
}

// course is one with an offer that is published, free and open.
func (s *stage) course(t testing.TB) string {
	t.Helper()
	key := id.New()
	s.write(t, `insert into courses (id, title, instructor, duration, category, thumbnail, description, lessons, level, rating, created_at)
		values ($1, $2, 'I', '1 week', 'AI Tools', '/art/x.webp', 'D', 1, 'Beginner', 4, $3)`, key, "Course "+key, s.now())
	s.write(t, "insert into course_offers (id, course_id, published_at, created_at) values ($1, $2, $3, $3)", id.New(), key, s.now())
	s.write(t, "insert into course_sections (id, course_id, title, position, created_at) values ($1, $2, 'S', 0, $3)", key, key, s.now())
	return key
}

// lesson is a published one, after those that are there.
func (s *stage) lesson(t testing.TB, course, kind string, seconds int) string {
	t.Helper()
	key := id.New()
	s.positions++
	s.write(t, `insert into lessons (id, course_id, section_id, title, kind, position, state, seconds, created_at)
		values ($1, $2, $2, $3, $4, $5, 'published', $6, $7)`, key, course, fmt.Sprintf("Lesson %d", s.positions), kind, s.positions, seconds, s.now())
	s.write(t, "insert into lesson_contents (lesson_id, body, draft_body, drafted_at) values ($1, 'Said.', 'Written.', $2)", key, s.now())
	return key
}

// film gives a lesson a video.
func (s *stage) film(t testing.TB, lesson string) string {
	t.Helper()
	key := id.New()
	s.write(t, "insert into videos (id, object_id, version, state, created_at) values ($1, $1, $1, 'ready', $2)", key, s.now())
	s.write(t, "update lesson_contents set video_id = $2 where lesson_id = $1", lesson, key)
	return key
}

func (s *stage) teach(t testing.TB, who who.Actor, course string) {
	t.Helper()
	s.write(t, "insert into course_teachers (id, course_id, user_id, shown_name, may_edit, created_at) values ($1, $2, $3, 'T', $4, $5)",
		id.New(), course, who.UserID, false, s.now())
}

func (s *stage) enroll(t testing.TB, as who.Actor, course string) resttest.Answer {
	t.Helper()
	return resttest.Call(t, s.data, as, "POST", "/enrollments", fmt.Sprintf(`{"user_id":%q,"course_id":%q}`, as.UserID, course))
}

// certify gives somebody the certificate of a course, as completing it does.
func (s *stage) certify(t testing.TB, who who.Actor, course, code string) {
	t.Helper()
	s.write(t, `insert into certificates (id, code, user_id, course_id, holder, course_title, instructor, lessons, seconds, issued_at, created_at)
		values ($1, $2, $3, $4, 'Ada', 'A course', 'Somebody', 1, 0, $5, $5)`, id.New(), code, who.UserID, course, s.now())
}

func (s *stage) revoke(t testing.TB, who who.Actor, course string) {
	t.Helper()
	s.write(t, "update enrollments set revoked_at = $3 where user_id = $1 and course_id = $2", who.UserID, course, s.now())
}

// saved is what save-progress answers.
type saved struct {
	Position  int        `json:"position_seconds"`
	Covered   string     `json:"covered"`
	Completed *time.Time `json:"completed_at"`
	Course    *time.Time `json:"course_completed_at"`
	Done, Of  int
}

func (s *stage) save(t testing.TB, as who.Actor, lesson, more string) (got saved) {
	t.Helper()
	s.call(t, as, "save-progress", fmt.Sprintf(`{"lesson":%q%s}`, lesson, more)).read(t, &got)
	return got
}

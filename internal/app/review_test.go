package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

// reviewer is somebody who has completed the only lesson of a course and said something of it.
func reviewer(t *testing.T, s *apptest.Server, course, lesson, name string, stars int) member {
	t.Helper()
	who := signUp(t, s, "/auth/v1/signup", name+"@example.com")
	now := db.At(s.DB().Clock.Now())
	write(t, s.DB(), "update users set user_metadata = $2 where id = $1", who.ID, fmt.Sprintf(`{"name":%q}`, name))
	write(t, s.DB(), "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), who.ID, course, now)
	do(t, s, 200, http.MethodPost, "/functions/v1/save-progress", who.Access, fmt.Sprintf(`{"lesson":%q,"complete":true}`, lesson))
	do(t, s, 201, http.MethodPost, "/rest/v1/course_reviews", who.Access, fmt.Sprintf(`{"course_id":%q,"stars":%d,"text":%q}`, course, stars, name+" said this."))
	return who
}

// The rating that everybody reads follows the reviews on every instance: the course, the rows, and what is searched for.
func TestRatingsFollowReviewsOnEveryInstance(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at := dbtest.Location(t, engine)
			settings := map[string]string{
				"GREENROOM_RATE_LIMITS": "off", "GREENROOM_SECRET_FILE": filepath.Join(t.TempDir(), "secret"), "GREENROOM_SITE_URL": "http://localhost:8080",
			}
			s := apptest.Start(t, at, settings, clock.System{})
			second := s
			if engine == db.Postgres {
				second = apptest.Start(t, at, settings, clock.System{})
			}
			course := school{s, nil}.course(t)
			lesson := textLesson(t, s, course)
			rated := func(rating string) {
				t.Helper()
				for _, on := range []*apptest.Server{s, second} {
					for _, path := range []string{"id=eq." + course, "order=rating.asc&limit=1", "title=ilike.*" + course + "*"} {
						until(t, path+" says "+rating, func() bool {
							return on.Do(t, http.MethodGet, "/rest/v1/courses?select=id,rating&"+path, "", "").Body == fmt.Sprintf(`[{"id":%q,"rating":%s}]`, course, rating)
						})
					}
				}
			}
			var last member
			for i := range 5 {
				last = reviewer(t, s, course, lesson, fmt.Sprintf("learner%d", i), 1+i%2)
			}
			rated("1.4")
			body := second.Do(t, http.MethodGet, "/rest/v1/course_offers?select=reviews,stars1,stars2,stars5&course_id=eq."+course, "", "").Body
			if body != `[{"reviews":5,"stars1":3,"stars2":2,"stars5":0}]` {
				t.Error(body)
			}
			do(t, second, 204, http.MethodPatch, "/rest/v1/course_reviews?course_id=eq."+course, last.Access, `{"stars":2}`)
			rated("1.6")
			write(t, s.DB(), "update courses set rating = 4 where id <> $1", course) // what is rated lowest is this one, whatever comes
			do(t, s, 200, http.MethodPost, "/functions/v1/delete-account", last.Access, fmt.Sprintf(`{"password":%q}`, secretOfAda))
			for _, on := range []*apptest.Server{s, second} {
				until(t, "the editors' rating", func() bool {
					return on.Do(t, http.MethodGet, "/rest/v1/courses?select=rating&id=eq."+course, "", "").Body == `[{"rating":4}]`
				})
			}
		})
	}
}

// Who leaves decides what becomes of what they said.
func TestSecurity72WhoLeavesDecidesOverTheirReviews(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
		course := school{s, nil}.course(t)
		lesson := textLesson(t, s, course)
		ada, bob := reviewer(t, s, course, lesson, "ada", 5), reviewer(t, s, course, lesson, "bob", 4)
		var data map[string]json.RawMessage
		if err := json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/functions/v1/my-data", ada.Access, "")), &data); err != nil {
			t.Fatal(err)
		}
		if own := string(data["course_reviews"]); !strings.Contains(own, "ada said this.") || strings.Contains(own, "bob") {
			t.Error(own)
		}
		do(t, s, 200, http.MethodPost, "/functions/v1/delete-account", ada.Access, fmt.Sprintf(`{"password":%q,"keep_posts":true}`, secretOfAda))
		do(t, s, 200, http.MethodPost, "/functions/v1/delete-account", bob.Access, fmt.Sprintf(`{"password":%q}`, secretOfAda))
		body := do(t, s, 200, http.MethodGet, "/rest/v1/course_reviews?select=author_name,stars,text", "", "")
		if body != `[{"author_name":"A former learner","stars":5,"text":"ada said this."}]` {
			t.Error(body)
		}
		if n := count(t, s.DB(), "select count(*) from course_reviews where user_id is not null"); n != 0 {
			t.Errorf("%d reviews lead to somebody", n)
		}
		if n := count(t, s.DB(), "select reviews from course_offers where course_id = $1", course); n != 1 {
			t.Errorf("%d reviews are counted", n)
		}
		// Who left it behind does not say it again by the same address, and who took it along may.
		back := signUp(t, s, "/auth/v1/signup", "ada@example.com")
		write(t, s.DB(), "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), back.ID, course, db.At(s.DB().Clock.Now()))
		do(t, s, 200, http.MethodPost, "/functions/v1/save-progress", back.Access, fmt.Sprintf(`{"lesson":%q,"complete":true}`, lesson))
		do(t, s, 409, http.MethodPost, "/rest/v1/course_reviews", back.Access, fmt.Sprintf(`{"course_id":%q,"stars":1}`, course))
		reviewer(t, s, course, lesson, "bob", 4)
	})
}

// Whom an admin makes a teacher has no review of the course any more, by either way.
func TestTeachersLoseTheirReview(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
		_, boss := s.Admin(t, "boss@example.com")
		course := school{s, nil}.course(t)
		lesson := textLesson(t, s, course)
		ada, bob := reviewer(t, s, course, lesson, "ada", 5), reviewer(t, s, course, lesson, "bob", 4)
		do(t, s, 201, http.MethodPost, "/rest/v1/course_teachers", boss, fmt.Sprintf(`{"course_id":%q,"user_id":%q,"shown_name":"Ada"}`, course, ada.ID))
		write(t, s.DB(), "update users set email_proven_at = created_at where id = $1", bob.ID)
		do(t, s, 200, http.MethodPost, "/functions/v1/add-teacher", boss, fmt.Sprintf(`{"course":%q,"email":"bob@example.com","shown_name":"Bob"}`, course))
		if n := count(t, s.DB(), "select count(*) from course_reviews where state = 'hidden'"); n != 2 {
			t.Errorf("%d of 2 are hidden", n)
		}
		if n := count(t, s.DB(), "select reviews from course_offers where course_id = $1", course); n != 0 {
			t.Errorf("%d are counted", n)
		}
	})
}

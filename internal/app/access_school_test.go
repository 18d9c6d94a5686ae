package app_test

import (
	"maps"
	"testing"
	"time"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

// relations are the callers of the matrix for whom the questions of policies about a course hold, in every course of school.
var relations = map[string][]string{
	"teaches": {"tea", "edi"}, "edits": {"edi"}, "enrolled": {"enr"},
}

// school makes courses that the callers of the matrix teach and take.
type school struct {
	*apptest.Server
	ids map[string]string // of the callers
}

func schoolOf(s *apptest.Server, callers []resttest.Caller) school {
	at := school{s, map[string]string{}}
	for _, c := range callers {
		at.ids[c.Name] = c.Actor.UserID
	}
	return at
}

func (s school) now() db.Time { return db.At(s.DB().Clock.Now()) }

// course makes one that "tea" and "edi" teach, of whom "edi" may change it, that "enr" takes and "rev" was put out of. The
// callers who are not there have no part in it.
func (s school) course(t *testing.T) string {
	t.Helper()
	key := id.New()
	write(t, s.DB(), `insert into courses (id, title, instructor, duration, category, thumbnail, description, lessons, level, rating, created_at)
		values ($1, $2, 'I', '1 week', 'AI Tools', '/art/x.webp', 'D', 1, 'Beginner', 4, $3)`, key, "Course "+key, s.now())
	for name, edits := range map[string]bool{"tea": false, "edi": true} {
		if user := s.ids[name]; user != "" {
			write(t, s.DB(), "insert into course_teachers (id, course_id, user_id, shown_name, may_edit, created_at) values ($1, $2, $3, 'T', $4, $5)",
				id.New(), key, user, edits, s.now())
		}
	}
	for name, revoked := range map[string]db.Time{"enr": {}, "rev": s.now()} {
		if user := s.ids[name]; user != "" {
			write(t, s.DB(), "insert into enrollments (id, user_id, course_id, revoked_at, created_at) values ($1, $2, $3, $4, $5)",
				id.New(), user, key, revoked, s.now())
		}
	}
	return key
}

// learning are the cases of those who take courses; rows belong to the owner.
func (s school) learning(owner who.Actor) map[string]resttest.Case {
	enrolled := func(source string, revoked db.Time) resttest.Case {
		return resttest.Case{
			Seed: func(t *testing.T) map[string]any {
				key, course := id.New(), s.course(t)
				write(t, s.DB(), "insert into enrollments (id, user_id, course_id, source, revoked_at, created_at) values ($1, $2, $3, $4, $5, $6)",
					key, owner.UserID, course, source, revoked, s.now())
				row := map[string]any{"id": key, "user_id": owner.UserID, "course_id": course, "source": source}
				if !revoked.IsZero() {
					row["revoked_at"] = revoked.Format(time.RFC3339)
				}
				return row
			},
			New: func(t *testing.T, as resttest.Caller) map[string]any {
				course := school{s.Server, nil}.course(t)
				write(t, s.DB(), "insert into course_offers (id, course_id, published_at, created_at) values ($1, $1, $2, $2)", course, s.now())
				return map[string]any{"user_id": userID(as), "course_id": course}
			},
			Change: map[string]any{"opened_all": true, "revoked_at": "2026-11-16T13:30:00Z", "revoked_for": "refunded"},
		}
	}
	all := map[string]resttest.Case{
		"enrollments": enrolled("free", db.Time{}), "enrollments/given": enrolled("grant", db.Time{}), "enrollments/revoked": enrolled("free", s.now()),
		"certificates": {
			Seed: func(t *testing.T) map[string]any {
				key, course := id.New(), s.course(t)
				write(t, s.DB(), `insert into certificates (id, code, user_id, course_id, holder, course_title, instructor, lessons, seconds, issued_at, created_at)
					values ($1, $2, $3, $4, 'H', 'T', 'I', 1, 1, $5, $5)`, key, key[:14], owner.UserID, course, s.now())
				return map[string]any{"id": key, "user_id": owner.UserID, "course_id": course}
			},
			Change: map[string]any{"revoked_at": "2026-11-16T13:30:00Z", "revoked_for": "copied"},
		},
		"quiz_attempts": {
			Seed: func(t *testing.T) map[string]any {
				key, course := id.New(), s.course(t)
				write(t, s.DB(), "insert into course_sections (id, course_id, title, position, created_at) values ($1, $1, 'S', 0, $2)", course, s.now())
				write(t, s.DB(), `insert into lessons (id, course_id, section_id, title, kind, position, created_at) values ($1, $2, $2, 'L', 'quiz', 0, $3)`, key, course, s.now())
				write(t, s.DB(), `insert into quiz_attempts (id, user_id, course_id, lesson_id, percent, passed, answers, created_at)
					values ($1, $2, $3, $1, 80, $4, '{}', $5)`, key, owner.UserID, course, true, s.now())
				return map[string]any{"id": key, "user_id": owner.UserID, "course_id": course}
			},
		},
		"course_reviews": s.reviewed(owner.UserID, "published"), "course_reviews/hidden": s.reviewed(owner.UserID, "hidden"),
		"course_reviews/learner": s.reviewed(s.ids["enr"], "published"), "course_reviews/learner hidden": s.reviewed(s.ids["enr"], "hidden"),
		"lesson_progress": {
			Seed: func(t *testing.T) map[string]any {
				key, course := id.New(), s.course(t)
				write(t, s.DB(), "insert into course_sections (id, course_id, title, position, created_at) values ($1, $1, 'S', 0, $2)", course, s.now())
				write(t, s.DB(), `insert into lessons (id, course_id, section_id, title, kind, position, created_at) values ($1, $2, $2, 'L', 'text', 0, $3)`, key, course, s.now())
				write(t, s.DB(), `insert into lesson_progress (id, user_id, course_id, lesson_id, position_at, updated_at, created_at)
					values ($1, $2, $3, $1, $4, $4, $4)`, key, owner.UserID, course, s.now())
				return map[string]any{"id": key, "user_id": owner.UserID, "course_id": course}
			},
		},
	}
	maps.Copy(all, s.discussing(owner))
	return all
}

// reviewed is a review by somebody, in a state. Who takes the courses of the matrix has completed a lesson of them.
func (s school) reviewed(by, state string) resttest.Case {
	return resttest.Case{
		Seed: func(t *testing.T) map[string]any {
			key, course := id.New(), s.course(t)
			row := map[string]any{"id": key, "course_id": course, "state": state}
			var author any
			if by != "" {
				row["user_id"], author = by, by
			}
			write(t, s.DB(), `insert into course_reviews (id, user_id, course_id, author_name, stars, state, updated_at, created_at)
				values ($1, $2, $3, 'N', 4, $4, $5, $5)`, key, author, course, state, s.now())
			return row
		},
		New: func(t *testing.T, _ resttest.Caller) map[string]any {
			course := s.course(t)
			if learner := s.ids["enr"]; learner != "" {
				lesson := s.lesson(t, course, s.section(t, course), "published")
				write(t, s.DB(), `insert into lesson_progress (id, user_id, course_id, lesson_id, position_at, completed_at, updated_at, created_at)
					values ($1, $2, $3, $1, $4, $4, $4, $4)`, lesson, learner, course, s.now())
			}
			return map[string]any{"course_id": course, "stars": 5, "text": "Said."}
		},
		Change: map[string]any{"stars": 3, "text": "Said again."},
	}
}

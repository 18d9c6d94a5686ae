package app_test

import (
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
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

package learn

import (
	"context"
	"fmt"
	"strings"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
)

// taken is a course on somebody's page My Learning.
type taken struct {
	Course     string     `json:"course_id"`
	Title      string     `json:"title"`
	Instructor string     `json:"instructor"`
	Thumbnail  string     `json:"thumbnail"`
	Enrolled   time.Time  `json:"enrolled_at"`
	Completed  *time.Time `json:"completed_at"`
	Revoked    bool       `json:"revoked"`
	Done       int        `json:"done"`
	Of         int        `json:"of"`
	Last       *time.Time `json:"last_at"`
	Next       *string    `json:"next_lesson"`
	NextTitle  string     `json:"next_title"`
	// NextOpens is when the next lesson opens, where that is to come.
	NextOpens *time.Time `json:"next_opens_at"`
	// Certificate is the code of the one that they have of the course.
	Certificate *string `json:"certificate"`
	// Withdrawn is the code of the one that they had: its page says why.
	Withdrawn *string `json:"withdrawn_certificate"`
	// While lessons are counted: the one that was watched last came, and Next comes before it.
	came, early bool
	openedAll   bool
}

const mostMine = 200

// mine gives the courses that somebody takes, those first in which they did something last.
func (s *Service) mine(ctx context.Context, r fn.Request) (fn.Answer, error) {
	courses := []*taken{}
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		if courses, err = takenBy(ctx, tx, person(r.Actor)); err != nil || len(courses) == 0 {
			return err
		}
		return count(ctx, tx, person(r.Actor), courses)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]any{"courses": courses}), nil
}

func takenBy(ctx context.Context, tx *db.Tx, user string) ([]*taken, error) {
	courses := []*taken{}
	err := db.Each(ctx, tx, `select course_id, title, instructor, thumbnail, enrolled_at, completed_at, revoked_at, last_at, code, withdrawn, opened_all from (
			select e.id, e.course_id, c.title, c.instructor, c.thumbnail, e.created_at as enrolled_at, e.completed_at, e.revoked_at, e.opened_all,
				(select max(p.updated_at) from lesson_progress p where p.user_id = e.user_id and p.course_id = e.course_id) as last_at,
				coalesce((select x.code from certificates x where x.user_id = e.user_id and x.course_id = e.course_id and x.revoked_at is null), '') as code,
				coalesce((select x.code from certificates x where x.user_id = e.user_id and x.course_id = e.course_id and x.revoked_at is not null), '') as withdrawn
			from enrollments e join courses c on c.id = e.course_id where e.user_id = $1) m
		order by coalesce(last_at, enrolled_at) desc, id limit $2`, []any{user, mostMine},
		func(scan func(...any) error) error {
			one := &taken{}
			var enrolled, completed, revoked, last db.Time
			var code, withdrawn string
			err := scan(&one.Course, &one.Title, &one.Instructor, &one.Thumbnail, &enrolled, &completed, &revoked, &last, &code, &withdrawn, &one.openedAll)
			one.Certificate, one.Withdrawn = orNull(code), orNull(withdrawn)
			one.Enrolled, one.Completed, one.Revoked, one.Last = enrolled.Time, moment(completed), !revoked.IsZero(), moment(last)
			courses = append(courses, one)
			return err
		})
	return courses, err
}

// count adds how many lessons there are and are done, and the next one: the first that is not, from the one that was watched
// last on, and then from the beginning.
func count(ctx context.Context, tx *db.Tx, user string, courses []*taken) error {
	byID, args, places := map[string]*taken{}, []any{user}, []string{}
	for _, one := range courses {
		byID[one.Course] = one
		args = append(args, one.Course)
		places = append(places, fmt.Sprintf("$%d", len(args)))
	}
	return db.Each(ctx, tx, `select l.course_id, l.id, l.title, l.preview, l.release_days, l.release_at, p.completed_at, p.updated_at
		from lessons l left join lesson_progress p on p.user_id = $1 and p.lesson_id = l.id
		where l.course_id in (`+strings.Join(places, ", ")+`) and l.state = 'published' order by l.course_id, l.position, l.id`, args,
		func(scan func(...any) error) error {
			var course, lesson, title string
			var preview bool
			var opens schedule
			var completed, updated db.Time
			if err := scan(&course, &lesson, &title, &preview, &opens.days, &opens.at, &completed, &updated); err != nil {
				return err
			}
			one := byID[course]
			if one.add(lesson, title, !completed.IsZero(), updated.Time) {
				one.NextOpens = nil
				if until, shut := opens.shut(one.Enrolled, one.openedAll, tx.Now); shut && !preview {
					one.NextOpens = &until
				}
			}
			return nil
		})
}

// add counts the next lesson of a course, in their order, and tells whether it is the one to go on with as far as is known.
func (t *taken) add(lesson, title string, done bool, watched time.Time) bool {
	t.Of++
	last := !t.came && t.Last != nil && watched.Equal(*t.Last)
	// What comes before it is the next one only where nothing follows.
	better := t.Next == nil || last || t.came && t.early
	t.came = t.came || last
	if done {
		t.Done++
		return false
	}
	if !better || t.Revoked {
		return false
	}
	t.Next, t.NextTitle, t.early = &lesson, title, !t.came
	return true
}

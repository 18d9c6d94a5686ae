package learn

import (
	"context"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// stage is a lesson in the order of its course: how many came so far, or further, and how many completed it.
type stage struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Reached   int    `json:"reached"`
	Completed int    `json:"completed"`
	position  int
}

// way is how those who take a course go through it.
type way struct {
	Learners int     `json:"learners"`
	Lessons  []stage `json:"lessons"`
}

// funnel tells where those who take a course stop. It only descends: who is further on has passed here.
func (s *Service) funnel(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Course string `json:"course"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	course, ok := id.Parse(ask.Course)
	if !ok {
		return fn.Answer{}, errNoCourse
	}
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error { return teaches(ctx, tx, r.Actor, course) })
	if err != nil {
		return fn.Answer{}, err
	}
	found, err := s.funnels.of(ctx, course, s.DB.Clock, s.count)
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(found), nil
}

// count reads all progress in a course, one course at a time.
func (s *Service) count(ctx context.Context, course string) (found way, err error) {
	end, err := s.counts.Turn(ctx, s.counting, exportWithin)
	if err != nil {
		return found, err
	}
	defer end()
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		if err := tx.QueryRow(ctx, "select count(*) from enrollments where course_id = $1 and revoked_at is null", course).Scan(&found.Learners); err != nil {
			return err
		}
		if found.Lessons, err = stagesOf(ctx, tx, course); err != nil {
			return err
		}
		return furthest(ctx, tx, course, func(position, people int) {
			for i := range found.Lessons {
				if found.Lessons[i].position <= position {
					found.Lessons[i].Reached += people
				}
			}
		})
	})
	return found, err
}

// Who left a course, or was put out of it, is not counted.
func stagesOf(ctx context.Context, tx *db.Tx, course string) ([]stage, error) {
	stages := []stage{}
	err := db.Each(ctx, tx, `select l.id, l.title, l.position, (select count(*) from lesson_progress p
			join enrollments e on e.user_id = p.user_id and e.course_id = p.course_id and e.revoked_at is null
			where p.lesson_id = l.id and p.completed_at is not null)
		from lessons l where l.course_id = $1 and l.state = 'published' order by l.position, l.id`, []any{course},
		func(scan func(...any) error) error {
			var one stage
			err := scan(&one.ID, &one.Title, &one.position, &one.Completed)
			stages = append(stages, one)
			return err
		})
	return stages, err
}

// furthest tells, for each place in a course, how many came there and no further.
func furthest(ctx context.Context, tx *db.Tx, course string, add func(position, people int)) error {
	return db.Each(ctx, tx, `select place, count(*) from (
			select max(l.position) as place from lesson_progress p join lessons l on l.id = p.lesson_id and l.state = 'published'
				join enrollments e on e.user_id = p.user_id and e.course_id = p.course_id and e.revoked_at is null
			where p.course_id = $1 group by p.user_id) f group by place`, []any{course},
		func(scan func(...any) error) error {
			var position, people int
			err := scan(&position, &people)
			add(position, people)
			return err
		})
}

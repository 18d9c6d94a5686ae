package teach

import (
	"context"
	"slices"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// arrangement is a curriculum by its ids, in order.
type arrangement []struct {
	ID      string   `json:"id"`
	Lessons []string `json:"lessons"`
}

var errArrange = fault.New(fault.Conflict, "Somebody else changed this curriculum. Reload to see it.")

// arrange puts sections and lessons into an order, in one call. It must name all that there is: what somebody added or took away
// meanwhile would have no place in it. Who says which order they changed (was) undoes nobody else's; the order that there is already
// is taken again.
func (s *Studio) arrange(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Course   string      `json:"course"`
		Sections arrangement `json:"sections"`
		Was      arrangement `json:"was"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	err := s.onCourse(ctx, r, ask.Course, func(ctx context.Context, tx *db.Tx, course string) error {
		if err := ask.Sections.matches(ctx, tx, course); err != nil {
			return err
		}
		if err := ask.Sections.follows(ctx, tx, course, ask.Was); err != nil {
			return err
		}
		if moved, err := ask.Sections.store(ctx, tx); err != nil || !moved {
			return err
		}
		if err := s.refresh(ctx, tx, course); err != nil {
			return err
		}
		return note(ctx, tx, r.Actor, "lesson.arrange", course)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(struct{}{}), nil
}

// matches compares it with what the course has, each thing once.
func (a arrangement) matches(ctx context.Context, tx *db.Tx, course string) error {
	there := map[string]string{}
	err := db.Each(ctx, tx, "select id, 'section' from course_sections where course_id = $1 union all select id, 'lesson' from lessons where course_id = $1",
		[]any{course}, func(scan func(...any) error) error {
			var key, kind string
			err := scan(&key, &kind)
			there[key] = kind
			return err
		})
	if err != nil {
		return err
	}
	take := func(key, kind string) bool {
		found := there[key] == kind
		delete(there, key)
		return found
	}
	for _, section := range a {
		if !take(section.ID, "section") {
			return errArrange
		}
		for _, key := range section.Lessons {
			if !take(key, "lesson") {
				return errArrange
			}
		}
	}
	if len(there) > 0 {
		return errArrange
	}
	return nil
}

// follows refuses an order that was made of another than the present one.
func (a arrangement) follows(ctx context.Context, tx *db.Tx, course string, was arrangement) error {
	if was == nil {
		return nil
	}
	var now []string
	err := db.Each(ctx, tx, `select s.id, coalesce(cast(l.id as text), '') from course_sections s left join lessons l on l.section_id = s.id
		where s.course_id = $1 order by s.position, s.id, l.position, l.id`, []any{course}, func(scan func(...any) error) error {
		var section, lesson string
		err := scan(&section, &lesson)
		now = append(now, section+lesson)
		return err
	})
	if err == nil && !slices.Equal(now, was.flat()) && !slices.Equal(now, a.flat()) {
		err = errArrange
	}
	return err
}

// flat is every lesson with its section, in order, and sections without any.
func (a arrangement) flat() (all []string) {
	for _, section := range a {
		if len(section.Lessons) == 0 {
			all = append(all, section.ID)
		}
		for _, lesson := range section.Lessons {
			all = append(all, section.ID+lesson)
		}
	}
	return all
}

// store tells whether anything has another place now.
func (a arrangement) store(ctx context.Context, tx *db.Tx) (moved bool, err error) {
	var b db.Batch
	place, seen := 0, func(rows int64) error {
		moved = moved || rows > 0
		return nil
	}
	for i, section := range a {
		b.Exec("update course_sections set position = $2 where id = $1 and position <> $2", []any{section.ID, i + 1}, seen)
		for _, key := range section.Lessons {
			place++
			b.Exec("update lessons set position = $2, section_id = $3 where id = $1 and (position <> $2 or section_id <> $3)", []any{key, place, section.ID}, seen)
		}
	}
	err = tx.Send(ctx, &b)
	return moved, err
}

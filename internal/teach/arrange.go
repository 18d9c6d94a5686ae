package teach

import (
	"context"

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
// meanwhile would have no place in it.
func (s *Studio) arrange(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Course   string      `json:"course"`
		Sections arrangement `json:"sections"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	err := s.onCourse(ctx, r, ask.Course, func(ctx context.Context, tx *db.Tx, course string) error {
		if err := ask.Sections.matches(ctx, tx, course); err != nil {
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

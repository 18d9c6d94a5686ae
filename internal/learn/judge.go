package learn

import (
	"context"
	"fmt"

	"greenroom/internal/platform/db"
)

// judgeAfter is how many seconds of a course's videos somebody has watched who can judge it.
const judgeAfter = 10 * 60

// Known tells whether somebody has seen enough of a course to judge it: a lesson is complete, or ten minutes were watched.
func Known(ctx context.Context, tx *db.Tx, user, course string) (enough bool, err error) {
	seconds := 0
	err = db.Each(ctx, tx, `select p.completed_at, p.covered, l.seconds from lesson_progress p join lessons l on l.id = p.lesson_id
		where p.user_id = $1 and p.course_id = $2`, []any{user, course}, func(scan func(...any) error) error {
		var completed db.Time
		var text string
		var long int
		if err := scan(&completed, &text, &long); err != nil {
			return err
		}
		watched, err := readCovered(text)
		seconds += stepSeconds * watched.first(stepsOf(long)).count()
		enough = enough || !completed.IsZero()
		return err
	})
	if err != nil {
		return false, fmt.Errorf("ask what somebody has seen of a course: %w", err)
	}
	return enough || seconds >= judgeAfter, nil
}

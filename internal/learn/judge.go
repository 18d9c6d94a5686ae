package learn

import (
	"context"
	"fmt"

	"greenroom/internal/platform/db"
)

// judgeAfter is how many seconds of a course's videos somebody has watched who can judge it.
const judgeAfter = 10 * 60

// Known tells whether somebody has seen enough of a course to judge it: a lesson is complete, or ten minutes were watched. In a strict
// course that is no more than time allows since their first report there: what each lesson believes before its time is given once.
func Known(ctx context.Context, tx *db.Tx, user, course string) (enough bool, err error) {
	seconds, strict := 0, false
	var first db.Time
	err = db.Each(ctx, tx, `select p.completed_at, p.covered, l.seconds, p.created_at, coalesce(o.strict, false) from lesson_progress p
		join lessons l on l.id = p.lesson_id left join course_offers o on o.course_id = p.course_id
		where p.user_id = $1 and p.course_id = $2`, []any{user, course}, func(scan func(...any) error) error {
		var completed, created db.Time
		var text string
		var long int
		if err := scan(&completed, &text, &long, &created, &strict); err != nil {
			return err
		}
		if first.IsZero() || created.Before(first.Time) {
			first = created
		}
		watched, err := readCovered(text)
		seconds += stepSeconds * watched.first(stepsOf(long)).count()
		enough = enough || !completed.IsZero()
		return err
	})
	if err != nil {
		return false, fmt.Errorf("ask what somebody has seen of a course: %w", err)
	}
	if strict {
		seconds = min(seconds, possible(first.Time, tx.Now, slackSeconds))
	}
	return enough || seconds >= judgeAfter, nil
}

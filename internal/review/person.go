package review

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/limit"
)

// About gives what a person said of courses.
func About(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select id, course_id, author_name, stars, text, state, hidden_for, reply, replied_at, updated_at, created_at
		from course_reviews where user_id = $1 order by created_at, id`, user)
}

// AboutReplies gives what a person answered to reviews, AboutReports what they reported.
func AboutReplies(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, "select id as review_id, course_id, reply, replied_at from course_reviews where replied_by = $1 order by replied_at, id", user)
}

// AboutReports gives the reviews that a person reported; the reports go with the account.
func AboutReports(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, "select review_id, reason, created_at from review_reports where user_id = $1 order by created_at, id", user)
}

// Forget erases the reviews and replies of somebody who leaves.
func (s *Service) Forget(ctx context.Context, tx *db.Tx, user, _ string) error {
	return s.leave(ctx, tx, user, "delete from course_reviews where user_id = $1 returning course_id",
		"update course_reviews set reply = null, replied_by = null, replied_at = null where replied_by = $1 returning course_id")
}

// Keep leaves the reviews of somebody who leaves, without a name, and their replies, which have none. A mark of their mailbox stays,
// or they could come back and review again and again; where one of the same mailbox stays already, theirs goes.
func (s *Service) Keep(ctx context.Context, tx *db.Tx, user string) error {
	var address sql.NullString
	if err := tx.QueryRow(ctx, "select email from users where id = $1", user).Scan(&address); err != nil {
		return fmt.Errorf("read whose reviews stay: %w", err)
	}
	if err := holdReviewed(ctx, tx, user); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `update course_reviews set author_mark = $2 where user_id = $1
		and not exists (select 1 from course_reviews o where o.author_mark = $2 and o.course_id = course_reviews.course_id)`,
		user, limit.Mark(s.Secret, "review", address.String))
	if err != nil {
		return fmt.Errorf("mark the reviews that stay: %w", err)
	}
	return s.leave(ctx, tx, user, "delete from course_reviews where user_id = $1 and author_mark is null returning course_id",
		"update course_reviews set user_id = null, author_name = '"+formerly+"' where user_id = $1 returning course_id",
		"update course_reviews set replied_by = null where replied_by = $1 returning course_id")
}

// holdReviewed holds the courses that somebody reviewed, so that two of one mailbox who leave at once see each other.
func holdReviewed(ctx context.Context, tx *db.Tx, user string) error {
	var courses []string
	err := db.Each(ctx, tx, "select course_id from course_reviews where user_id = $1 order by course_id", []any{user}, func(scan func(...any) error) error {
		var course string
		err := scan(&course)
		courses = append(courses, course)
		return err
	})
	if err != nil {
		return err
	}
	for _, course := range courses {
		if err := hold(ctx, tx, course); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) leave(ctx context.Context, tx *db.Tx, user string, statements ...string) error {
	var courses []string
	for _, statement := range statements {
		err := db.Each(ctx, tx, statement, []any{user}, func(scan func(...any) error) error {
			var course string
			err := scan(&course)
			courses = append(courses, course)
			return err
		})
		if err != nil {
			return err
		}
	}
	slices.Sort(courses)
	return s.settleAll(ctx, tx, slices.Compact(courses))
}

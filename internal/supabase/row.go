package supabase

import (
	"context"
	"errors"

	"greenroom/internal/inbox"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/saved"
	"greenroom/internal/waitlist"
)

func (i *Import) role(ctx context.Context, tx *db.Tx, c cells) (bool, error) {
	if c["role"] != "admin" {
		return false, fault.Newf(fault.Invalid, "there is no role %q", c["role"])
	}
	user, err := c.reference("user_id")
	if err != nil {
		return false, err
	}
	return i.Accounts.Admit(ctx, tx, user)
}

func (i *Import) saved(ctx context.Context, tx *db.Tx, c cells) (bool, error) {
	row, err := c.id("saved_courses")
	user, errUser := c.reference("user_id")
	course, errCourse := c.reference("course_id")
	at, errAt := c.created(tx.Now)
	if err := errors.Join(err, errUser, errCourse, errAt); err != nil {
		return false, err
	}
	return saved.Admit(ctx, tx, row, user, course, at)
}

func (i *Import) entry(ctx context.Context, tx *db.Tx, c cells) (bool, error) {
	row, err := c.id("course_waitlist")
	at, errAt := c.created(tx.Now)
	if err := errors.Join(err, errAt); err != nil {
		return false, err
	}
	e := waitlist.Entry{ID: row, Title: c["course_title"], Email: c["email"], Name: c["name"], CreatedAt: at}
	if c["user_id"] != "" {
		if e.User, err = c.reference("user_id"); err != nil {
			return false, err
		}
	}
	return i.Lists.Admit(ctx, tx, e)
}

func (i *Import) message(ctx context.Context, tx *db.Tx, c cells) (bool, error) {
	row, err := c.id("course_recommendations")
	user, errUser := id.Nil, error(nil)
	if c["user_id"] != "" {
		user, errUser = c.reference("user_id")
	}
	at, errAt := c.created(tx.Now)
	if err := errors.Join(err, errUser, errAt); err != nil {
		return false, err
	}
	return inbox.Admit(ctx, tx, inbox.Message{
		ID: row, User: user, Title: c["course_title"], Description: c["course_description"], Instructor: c["instructor_name"], Email: c["email"], CreatedAt: at,
	})
}

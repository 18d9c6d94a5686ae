package waitlist

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"unicode/utf8"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/email"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
)

// registration is what somebody gives to register for a workshop.
type registration struct {
	id, workshop, name, email string
}

func (r registration) check() error {
	switch {
	case r.name == "" || r.email == "":
		return refused("Please fill in all fields")
	case utf8.RuneCountInString(r.name) > maxName:
		return refused("The name can be at most %d characters long.", maxName)
	case !mail.Deliverable(r.email):
		return refused("Invalid email address")
	}
	return nil
}

// workshop is what a letter tells of a workshop.
type workshop struct {
	id, title, host, date, time string
	spots                       int
}

func (w workshop) when() string { return w.date + ", " + w.time }

// register takes a spot in a workshop while there is one, and a place in the line after that. The same address again
// is the same registration: it answers as the first did, adds nothing and mails nothing.
func (l *Lists) register(ctx context.Context, tx *db.Tx, r registration) (string, error) {
	w, err := workshopByTitle(ctx, tx, r.workshop)
	if err != nil {
		return "", err
	}
	if err := r.check(); err != nil {
		return "", err
	}
	if err := l.limits.Take(ctx, tx, limit.InsertPerAddress.By(who.From(ctx).Address)); err != nil {
		return "", err
	}
	known, added, err := insertOnce(ctx, tx, w.id, r)
	if err != nil || !added {
		return known, err
	}
	spot, err := l.takeSpot(ctx, tx, w.id, r.id)
	if err != nil {
		return "", err
	}
	if spot == 0 {
		// Somebody may free a spot at this very moment without seeing the new row yet.
		tx.AfterCommit(l.kick)
		return r.id, l.receipt(ctx, tx, mail.WorkshopWaiting{To: r.email, Name: r.name, Workshop: w.title, Host: w.host, When: w.when()})
	}
	return r.id, l.receipt(ctx, tx, mail.WorkshopConfirmed{
		To: r.email, Name: r.name, Workshop: w.title, Host: w.host, When: w.when(), Spot: spot, Spots: w.spots,
	})
}

// workshopByTitle finds the workshop that a row without user_id must name.
func workshopByTitle(ctx context.Context, tx *db.Tx, title string) (w workshop, err error) {
	err = tx.QueryRow(ctx, "select id, title, host, date_text, time_text, spots from workshops where title = $1", title).
		Scan(&w.id, &w.title, &w.host, &w.date, &w.time, &w.spots)
	if errors.Is(err, sql.ErrNoRows) {
		return w, fault.New(fault.Forbidden, "A registration without an account must name a workshop.")
	}
	if err != nil {
		return w, fmt.Errorf("look a workshop up: %w", err)
	}
	return w, nil
}

// insertOnce adds a waiting registration; the unique key over workshop and address decides whether it is the first.
func insertOnce(ctx context.Context, tx *db.Tx, workshop string, r registration) (id string, added bool, err error) {
	key := email.Key(r.email)
	n, err := tx.Exec(ctx, `insert into course_waitlist (id, course_title, email, name, created_at, workshop_id, email_key)
		values ($1, $2, $3, $4, $5, $6, $7) on conflict (workshop_id, email_key) do nothing`,
		r.id, r.workshop, r.email, r.name, db.At(tx.Now), workshop, key)
	if err != nil {
		return "", false, fmt.Errorf("add a registration: %w", err)
	}
	if n > 0 {
		return r.id, true, nil
	}
	err = tx.QueryRow(ctx, "select id from course_waitlist where workshop_id = $1 and email_key = $2", workshop, key).Scan(&id)
	if err != nil {
		return "", false, fmt.Errorf("find the first registration: %w", err)
	}
	return id, false, nil
}

// takeSpot gives a new registration a spot, or 0 when none is left. Whoever comes while there are spots waits for the
// workshop's row; whoever comes after that waits for nobody.
func (l *Lists) takeSpot(ctx context.Context, tx *db.Tx, workshop, registration string) (spot int, err error) {
	taken, err := tx.Exec(ctx, "update workshops set spots_left = spots_left - 1 where id = $1 and spots_left > 0", workshop)
	if err != nil || taken == 0 {
		return 0, err
	}
	if spot, err = number(ctx, tx, workshop, registration); err != nil {
		return 0, err
	}
	return spot, l.workshopChanged(ctx, tx)
}

// number gives a waiting registration the smallest free number, or 0 when the registration is gone. The workshop's row
// is locked by this transaction.
func number(ctx context.Context, tx *db.Tx, workshop, registration string) (spot int, err error) {
	err = tx.QueryRow(ctx, `update course_waitlist set spot = (
			select min(free) from (
				select 1 as free where not exists (select 1 from course_waitlist where workshop_id = $1 and spot = 1)
				union all
				select taken.spot + 1 from course_waitlist taken where taken.workshop_id = $1 and taken.spot is not null
					and not exists (select 1 from course_waitlist next where next.workshop_id = $1 and next.spot = taken.spot + 1)
			) as gaps)
		where id = $2 and spot is null returning spot`, workshop, registration).Scan(&spot)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("number a spot: %w", err)
	}
	return spot, nil
}

func (l *Lists) workshopChanged(ctx context.Context, tx *db.Tx) error {
	if l.changed == nil {
		return nil
	}
	return l.changed(ctx, tx)
}

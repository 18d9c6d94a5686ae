package waitlist

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
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
		return refused("The name may have at most %d characters.", maxName)
	case !mail.Deliverable(r.email):
		return refused("Invalid email address")
	}
	return nil
}

// workshop is a workshop's row, locked by this transaction.
type workshop struct {
	id, title, host, date, time string
	spots                       int
}

func (w workshop) when() string { return w.date + ", " + w.time }

// register takes a spot in a workshop while there is one, and a place in the line after that. The same address again
// is the same registration: it answers as the first did, adds nothing and mails nothing.
func (l *Lists) register(ctx context.Context, tx *db.Tx, r registration) (string, error) {
	id, err := workshopByTitle(ctx, tx, r.workshop)
	if err != nil {
		return "", err
	}
	if err := r.check(); err != nil {
		return "", err
	}
	if err := l.limits.Take(ctx, tx, limit.InsertPerAddress.By(who.From(ctx).Address)); err != nil {
		return "", err
	}
	// The row comes first and the workshop's lock second: whoever deletes a registration takes them in that order too.
	known, added, err := insertOnce(ctx, tx, id, r)
	if err != nil || !added {
		return known, err
	}
	w, err := lock(ctx, tx, id)
	if err != nil {
		return "", err
	}
	spot, err := l.takeSpot(ctx, tx, w, r.id)
	if err != nil {
		return "", err
	}
	if spot == 0 {
		return r.id, l.post.Enqueue(ctx, tx, mail.WorkshopWaiting{To: r.email, Name: r.name, Workshop: w.title, Host: w.host, When: w.when()})
	}
	return r.id, l.post.Enqueue(ctx, tx, mail.WorkshopConfirmed{
		To: r.email, Name: r.name, Workshop: w.title, Host: w.host, When: w.when(), Spot: spot, Spots: w.spots,
	})
}

// workshopByTitle finds the workshop that a row without user_id must name.
func workshopByTitle(ctx context.Context, tx *db.Tx, title string) (id string, err error) {
	err = tx.QueryRow(ctx, "select id from workshops where title = $1", title).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", fault.New(fault.Forbidden, "A registration without an account must name a workshop.")
	}
	if err != nil {
		return "", fmt.Errorf("look a workshop up: %w", err)
	}
	return id, nil
}

// insertOnce adds a waiting registration; the unique key over workshop and address decides whether it is the first.
func insertOnce(ctx context.Context, tx *db.Tx, workshop string, r registration) (id string, added bool, err error) {
	key := strings.ToLower(r.email)
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

// lock holds the workshop's row until the commit, so that registering and promoting never overlook each other.
func lock(ctx context.Context, tx *db.Tx, id string) (w workshop, err error) {
	w.id = id
	err = tx.QueryRow(ctx, "update workshops set spots_left = spots_left where id = $1 returning title, host, date_text, time_text, spots", id).
		Scan(&w.title, &w.host, &w.date, &w.time, &w.spots)
	if err != nil {
		return w, fmt.Errorf("lock a workshop: %w", err)
	}
	return w, nil
}

// takeSpot gives a registration the smallest free number, or 0 when no spot is left. The workshop is locked.
func (l *Lists) takeSpot(ctx context.Context, tx *db.Tx, w workshop, registration string) (spot int, err error) {
	taken, err := tx.Exec(ctx, "update workshops set spots_left = spots_left - 1 where id = $1 and spots_left > 0", w.id)
	if err != nil || taken == 0 {
		return 0, err
	}
	err = tx.QueryRow(ctx, `update course_waitlist set spot = (
			select min(free) from (
				select 1 as free where not exists (select 1 from course_waitlist where workshop_id = $1 and spot = 1)
				union all
				select taken.spot + 1 from course_waitlist taken where taken.workshop_id = $1 and taken.spot is not null
					and not exists (select 1 from course_waitlist next where next.workshop_id = $1 and next.spot = taken.spot + 1)
			) as gaps)
		where id = $2 and spot is null returning spot`, w.id, registration).Scan(&spot)
	if err != nil {
		return 0, fmt.Errorf("number a spot: %w", err)
	}
	return spot, l.workshopChanged(ctx, tx)
}

func (l *Lists) workshopChanged(ctx context.Context, tx *db.Tx) error {
	if l.changed == nil {
		return nil
	}
	return l.changed(ctx, tx)
}

// promote gives free spots to those who wait, the earliest first, and writes to them. The workshop is locked.
func (l *Lists) promote(ctx context.Context, tx *db.Tx, w workshop) error {
	for {
		var id, email string
		var name sql.NullString
		err := tx.QueryRow(ctx, `select id, email, name from course_waitlist where workshop_id = $1 and spot is null
			order by created_at, id limit 1`, w.id).Scan(&id, &email, &name)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("find who waits: %w", err)
		}
		spot, err := l.takeSpot(ctx, tx, w, id)
		if err != nil || spot == 0 {
			return err
		}
		err = l.post.Enqueue(ctx, tx, mail.WorkshopConfirmed{
			To: email, Name: name.String, Workshop: w.title, Host: w.host, When: w.when(), Spot: spot, Spots: w.spots, Promoted: true,
		})
		if err != nil {
			return err
		}
	}
}

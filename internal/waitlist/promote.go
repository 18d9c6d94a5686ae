package waitlist

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
)

// foremost is who has waited longest for a workshop.
const foremost = "select id, email, name from course_waitlist where workshop_id = $1 and spot is null order by created_at, id limit 1"

// promote gives free spots to those who wait, the earliest first, and writes to them.
func (l *Lists) promote(ctx context.Context, tx *db.Tx, workshopID string) error {
	w, left, err := lock(ctx, tx, workshopID)
	for err == nil && left > 0 {
		var id, email string
		var name sql.NullString
		err = tx.QueryRow(ctx, foremost, w.id).Scan(&id, &email, &name)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("find who waits: %w", err)
		}
		var spot int
		if spot, err = number(ctx, tx, w.id, id); err != nil {
			return err
		}
		// Somebody who left at this very moment took nothing; the next in line is found in the next round.
		if spot == 0 {
			continue
		}
		left--
		err = l.confirm(ctx, tx, w, mail.WorkshopConfirmed{To: email, Name: name.String, Spot: spot})
	}
	return err
}

func (l *Lists) confirm(ctx context.Context, tx *db.Tx, w workshop, letter mail.WorkshopConfirmed) error {
	if _, err := tx.Exec(ctx, "update workshops set spots_left = spots_left - 1 where id = $1", w.id); err != nil {
		return fmt.Errorf("take a spot: %w", err)
	}
	letter.Workshop, letter.Host, letter.When, letter.Spots, letter.Promoted = w.title, w.host, w.when(), w.spots, true
	return l.post.Enqueue(ctx, tx, letter)
}

// lock holds the workshop's row until the commit: nobody takes or frees a spot meanwhile.
func lock(ctx context.Context, tx *db.Tx, id string) (w workshop, left int, err error) {
	w.id = id
	err = tx.QueryRow(ctx, `update workshops set spots_left = spots_left where id = $1
		returning title, host, date_text, time_text, spots, spots_left`, id).Scan(&w.title, &w.host, &w.date, &w.time, &w.spots, &left)
	if err != nil {
		return w, 0, fmt.Errorf("lock a workshop: %w", err)
	}
	return w, left, nil
}

// settle promotes where a spot is free and somebody waits. Registering locks nothing once all spots are taken, so a
// spot that is freed while somebody registers may find nobody in line; here it finds them.
func (l *Lists) settle(ctx context.Context) error {
	var open []string
	err := l.d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, `select id from workshops where spots_left > 0
				and exists (select 1 from course_waitlist where workshop_id = workshops.id and spot is null)`, nil,
			func(scan func(into ...any) error) error {
				var id string
				err := scan(&id)
				open = append(open, id)
				return err
			})
	})
	for _, id := range open {
		if err == nil {
			err = l.d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
				if err := l.promote(ctx, tx, id); err != nil {
					return err
				}
				return l.workshopChanged(ctx, tx)
			})
		}
	}
	return err
}

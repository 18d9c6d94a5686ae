package waitlist

import (
	"context"
	"database/sql"
	"fmt"

	"greenroom/internal/platform/db"
)

// whose are a person's rows: those of the account, and the registrations of the address, which know no account.
const whose = "(user_id = $1 or (user_id is null and email_key = $2))"

// About gives the lists that a person is on. address is empty unless it is known to be theirs.
func (l *Lists) About(ctx context.Context, tx *db.Tx, user, address string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select id, course_title, email, name, spot, created_at from course_waitlist where `+whose+" order by created_at, id", user, address)
}

// Forget takes a person off every list. A spot that they held goes to whoever waits longest.
func (l *Lists) Forget(ctx context.Context, tx *db.Tx, user, address string) error {
	held := map[string]int{}
	err := db.Each(ctx, tx, "select workshop_id from course_waitlist where workshop_id is not null and "+whose, []any{user, address},
		func(scan func(into ...any) error) error {
			var workshop string
			err := scan(&workshop)
			held[workshop]++
			return err
		})
	if err == nil {
		err = lockAll(ctx, tx, held)
	}
	if err != nil {
		return fmt.Errorf("find a person's places: %w", err)
	}
	freed := map[string]int{}
	err = db.Each(ctx, tx, "delete from course_waitlist where "+whose+" returning workshop_id, spot", []any{user, address},
		func(scan func(into ...any) error) error {
			var workshop sql.NullString
			var spot sql.NullInt64
			err := scan(&workshop, &spot)
			if workshop.Valid && spot.Valid {
				freed[workshop.String]++
			}
			return err
		})
	if err != nil {
		return fmt.Errorf("forget a person's places: %w", err)
	}
	return l.free(ctx, tx, freed)
}

// Joined ends somebody's wait for a course that is open to them now. Registrations for a workshop are another matter.
func (l *Lists) Joined(ctx context.Context, tx *db.Tx, user, course string) error {
	_, err := tx.Exec(ctx, `delete from course_waitlist where user_id = $1 and workshop_id is null
		and (course_id = $2 or (course_id is null and course_title = (select title from courses where id = $2)))`, user, course)
	if err != nil {
		return fmt.Errorf("end a wait: %w", err)
	}
	return nil
}

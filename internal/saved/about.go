package saved

import (
	"context"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// About gives a person's own list.
func About(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, "select id, course_id, created_at from saved_courses where user_id = $1 order by created_at, id", user)
}

// Move gives a guest's list to somebody: what they have already stays as it is, and a full list takes the newest that fit.
// It says how many courses they got by it.
func Move(ctx context.Context, tx *db.Tx, guest, to string) (got int, err error) {
	return move(ctx, tx, guest, to, most)
}

func move(ctx context.Context, tx *db.Tx, guest, to string, most int) (got int, err error) {
	var has int
	if err := tx.QueryRow(ctx, "select count(*) from saved_courses where user_id = $1", to).Scan(&has); err != nil {
		return 0, err
	}
	var b db.Batch
	err = db.Each(ctx, tx, `select course_id, created_at from saved_courses g where user_id = $1
			and not exists (select 1 from saved_courses o where o.user_id = $2 and o.course_id = g.course_id)
		order by created_at desc, id limit $3`, []any{guest, to, max(0, most-has)}, func(scan func(...any) error) error {
		var course string
		var at db.Time
		if err := scan(&course, &at); err != nil {
			return err
		}
		b.Exec("insert into saved_courses (id, user_id, course_id, created_at) values ($1, $2, $3, $4) on conflict (user_id, course_id) do nothing",
			[]any{id.New(), to, course, at}, func(rows int64) error { got += int(rows); return nil })
		return nil
	})
	if err != nil {
		return 0, err
	}
	return got, tx.Send(ctx, &b)
}

package waitlist

import (
	"context"
	"testing"
	"time"

	"greenroom/internal/platform/db"
)

// Kick makes the worker look now.
func (l *Lists) Kick() { l.kick() }

// Blocked waits until somebody waits for a row that another transaction has locked, on PostgreSQL.
func Blocked(t *testing.T, d *db.DB) {
	t.Helper()
	for range 1000 {
		waiting := 0
		err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return tx.QueryRow(ctx, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'").Scan(&waiting)
		})
		if err != nil {
			t.Error(err)
		}
		if waiting > 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("nobody waits")
}

package waitlist

import (
	"time"

	"greenroom/internal/platform/db"
)

// Over names the registrations that are no longer kept: made so long ago, for a workshop that began before that, too. One
// whose start is not set yet is still to come. The spot of a registration that goes stays taken: the workshop is over, and
// nobody is to be told that they have a place in it. No time keeps all.
func Over(now time.Time, keep time.Duration) []db.Old {
	if keep == 0 {
		return nil
	}
	return []db.Old{{
		Table: "course_waitlist", Personal: true, Order: "created_at", Args: []any{db.At(db.Midnight(now).Add(-keep))},
		Where: "user_id is null and created_at < $1 and not exists (select 1 from workshops w where w.id = workshop_id and (w.starts_at is null or w.starts_at >= $1))",
	}}
}

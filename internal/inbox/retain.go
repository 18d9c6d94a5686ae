package inbox

import (
	"time"

	"greenroom/internal/platform/db"
)

// Over names the messages and recommendations that are no longer kept. No time keeps all.
func Over(now time.Time, keep time.Duration) []db.Old {
	if keep == 0 {
		return nil
	}
	return []db.Old{{
		Table: "course_recommendations", Where: "created_at < $1", Args: []any{db.At(db.Midnight(now).Add(-keep))},
		Order: "created_at", Final: true, Personal: true,
	}}
}

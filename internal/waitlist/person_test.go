package waitlist

import (
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

func TestForgettingReadsNoWholeTable(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		dbtest.Searches(t, d, "delete from course_waitlist where "+whose, id.New(), "ada@example.com")
		dbtest.Searches(t, d, foremost, id.New())
	})
}

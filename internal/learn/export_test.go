package learn

import (
	"testing"

	"greenroom/internal/platform/db/dbtest"
)

// Searches fails where a question that is asked at every report or piece of a video would read a whole table.
func (s *Service) Searches(t *testing.T, lesson, user string) {
	t.Helper()
	dbtest.Searches(t, s.DB, savingQuery, lesson, user)
	dbtest.Searches(t, s.DB, showings, lesson, user)
}

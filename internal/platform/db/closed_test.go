package db

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"greenroom/internal/platform/fault"
)

// TestAClosedConnectionIsUnavailable: the driver may notice the loss before it sends anything.
func TestAClosedConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	if err := translate(fmt.Errorf("ask: %w", pgconn.ErrConnClosed)); !fault.Is(err, fault.Unavailable) {
		t.Errorf("%v", err)
	}
}

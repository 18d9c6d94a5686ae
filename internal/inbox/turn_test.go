package inbox

import (
	"testing"
	"time"
)

// HoldExport takes the turn of an export, and tells how many wait for it.
func (b *Inbox) HoldExport(t testing.TB) (end func(), waiting func() int64) {
	t.Helper()
	end, err := b.exports.Turn(t.Context(), b.exporting, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return end, b.exports.Length
}

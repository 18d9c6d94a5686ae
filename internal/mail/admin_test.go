package mail

import (
	"context"
	"fmt"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
)

func resend(t *testing.T, o *Outbox, letterID string) {
	t.Helper()
	if err := tryResend(t, o, letterID); err != nil {
		t.Fatal(err)
	}
}

func tryResend(t *testing.T, o *Outbox, letterID string) error {
	t.Helper()
	return o.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return o.Resend(ctx, tx, letterID) })
}

func TestAdminListsCountsAndResends(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			now := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
			o := newOutbox(t, dbtest.Open(t, engine, now), newBox(t), &journal{})
			for i := range 25 {
				enqueue(t, o, PasswordChanged{To: fmt.Sprintf("%02d@example.com", i)})
				if i%2 == 0 { // some share a moment, so that the id must decide the order
					now.Advance(time.Second)
				}
			}
			seen, cursor, pages := map[string]bool{}, "", 0
			last := now.Now().Add(time.Hour)
			for {
				page, next, err := o.List(t.Context(), Filter{State: Waiting, Cursor: cursor, Limit: 10})
				if err != nil {
					t.Fatal(err)
				}
				pages++
				for _, e := range page {
					if seen[e.ID] || e.CreatedAt.After(last) {
						t.Fatalf("%s comes twice or out of order", e.ID)
					}
					seen[e.ID], last = true, e.CreatedAt
				}
				if cursor = next; next == "" {
					break
				}
			}
			if len(seen) != 25 || pages != 3 {
				t.Fatalf("%d letters on %d pages", len(seen), pages)
			}
			for _, bad := range []string{"x", "2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z,x", ",", "' or 1=1"} {
				if _, _, err := o.List(t.Context(), Filter{Cursor: bad}); !fault.Is(err, fault.Invalid) {
					t.Errorf("cursor %q: %v", bad, err)
				}
			}
			row, _, err := nextOf(t, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := tryResend(t, o, row.ID); !fault.Is(err, fault.Conflict) {
				t.Errorf("a letter on its way was sent again: %v", err)
			}
			if err := reported(t, o, row, nil); err != nil {
				t.Fatal(err)
			}
			if err := tryResend(t, o, row.ID); !fault.Is(err, fault.Conflict) {
				t.Errorf("a sent letter was sent again: %v", err)
			}
			for _, nobody := range []string{"x", "7d444840-9dc0-11d1-b245-5ffdce74fad2"} {
				if err := tryResend(t, o, nobody); !fault.Is(err, fault.NotFound) {
					t.Errorf("resend %s: %v", nobody, err)
				}
			}
			counts, err := o.Count(t.Context())
			if err != nil || counts[Waiting] != 24 || counts[Sent] != 1 || counts[Failed] != 0 {
				t.Fatalf("counts %v, %v", counts, err)
			}
			err = o.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return o.Forget(ctx, tx, "", "03@Example.com") })
			if entries, _, _ := o.List(t.Context(), Filter{Limit: 100}); err != nil || len(entries) != 24 {
				t.Fatalf("%d letters after one was forgotten, %v", len(entries), err)
			}
			now.Advance(o.pace.keep + time.Hour)
			if swept, err := o.Sweep(t.Context()); swept != 1 || err != nil {
				t.Fatalf("swept %d, %v: only what is done goes", swept, err)
			}
		})
	}
}

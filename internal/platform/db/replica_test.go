package db_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func replica(t *testing.T, address string) (*db.Replica, *clock.Manual, *bytes.Buffer) {
	t.Helper()
	var said bytes.Buffer
	hands := clock.NewManual(time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC))
	r, err := db.OpenReplica(db.Options{URL: address, Clock: hands, Wait: time.Minute}, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r, hands, &said
}

func fresh(context.Context, *db.Tx) error { return nil }

func TestAReplicaBehindAPoolerIsReadOnlyAndPreparesNothing(t *testing.T) {
	t.Parallel()
	r, _, said := replica(t, pooled(t, dbtest.Location(t, db.Postgres).URL))
	for range 3 {
		var prepared, readOnly bool
		done, err := r.Read(t.Context(), fresh, func(ctx context.Context, tx *db.Tx) error {
			return tx.QueryRow(ctx, "select exists (select 1 from pg_prepared_statements), current_setting('transaction_read_only') = 'on'").Scan(&prepared, &readOnly)
		})
		if !done || err != nil || prepared || !readOnly {
			t.Errorf("%v %v: prepared %v, read only %v; %s", done, err, prepared, readOnly, said)
		}
	}
}

// TestWhatIsARequestsOwnFaultIsFinal holds, too, that the next request finds the replica as it was.
func TestWhatIsARequestsOwnFaultIsFinal(t *testing.T) {
	t.Parallel()
	r, _, said := replica(t, dbtest.Location(t, db.Postgres).URL)
	tooLarge := errors.New("the answer is too large")
	if done, err := r.Read(t.Context(), fresh, func(context.Context, *db.Tx) error { return tooLarge }); !done || !errors.Is(err, tooLarge) {
		t.Errorf("%v %v", done, err)
	}
	left, leave := context.WithCancel(t.Context())
	done, err := r.Read(left, fresh, func(ctx context.Context, tx *db.Tx) error {
		leave()
		_, err := tx.Exec(ctx, "select 1")
		return err
	})
	if !done || err == nil {
		t.Errorf("whoever left: %v %v", done, err)
	}
	// What the replica does not know, the primary may.
	done, err = r.Read(t.Context(), fresh, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "select nothing from nowhere")
		return err
	})
	if done || err != nil {
		t.Errorf("another schema: %v %v", done, err)
	}
	if done, err := r.Read(t.Context(), fresh, fresh); !done || err != nil {
		t.Errorf("after all of it: %v %v", done, err)
	}
	if served, _, away := r.Stats(); served != 2 || away != 1 || strings.Count(said.String(), "\n") != 1 {
		t.Errorf("%d served, %d away; %s", served, away, said)
	}
}

func TestAReplicaThatRefusesConnectionsIsLeftAloneForAWhile(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.Postgres).URL
	name, rest, _ := strings.Cut(at, "?")
	r, hands, said := replica(t, name+"_of_nobody?"+rest) // which PostgreSQL itself says
	for range 3 {
		for range 4 {
			if done, err := r.Read(t.Context(), fresh, fresh); done || err != nil {
				t.Errorf("%v %v", done, err)
			}
		}
		hands.Advance(6 * time.Second)
	}
	if _, _, away := r.Stats(); away != 3 || strings.Count(said.String(), "the replica is away") != 1 {
		t.Errorf("asked %d times; %s", away, said)
	}
}

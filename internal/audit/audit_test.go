package audit_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"greenroom/internal/audit"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

func TestEntryStandsOrFallsWithTheAct(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		undone := errors.New("undone")
		for _, end := range []error{nil, undone} {
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				for _, actor := range []string{"", id.New()} {
					if err := audit.Record(ctx, tx, audit.Entry{ActorID: actor, Action: "session.open", Subject: "a\x00b\xffc", Address: "192.0.2.1", UserAgent: strings.Repeat("é", 400), Result: audit.OK}); err != nil {
						return err
					}
				}
				return end
			})
			if !errors.Is(err, end) {
				t.Fatal(err)
			}
		}
		var n int
		var subject, agent string
		err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return tx.QueryRow(ctx, "select count(*), min(subject), min(user_agent) from audit_entries").Scan(&n, &subject, &agent)
		})
		if err != nil || n != 2 || subject != "a b\ufffdc" || len(agent) > 300 || !utf8.ValidString(agent) {
			t.Fatalf("%d rows, %q, %d bytes, %v", n, subject, len(agent), err)
		}
	})
}

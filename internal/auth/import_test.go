package auth

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"greenroom/internal/platform/db"
)

// More accounts than one transaction takes come in all the same, each once, while a server beside writes on.
func TestManyAccountsComeInBesideAServer(t *testing.T) {
	t.Parallel()
	eachPair(t, nil, func(t *testing.T, pair [2]*house) {
		var over atomic.Bool
		done := make(chan struct{})
		go func() {
			defer close(done)
			for !over.Load() {
				err := pair[1].DB.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
					_, err := tx.Exec(ctx, "insert into versions (name, number) values ('beside', 1) on conflict (name) do update set number = versions.number + 1")
					return err
				})
				if err != nil {
					t.Errorf("a write beside the import: %v", err)
				}
			}
		}()
		var lines strings.Builder
		for i := range 120 {
			fmt.Fprintf(&lines, `{"email":"person%d@example.com","email_confirmed_at":"2024-05-01T10:00:00Z"}`+"\n", i)
		}
		lines.WriteString(`{"email":"Person119@example.com"}` + "\n" + `{"email":"gone@example.com","deleted_at":"2024-05-01T10:00:00Z"}` + "\n")
		for _, want := range []Imported{{Added: 120, Known: 1, Passwordless: 120}, {Known: 121}} {
			if n, err := pair[0].Import(t.Context(), strings.NewReader(lines.String()), "users.jsonl", nil); err != nil || n != want {
				t.Errorf("%+v, %v; wanted %+v", n, err, want)
			}
		}
		n, err := pair[0].Import(t.Context(), strings.NewReader(strings.ReplaceAll(lines.String(), "person", "other")+`{"email":"?"}`), "users.jsonl", nil)
		if err == nil || !strings.Contains(err.Error(), "account 123 of users.jsonl") || n.Added != 120 {
			t.Errorf("with a broken line: %+v, %v", n, err)
		}
		over.Store(true)
		<-done
	})
}

package rest_test

import (
	"context"
	"net/http"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/rest/resttest"
)

func TestEveryCallerMayDoWhatIsDeclared(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		exec := func(query string, args ...any) {
			err := l.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				_, err := tx.Exec(ctx, query, args...)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		newBook := func() string {
			key := id.New()
			exec(`insert into books (id, title, pages, rating, lent, created_at) values ($1, $2, 1, 1, $3, $4)`,
				key, "Book "+key, false, db.At(l.db.Clock.Now()))
			return key
		}
		texts := func(table string) resttest.Case {
			return resttest.Case{
				Seed: func(*testing.T) map[string]any {
					key := id.New()
					exec(`insert into `+table+` (id, text) values ($1, 'x')`, key)
					return map[string]any{"id": key}
				},
				New: func(*testing.T, resttest.Caller) map[string]any { return map[string]any{"text": "x"} },
			}
		}
		matrix := resttest.Matrix{
			URL: l.URL, Tables: l.tables(), Owner: "reader",
			Cases: map[string]resttest.Case{
				"books": {
					Seed:   func(*testing.T) map[string]any { return map[string]any{"id": newBook()} },
					New:    func(*testing.T, resttest.Caller) map[string]any { return map[string]any{"title": "New " + id.New()} },
					Change: map[string]any{"pages": 5},
				},
				"loans": {
					Seed: func(*testing.T) map[string]any {
						key := id.New()
						exec(`insert into loans (id, user_id, book_id) values ($1, $2, $3)`, key, reader, newBook())
						return map[string]any{"id": key, "user_id": reader}
					},
					New: func(_ *testing.T, as resttest.Caller) map[string]any {
						body := map[string]any{"book_id": newBook(), "user_id": nil}
						if as.Actor.UserID != "" {
							body["user_id"] = as.Actor.UserID
						}
						return body
					},
					Change: map[string]any{"stars": 3},
				},
				"notes": {
					Seed: func(*testing.T) map[string]any {
						key := id.New()
						exec(`insert into notes (id, user_id, text) values ($1, $2, $3)`, key, reader, "seed "+key)
						return map[string]any{"id": key, "user_id": reader}
					},
					New: func(_ *testing.T, as resttest.Caller) map[string]any {
						if as.Actor.UserID == "" {
							return map[string]any{"text": "wall: " + id.New(), "user_id": nil}
						}
						return map[string]any{"text": "note " + id.New(), "user_id": as.Actor.UserID}
					},
					Change: map[string]any{"text": "changed"},
				},
				"ledger": texts("ledger"),
				"vault":  texts("vault"),
			},
		}
		for name, actor := range actors {
			matrix.Callers = append(matrix.Callers, resttest.Caller{
				Name: "as " + name, Actor: actor, Header: http.Header{"X-Actor": {name}},
			})
		}
		matrix.Owner = "as reader"
		matrix.Run(t)
	})
}

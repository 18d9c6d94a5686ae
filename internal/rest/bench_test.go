package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/rest"
)

// BenchmarkPage reads one page of 24 whole rows out of 2,000, without the network.
func BenchmarkPage(b *testing.B) {
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		b.Run(string(engine), func(b *testing.B) {
			l := openLibrary(b, dbtest.Open(b, engine, clock.System{}))
			err := l.db.Write(b.Context(), func(ctx context.Context, tx *db.Tx) error {
				if _, err := tx.Exec(ctx, `create index books_rating_idx on books (rating desc, created_at desc, id)`); err != nil {
					return err
				}
				for i := range 2000 {
					_, err := tx.Exec(ctx, `insert into books (id, title, author, pages, rating, lent, due_at, created_at) values ($1, $2, 'Somebody Well Known', 100, $3, $4, $5, $5)`,
						id.New(), fmt.Sprintf("A book of some length, volume %d", i), float64(i%50)/10, i%2 == 0, db.At(tx.Now))
					if err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			handler := rest.Handler(l.db, l.tables()...)
			for name, path := range map[string]string{
				"page": "/rest/v1/books?select=*&order=rating.desc,created_at.desc,id&limit=24",
				"one":  "/rest/v1/books?select=*&id=eq." + book(1),
			} {
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, path, nil)
						w := httptest.NewRecorder()
						handler.ServeHTTP(w, r)
						if w.Code != http.StatusOK {
							b.Fatal(w.Code, w.Body)
						}
					}
				})
			}
		})
	}
}

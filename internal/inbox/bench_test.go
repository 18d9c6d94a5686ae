package inbox_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/inbox"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/who"
)

// sink takes an answer of any size and keeps none of it.
type sink struct {
	header http.Header
	bytes  int
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(int)     {}
func (s *sink) Write(piece []byte) (int, error) {
	s.bytes += len(piece)
	return len(piece), nil
}

// analyse does what a database does by itself some time after so many rows came in.
func analyse(b *testing.B, d *db.DB) {
	b.Helper()
	err := d.Write(b.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "analyze course_recommendations")
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkExport exports 300,000 rows on each engine and reports rows a second, and the memory that one export takes.
func BenchmarkExport(b *testing.B) {
	const rows = 300_000
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		b.Run(string(engine), func(b *testing.B) {
			d := dbtest.Open(b, engine, clock.System{})
			fill(b, d, rows)
			if engine == db.Postgres {
				analyse(b, d)
			}
			functions := fn.Handler(inbox.New(d, nil, nil).Functions()...)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var peak uint64
			begin, exports := time.Now(), 0
			for b.Loop() {
				r := httptest.NewRequestWithContext(who.With(b.Context(), admin), http.MethodGet, "/functions/v1/export?tab=recommendations", http.NoBody)
				out := &sink{header: http.Header{}}
				functions.ServeHTTP(out, r)
				if out.bytes < rows*100 {
					b.Fatalf("%d bytes", out.bytes)
				}
				exports++
				runtime.ReadMemStats(&after)
				peak = max(peak, after.HeapSys)
			}
			b.ReportMetric(float64(rows*exports)/time.Since(begin).Seconds(), "rows/s")
			b.ReportMetric(float64(peak-min(peak, before.HeapSys))/(1<<20), "MB-grown")
		})
	}
}

package limit_test

import (
	"fmt"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/limit"
)

// BenchmarkAllow counts uses of many clients at once, and of one that is turned away.
func BenchmarkAllow(b *testing.B) {
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		b.Run(string(engine)+"/many", func(b *testing.B) {
			l := newLimits(dbtest.Open(b, engine, clock.System{}))
			b.SetParallelism(32)
			b.ResetTimer() // the first database of an engine starts its server
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					_ = l.Allow(b.Context(), limit.RefreshPerAddress.By(fmt.Sprintf("10.0.%d.%d", i/250%250, i%250)))
				}
			})
		})
		b.Run(string(engine)+"/refused", func(b *testing.B) {
			l := newLimits(dbtest.Open(b, engine, clock.System{}))
			for b.Loop() {
				_ = l.Allow(b.Context(), limit.MailPerRecipient.By("ada@example.com"))
			}
		})
	}
}

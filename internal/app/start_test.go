package app_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"greenroom/internal/app"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/web"
)

// A start waits for each trip to the database. One that finds everything in place asks for it, and writes nothing.
func TestLaterStartMakesFewTrips(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			c, err := config.Load(map[string]string{"GREENROOM_DATA": t.TempDir(), "GREENROOM_DATABASE_URL": dbtest.Location(t, engine).URL})
			if err != nil {
				t.Fatal(err)
			}
			start := func() (trips []string) {
				var mu sync.Mutex
				a, err := app.Open(context.Background(), c, app.Options{
					Log: slog.New(slog.DiscardHandler), Build: web.Dist(),
					Asked: func(statement string) {
						mu.Lock()
						defer mu.Unlock()
						trips = append(trips, statement)
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				mu.Lock()
				made := trips
				mu.Unlock()
				if err := a.Close(); err != nil {
					t.Error(err)
				}
				return made
			}
			start()
			if trips := start(); len(trips) > startTrips {
				t.Errorf("%d trips, at most %d: %q", len(trips), startTrips, trips)
			}
		})
	}
}

const startTrips = 10

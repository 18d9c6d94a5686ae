package app_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"greenroom/internal/app"
	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/web"
)

func TestTheLogTellsOfLossAndOfClocksThatAreApart(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			for _, ahead := range []time.Duration{0, time.Minute, -time.Minute} {
				log, hands := &written{}, clock.Clock(clock.System{})
				if ahead != 0 { // one that stands still falls behind on a slow machine
					hands = clock.NewManual(clock.System{}.Now().Add(ahead))
				}
				s := apptest.StartWith(t, dbtest.Location(t, engine), nil, app.Options{
					Log: slog.New(slog.NewJSONHandler(log, nil)), Clock: hands, Build: web.Dist(),
				})
				until(t, "the log tells of what tests do without, after the clock", func() bool {
					return engine == db.SQLite || strings.Contains(log.String(), "fsync = off")
				})
				s.Stop()
				said := log.String()
				if got := strings.Contains(said, "CLOCKS ARE APART"); got != (ahead != 0 && engine == db.Postgres) {
					t.Errorf("%v ahead: %s", ahead, said)
				}
				if strings.Contains(said, "ACKNOWLEDGED ROWS CAN BE LOST") && engine == db.SQLite {
					t.Errorf("of a file that we set up ourselves: %s", said)
				}
			}
		})
	}
}

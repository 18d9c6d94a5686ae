//go:build faults

package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/catalog"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// TestAStandbyShowsNothingOld takes a real one that follows by streaming: it keeps up, falls behind, freezes, and goes.
func TestAStandbyShowsNothingOld(t *testing.T) {
	pair := dbtest.StartPair(t)
	s := apptest.Start(t, db.Options{URL: pair.Primary.URL("postgres")}, map[string]string{
		"GREENROOM_REPLICA_URL": pair.Standby.URL("postgres"), "GREENROOM_RATE_LIMITS": "off",
	}, clock.System{})
	standby := dbtest.Reopen(t, db.Options{URL: pair.Standby.URL("postgres")}, clock.System{})
	tell := func(query string) {
		t.Helper()
		err := standby.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, query)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	_, admin := s.Admin(t, "admin@example.com")
	courses, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	rename := func() (title string) {
		asked++
		title = fmt.Sprintf("Title %d", asked)
		do(t, s, 204, "PATCH", "/rest/v1/courses?id=eq."+courses[0].ID, admin, fmt.Sprintf(`{"title":%q}`, title), "Prefer", "return=minimal")
		return title
	}
	shows := func(title string) {
		t.Helper()
		asked++
		if got := do(t, s, 200, "GET", fmt.Sprintf("/rest/v1/courses?select=title&id=eq.%s&limit=%d", courses[0].ID, asked), "", ""); !strings.Contains(got, title) {
			t.Fatalf("%s instead of %s", got, title)
		}
	}
	served := func() int {
		var n int
		for line := range strings.Lines(figures(s)) {
			if text, ok := strings.CutPrefix(line, `greenroom_replica_reads_total{outcome="served"} `); ok {
				_, _ = fmt.Sscan(text, &n)
			}
		}
		return n
	}
	for range 50 {
		shows(rename())
	}
	until(t, "the standby is read", func() bool { shows("Title"); return served() > 0 })

	tell("select pg_wal_replay_pause()")
	for range 20 {
		shows(rename())
	}
	last, before := rename(), served()
	shows(last)
	if served() != before {
		t.Error("a standby that stands still was read")
	}
	tell("select pg_wal_replay_resume()")
	until(t, "the standby is read again", func() bool { shows(last); return served() > before })

	if err := pair.Standby.Pause(); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		shows(last)
	}
	if err := pair.Standby.Resume(); err != nil {
		t.Fatal(err)
	}
	_ = standby.Close()
	pair.Standby.Stop()
	for range 5 {
		shows(last)
	}
}

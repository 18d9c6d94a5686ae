package db_test

import (
	"strings"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestSettingsThatLoseAcknowledgedRowsAreNamed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		risks, err := d.Risks(t.Context())
		said := strings.Join(risks, "\n")
		if err != nil {
			t.Fatal(err)
		}
		if d.Engine == db.SQLite {
			if said != "" {
				t.Errorf("a file that we set up ourselves: %s", said)
			}
			return
		}
		for _, setting := range []string{"fsync = off", "full_page_writes = off", "synchronous_commit = off"} { // as dbtest starts it
			if !strings.Contains(said, setting) {
				t.Errorf("nobody says %q: %s", setting, said)
			}
		}
	})
	t.Run("local only", func(t *testing.T) {
		t.Parallel()
		at := dbtest.Location(t, db.Postgres)
		at.URL += "&synchronous_commit=local"
		d := dbtest.Reopen(t, at, clock.System{})
		if risks, err := d.Risks(t.Context()); err != nil || strings.Contains(strings.Join(risks, "\n"), "synchronous_commit") {
			t.Errorf("without a standby, local is enough: %q, %v", risks, err)
		}
	})
}

func TestADurableClusterHasNoRisks(t *testing.T) {
	t.Parallel()
	cluster, err := dbtest.StartDurable()
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Stop()
	d := dbtest.Reopen(t, db.Options{URL: cluster.URL("postgres")}, clock.System{})
	if risks, err := d.Risks(t.Context()); err != nil || len(risks) != 0 {
		t.Errorf("%q, %v", risks, err)
	}
}

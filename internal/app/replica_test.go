package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// TestStrangersReadAReplicaThatKeepsUp takes two databases that differ in one name, so that an answer shows where it is from.
// Which number of the catalog's version each has is set by hand: that is all by which a replica is judged.
func TestStrangersReadAReplicaThatKeepsUp(t *testing.T) {
	t.Parallel()
	other := dbtest.Location(t, db.Postgres)
	followed := apptest.Start(t, other, nil, clock.System{})
	write(t, followed.DB(), "update courses set instructor = 'of the replica'")
	behind := dbtest.Reopen(t, other, clock.System{})
	followed.Stop()
	hands := clock.NewManual(clock.System{}.Now())
	s := apptest.Start(t, dbtest.Location(t, db.Postgres), map[string]string{"GREENROOM_REPLICA_URL": other.URL}, hands)
	write(t, s.DB(), "update courses set instructor = 'of the primary'")
	_, admin := s.Admin(t, "admin@example.com")
	_, person := s.Person(t, "ada@example.com")
	asked := 0
	from := func(token string) string {
		t.Helper()
		asked++ // a question that nobody asked before
		answer := do(t, s, 200, "GET", fmt.Sprintf("/rest/v1/courses?select=instructor&lessons=lt.%d&limit=1", 1000+asked), token, "")
		return strings.TrimSuffix(strings.TrimPrefix(answer, `[{"instructor":"of the `), `"}]`)
	}
	version := func(d *db.DB, number int) {
		write(t, d, "update versions set number = $1 where name = 'catalog'", number)
	}

	version(behind, 1_000_000)
	until(t, "the replica is read", func() bool { hands.Advance(replicaRests); return from("") == "replica" })
	for who, token := range map[string]string{"an admin": admin, "somebody who signed in": person} {
		if got := from(token); got != "primary" {
			t.Errorf("%s reads the %s", who, got)
		}
	}
	version(behind, 1)
	if got := from(""); got != "primary" {
		t.Errorf("a late replica: %s", got)
	}
	if got := from(""); got != "primary" {
		t.Errorf("a late replica again: %s", got)
	}
	version(behind, 1_000_000)
	until(t, "it has caught up", func() bool { hands.Advance(replicaRests); return from("") == "replica" })
	// A replica with another schema fails in the middle, and nobody notices.
	write(t, behind, "alter table courses rename column instructor to teacher")
	hands.Advance(replicaRests)
	if got := from(""); got != "primary" {
		t.Errorf("a replica that fails: %s", got)
	}
}

// replicaRests is longer than a replica is left alone after it failed.
const replicaRests = 10 * time.Second

func TestAReplicaThatIsNotThereStopsNothing(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, dbtest.Location(t, db.Postgres), map[string]string{"GREENROOM_REPLICA_URL": "postgres://nobody@127.0.0.1:1/nothing"}, clock.System{})
	for i := range 3 {
		if answer := s.Do(t, "GET", fmt.Sprintf("/rest/v1/courses?select=id&lessons=lt.%d", 1000+i), "", ""); answer.Status != 200 || len(answer.Body) < 500 {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	}
}

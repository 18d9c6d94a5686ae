package backup

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/s3"
	"greenroom/internal/platform/s3/s3test"
	"greenroom/internal/storage/disk"
)

func TestBackupsAreSentAwayAndOldOnesGo(t *testing.T) {
	t.Parallel()
	hands := clock.NewManual(time.Date(2026, 11, 16, 5, 0, 0, 0, time.UTC))
	dbtest.EachClock(t, hands, func(t *testing.T, d *db.DB) {
		own := clock.NewManual(hands.Now())
		d.Clock = own
		every(t, d, 1)
		storage := s3test.Start(t)
		bucket, err := s3.Open(storage.URL)
		if err != nil {
			t.Fatal(err)
		}
		// What others keep there, beside and in the folder, stays.
		storage.Put("greenroom-20200101T000000Z.db", nil)
		storage.Put("folder/notes.txt", nil)
		s := Schedule{Folder: t.TempDir(), Every: 24 * time.Hour, Keep: 3, Bucket: bucket}
		day := func(ships bool) {
			t.Helper()
			if _, err := s.MakeDue(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			shipped, newest, err := s.Ship(t.Context(), own.Now())
			if !ships {
				if err == nil || !strings.Contains(err.Error(), "SlowDown") || strings.Contains(err.Error(), "secret") {
					t.Errorf("a storage that does not answer: %v", err)
				}
				return
			}
			if err != nil || shipped == "" || !newest.Equal(own.Now()) {
				t.Errorf("%q of %s: %v", shipped, newest, err)
			}
			if again, _, err := s.Ship(t.Context(), own.Now()); err != nil || again != "" {
				t.Errorf("sent twice: %q %v", again, err)
			}
		}
		for range 4 {
			day(true)
			own.Advance(24 * time.Hour)
		}
		storage.Break(true)
		day(false)
		storage.Break(false)
		if shipped, _, err := s.Ship(t.Context(), own.Now()); err != nil || shipped != "greenroom-20261120T050000Z.db" {
			t.Errorf("after the storage came back: %q %v", shipped, err)
		}
		want := []string{
			"folder/greenroom-20261118T050000Z.db", "folder/greenroom-20261119T050000Z.db", "folder/greenroom-20261120T050000Z.db",
			"folder/notes.txt", "greenroom-20200101T000000Z.db",
		}
		if got := storage.Names(); !slices.Equal(got, want) {
			t.Errorf("in the bucket: %q", got)
		}

		below := t.TempDir()
		file, err := Fetch(t.Context(), bucket, "", below, own.Now())
		if err != nil || filepath.Base(file) != "greenroom-20261120T050000Z.db" {
			t.Fatalf("%q %v", file, err)
		}
		same(t, filepath.Join(s.Folder, filepath.Base(file)), file)
		at := dbtest.Location(t, d.Engine)
		if made, _, err := Restore(t.Context(), file, Place{DB: at, Objects: disk.Folder{}}, false, t.TempDir(), quiet); err != nil || made.Rows == 0 {
			t.Errorf("%+v %v", made, err)
		}
		for _, wrong := range []string{"greenroom-20261101T050000Z.db", "../../etc/passwd", "notes.txt"} {
			if file, err := Fetch(t.Context(), bucket, wrong, below, own.Now()); err == nil {
				t.Errorf("fetched %s", file)
			}
		}
		if left, err := os.ReadDir(below); err != nil || len(left) != 1 {
			t.Errorf("what failed left something: %v %v", left, err)
		}
	})
}

// TestTheWorkerSendsBackupsAway waits for the first one of a server that has just begun.
func TestTheWorkerSendsBackupsAway(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{})
	storage := s3test.Start(t)
	bucket, err := s3.Open(storage.URL)
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan time.Time, 1)
	s := Schedule{Folder: t.TempDir(), Every: time.Hour, Keep: 1, Bucket: bucket, Told: func(newest time.Time) { told <- newest }}
	working(t, s, d)
	if newest := <-told; newest.IsZero() || len(storage.Names()) != 1 {
		t.Errorf("%s %q", newest, storage.Names())
	}
}

// TestAStorageThatTakesNothingMoreTellsWhatItHas lets whoever watches see the newest backup there grow old.
func TestAStorageThatTakesNothingMoreTellsWhatItHas(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{})
	storage := s3test.Start(t)
	bucket, err := s3.Open(storage.URL)
	if err != nil {
		t.Fatal(err)
	}
	storage.Put("folder/greenroom-20201101T050000Z.db", nil)
	storage.Fill()
	told := make(chan time.Time, 1)
	working(t, Schedule{Folder: t.TempDir(), Every: time.Hour, Keep: 2, Bucket: bucket, Told: func(newest time.Time) { told <- newest }}, d)
	if newest := <-told; !newest.Equal(time.Date(2020, 11, 1, 5, 0, 0, 0, time.UTC)) {
		t.Error(newest)
	}
}

// TestAStorageThatHangsStopsNoBackup waits for the second backup while the first is on its way to a storage that never answers.
func TestAStorageThatHangsStopsNoBackup(t *testing.T) {
	t.Parallel()
	hands := clock.NewManual(time.Date(2026, 11, 16, 5, 0, 0, 0, time.UTC))
	d := dbtest.Open(t, db.SQLite, hands)
	asked, over := make(chan struct{}, 1), make(chan struct{})
	storage := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked <- struct{}{}; <-over }))
	t.Cleanup(storage.Close)
	t.Cleanup(func() { close(over) })
	bucket, err := s3.Open(strings.Replace(storage.URL, "://", "://key:secret@", 1) + "/bucket")
	if err != nil {
		t.Fatal(err)
	}
	s := Schedule{Folder: t.TempDir(), Every: time.Hour, Keep: 2, Bucket: bucket, look: time.Millisecond}
	working(t, s, d)
	<-asked
	hands.Advance(2 * time.Hour)
	for again := time.NewTicker(time.Millisecond); ; <-again.C { // there is no other sign of a file
		if newest, err := s.Newest(hands.Now()); err != nil || newest.Equal(hands.Now()) {
			break
		}
	}
}

// working runs the schedule until the test ends.
func working(t *testing.T, s Schedule, d *db.DB) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.Work(ctx, d, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() { stop(); <-done })
}

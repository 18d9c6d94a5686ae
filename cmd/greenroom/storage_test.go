package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/s3/s3test"
)

// sentAway has a server send its backup to storage, and begins anew elsewhere with nothing but that and the secret.
func sentAway(t *testing.T, engine db.Engine, storage string) {
	t.Helper()
	p := newPlace(t, engine, "GREENROOM_BACKUP_S3="+storage)
	server := p.serve(t)
	if said := server.await(t, "backup shipped"); strings.Contains(server.log.String(), "secret@") {
		t.Errorf("the key is in the log: %v", said)
	}
	keys := p.must(t, "keys", "show")
	if looked, _, _ := p.run(t, "doctor"); !strings.HasPrefix(line(looked, "storage"), "ok") {
		t.Errorf("the doctor: %s", looked)
	}
	server.stop(t)
	other := sharing(t, p, engine)
	if _, complained, ok := other.run(t, "restore", "s3:"); ok || !strings.Contains(complained, "GREENROOM_BACKUP_S3 is not set") {
		t.Errorf("without storage: %v %q", ok, complained)
	}
	other.env = append(other.env, "GREENROOM_BACKUP_S3="+storage)
	if said := other.must(t, "restore", "s3:"); !strings.Contains(said, "Restored") {
		t.Errorf("restore: %s", said)
	}
	if got := other.must(t, "keys", "show"); got != keys {
		t.Errorf("other keys:\n%s\n%s", got, keys)
	}
	if left, _ := filepath.Glob(filepath.Join(other.value("GREENROOM_DATA"), "restore-*")); len(left) > 0 {
		t.Errorf("the copy is still there: %v", left)
	}
	if _, complained, ok := other.run(t, "restore", "--overwrite", "s3:greenroom-20200101T000000Z.db"); ok || !strings.Contains(complained, "404") {
		t.Errorf("a backup that is not there: %v %q", ok, complained)
	}
	if names, err := os.ReadDir(filepath.Join(p.value("GREENROOM_DATA"), "backups")); err != nil || len(names) != 1 {
		t.Errorf("in the folder: %v %v", names, err)
	}
}

func TestBackupsComeBackFromStorage(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			sentAway(t, engine, s3test.Start(t).URL)
		})
	}
}

//go:build faults

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
)

// TestBackupsComeBackFromARealStorage takes a server that judges every signature and hash as Amazon's does. The key and the
// folder have characters that an address and a signature write differently.
func TestBackupsComeBackFromARealStorage(t *testing.T) {
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			folder, at := t.TempDir(), fmt.Sprintf("127.0.0.1:%d", ports(t, 1)[0])
			if err := os.Mkdir(filepath.Join(folder, "bucket"), 0o700); err != nil {
				t.Fatal(err)
			}
			background(t, at, "versitygw-1.8.0", "--port", at, "--access", "key", "--secret", "a/b+c=d", "--region", "eu-central-1", "--quiet", "posix", "--nometa", folder)
			sentAway(t, engine, "http://key:a%2Fb+c=d@"+at+"/bucket/a%20folder+of%20ours/ü?region=eu-central-1")
			wrong := newPlace(t, engine, "GREENROOM_BACKUP_S3=http://key:another@"+at+"/bucket?region=eu-central-1")
			wrong.must(t, "migrate")
			if said, _, _ := wrong.run(t, "doctor"); !strings.Contains(line(said, "storage"), "403") {
				t.Errorf("with another secret: %s", said)
			}
			if found, _ := filepath.Glob(filepath.Join(folder, "bucket", "a folder+of ours", "ü", "greenroom-*.db")); len(found) != 1 {
				t.Errorf("in the bucket: %v", found)
			}
		})
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
)

// value gives a setting of a place.
func (p place) value(name string) string {
	for _, pair := range p.env {
		if found, ok := strings.CutPrefix(pair, name+"="); ok {
			return found
		}
	}
	return ""
}

// sharing is an empty installation with the secret of another.
func sharing(t *testing.T, p place, engine db.Engine) place {
	t.Helper()
	return newPlace(t, engine, "GREENROOM_SECRET_FILE="+filepath.Join(p.value("GREENROOM_DATA"), "secret"))
}

// TestABackupOfARunningServerIsServedElsewhere takes the way of somebody whose machine is gone: the backup and the secret
// file are all that is left.
func TestABackupOfARunningServerIsServedElsewhere(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		server := p.serve(t)
		users := filepath.Join(t.TempDir(), "users.csv")
		if err := os.WriteFile(users, []byte("email\nada@example.com\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p.must(t, "user", "import", users)
		p.must(t, "admin", "grant", "--unproven", "ada@example.com")
		file := filepath.Join(t.TempDir(), "a.db")
		if said := p.must(t, "backup", file); !strings.Contains(said, "opened and checked") || !strings.Contains(said, "secret") {
			t.Errorf("backup: %s", said)
		}
		if _, complained, ok := p.run(t, "restore", "--overwrite", file); ok || !strings.Contains(complained, "stop it first") {
			t.Errorf("into a running server: %v %q", ok, complained)
		}
		keys := p.must(t, "keys", "show")
		server.stop(t)
		for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
			other := sharing(t, p, engine)
			if said := other.must(t, "restore", file); !strings.Contains(said, "Restored") || !strings.Contains(said, "courses") {
				t.Errorf("restore: %s", said)
			}
			if got := other.must(t, "keys", "show"); got != keys {
				t.Errorf("other keys:\n%s\n%s", got, keys)
			}
			if got := other.must(t, "admin", "list"); !strings.Contains(got, "ada@example.com") {
				t.Errorf("admins: %s", got)
			}
			again := other.serve(t)
			if status, body := again.get(t, "/rest/v1/courses?select=id", "apikey", "sb_publishable_of_the_tests"); status != 200 || len(body) < 500 {
				t.Errorf("%d %s", status, body)
			}
			again.stop(t)
		}
		bare := newPlace(t, db.SQLite)
		said, complained, ok := bare.run(t, "restore", file)
		if ok || strings.Contains(said, "Restored") || !strings.Contains(complained, "secret is missing") {
			t.Errorf("without a secret: %v %q %q", ok, said, complained)
		}
		bare.serve(t).stop(t) // which makes a secret of its own
		if _, complained, ok := bare.run(t, "restore", "--overwrite", file); ok || !strings.Contains(complained, "secret file does not fit") {
			t.Errorf("with another secret: %v %q", ok, complained)
		}
	})
}

func TestAnInstallationMovesToTheOtherDatabaseAndBack(t *testing.T) {
	t.Parallel()
	lite := newPlace(t, db.SQLite)
	lite.serve(t).stop(t)
	post := sharing(t, lite, db.Postgres)
	if said := lite.must(t, "move", post.value("GREENROOM_DATABASE_URL")); !strings.Contains(said, "GREENROOM_DATABASE_URL") {
		t.Errorf("move: %s", said)
	}
	if _, complained, ok := lite.run(t, "move", post.value("GREENROOM_DATABASE_URL")); ok || !strings.Contains(complained, "is in use") {
		t.Errorf("a second time: %v %q", ok, complained)
	}
	moved := post.serve(t)
	if status, _ := moved.get(t, "/"); status != 200 {
		t.Errorf("the home page: %d", status)
	}
	if _, complained, ok := post.run(t, "move", t.TempDir()); ok || !strings.Contains(complained, "stop it first") {
		t.Errorf("away from a running server: %v %q", ok, complained)
	}
	moved.stop(t)
	back := t.TempDir()
	if said := post.must(t, "move", back); !strings.Contains(said, "GREENROOM_DATA="+back) {
		t.Errorf("move: %s", said)
	}
	if _, complained, ok := lite.run(t, "move", "postgres://u:hidden@db.example/db"); ok || strings.Contains(complained, "hidden") {
		t.Errorf("an address that is not guarded: %v %q", ok, complained)
	}
}

func TestAServerBacksItselfUp(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, engine, "GREENROOM_BACKUP_DIR="+filepath.Join(t.TempDir(), "kept"))
			server := p.serve(t)
			file, _ := server.await(t, "backup made")["file"].(string)
			server.stop(t)
			if said := sharing(t, p, engine).must(t, "restore", file); !strings.Contains(said, "Restored") {
				t.Errorf("restore: %s", said)
			}
		})
	}
}

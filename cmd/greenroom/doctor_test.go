package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// line gives what the doctor said of one thing.
func line(said, about string) string {
	for text := range strings.SplitSeq(said, "\n") {
		if fields := strings.Fields(text); len(fields) > 1 && fields[1] == about {
			return text
		}
	}
	return ""
}

func TestTheDoctorLooksAtARunningServerAndAtAStoppedOne(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, engine, "GREENROOM_LISTEN=127.0.0.1:"+strconv.Itoa(ports(t, 1)[0]), "GREENROOM_BACKUP_DIR="+filepath.Join(t.TempDir(), "kept"))
			if engine == db.Postgres { // the tests' own is quick instead of durable, which the doctor calls an error
				if said, _, ok := p.run(t, "doctor"); ok || !strings.HasPrefix(line(said, "durable"), "BAD ") || !strings.Contains(said, "synchronous_commit = off") {
					t.Errorf("a database that loses acknowledged rows: %v\n%s", ok, said)
				}
				cluster, err := dbtest.StartDurable()
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(cluster.Stop)
				p.env = append(p.env, "GREENROOM_DATABASE_URL="+cluster.URL("postgres"))
			}
			server := p.serve(t)
			server.await(t, "backup made")
			said := p.must(t, "doctor")
			for _, about := range []string{"site", "disk", "database", "durable", "schema", "secret", "clock", "outbox", "backups", "server"} {
				if text := line(said, about); !strings.HasPrefix(text, "ok ") {
					t.Errorf("%s: %q", about, text)
				}
			}
			if text := line(said, "mail"); !strings.HasPrefix(text, "look") || !strings.Contains(said, "GREENROOM_SMTP_URL") {
				t.Errorf("mail: %q", text)
			}
			p.must(t, "health")
			server.stop(t)
			if said := p.must(t, "doctor"); !strings.HasPrefix(line(said, "server"), "look") {
				t.Errorf("a stopped server: %s", said)
			}
			if _, complained, ok := p.run(t, "health"); ok || complained == "" {
				t.Error("a stopped server is healthy")
			}
		})
	}
}

func TestTheDoctorNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	p := newPlace(t, db.SQLite, "GREENROOM_SMTP_URL=smtp://127.0.0.1:"+strconv.Itoa(ports(t, 1)[0]), "GREENROOM_MAIL_FROM=hello@greenroom.invalid",
		"GREENROOM_SITE_URL=http://courses.example.com")
	p.must(t, "migrate")
	p.must(t, "keys", "show")
	if err := os.WriteFile(filepath.Join(p.value("GREENROOM_DATA"), "secret"), []byte(strings.Repeat("ab", 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	said, complained, ok := p.run(t, "doctor")
	if ok || !strings.Contains(complained, "need mending") {
		t.Errorf("%v %s", ok, complained)
	}
	for about, want := range map[string]string{"secret": "BAD   secret     the secret file does not fit", "mail": "BAD   mail", "site": "look  site", "backups": "look  backups"} {
		if text := line(said, about); !strings.HasPrefix(text, want) {
			t.Errorf("%s: %q", about, text)
		}
	}
}

func TestTheDoctorAsksTheReplica(t *testing.T) {
	t.Parallel()
	if f := lookAtReplica(t.Context(), config.Config{}); f.about != "" {
		t.Errorf("there is none: %+v", f)
	}
	if f := lookAtReplica(t.Context(), config.Config{ReplicaURL: "postgres://nobody@127.0.0.1:1/nothing"}); f.wrong == nil {
		t.Errorf("nobody answers there: %+v", f)
	}
	if f := lookAtReplica(t.Context(), config.Config{ReplicaURL: dbtest.Location(t, db.Postgres).URL}); f.wrong == nil && f.advice == "" {
		t.Errorf("it follows nobody: %+v", f)
	}
}

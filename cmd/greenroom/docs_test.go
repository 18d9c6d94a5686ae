package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/s3/s3test"
)

// systemctl stands in for systemd, which a test has not: it starts and stops the one service.
const systemctl = `#!/usr/bin/env bash
set -eu
cd "$PLACE"
stop() { [ ! -e pid ] || { kill "$(cat pid)"; tail --pid="$(cat pid)" -f /dev/null; rm pid; }; }
start() {
  set -a; GREENROOM_DATA="$PLACE/data"; unset GREENROOM_DATABASE_URL GREENROOM_SECRET_FILE; . "$PLACE/greenroom.env"; set +a
  greenroom serve >>log 2>&1 </dev/null & echo $! >pid
  for _ in $(seq 300); do greenroom health 2>/dev/null && return; kill -0 "$(cat pid)" || break; sleep 0.1; done
  cat log; exit 1
}
[ "$2" = greenroom ]
case $1 in start) start ;; stop) stop ;; restart) stop; start ;; *) exit 1 ;; esac
`

// blocks are the code blocks of a page in one language, without the indentation that a list gives them.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	var all []string
	for _, found := range regexp.MustCompile("(?ms)^( *)```"+language+"\n(.*?)^ *```$").FindAllStringSubmatch(read(t, page), -1) {
		all = append(all, regexp.MustCompile("(?m)^"+found[1]).ReplaceAllString(found[2], ""))
	}
	return all
}

// TestTheRunbooksCommandsDoWhatTheySay runs every block, one after the other, on one installation. Only the places are
// others: a folder of the test's instead of /etc and /var/lib, and a database of its own.
func TestTheRunbooksCommandsDoWhatTheySay(t *testing.T) {
	t.Parallel()
	at, work := t.TempDir(), t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := place{[]string{"GREENROOM_DATA=" + filepath.Join(at, "data"), asCommand + "=1"}}
	for name, text := range map[string]string{
		"bin/greenroom": "#!/usr/bin/env bash\n" + asCommand + "=1 exec '" + self + "' \"$@\"\n", "bin/systemctl": systemctl,
		"greenroom.env": fmt.Sprintf("GREENROOM_LISTEN=127.0.0.1:%d\nGREENROOM_LOG=json\nGREENROOM_DRAIN=0s\nGREENROOM_MAIL_FROM=\"Greenroom <hello@example.com>\"\n", ports(t, 1)[0]),
	} {
		file := filepath.Join(at, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	shell := func(text string) (string, error) {
		c := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", text)
		c.Dir, c.Env = work, append(os.Environ(), "PLACE="+at, "PATH="+filepath.Join(at, "bin")+":"+os.Getenv("PATH"))
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := shell("systemctl start greenroom"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Cleanup(func() { _, _ = exec.Command("bash", "-c", "kill $(cat "+at+"/pid)").Output() })
	accounttest.Add(t, p.database(t), "you@example.com")
	all := blocks(t, "docs/runbook.md", "sh")
	if len(all) < 10 {
		t.Fatalf("only %d blocks", len(all))
	}
	places := strings.NewReplacer("/etc/greenroom.env", at+"/greenroom.env", "/var/lib/greenroom", at+"/data",
		"postgres://greenroom@localhost/greenroom", dbtest.Location(t, db.Postgres).URL, "s3://KEY:SECRET@host/bucket/greenroom?region=us-east-1", s3test.Start(t).URL)
	for _, block := range all[1:] {
		if out, err := shell(places.Replace(all[0] + block)); err != nil {
			log, _ := os.ReadFile(filepath.Join(at, "log"))
			t.Fatalf("%s\n%v\n%s\nthe server:\n%s", block, err, out, log)
		}
	}
	// After an upgrade, a way back, two restores and two moves they are still an admin.
	if out, err := shell(places.Replace(all[0] + "greenroom admin list")); err != nil || !strings.Contains(out, "you@example.com") {
		t.Errorf("%v %s", err, out)
	}
}

func TestTheRunbooksSettingsAreSettings(t *testing.T) {
	t.Parallel()
	found := blocks(t, "docs/runbook.md", "env")
	if len(found) != 1 {
		t.Fatalf("%d blocks of settings", len(found))
	}
	file := filepath.Join(t.TempDir(), "greenroom.env")
	if err := os.WriteFile(file, []byte(found[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	// A shell reads it as systemd does.
	out, err := exec.CommandContext(t.Context(), "env", "-i", "bash", "-euc", "set -a; . "+file+"; env").CombinedOutput()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	c, err := config.Load(config.Environment(strings.Split(strings.TrimSpace(string(out)), "\n")))
	if err != nil || !c.TLS || c.MailFrom != "Greenroom <hello@example.com>" {
		t.Errorf("%+v %v", c, err)
	}
}

// What the pages tell people to make can be made.
func TestWhatThePagesMakeIsInTheMakefile(t *testing.T) {
	t.Parallel()
	makefile := read(t, "Makefile")
	for _, page := range []string{"README.md", "CONTRIBUTING.md", "docs/runbook.md", "docs/scaling.md", "docs/performance.md", "docs/tour.md", "bench/README.md"} {
		for _, found := range regexp.MustCompile("(?m)(?:`|^)make ([a-z-]+)").FindAllStringSubmatch(read(t, page), -1) {
			if !regexp.MustCompile(`(?m)^` + found[1] + `:`).MatchString(makefile) {
				t.Errorf("%s: there is no make %s", page, found[1])
			}
		}
	}
}

// TestTheTourLeadsToPlacesThatAreThere follows the tour: every file and folder that it names is there, and what it says is in a
// file is declared in it.
func TestTheTourLeadsToPlacesThatAreThere(t *testing.T) {
	t.Parallel()
	tour := read(t, "docs/tour.md")
	files := regexp.MustCompile("`((?:internal|migrations|web|e2e|docs)/[^`\\s]*)`").FindAllStringSubmatch(tour, -1)
	for _, found := range files {
		path := found[1]
		if strings.Contains(path, "NNNN") {
			path = filepath.Dir(path)
		}
		if _, err := os.Stat(filepath.Join("../..", path)); err != nil {
			t.Errorf("the tour leads to %s: %v", path, err)
		}
	}
	declared := regexp.MustCompile("`([A-Za-z0-9.]+)`\\s+in\\s+`([^`]+\\.go)`").FindAllStringSubmatch(tour, -1)
	for _, found := range declared {
		name := found[1][strings.LastIndex(found[1], ".")+1:]
		if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + name + `\(`).MatchString(read(t, found[2])) {
			t.Errorf("%s does not declare %s", found[2], name)
		}
	}
	if len(files) < 15 || len(declared) < 6 {
		t.Errorf("only %d places and %d names: the test does not read the page any more", len(files), len(declared))
	}
	for _, form := range []string{"rest.Column", "dbtest.Each", "apptest.Each"} {
		folder, name, _ := strings.Cut(form, ".")
		kind := regexp.MustCompile(`(?m)^(func|type) ` + name + `\b`)
		all, _ := filepath.Glob("../../internal/*/" + folder + "/*.go")
		more, _ := filepath.Glob("../../internal/" + folder + "/*.go")
		deep, _ := filepath.Glob("../../internal/platform/*/" + folder + "/*.go")
		if !slices.ContainsFunc(slices.Concat(all, more, deep), func(file string) bool { text, _ := os.ReadFile(file); return kind.Match(text) }) {
			t.Errorf("there is no %s", form)
		}
	}
}

package main

import (
	"bufio"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
)

// scraped is a server with a listener for metrics, and what it tells there.
func scraped(t *testing.T, engine db.Engine) (server *running, said string) {
	t.Helper()
	server = newPlace(t, engine, "GREENROOM_METRICS_LISTEN=127.0.0.1:0").serve(t)
	for text := range strings.Lines(server.log.String()) {
		if found := regexp.MustCompile(`"msg":"metrics","address":"([^"]+)"`).FindStringSubmatch(text); found != nil {
			inside := &running{url: "http://" + found[1]}
			status, body := inside.get(t, "/metrics")
			if status != http.StatusOK {
				t.Fatalf("%d %s", status, body)
			}
			return server, body
		}
	}
	t.Fatal("no listener for metrics")
	return nil, ""
}

// A worker alone is watched as a server is; beside one that has the port it works all the same.
func TestAWorkerTellsItsFigures(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		p.must(t, "migrate")
		works := func(listen, line string) string {
			at := place{append(slices.Clone(p.env), "PATH="+os.Getenv("PATH"), "GREENROOM_METRICS_LISTEN="+listen)}
			c := at.command(t, "work")
			log, err := c.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
			found, form := "", regexp.MustCompile(line)
			for lines := bufio.NewScanner(log); lines.Scan() && !strings.Contains(lines.Text(), `"msg":"working"`); {
				if m := form.FindStringSubmatch(lines.Text()); m != nil {
					found = m[1]
				}
			}
			return found
		}
		address := works("127.0.0.1:0", `"msg":"metrics","address":"([^"]+)"`)
		if status, body := (&running{url: "http://" + address}).get(t, "/metrics"); status != http.StatusOK || !strings.Contains(body, "greenroom_video_jobs") || !strings.Contains(body, "greenroom_db_up 1\n") {
			t.Errorf("%s: %d %s", address, status, body)
		}
		if reason := works(address, `"msg":"this worker tells no figures of its own","reason":"([^"]+)"`); !strings.Contains(reason, "GREENROOM_METRICS_LISTEN") {
			t.Errorf("beside another one: %q", reason)
		}
	})
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSecurity67MetricsAreOnTheirOwnListenerAlone(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			server, said := scraped(t, engine)
			if !strings.Contains(said, `greenroom_build_info{version="`) || !strings.Contains(said, "greenroom_db_up 1\n") {
				t.Errorf("%s", said)
			}
			for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/heap", "/debug/vars"} {
				if status, _ := server.get(t, path); status != http.StatusNotFound {
					t.Errorf("%s for everybody: %d", path, status)
				}
			}
			server.stop(t)
		})
	}
}

// sample is one line of what a server tells.
type sample struct {
	name   string
	labels map[string]string
}

var label = regexp.MustCompile(`(\w+)="((?:[^"\\]|\\.)*)"`)

func samplesOf(said string) (all []sample) {
	for _, found := range regexp.MustCompile(`(?m)^(\w+)(?:\{(.*)\})? \S+$`).FindAllStringSubmatch(said, -1) {
		one := sample{found[1], map[string]string{}}
		for _, pair := range label.FindAllStringSubmatch(found[2], -1) {
			one.labels[pair[1]] = pair[2]
		}
		all = append(all, one)
	}
	return all
}

// selectors are the names in a text of alarms or panels, each with its conditions.
var selectors = regexp.MustCompile(`\b((?:greenroom|go|process)_[a-z_]+)(?:\{([^}]*)\})?`)

// meets tells whether a sample is one that a selector asks for. A label that is not there meets nothing, not even a "not".
func (s sample) meets(t *testing.T, name, conditions string) bool {
	t.Helper()
	if s.name != name {
		return false
	}
	for _, c := range regexp.MustCompile(`(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"`).FindAllStringSubmatch(conditions, -1) {
		value, there := s.labels[c[1]]
		same := value == c[3]
		if strings.HasSuffix(c[2], "~") {
			same = regexp.MustCompile(`^(?:` + c[3] + `)$`).MatchString(value)
		}
		if !there || same != strings.HasPrefix(c[2], "=") {
			return false
		}
	}
	return true
}

// What the alarms and the dashboard ask for is there, under that name and with such labels, in what the real server tells.
func TestAlarmsAndDashboardAskForWhatIsTold(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			server, said := scraped(t, engine)
			server.stop(t)
			checkAsked(t, said)
		})
	}
}

// seldom are samples that a server which has just begun, and is well, does not have yet: an answer that failed, and what
// backups, certificates and replicas tell where there are some.
const seldom = `
greenroom_http_request_duration_seconds_count{route="/",method="GET",status="5xx"} 1
greenroom_http_request_duration_seconds_bucket{route="/",method="GET",status="5xx",le="1"} 1
greenroom_backup_age_seconds 1
greenroom_certificate_expires_seconds 1
greenroom_search_index_age_seconds 1
greenroom_replica_reads_total{outcome="served"} 1
`

func checkAsked(t *testing.T, said string) {
	t.Helper()
	told := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)^# TYPE (\w+) (\w+)$`).FindAllStringSubmatch(said, -1) {
		told[found[1]] = true
		if found[2] == "histogram" {
			told[found[1]+"_bucket"], told[found[1]+"_sum"], told[found[1]+"_count"] = true, true, true
		}
	}
	samples, asked := samplesOf(said+seldom), map[string]bool{}
	for _, file := range []string{"deploy/alerts.yml", "deploy/dashboard.json"} {
		for _, ask := range selectors.FindAllStringSubmatch(strings.ReplaceAll(read(t, file), `\"`, `"`), -1) {
			asked[ask[1]] = true
			if !told[ask[1]] {
				t.Errorf("%s asks for %s, which nobody tells", file, ask[1])
			} else if !slices.ContainsFunc(samples, func(s sample) bool { return s.meets(t, ask[1], ask[2]) }) {
				t.Errorf("%s asks for %s, and no sample is such", file, ask[0])
			}
		}
	}
	for name := range told {
		base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
		if strings.HasPrefix(name, "greenroom_") && !asked[name] && !asked[base+"_bucket"] && !asked[base+"_count"] && name != "greenroom_build_info" {
			t.Errorf("nobody looks at %s", name)
		}
	}
	if len(asked) < 30 {
		t.Errorf("only %d names were found", len(asked))
	}
}

func TestEveryAlarmHasItsSectionInTheRunbook(t *testing.T) {
	t.Parallel()
	var alarms, sections []string
	for _, found := range regexp.MustCompile(`(?m)^ +- alert: (\w+)$`).FindAllStringSubmatch(read(t, "deploy/alerts.yml"), -1) {
		alarms = append(alarms, found[1])
	}
	_, after, _ := strings.Cut(read(t, "docs/runbook.md"), "\n## Alarms\n")
	for _, found := range regexp.MustCompile(`(?m)^### (\w+)$`).FindAllStringSubmatch(after, -1) {
		sections = append(sections, found[1])
	}
	slices.Sort(alarms)
	slices.Sort(sections)
	if len(alarms) == 0 || !slices.Equal(alarms, sections) {
		t.Errorf("deploy/alerts.yml: %v\ndocs/runbook.md:   %v", alarms, sections)
	}
}

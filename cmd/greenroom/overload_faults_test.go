//go:build faults

package main

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault/faulttest"
)

// What must hold at three times what is possible.
const (
	mostWait    = time.Second
	mostRefusal = 100 * time.Millisecond
	// tooNoisy is when a core that has one thing to do is late so often that nothing can be said of a tenth of a second.
	tooNoisy = 50 * time.Millisecond
	// tooMuchElse is which part of the server's time other work may take from its core before that is what is measured.
	tooMuchElse = 0.2
)

var besides = labor{name: "another visitor", path: "/rest/v1/courses?select=id,title&limit=3"}

// TestOverloadTurnsAwayAndGoesOn measures what the server can do of each sort, and then asks three times as much. The server has
// one core and the generator another, so what is measured is the server's and not the wait of who measures. Where other work
// takes either core away, the generator wakes up late, and the test says so instead of judging.
func TestOverloadTurnsAwayAndGoesOn(t *testing.T) {
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			port := ports(t, 1)[0]
			p := newPlace(t, engine, "GREENROOM_RATE_LIMITS=off", fmt.Sprintf("GREENROOM_METRICS_LISTEN=127.0.0.1:%d", port))
			s := p.serveUnder(t, onCore(t, 0)...)
			inside := fmt.Sprintf("http://127.0.0.1:%d/metrics", port)
			g := newGenerator(t, s.url)
			rendered(t, g.client, s.url+"/")
			token := p.admin(t, g)
			const usual, patient = 6 * time.Second, 22 * time.Second // a sign-in waits ten seconds in a rush, and so do those behind it
			works := []labor{
				{name: "home page", path: "/", rush: usual},
				{name: "search", path: "/rest/v1/courses?select=id,title&or=(title.ilike.*a*,instructor.ilike.*a*,category.ilike.*a*,description.ilike.*a*)&order=rating.desc,created_at.desc,id.asc&limit=24", token: token, rush: usual},
				{name: "sign-in", method: "POST", path: "/auth/v1/token?grant_type=password", text: `{"email":"nobody%09d@example.com","password":"wrong wrong wrong"}`, rush: patient},
				{name: "registration", method: "POST", path: "/rest/v1/course_waitlist", text: `{"course_title":"Screen Acting and Professional Preparation Workshop","name":"N","email":"o%09d@example.com"}`, rush: usual},
				{name: "CSV export", path: "/functions/v1/export?tab=waitlist", token: token, rush: usual},
			}
			for i, w := range works {
				t.Run(w.name, func(t *testing.T) { overload(t, engine, w, s, inside, int64(i+1)*1_000_000) })
			}
			s.stop(t)
		})
	}
}

// overload asks three times what is possible: first a rush, which may take its time, and then what must hold, in three rounds
// of which the middle one counts.
func overload(t *testing.T, engine db.Engine, w labor, s *running, inside string, first int64) {
	t.Helper()
	url := s.url
	o := w.order(url, first)
	o.Server = s.cmd.Process.Pid
	o.Rounds = []time.Duration{2 * time.Second}
	alone := generate(t, order{Address: o.Address, Head: besides.order(url, 0).Head, Beside: o.Beside, PerSecond: 1, Rounds: o.Rounds})[0]
	o.Clients = 32
	can := generate(t, o)[0]
	if can.Accepted.N == 0 {
		t.Fatalf("%s: nothing is answered: %s", w.name, can)
	}
	before := figure(t, inside, "process_resident_memory_bytes")
	long := max(3*time.Second, faultTime(6*time.Second))
	o.Clients, o.PerSecond, o.First, o.Rounds = 0, 3*can.Possible, first+500_000, []time.Duration{w.rush, long, long, long}
	rounds := generate(t, o)
	after := figure(t, inside, "process_resident_memory_bytes")
	normal := generate(t, order{Address: o.Address, Head: besides.order(url, 0).Head, Clients: 4, Rounds: []time.Duration{time.Second}})[0]
	rush, rounds := rounds[0], rounds[1:]
	middle := func(of func(m *measured) time.Duration) time.Duration {
		return centile([]time.Duration{of(rounds[0]), of(rounds[1]), of(rounds[2])}, 0.5)
	}
	accepted := middle(func(m *measured) time.Duration { return m.Accepted.P99 })
	turned := middle(func(m *measured) time.Duration { return m.Refused.P99 })
	woken := middle(func(m *measured) time.Duration { return m.Woken })
	survived := 1
	for _, m := range rounds {
		if m.Failed+m.Rude > 0 {
			survived = 0
		}
	}
	if rounds[0].Accepted.N+rounds[1].Accepted.N+rounds[2].Accepted.N == 0 || normal.Accepted.N == 0 || after > before+256<<20 {
		survived = 0
	}
	late := accepted > mostWait || turned > mostRefusal
	said := fmt.Sprintf("%.0f/s possible; answered within %v, turned away within %v; the rush: %s; then: %s | %s | %s; others alone %v; memory %.0f MB, before %.0f MB",
		can.Possible, round(accepted), round(turned), rush, rounds[0], rounds[1], rounds[2], alone.Others, after/(1<<20), before/(1<<20))
	denied := middle(func(m *measured) time.Duration { return time.Duration(m.Denied * float64(time.Second)) }).Seconds()
	if survived == 1 && late && (woken > tooNoisy || denied > tooMuchElse) {
		t.Skipf("not judged: the server's core did other work for %.0f %% of its time, and the generator woke up %v late. %s", 100*denied, round(woken), said)
	}
	if late {
		survived = 0
	}
	faulttest.Survived(t, fmt.Sprintf("overload, three times what is possible: %s, %s", w.name, engine), 1, survived, said)
}

// admin makes an administrator and gives their token.
func (p place) admin(t *testing.T, g *generator) string {
	t.Helper()
	answer, said := visit(t, g.client, "POST", g.url+"/auth/v1/signup", `{"email":"boss@example.com","password":"a long enough passphrase"}`,
		"apikey", "sb_publishable_of_the_tests", "Content-Type", "application/json")
	_, after, found := strings.Cut(said, `"access_token":"`)
	token, _, _ := strings.Cut(after, `"`)
	if answer.StatusCode != 200 || !found {
		t.Fatalf("%d %s", answer.StatusCode, said)
	}
	p.must(t, "admin", "grant", "--unproven", "boss@example.com")
	return token
}

// TestIdleAndDeafClientsHurtNobody opens ten thousand connections that say nothing, and then two thousand that ask for large
// answers and read none of them.
func TestIdleAndDeafClientsHurtNobody(t *testing.T) {
	port := ports(t, 1)[0]
	s := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off", fmt.Sprintf("GREENROOM_METRICS_LISTEN=127.0.0.1:%d", port)).serve(t)
	inside := fmt.Sprintf("http://127.0.0.1:%d/metrics", port)
	g := newGenerator(t, s.url)
	rendered(t, g.client, s.url+"/")
	quiet := g.probe(t.Context(), besides)
	time.Sleep(faultTime(10 * time.Second))
	alone := quiet()
	for name, clients := range map[string]struct {
		many int
		say  string
	}{
		"idle connections":        {10_000, ""},
		"clients that never read": {2_000, strings.Repeat("GET /rest/v1/courses?select=* HTTP/1.1\r\nHost: test\r\napikey: sb_publishable_of_the_tests\r\n\r\n", 8)},
		"heads that never end":    {2_000, "GET / HTTP/1.1\r\nHost: test\r\nX-Slow: "},
	} {
		before, peak := figure(t, inside, "process_resident_memory_bytes"), 0.0
		beside := g.probe(t.Context(), besides)
		var all []net.Conn
		for range clients.many {
			c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
			if err != nil {
				t.Fatalf("%s: after %d: %v", name, len(all), err)
			}
			_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
			_ = c.SetWriteDeadline(time.Now().Add(time.Second))
			_, _ = c.Write([]byte(clients.say))
			all = append(all, c)
		}
		for until := time.Now().Add(faultTime(20 * time.Second)); time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
			peak = max(peak, figure(t, inside, "process_resident_memory_bytes"))
		}
		others := beside()
		for _, c := range all {
			_ = c.Close()
		}
		survived := 1
		if len(others.accepted) == 0 || others.failed+len(others.refused) > 0 || peak > before+256<<20 || centile(others.accepted, 0.99) > 5*time.Second {
			survived = 0
		}
		faulttest.Survived(t, fmt.Sprintf("%d %s", clients.many, name), 1, survived, fmt.Sprintf("others %s, alone p99 %v; memory at most %.0f MB, before %.0f MB",
			others, round(centile(alone.accepted, 0.99)), peak/(1<<20), before/(1<<20)))
	}
	s.stop(t)
}

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

// What fails the test. The aim is a second for those who are let in and a tenth of one for the others, on cores of the server's
// own; here the generator, the server and its database share them, so that much of a wait is the generator's.
const (
	mostWait    = 5 * time.Second
	mostRefusal = 5 * time.Second
)

var besides = work{name: "another visitor", path: "/rest/v1/courses?select=id,title&limit=3"}

// TestOverloadTurnsAwayAndGoesOn measures what the server can do of each sort, and then asks three times as much.
func TestOverloadTurnsAwayAndGoesOn(t *testing.T) {
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			port := ports(t, 1)[0]
			p := newPlace(t, engine, "GREENROOM_RATE_LIMITS=off", fmt.Sprintf("GREENROOM_METRICS_LISTEN=127.0.0.1:%d", port))
			s := p.serve(t)
			inside := fmt.Sprintf("http://127.0.0.1:%d/metrics", port)
			g := newGenerator(t, s.url)
			rendered(t, g.client, s.url+"/")
			token := p.admin(t, g)
			works := []work{
				{name: "home page", path: "/"},
				{name: "search", path: "/rest/v1/courses?select=id,title&or=(title.ilike.*a*,instructor.ilike.*a*,category.ilike.*a*,description.ilike.*a*)&order=rating.desc,created_at.desc,id.asc&limit=24", token: token},
				{name: "sign-in", method: "POST", path: "/auth/v1/token?grant_type=password", body: func(i int64) string {
					return fmt.Sprintf(`{"email":"nobody%d@example.com","password":"wrong wrong wrong"}`, i)
				}},
				{name: "registration", method: "POST", path: "/rest/v1/course_waitlist", body: func(i int64) string {
					return fmt.Sprintf(`{"course_title":"Screen Acting and Professional Preparation Workshop","name":"N","email":"o%d@example.com"}`, i)
				}},
				{name: "CSV export", path: "/functions/v1/export?tab=waitlist", token: token},
			}
			for _, w := range works {
				g.overload(t, engine, w, inside)
			}
			s.stop(t)
		})
	}
}

func (g *generator) overload(t *testing.T, engine db.Engine, w work, inside string) {
	t.Helper()
	quiet := g.probe(t.Context(), besides)
	time.Sleep(faultTime(5 * time.Second))
	alone := quiet()
	can := g.closed(t.Context(), w, 32, 4*time.Second)
	perSecond := float64(len(can.accepted)) / 4
	if len(can.accepted) == 0 {
		t.Fatalf("%s: nothing is answered: %s", w.name, can)
	}
	before := figure(t, inside, "process_resident_memory_bytes")
	rush := g.open(t.Context(), w, 3*perSecond, 12*time.Second) // a rush may take its time; what comes after is an overload
	beside := g.probe(t.Context(), besides)
	got := g.open(t.Context(), w, 3*perSecond, faultTime(20*time.Second))
	others := beside()
	after := figure(t, inside, "process_resident_memory_bytes")
	normal := g.closed(t.Context(), besides, 4, time.Second)
	survived := 1
	if centile(got.accepted, 0.99) > mostWait || centile(got.refused, 0.99) > mostRefusal || got.rude+got.failed+others.failed > 0 || len(normal.accepted) == 0 || after > before+256<<20 {
		survived = 0
	}
	faulttest.Survived(t, fmt.Sprintf("overload, three times what is possible: %s, %s", w.name, engine), 1, survived,
		fmt.Sprintf("%.0f/s possible; the rush: %s; then: %s; others p99 %v, alone %v; memory %.0f MB, before %.0f MB", perSecond, rush, got,
			round(centile(others.accepted, 0.99)), round(centile(alone.accepted, 0.99)), after/(1<<20), before/(1<<20)))
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
		if len(others.accepted) == 0 || others.failed+len(others.refused) > 0 || peak > before+256<<20 || centile(others.accepted, 0.99) > mostWait {
			survived = 0
		}
		faulttest.Survived(t, fmt.Sprintf("%d %s", clients.many, name), 1, survived, fmt.Sprintf("others %s, alone p99 %v; memory at most %.0f MB, before %.0f MB",
			others, round(centile(alone.accepted, 0.99)), peak/(1<<20), before/(1<<20)))
	}
	s.stop(t)
}

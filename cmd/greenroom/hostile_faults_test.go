//go:build faults

package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault/faulttest"
)

const (
	malformedRequests = 100_000
	alteredTokens     = 100_000
	attackers         = 32
)

var (
	targets = []string{
		"/", "/rest/v1/courses?select=*&limit=3", "/rest/v1/course_waitlist", "/auth/v1/token?grant_type=password", "/auth/v1/signup", "/auth/v1/user",
		"/auth/v1/verify?token=x&type=signup", "/functions/v1/export", "/course/x", "/sitemap.xml", "/realtime/v1/x", "/auth/v1/callback?state=x&code=y",
	}
	heads = []string{
		"Content-Length: 18446744073709551616", "Content-Length: -1", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked", "Range: items=5-1",
		"Prefer: count=exact,resolution=merge-duplicates,,;;=", "Accept: application/vnd.pgrst.object+json", "Authorization: Bearer ", "Cookie: a=\x01; ;=;", "X-Forwarded-For: ,,\xff",
		"Content-Type: application/json; charset=\xff", "Accept-Encoding: br;q=,gzip;q=9e9", "If-None-Match: \"", "Origin: null", "Expect: 100-continue", "Upgrade: h2c",
	}
	bodies = []string{"", "{", "[[[[[[[[", `{"email":"\ud800"}`, `{"a":1e999999}`, "\x00\xff\xfe", `{"email":null,"password":[]}`, strings.Repeat(`{"a":`, 3000), "5\r\nhello\r\n0\r\n\r\n", "ffffffffffffffff\r\n"}
	pieces = []string{"%00", "%zz", "..", "\x00", "\xc3\x28", "'", "\"", "()", "or=(", "select=*,(", "&&", "=", "%", "\u202e", "order=id.desc.desc", "limit=-1", "offset=99999999999999999999", "in.(", "{}", "\t"}
)

// malformed makes one request that no client of ours would send.
func malformed(r *rand.Rand) string {
	pick := func(of []string) string { return of[r.IntN(len(of))] }
	target := pick(targets)
	for range r.IntN(4) {
		at := r.IntN(len(target) + 1)
		target = target[:at] + pick(pieces) + target[at:]
	}
	text := pick([]string{"GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "TRACE", "get", "G\x00T", ""}) + " " + target + " " +
		pick([]string{"HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "http/1.1", ""}) + "\r\nHost: test\r\nApikey: sb_publishable_of_the_tests\r\n"
	for range r.IntN(4) {
		text += pick(heads) + "\r\n"
	}
	body := pick(bodies)
	if r.IntN(2) == 0 {
		text += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	text += "Connection: close\r\n\r\n" + body
	raw := []byte(text)
	for range r.IntN(3) {
		raw[r.IntN(len(raw))] = byte(r.IntN(256))
	}
	return string(raw)
}

// TestMalformedRequestsHurtNobody sends them over raw sockets: no answer is a fault of ours, and nothing stays behind.
func TestMalformedRequestsHurtNobody(t *testing.T) {
	port := ports(t, 1)[0]
	s := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off", fmt.Sprintf("GREENROOM_METRICS_LISTEN=127.0.0.1:%d", port)).serve(t)
	inside := fmt.Sprintf("http://127.0.0.1:%d/metrics", port)
	before, heap := figure(t, inside, "go_goroutines"), figure(t, inside, "process_resident_memory_bytes")
	var sent, answered, bad atomic.Int64
	var all sync.WaitGroup
	tries := int64(faultTimes(malformedRequests))
	for attacker := range attackers {
		all.Go(func() {
			r := rand.New(rand.NewPCG(7, uint64(attacker)))
			for sent.Add(1) <= tries {
				text := malformed(r)
				code := sendRaw(t, s.url, text)
				if code != 0 {
					answered.Add(1)
				}
				if code >= 500 && code != http.StatusNotImplemented && code != http.StatusHTTPVersionNotSupported {
					bad.Add(1)
					t.Errorf("%d for %q", code, text)
				}
			}
		})
	}
	all.Wait()
	if status, body := s.get(t, "/readyz"); status != http.StatusOK {
		t.Errorf("afterwards: %d %s", status, body)
	}
	goroutines := 0.0
	for range 300 { // the last connections end by themselves
		if goroutines = figure(t, inside, "go_goroutines"); goroutines <= before+20 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if goroutines > before+20 {
		t.Errorf("%.0f goroutines, %.0f before", goroutines, before)
	}
	after := figure(t, inside, "process_resident_memory_bytes")
	s.stop(t)
	faulttest.Survived(t, "malformed requests over raw sockets", int(tries), int(tries-bad.Load()),
		fmt.Sprintf("%d answered, the others cut; goroutines %.0f, before %.0f; memory %.0f MB, before %.0f MB", answered.Load(), goroutines, before, after/(1<<20), heap/(1<<20)))
}

// sendRaw gives the status, or 0 where the connection ended without one.
func sendRaw(t *testing.T, url, text string) int {
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Error(err)
		return 0
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	_, _ = io.WriteString(c, text)
	_ = c.(*net.TCPConn).CloseWrite()
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return 0
	}
	var code int
	_, _ = fmt.Sscanf(line, "HTTP/1.%*d %d", &code)
	if code == 0 {
		_, _ = fmt.Sscanf(strings.TrimPrefix(strings.TrimPrefix(line, "HTTP/1.1 "), "HTTP/1.0 "), "%d", &code)
	}
	return code
}

// TestAlteredTokensLetNobodyIn changes a good token by a character, a piece or a claim, and asks for what is its owner's.
func TestAlteredTokensLetNobodyIn(t *testing.T) {
	p := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off")
	s := p.serve(t)
	g := newGenerator(t, s.url)
	token := p.admin(t, g)
	if answer, said := visit(t, g.client, "GET", s.url+"/auth/v1/user", "", "apikey", "sb_publishable_of_the_tests", "Authorization", "Bearer "+token); answer.StatusCode != 200 {
		t.Fatalf("the token itself: %d %s", answer.StatusCode, said)
	}
	var sent, inside atomic.Int64
	var all sync.WaitGroup
	tries := int64(faultTimes(alteredTokens))
	for attacker := range attackers {
		all.Go(func() {
			r := rand.New(rand.NewPCG(9, uint64(attacker)))
			for sent.Add(1) <= tries {
				forged := altered(r, token)
				if forged == token {
					continue
				}
				path := []string{"/auth/v1/user", "/rest/v1/saved_courses", "/functions/v1/sessions"}[r.IntN(3)]
				answer, said := visit(t, g.client, "GET", s.url+path, "", "apikey", "sb_publishable_of_the_tests", "Authorization", "Bearer "+forged)
				if answer.StatusCode != http.StatusUnauthorized && answer.StatusCode != http.StatusForbidden && answer.StatusCode != http.StatusBadRequest {
					inside.Add(1)
					t.Errorf("%s with %q: %d %s", path, forged, answer.StatusCode, said)
				}
			}
		})
	}
	all.Wait()
	s.stop(t)
	faulttest.Survived(t, "altered tokens", int(tries), int(tries-inside.Load()))
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// altered is a token with something changed that means something: of the last character of a part, some bits mean nothing.
func altered(r *rand.Rand, token string) string {
	parts := strings.Split(token, ".")
	at := r.IntN(len(parts))
	part := parts[at]
	switch r.IntN(6) {
	case 0:
		parts[at] = part[:r.IntN(len(part)-1)]
	case 1:
		parts[at] = part + string(letters[r.IntN(64)])
	case 2:
		parts[at], parts[(at+1)%3] = parts[(at+1)%3], parts[at]
	case 3:
		parts[0] = "eyJhbGciOiJub25lIn0" // {"alg":"none"}
		parts[2] = ""
	default:
		i := r.IntN(len(part) - 1)
		parts[at] = part[:i] + string(letters[r.IntN(64)]) + part[i+1:]
	}
	return strings.Join(parts, ".")
}

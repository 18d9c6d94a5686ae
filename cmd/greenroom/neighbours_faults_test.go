//go:build faults

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	users "os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// These try what stands beside a real installation, as Debian packs it: deploy/tools faults installs it.

// neighbour starts a program and waits until it listens.
func neighbour(t *testing.T, port int, program string, args ...string) *bytes.Buffer {
	t.Helper()
	found, err := exec.LookPath(program)
	if err != nil {
		if found, err = exec.LookPath("/usr/sbin/" + program); err != nil {
			t.Fatalf("%s is not there: deploy/tools faults installs it", program)
		}
	}
	var said bytes.Buffer
	c := exec.CommandContext(context.Background(), found, args...) // ended by its own signal: killed, it would leave workers behind
	c.Stdout, c.Stderr = &said, &said
	c.Env = append(os.Environ(), "XDG_DATA_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		_ = c.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
	for range 200 {
		if conn, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			_ = conn.Close()
			return &said
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s does not listen", program)
	return nil
}

func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	file := filepath.Join(folder, name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// visitorAt is an address that no proxy has.
const visitorAt = "127.0.0.2"

// asVisitor asks through a proxy, over HTTP/2 where it offers it, and does not follow.
func asVisitor(t *testing.T) *http.Client {
	t.Helper()
	from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(visitorAt)}}
	return &http.Client{
		Transport: &http.Transport{
			ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
			DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
				return from.DialContext(ctx, "tcp4", address)
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func visit(t *testing.T, client *http.Client, method, address, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// rendered asks until the page is there whole: a certificate and the first render take a while on a busy machine.
func rendered(t *testing.T, client *http.Client, address string) (page *http.Response, text string) {
	t.Helper()
	for range 300 {
		r, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := client.Do(r); err == nil {
			_ = answer.Body.Close()
			if page, text = visit(t, client, "GET", address, ""); page.Header.Get("Cache-Control") != "no-store" {
				return page, text
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s was never rendered", address)
	return nil, ""
}

// throughProxy is what must hold behind any proxy.
func throughProxy(t *testing.T, server *running, site string) {
	t.Helper()
	client := asVisitor(t)
	rendered(t, client, site+"/")
	page, text := visit(t, client, "GET", site+"/", "", "Accept-Encoding", "br")
	if page.StatusCode != 200 || page.ProtoMajor != 2 || page.Header.Get("Content-Encoding") != "br" || len(page.Header["Strict-Transport-Security"]) != 1 || text == "" {
		t.Errorf("the page: %d %s %v", page.StatusCode, page.Proto, page.Header)
	}
	if etag := page.Header.Get("ETag"); etag == "" {
		t.Error("the page has no mark to ask by")
	} else if again, _ := visit(t, client, "GET", site+"/", "", "Accept-Encoding", "br", "If-None-Match", etag); again.StatusCode != http.StatusNotModified {
		t.Errorf("asked by its mark: %d", again.StatusCode)
	}
	if ready, _ := visit(t, client, "GET", site+"/readyz", ""); ready.StatusCode != 200 {
		t.Errorf("ready: %d", ready.StatusCode)
	}
	if signup, said := visit(t, client, "POST", site+"/auth/v1/signup", `{"email":"ada@example.com","password":"a long enough passphrase"}`,
		"apikey", "sb_publishable_of_the_tests", "Content-Type", "application/json"); signup.StatusCode != 200 {
		t.Errorf("signing up: %d %s", signup.StatusCode, said)
	}
	if large, _ := visit(t, client, "POST", site+"/rest/v1/course_waitlist", strings.Repeat("x", 5<<20), "apikey", "sb_publishable_of_the_tests", "Content-Type", "application/json"); large.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("five megabytes: %d", large.StatusCode)
	}
	// The address that counts is the one that the proxy saw, whatever the client claims.
	if bad, _ := visit(t, client, "GET", site+"/rest/v1/courses", "", "apikey", "none", "X-Forwarded-For", "203.0.113.9"); bad.StatusCode != http.StatusUnauthorized {
		t.Errorf("a wrong key: %d", bad.StatusCode)
	}
	if line := server.await(t, "access refused"); line["address"] != visitorAt {
		t.Errorf("the log has the address %v", line["address"])
	}
}

func TestBehindNginx(t *testing.T) {
	t.Parallel()
	free := ports(t, 3)
	certificate, key := selfSigned(t)
	site := "https://127.0.0.1:" + strconv.Itoa(free[1])
	server := newPlace(t, db.SQLite, "GREENROOM_TRUSTED_PROXIES=127.0.0.1", "GREENROOM_SITE_URL="+site).serve(t)
	folder := t.TempDir()
	text := strings.NewReplacer(
		"server 127.0.0.1:8080", "server "+strings.TrimPrefix(server.url, "http://"),
		"listen 80;", "listen 127.0.0.1:"+strconv.Itoa(free[0])+";", "listen 443 ssl http2;", "listen 127.0.0.1:"+strconv.Itoa(free[1])+" ssl http2;",
		"server_name courses.example.com", "server_name 127.0.0.1",
		"/etc/ssl/courses.example.com.pem", certificate, "/etc/ssl/courses.example.com.key", key,
	).Replace(read(t, "deploy/nginx.conf"))
	conf := write(t, folder, "nginx.conf", nginx(folder)+text+"}\n")
	neighbour(t, free[1], "nginx", "-p", folder, "-c", conf, "-g", "daemon off;")
	throughProxy(t, server, site)
	if moved, _ := visit(t, asVisitor(t), "GET", fmt.Sprintf("http://127.0.0.1:%d/course/x?a=b", free[0]), ""); moved.StatusCode != 301 || moved.Header.Get("Location") != "https://127.0.0.1/course/x?a=b" {
		t.Errorf("without TLS: %d %s", moved.StatusCode, moved.Header.Get("Location"))
	}
}

// nginx is what stands around deploy/nginx.conf in Debian, in a folder of the test's.
func nginx(folder string) string {
	text := "pid " + folder + "/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n"
	if os.Getuid() == 0 {
		text = "user root;\n" + text
	}
	for _, temporary := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		text += temporary + "_temp_path " + folder + "/" + temporary + ";\n"
	}
	return text
}

func TestBehindCaddy(t *testing.T) {
	t.Parallel()
	port := ports(t, 1)[0]
	site := "https://localhost:" + strconv.Itoa(port)
	server := newPlace(t, db.SQLite, "GREENROOM_TRUSTED_PROXIES=127.0.0.1", "GREENROOM_SITE_URL="+site).serve(t)
	text := strings.NewReplacer(
		"courses.example.com {", site+" {\n\ttls internal", "127.0.0.1:8080", strings.TrimPrefix(server.url, "http://"),
	).Replace(read(t, "deploy/Caddyfile"))
	conf := write(t, t.TempDir(), "Caddyfile", "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"+text)
	neighbour(t, port, "caddy", "run", "--config", conf, "--adapter", "caddyfile")
	throughProxy(t, server, site)
}

// A shared cache may keep what is the same for everybody and must ask again for the rest: nobody sees a page from before a
// change, or another's answer.
func TestBehindACacheNothingIsStale(t *testing.T) {
	t.Parallel()
	port := ports(t, 1)[0]
	p := newPlace(t, db.SQLite, "GREENROOM_TRUSTED_PROXIES=127.0.0.1", "GREENROOM_SERVICE_KEY=sb_secret_of_the_tests")
	server := p.serve(t)
	folder := t.TempDir()
	conf := write(t, folder, "nginx.conf", nginx(folder)+fmt.Sprintf(`
		proxy_cache_path %s/cache keys_zone=all:1m;
		server {
			listen 127.0.0.1:%d;
			location / {
				proxy_pass %s;
				proxy_cache all;
				proxy_cache_revalidate on;
				proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
				add_header X-Cache $upstream_cache_status always;
			}
		}
	}`, folder, port, server.url))
	neighbour(t, port, "nginx", "-p", folder, "-c", conf, "-g", "daemon off;")
	site, client := "http://127.0.0.1:"+strconv.Itoa(port), asVisitor(t)
	_, home := rendered(t, client, site+"/")
	asset := regexp.MustCompile(`/assets/[^"]+\.js`).FindString(home)
	for path, kept := range map[string]string{asset: "HIT", "/card.png": "", "/robots.txt": "", "/": "MISS", "/rest/v1/courses?limit=1": "MISS", "/auth/v1/settings": "MISS"} {
		var last *http.Response
		for range 3 {
			last, _ = visit(t, client, "GET", site+path, "", "apikey", "sb_publishable_of_the_tests")
		}
		if got := last.Header.Get("X-Cache"); last.StatusCode != 200 || kept != "" && got != kept {
			t.Errorf("%s: %d, %s, %s", path, last.StatusCode, last.Header.Get("Cache-Control"), got)
		}
	}
	// A change is seen at once through the cache.
	course := regexp.MustCompile(`/course/[0-9a-f-]{36}`).FindString(home)
	before, _ := rendered(t, client, site+course)
	changed, said := visit(t, client, "PATCH", server.url+"/rest/v1/courses?id=eq."+strings.TrimPrefix(course, "/course/"), `{"title":"Changed just now"}`,
		"apikey", "sb_secret_of_the_tests", "Authorization", "Bearer sb_secret_of_the_tests", "Content-Type", "application/json")
	if changed.StatusCode != http.StatusNoContent {
		t.Fatalf("%d %s", changed.StatusCode, said)
	}
	after, text := visit(t, client, "GET", site+course, "", "If-None-Match", before.Header.Get("ETag"))
	if after.StatusCode != 200 || after.Header.Get("ETag") == before.Header.Get("ETag") {
		t.Errorf("%d: the page is from before the change", after.StatusCode)
	}
	if _, text = rendered(t, client, site+course); !strings.Contains(text, "Changed just now") {
		t.Error("the page does not show the change")
	}
}

// pgbouncer hands each transaction to whichever connection is free, so nothing may be left behind on one: the server sees that
// it is there and prepares no statements.
func TestBehindPgbouncer(t *testing.T) {
	t.Parallel()
	direct, err := url.Parse(strings.TrimSuffix(dbtest.Location(t, db.Postgres).URL, dbtest.Patient))
	if err != nil {
		t.Fatal(err)
	}
	socket := direct.Query().Get("host")
	about, err := os.Stat(socket)
	if err != nil {
		t.Fatal(err)
	}
	port, folder := ports(t, 1)[0], t.TempDir()
	text := fmt.Sprintf("[databases]\n* = host=%s user=greenroom\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 3\nmax_client_conn = 200\n", socket, port)
	if os.Getuid() == 0 { // it refuses to be root, and the socket is one user's
		owner, err := users.LookupId(strconv.Itoa(int(about.Sys().(*syscall.Stat_t).Uid)))
		if err != nil {
			t.Fatal(err)
		}
		text += "user = " + owner.Username + "\n"
	}
	neighbour(t, port, "pgbouncer", write(t, folder, "pgbouncer.ini", text))
	p := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off", fmt.Sprintf("GREENROOM_DATABASE_URL=postgres://greenroom@127.0.0.1:%d%s?sslmode=disable", port, direct.Path))
	server := p.serve(t)
	manyAtOnce(t, server)
	if said := p.must(t, "admin", "list"); !strings.Contains(said, "no admins") {
		t.Error(said)
	}
	server.stop(t)
}

// manyAtOnce lets four people do thirty things each, side by side.
func manyAtOnce(t *testing.T, server *running) {
	t.Helper()
	var all sync.WaitGroup
	client := asVisitor(t)
	key := []string{"apikey", "sb_publishable_of_the_tests", "Content-Type", "application/json"}
	_, courses := visit(t, client, "GET", server.url+"/rest/v1/courses?select=id&limit=28", "", key...)
	ids := regexp.MustCompile(`"id":"([^"]+)"`).FindAllStringSubmatch(courses, -1)
	for i := range 4 {
		email := fmt.Sprintf("person%d@example.com", i)
		answer, said := visit(t, client, "POST", server.url+"/auth/v1/signup", `{"email":"`+email+`","password":"a long enough passphrase"}`, key...)
		token, person := regexp.MustCompile(`"access_token":"([^"]+)"`).FindStringSubmatch(said), regexp.MustCompile(`"user":\{"id":"([^"]+)"`).FindStringSubmatch(said)
		if answer.StatusCode != 200 || token == nil || person == nil || len(ids) != 28 {
			t.Fatalf("signing up: %d %s", answer.StatusCode, said)
		}
		own := append(key[:len(key):len(key)], "Authorization", "Bearer "+token[1])
		for _, course := range ids {
			all.Go(func() {
				body := `{"user_id":"` + person[1] + `","course_id":"` + course[1] + `"}`
				if answer, said := visit(t, client, "POST", server.url+"/rest/v1/saved_courses", body, own...); answer.StatusCode != 201 {
					t.Errorf("saving: %d %s", answer.StatusCode, said)
				}
				if answer, said := visit(t, client, "GET", server.url+"/rest/v1/saved_courses?select=*", "", own...); answer.StatusCode != 200 || !strings.Contains(said, course[1]) {
					t.Errorf("reading: %d %s", answer.StatusCode, said)
				}
			})
		}
		if answer, said := visit(t, client, "POST", server.url+"/rest/v1/course_waitlist", `{"user_id":"`+person[1]+`","course_title":"Documentary Filmmaking","email":"`+email+`"}`, own...); answer.StatusCode != 201 {
			t.Errorf("waiting: %d %s", answer.StatusCode, said)
		}
	}
	all.Wait()
}

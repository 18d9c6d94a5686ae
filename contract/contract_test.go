// Package contract runs the official client libraries, unmodified, from Node against the built binary, once on
// each database. What they meet is our wire contract.
package contract

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"greenroom/internal/auth/authtest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/s3/s3test"
)

func TestOfficialClients(t *testing.T) {
	t.Parallel()
	suites, err := filepath.Glob("*.test.mjs")
	if err != nil || len(suites) == 0 {
		t.Fatalf("no client tests found: %v", err)
	}
	binary := build(t)
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		for _, suite := range suites {
			t.Run(string(engine)+"/"+strings.TrimSuffix(suite, ".test.mjs"), func(t *testing.T) {
				t.Parallel()
				run(t, suite, start(t, binary, engine))
			})
		}
	}
}

// run runs one suite of a client.
func run(t *testing.T, suite string, environment []string) {
	t.Helper()
	node := exec.CommandContext(t.Context(), "node", "--test", "--test-reporter=tap", suite)
	node.Env = environment
	if out, err := node.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, failures(string(out)))
	} else if !strings.Contains(string(out), "\n# pass ") || strings.Contains(string(out), "\n# pass 0\n") {
		t.Errorf("no client test ran:\n%s", out)
	}
}

// TestStorageElsewhere runs the storage's suites against two instances that share a database and S3-compatible storage and nothing else:
// each request goes to the other one than the request before it.
func TestStorageElsewhere(t *testing.T) {
	t.Parallel()
	binary := build(t)
	for _, suite := range []string{"storage", "tus"} {
		t.Run(suite, func(t *testing.T) {
			t.Parallel()
			elsewhere := s3test.Gateway(t)
			if elsewhere == "" {
				elsewhere = s3test.Start(t).URL
			}
			shared := []string{
				"GREENROOM_DATABASE_URL=" + dbtest.Location(t, db.Postgres).URL, "GREENROOM_STORAGE_URL=" + elsewhere,
				"GREENROOM_SECRET_FILE=" + filepath.Join(t.TempDir(), "secret"),
			}
			environment := start(t, binary, db.SQLite, shared...)
			next := start(t, binary, db.SQLite, shared...)
			both := alternating(t, value(environment, "CONTRACT_URL"), value(next, "CONTRACT_URL"))
			run(t, suite+".test.mjs", append(environment, "CONTRACT_URL="+both))
		})
	}
}

func value(environment []string, name string) string {
	found := ""
	for _, pair := range environment {
		if rest, ok := strings.CutPrefix(pair, name+"="); ok {
			found = rest
		}
	}
	return found
}

// alternating is a balancer before servers.
func alternating(t *testing.T, servers ...string) string {
	t.Helper()
	var turn atomic.Int64
	balancer := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			at, _ := url.Parse(servers[int(turn.Add(1))%len(servers)])
			r.Out.URL.Scheme, r.Out.URL.Host = at.Scheme, at.Host
			r.Out.Host = r.In.Host
		},
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), FlushInterval: -1,
	})
	t.Cleanup(balancer.Close)
	return balancer.URL
}

// build makes the binary of this tree; the build cache makes it cheap.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "greenroom")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "greenroom/cmd/greenroom").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return binary
}

// start serves an empty installation on a port of the kernel's choice and gives the environment in which a client
// finds it. The same variables let a test run the binary's commands beside the server.
func start(t *testing.T, binary string, engine db.Engine, settings ...string) []string {
	t.Helper()
	folder := t.TempDir()
	provider := authtest.NewProvider(t)
	environment := append(os.Environ(),
		"GREENROOM_LISTEN=127.0.0.1:0", "GREENROOM_DATA="+folder, "GREENROOM_LOG=json",
		"GREENROOM_API_KEY=sb_publishable_contract_tests", "GREENROOM_SERVICE_KEY=sb_secret_contract_tests",
		"GREENROOM_RATE_LIMITS=off", "GREENROOM_DRAIN=0s",
		"GREENROOM_OIDC=acme", "GREENROOM_OIDC_ACME_ISSUER="+provider.URL, "GREENROOM_OIDC_ACME_CLIENT_ID="+authtest.ClientID,
		"GREENROOM_OIDC_ACME_CLIENT_SECRET=secret")
	environment = append(environment, settings...)
	if engine == db.Postgres {
		environment = append(environment, "GREENROOM_DATABASE_URL="+dbtest.Location(t, db.Postgres).URL)
	}
	ctx, cancel := context.WithCancel(context.Background())
	server := exec.CommandContext(ctx, binary, "serve")
	server.Env = environment
	server.Cancel = func() error { return server.Process.Signal(syscall.SIGTERM) }
	server.WaitDelay = 10 * time.Second
	log, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		// After a clean exit Wait gives the context's error; any other is the server's own.
		if err := server.Wait(); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("the server did not stop cleanly: %v", err)
		}
	})
	return append(environment,
		"CONTRACT_URL=http://"+address(t, bufio.NewScanner(log)), "CONTRACT_KEY=sb_publishable_contract_tests",
		"CONTRACT_BINARY="+binary, "CONTRACT_MAIL="+filepath.Join(folder, "mail"),
		"CONTRACT_PROVIDER="+provider.URL)
}

// address waits for the log line that tells where the server listens, and drains the log after it.
func address(t *testing.T, lines *bufio.Scanner) string {
	t.Helper()
	for lines.Scan() {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
			go func() {
				for lines.Scan() {
				}
			}()
			return line.Address
		}
	}
	t.Fatal("the server did not start")
	return ""
}

// failures keeps the part of a TAP report that tells what went wrong.
func failures(report string) string {
	var kept []string
	for block := range strings.SplitSeq(report, "\n# Subtest: ") {
		if strings.Contains(block, "not ok ") || strings.Contains(block, "Error") {
			kept = append(kept, block)
		}
	}
	return strings.Join(kept, "\n")
}

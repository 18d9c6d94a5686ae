package db_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
)

// wire stands between an instance and its database, and can be cut.
type wire struct {
	URL    string
	to     string
	listen net.Listener
	mu     sync.Mutex
	cut    bool
	ends   []net.Conn
}

func newWire(t *testing.T, address string) *wire {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := parsed.Query()
	w := &wire{to: filepath.Join(query.Get("host"), ".s.PGSQL.5432")}
	if w.listen, err = (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.listen.Close(); w.set(true) })
	host, port, _ := net.SplitHostPort(w.listen.Addr().String())
	query.Set("host", host)
	query.Set("port", port)
	query.Set("sslmode", "disable")
	parsed.RawQuery = query.Encode()
	w.URL = parsed.String()
	go w.accept(t.Context())
	return w
}

func (w *wire) accept(ctx context.Context) {
	for {
		here, err := w.listen.Accept()
		if err != nil {
			return
		}
		there, err := (&net.Dialer{}).DialContext(ctx, "unix", w.to)
		w.mu.Lock()
		if err != nil || w.cut {
			_ = here.Close()
			w.mu.Unlock()
			continue
		}
		w.ends = append(w.ends, here, there)
		w.mu.Unlock()
		go func() { _, _ = io.Copy(there, here) }()
		go func() { _, _ = io.Copy(here, there) }()
	}
}

// set cuts every connection and refuses new ones, or lets them through again.
func (w *wire) set(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	for _, end := range w.ends {
		_ = end.Close()
	}
	w.ends = nil
}

// TestALostConnectionIsUnavailable loses it while a statement runs, between two of them, at the commit, and when a new
// one is to be made: always "try again", and never an error of ours.
func TestALostConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.Postgres)
	w := newWire(t, at.URL)
	direct := dbtest.Reopen(t, at, clock.System{})
	d := dbtest.Reopen(t, db.Options{URL: w.URL + "&application_name=wired", Wait: time.Minute}, clock.System{})
	lost := func(when string, err error) {
		t.Helper()
		if !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v", when, err)
		}
		w.set(false)
	}
	sleeping := func() { // cuts as soon as the statement runs
		await(t, direct, "select count(*) > 0 from pg_stat_activity where application_name = 'wired' and query like 'select pg_sleep%' and state = 'active'")
		w.set(true)
	}
	asleep := func(ctx context.Context, tx *db.Tx) error {
		go sleeping()
		_, err := tx.Exec(ctx, "select pg_sleep(600)")
		return err
	}
	lost("in a read", d.Read(t.Context(), asleep))
	lost("in a write", d.Write(t.Context(), asleep))
	lost("between two statements", d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		if err := addVersion(ctx, tx, "between"); err != nil {
			return err
		}
		w.set(true)
		return addVersion(ctx, tx, "between too")
	}))
	lost("at the commit", d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		err := addVersion(ctx, tx, "commit")
		w.set(true)
		return err
	}))
	w.set(true)
	lost("when connecting", d.Read(t.Context(), func(context.Context, *db.Tx) error { return nil }))
	lost("by the server's hand", d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "select pg_terminate_backend(pg_backend_pid())")
		return err
	}))
	if err := d.Ping(t.Context()); err != nil {
		t.Error("it does not come back:", err)
	}
	if n := countVersions(t, direct, "between%"); n != 0 {
		t.Errorf("%d rows of a transaction that was cut", n)
	}
}

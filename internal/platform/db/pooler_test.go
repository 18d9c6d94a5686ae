package db_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// TestBehindAPoolerNothingIsPrepared goes through a go-between that hands out process numbers of its own, as poolers do:
// by that alone they are known. `make faults` has a real one.
func TestBehindAPoolerNothingIsPrepared(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.Postgres)
	for name, c := range map[string]struct {
		url     string
		prepare bool
	}{
		"straight":                   {at.URL, true},
		"pooler":                     {pooled(t, at.URL), false},
		"pooler, and the owner says": {pooled(t, at.URL) + "&default_query_exec_mode=cache_statement", true},
	} {
		d := dbtest.Reopen(t, db.Options{URL: c.url}, clock.System{})
		if got := asks(t, d, "select count(*) > 0 from pg_prepared_statements"); got != c.prepare {
			t.Errorf("%s: statements stay on a connection: %v", name, got)
		}
	}
}

// pooled is a database's address by way of the go-between.
func pooled(t *testing.T, address string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(parsed.Query().Get("host"), ".s.PGSQL.5432")
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go goBetween(client, socket)
		}
	}()
	return "postgres://greenroom@" + listener.Addr().String() + parsed.Path + "?sslmode=disable"
}

func goBetween(client net.Conn, socket string) {
	defer func() { _ = client.Close() }()
	server, err := (&net.Dialer{}).Dial("unix", socket)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	// Poolers refuse startup parameters that they do not know.
	first := make([]byte, 4)
	if _, err := io.ReadFull(client, first); err != nil {
		return
	}
	first = append(first, make([]byte, binary.BigEndian.Uint32(first)-4)...)
	if _, err := io.ReadFull(client, first[4:]); err != nil || bytes.Contains(first, []byte("read_only")) {
		return
	}
	if _, err := server.Write(first); err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	for { // message by message, until the one that tells the process number
		head := make([]byte, 5)
		if _, err := io.ReadFull(server, head); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(head[1:])-4)
		if _, err := io.ReadFull(server, body); err != nil {
			return
		}
		if head[0] == 'K' {
			binary.BigEndian.PutUint32(body, 1)
		}
		if _, err := client.Write(append(head, body...)); err != nil {
			return
		}
		if head[0] == 'K' {
			_, _ = io.Copy(client, server)
			return
		}
	}
}

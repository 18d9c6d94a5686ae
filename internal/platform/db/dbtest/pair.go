package dbtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Pair is a primary and a standby that has every commit before it is answered.
type Pair struct{ Primary, Standby *Cluster }

// StartPair starts both and waits until commits wait for the standby. Only machines that die are tried with them, so neither
// syncs to the disk.
func StartPair(t testing.TB) *Pair {
	t.Helper()
	quick := []string{"fsync=off", "full_page_writes=off", "shared_buffers=64MB", "wal_sender_timeout=5s"}
	primary, err := start(quick...)
	if err != nil {
		t.Fatalf("start the primary: %v", err)
	}
	t.Cleanup(primary.Stop)
	standby, err := follow(primary, append(quick, "synchronous_standby_names=")...) // the copy has the primary's, and nobody follows it
	if err != nil {
		t.Fatalf("start the standby: %v", err)
	}
	t.Cleanup(standby.Stop)
	p := &Pair{primary, standby}
	if err := primary.ask("alter system set synchronous_standby_names = 'standby'", nil); err != nil {
		t.Fatal(err)
	}
	if err := primary.ask("select pg_reload_conf()", nil); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		var state string
		if err := primary.ask("select coalesce(max(sync_state), '') from pg_stat_replication", &state); err == nil && state == "sync" {
			return p
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the standby does not follow")
	return nil
}

// URL is the address of a database on whichever of the two takes writes.
func (p *Pair) URL(database string) string {
	return fmt.Sprintf("postgres://greenroom@/%s?host=%s,%s&target_session_attrs=read-write&connect_timeout=1", database, p.Primary.folder, p.Standby.folder)
}

// FailOver kills every process of the primary and lets the standby take its place.
func (p *Pair) FailOver() error {
	if err := p.Primary.Kill(); err != nil {
		return err
	}
	return p.Standby.ask("select pg_promote(wait => true, wait_seconds => 60)", nil)
}

// follow copies a running cluster and starts the copy as its standby.
func follow(of *Cluster, settings ...string) (*Cluster, error) {
	tools, err := toolFolder()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "greenroom-pg-")
	if err != nil {
		return nil, err
	}
	user := unprivileged()
	if user != nil {
		if err := os.Chown(folder, int(user.Uid), int(user.Gid)); err != nil {
			return nil, err
		}
	}
	data := filepath.Join(folder, "data")
	copying := exec.Command(filepath.Join(tools, "pg_basebackup"), "-D", data, "-R", "-X", "stream", "-c", "fast", "-N",
		"-d", fmt.Sprintf("host=%s user=greenroom application_name=standby", of.folder))
	copying.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	copying.Dir = folder
	if out, err := copying.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("pg_basebackup: %w: %s", err, out)
	}
	return run(tools, folder, user, append(settings, "hot_standby=on")...)
}

// ask runs one statement on the cluster's own database.
func (c *Cluster) ask(query string, into *string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if into == nil {
		_, err = conn.Exec(ctx, query)
		return err
	}
	return conn.QueryRow(ctx, query).Scan(into)
}

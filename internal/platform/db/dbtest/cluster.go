package dbtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"greenroom/internal/platform/db"
	"greenroom/migrations"
)

// Cluster is a throw-away PostgreSQL that listens on a socket of its own folder only.
type Cluster struct {
	folder string
	server *exec.Cmd
}

var (
	shared     *Cluster
	sharedErr  error
	sharedOnce sync.Once
	databases  atomic.Int64
)

// migrated is the database that all others are copied from: a copy is quicker than a dozen migrations.
const migrated = "migrated"

func startShared() (*Cluster, error) {
	c, err := StartCluster()
	if err != nil {
		return nil, err
	}
	if err := c.create(migrated); err != nil {
		return nil, err
	}
	d, err := db.Open(context.Background(), db.Options{URL: c.URL(migrated)})
	if err != nil {
		return nil, err
	}
	_, err = d.Migrate(context.Background(), migrations.Files)
	return c, errors.Join(err, d.Close())
}

// postgresDatabase makes an empty migrated database in the process's one cluster.
func postgresDatabase(t testing.TB) string {
	t.Helper()
	sharedOnce.Do(func() { shared, sharedErr = startShared() })
	if sharedErr != nil {
		t.Fatalf("start PostgreSQL: %v", sharedErr)
	}
	name := fmt.Sprintf("test_%d", databases.Add(1))
	if err := shared.create(name + " template " + migrated); err != nil {
		t.Fatalf("create database: %v", err)
	}
	return shared.URL(name)
}

// StartCluster makes a cluster and waits until it answers. It ends with the process that started it. It is not durable
// on purpose: a test database is thrown away, and the machine's disk is shared.
func StartCluster() (*Cluster, error) {
	return start("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=64MB")
}

// StartDurable is StartCluster with PostgreSQL's own settings, for measuring what a commit costs.
func StartDurable() (*Cluster, error) { return start() }

// StartIn is StartDurable in a folder of the caller's, which need not be empty: a cluster that is there is served as after a
// crash.
func StartIn(folder string, settings ...string) (*Cluster, error) {
	tools, err := toolFolder()
	if err != nil {
		return nil, err
	}
	user, data := unprivileged(), filepath.Join(folder, "data")
	if _, err := os.Stat(filepath.Join(data, "PG_VERSION")); err == nil {
		// Of a copy, the process that these name may still run.
		_, _ = os.Remove(filepath.Join(data, "postmaster.pid")), os.Remove(filepath.Join(folder, ".s.PGSQL.5432.lock"))
		return run(tools, folder, user, settings...)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	if user != nil {
		if err := os.Chown(folder, int(user.Uid), int(user.Gid)); err != nil {
			return nil, err
		}
	}
	if err := initialise(tools, data, user); err != nil {
		return nil, err
	}
	return run(tools, folder, user, settings...)
}

// PID is the server's process, the parent of all others of the cluster.
func (c *Cluster) PID() int { return c.server.Process.Pid }

func start(settings ...string) (*Cluster, error) {
	tools, err := toolFolder()
	if err != nil {
		return nil, err
	}
	sweep()
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
	if err := initialise(tools, filepath.Join(folder, "data"), user); err != nil {
		return nil, err
	}
	return run(tools, folder, user, settings...)
}

// run starts the server on a folder that is filled, and waits until it answers.
func run(tools, folder string, user *syscall.Credential, settings ...string) (*Cluster, error) {
	c := &Cluster{folder: folder}
	c.server = exec.Command(filepath.Join(tools, "postgres"), "-D", filepath.Join(folder, "data"), "-k", folder)
	for _, setting := range append(settings, "listen_addresses=", "max_connections=400") {
		c.server.Args = append(c.server.Args, "-c", setting)
	}
	// The kernel ends the server when the test process dies in whatever way.
	c.server.SysProcAttr = &syscall.SysProcAttr{Credential: user, Pdeathsig: syscall.SIGQUIT}
	c.server.Dir = folder
	started := make(chan error, 1)
	go startAndReap(c, started)
	if err := <-started; err != nil {
		return nil, err
	}
	return c, c.wait()
}

// sweep removes the folders of clusters whose process was killed before it could.
func sweep() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), "greenroom-pg-*"))
	for _, folder := range left {
		info, err := os.Stat(folder)
		if err != nil || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		text, _ := os.ReadFile(filepath.Join(folder, "data", "postmaster.pid"))
		pid, _, _ := strings.Cut(string(text), "\n")
		if _, err := os.Stat("/proc/" + pid); pid == "" || err != nil {
			_ = os.RemoveAll(folder)
		}
	}
}

// Stop ends the cluster and removes its folder.
func (c *Cluster) Stop() {
	_ = c.Resume() // a stopped process hears nothing else
	_ = c.server.Process.Signal(syscall.SIGQUIT)
	_ = os.RemoveAll(c.folder)
}

// URL is the address of one of the cluster's databases.
func (c *Cluster) URL(database string) string {
	return fmt.Sprintf("postgres://greenroom@/%s?host=%s", database, c.folder)
}

func (c *Cluster) create(name string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "create database "+name)
	return err
}

func (c *Cluster) wait() error {
	var last error
	for range 200 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		conn, err := pgx.Connect(ctx, c.URL("postgres"))
		cancel()
		if err == nil {
			return conn.Close(context.Background())
		}
		last = err
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("PostgreSQL does not answer: %w", last)
}

// toolFolder finds the newest PostgreSQL of the machine.
func toolFolder() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(found) == 0 {
		path, err := exec.LookPath("initdb")
		if err != nil {
			return "", fmt.Errorf("PostgreSQL is not installed: run make tools")
		}
		return filepath.Dir(path), nil
	}
	sort.Strings(found)
	return found[len(found)-1], nil
}

// unprivileged is the account to run PostgreSQL as, because it refuses to run as root.
func unprivileged() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	out, err := exec.Command("id", "-u", "postgres").Output()
	if err != nil {
		return &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	uid, err := strconv.ParseUint(string(out[:len(out)-1]), 10, 32)
	if err != nil {
		return &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
}

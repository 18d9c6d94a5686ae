package dbtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Own starts a cluster for one test, with an empty database in it, and gives the database's address.
func Own(t testing.TB) (c *Cluster, url string) {
	t.Helper()
	c, err := StartCluster()
	if err != nil {
		t.Fatalf("start PostgreSQL: %v", err)
	}
	t.Cleanup(c.Stop)
	if err := c.create("own"); err != nil {
		t.Fatalf("create database: %v", err)
	}
	return c, c.URL("own")
}

// Pause stops every process of the cluster where it is, as a machine that hangs does: connections stay open, and
// nothing answers.
func (c *Cluster) Pause() error { return c.signal(syscall.SIGSTOP) }

// Resume lets the cluster go on.
func (c *Cluster) Resume() error { return c.signal(syscall.SIGCONT) }

// Kill ends every process of the cluster at once, as a machine that dies does.
func (c *Cluster) Kill() error {
	if err := c.Pause(); err != nil { // or those that are left would be reparented before they are found
		return err
	}
	all, err := c.children()
	for _, pid := range append(all, c.server.Process.Pid) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return err
}

// signal reaches the server first, so that it starts no further process meanwhile, and then those that it started.
func (c *Cluster) signal(s syscall.Signal) error {
	if err := syscall.Kill(c.server.Process.Pid, s); err != nil {
		return fmt.Errorf("signal PostgreSQL: %w", err)
	}
	all, err := c.children()
	for _, pid := range all {
		_ = syscall.Kill(pid, s)
	}
	return err
}

func (c *Cluster) children() (all []int, err error) {
	found, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	for _, file := range found {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended meanwhile
		}
		// "pid (name) state parent …"; the name may hold anything.
		after := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(after) < 2 || after[1] != strconv.Itoa(c.server.Process.Pid) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			all = append(all, pid)
		}
	}
	return all, nil
}

package dbtest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// initialise fills a new cluster's data folder. initdb costs seconds and every test binary needs a cluster, so its
// result is kept in the user's cache and copied.
func initialise(tools, data string, user *syscall.Credential) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return initdb(tools, data, user)
	}
	kept := filepath.Join(cache, "greenroom-tests", "cluster"+strings.ReplaceAll(tools, "/", "-"))
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		return err
	}
	one, err := os.OpenFile(kept+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer one.Close()
	if err := syscall.Flock(int(one.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	if _, err := os.Stat(kept); err == nil {
		return copyFolder(kept, data)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := initdb(tools, data, user); err != nil {
		return err
	}
	if err := copyFolder(data, kept+".new"); err != nil {
		return err
	}
	return os.Rename(kept+".new", kept)
}

func initdb(tools, data string, user *syscall.Credential) error {
	command := exec.Command(filepath.Join(tools, "initdb"), "-D", data, "-U", "greenroom", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
	command.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	command.Dir = filepath.Dir(data)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	return nil
}

// copyFolder copies with owners and modes, which PostgreSQL insists on.
func copyFolder(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("copy the cluster: %w: %s", err, out)
	}
	return nil
}

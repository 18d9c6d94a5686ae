package video

import (
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// noNamespaces says that this machine forbids namespaces to us, as was found out.
var noNamespaces atomic.Bool

// attributes put a child into a group of its own, which ends when we do, and with apart into a network of its own: an empty one.
func attributes(apart bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if apart {
		a.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	return a
}

// become takes the limits upon this process and makes it the tool.
func become(l limits, program string, args []string) error {
	// Whatever it gets at must not give it more than it has.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up privileges: %w", err)
	}
	if err := beNice(l.Nice); err != nil {
		return fmt.Errorf("be nice: %w", err)
	}
	for _, one := range []struct {
		what int
		most int64
	}{
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_NOFILE, l.Open},
		{unix.RLIMIT_FSIZE, l.File},
		{unix.RLIMIT_CPU, l.Seconds},
		{unix.RLIMIT_AS, l.Memory}, // last: after it there may be no memory for anything but the tool
	} {
		if err := syscall.Setrlimit(one.what, &syscall.Rlimit{Cur: uint64(one.most), Max: uint64(one.most)}); err != nil {
			return fmt.Errorf("limit %d to %d: %w", one.what, one.most, err)
		}
	}
	return fmt.Errorf("%s: %w", program, syscall.Exec(program, args, environment)) //nolint:gosec // the tool that our own process named
}

// beNice lets others go first. Whoever is nicer already stays so: only root may take that back.
func beNice(wanted int) error {
	const kernels = 20 // it counts from there downwards
	if now, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err == nil && kernels-now >= wanted {
		return nil
	}
	return syscall.Setpriority(syscall.PRIO_PROCESS, 0, wanted)
}

// endGently asks the child's group to end.
func endGently(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

//go:build !linux

package video

import (
	"errors"
	"os/exec"
	"sync/atomic"
	"syscall"
)

// noNamespaces says that there are none.
var noNamespaces atomic.Bool

func attributes(bool) *syscall.SysProcAttr { return nil }

// become refuses: without the kernel's limits we let no tool at a stranger's file.
func become(limits, string, []string) error { return errors.New("video is prepared on Linux only") }

func endGently(cmd *exec.Cmd) error { return cmd.Process.Kill() }

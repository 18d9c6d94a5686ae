package db_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"greenroom/internal/platform/db"
)

const brokenDisk = "GREENROOM_TEST_BROKEN_DISK"

// TestAFailedFsyncStopsTheProcess writes in a process whose kernel refuses every fsync.
func TestAFailedFsyncStopsTheProcess(t *testing.T) {
	t.Parallel()
	if file := os.Getenv(brokenDisk); file != "" {
		writeOnABrokenDisk(t, file)
		return
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), brokenDisk+"="+filepath.Join(t.TempDir(), "greenroom.db"))
	said, err := child.CombinedOutput()
	if strings.Contains(string(said), "no filter") {
		t.Skipf("this kernel takes no filter for system calls: %s", said)
	}
	if err == nil || child.ProcessState.ExitCode() != 1 || !strings.Contains(string(said), "the disk refused to store a write") {
		t.Errorf("%v: %s", err, said)
	}
	if strings.Contains(string(said), "acknowledged") {
		t.Errorf("a write that no disk holds was acknowledged: %s", said)
	}
}

func writeOnABrokenDisk(t *testing.T, file string) {
	t.Helper()
	d, err := db.Open(t.Context(), db.Options{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	write := func(statement string) error {
		return d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, statement)
			return err
		})
	}
	if err := write("create table notes (body text)"); err != nil {
		t.Fatal(err)
	}
	if failed := refuseFsync(); failed != 0 {
		t.Fatalf("no filter: %v", failed)
	}
	if err := write("insert into notes values ('kept?')"); err != nil {
		t.Fatalf("the process goes on: %v", err)
	}
	t.Fatal("acknowledged")
}

// refuseFsync makes the kernel answer fsync and fdatasync of this process with EIO, as a broken disk does.
func refuseFsync() syscall.Errno {
	const (
		loadWord, jumpEqual, answer = 0x20, 0x15, 0x06
		allow, refuse               = 0x7fff0000, 0x00050000 | uint32(syscall.EIO)
		noNewPrivileges             = 38
		setFilter, allThreads       = 1, 1
	)
	type instruction struct {
		code     uint16
		yes, no  uint8
		constant uint32
	}
	program := []instruction{
		{loadWord, 0, 0, 0}, // the number of the system call
		{jumpEqual, 1, 0, syscall.SYS_FSYNC},
		{jumpEqual, 0, 1, syscall.SYS_FDATASYNC},
		{answer, 0, 0, refuse},
		{answer, 0, 0, allow},
	}
	filter := struct {
		length  uint16
		program *instruction
	}{uint16(len(program)), &program[0]}
	seccomp := uintptr(317) // linux/amd64
	if runtime.GOARCH == "arm64" {
		seccomp = 277
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, _, failed := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); failed != 0 {
		return failed
	}
	_, _, failed := syscall.RawSyscall(seccomp, setFilter, allThreads, uintptr(unsafe.Pointer(&filter)))
	return failed
}

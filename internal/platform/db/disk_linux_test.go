package db_test

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

const brokenDisk = "GREENROOM_TEST_BROKEN_DISK"

// onABrokenDisk runs the test once more in a process of its own, where it gets a file, and gives what that process said.
// It is that process when it gives a file.
func onABrokenDisk(t *testing.T) (file, said string, code int) {
	t.Helper()
	if file := os.Getenv(brokenDisk); file != "" {
		return file, "", 0
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), brokenDisk+"="+filepath.Join(t.TempDir(), "greenroom.db"))
	out, err := child.CombinedOutput()
	if strings.Contains(string(out), "no filter") {
		t.Skipf("this kernel takes no filter for system calls: %s", out)
	}
	if child.ProcessState == nil {
		t.Fatal(err)
	}
	return "", string(out), child.ProcessState.ExitCode()
}

// stopped fails unless the process ended by itself and said why. A test that fails ends a process the same way.
func stopped(t *testing.T, said string, code int) {
	t.Helper()
	if code != 1 || !strings.Contains(said, "the disk refused to store a write") || strings.Contains(said, "--- FAIL") {
		t.Errorf("the process goes on, or did not say why it ended (%d): %s", code, said)
	}
}

// notes opens a file with a table of that name, and gives how to write to it.
func notes(t *testing.T, file string) (d *db.DB, write func(statement string) error) {
	t.Helper()
	d, err := db.Open(t.Context(), db.Options{Path: file, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	write = func(statement string) error {
		return d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, statement)
			return err
		})
	}
	if err := write("create table notes (body text)"); err != nil {
		t.Fatal(err)
	}
	return d, write
}

// TestAFailedFsyncStopsTheProcess writes in a process whose kernel refuses every fsync.
func TestAFailedFsyncStopsTheProcess(t *testing.T) {
	t.Parallel()
	file, said, code := onABrokenDisk(t)
	if file == "" {
		stopped(t, said, code)
		return
	}
	_, write := notes(t, file)
	if failed := refuseFsync(opened(t, file+"-wal")); failed != 0 {
		t.Fatalf("no filter: %v", failed)
	}
	t.Fatalf("it goes on after a write: %v", write("insert into notes values ('kept?')"))
}

// TestAFailedFsyncOfACheckpointStopsTheProcess: the log takes what is written, the file does not.
func TestAFailedFsyncOfACheckpointStopsTheProcess(t *testing.T) {
	t.Parallel()
	file, said, code := onABrokenDisk(t)
	if file == "" {
		stopped(t, said, code)
		return
	}
	_, write := notes(t, file)
	if failed := refuseFsync(opened(t, file)); failed != 0 {
		t.Fatalf("no filter: %v", failed)
	}
	// Past the length at which the log is moved into the file, which happens before the next write.
	if err := write("insert into notes values (zeroblob(6000000))"); err != nil {
		t.Fatal(err)
	}
	t.Fatalf("it goes on after a checkpoint: %v", write("insert into notes values ('next')"))
}

// TestAFullDiskIsAnsweredAsSuch: the commit is what fails, since only that writes to the log.
func TestAFullDiskIsAnsweredAsSuch(t *testing.T) {
	t.Parallel()
	file, said, code := onABrokenDisk(t)
	if file == "" {
		if code != 0 {
			t.Error(said)
		}
		return
	}
	d, write := notes(t, file)
	defer func() { _ = d.Close() }()
	log, err := os.Stat(file + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	var usual syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &usual); err != nil {
		t.Fatal(err)
	}
	full := syscall.Rlimit{Cur: uint64(log.Size()), Max: usual.Max}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full); err != nil {
		t.Fatal(err)
	}
	if err := write("insert into notes values ('lost')"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a write that the disk has no room for: %v", err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &usual); err != nil {
		t.Fatal(err)
	}
	if err := write("insert into notes values ('kept')"); err != nil {
		t.Errorf("a write when there is room again: %v", err)
	}
	var kept string
	err = d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select group_concat(body) from notes").Scan(&kept)
	})
	if err != nil || kept != "kept" {
		t.Errorf("the file holds %q, %v", kept, err)
	}
}

// opened gives the numbers under which this process has a file open.
func opened(t *testing.T, file string) (numbers []uint32) {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		if target, _ := os.Readlink("/proc/self/fd/" + one.Name()); target == file {
			number, err := strconv.ParseUint(one.Name(), 10, 32)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, uint32(number))
		}
	}
	if len(numbers) == 0 {
		t.Fatalf("%s is not open", file)
	}
	return numbers
}

// refuseFsync makes the kernel answer fsync and fdatasync of these open files with EIO, as a broken disk does.
func refuseFsync(files []uint32) syscall.Errno {
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
		{jumpEqual, 2, 0, syscall.SYS_FSYNC},
		{jumpEqual, 1, 0, syscall.SYS_FDATASYNC},
		{answer, 0, 0, allow},
		{loadWord, 0, 0, 16}, // its first argument
	}
	for _, file := range files {
		program = append(program, instruction{jumpEqual, 0, 1, file}, instruction{answer, 0, 0, refuse})
	}
	program = append(program, instruction{answer, 0, 0, allow})
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

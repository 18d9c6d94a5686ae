package video

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// shell is a child that runs a script in the tools' place.
func shell(script string) child {
	l := Tools{threads: 1}.limits(time.Minute, 1<<20)
	return child{program: "/bin/sh", args: []string{"-c", script}, limits: l, quiet: time.Minute, most: time.Minute}
}

func said(t *testing.T, c child) (out string) {
	t.Helper()
	c.line = func(text []byte) { out += string(text) + "\n" }
	if said, err := c.run(t.Context()); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return out
}

func TestAChildKnowsNothingOfUs(t *testing.T) {
	t.Setenv("GREENROOM_SECRET", "of ours")
	if out := said(t, shell("env")); strings.Contains(out, "GREENROOM") || !strings.Contains(out, "PATH=/usr/local/bin") {
		t.Error(out)
	}
}

func TestAChildIsHeldToItsLimits(t *testing.T) {
	t.Parallel()
	out := said(t, shell("ulimit -n; ulimit -v; ulimit -c; nice; cat /proc/self/status | grep NoNewPrivs; ps -o pgid= -p $$ | tr -d ' '; echo $$"))
	lines := strings.Fields(out)
	if len(lines) != 8 || lines[0] != "64" || lines[1] != "2097152" || lines[2] != "0" || lines[5] != "1" || lines[6] != lines[7] {
		t.Errorf("%q", lines)
	}
	if lines[3] == "0" {
		t.Error("it is not nice")
	}
	file := filepath.Join(t.TempDir(), "much")
	_, err := shell("head -c 9000000 /dev/zero >" + file).run(t.Context())
	if info, failed := os.Stat(file); err == nil || failed != nil || info.Size() > 1<<20 {
		t.Errorf("%v %v", err, info)
	}
}

// A server that is nicer already than its children should be cannot take that back, and need not.
func TestAChildOfANicerServerRunsAsWell(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := shell(self + " " + helperName + ` '{"memory":1099511627776,"seconds":60,"file":1048576,"open":64,"nice":5}' /bin/sh -c nice`)
	c.limits.Nice, c.limits.Memory = 19, 1<<40
	if out := said(t, c); out != "19\n" {
		t.Errorf("%q", out)
	}
}

func TestAChildHasNoNetwork(t *testing.T) {
	t.Parallel()
	out := said(t, shell("cat /proc/net/dev"))
	if noNamespaces.Load() {
		t.Skip("this machine forbids namespaces")
	}
	for line := range strings.Lines(out) {
		if name, _, is := strings.Cut(strings.TrimSpace(line), ":"); is && name != "lo" {
			t.Errorf("it sees %s", name)
		}
	}
}

func TestAChildThatStandsStillIsEnded(t *testing.T) {
	t.Parallel()
	c := shell("echo begun; exec sleep 600")
	c.quiet = 200 * time.Millisecond
	if _, err := c.run(t.Context()); !errors.Is(err, errStuck) {
		t.Error(err)
	}
	c = shell("while :; do echo on; sleep 0.02; done")
	c.quiet, c.most = 30*time.Second, 300*time.Millisecond
	if _, err := c.run(t.Context()); !errors.Is(err, errSlow) {
		t.Error(err)
	}
	why := errors.New("the lease is lost")
	ctx, stop := context.WithCancelCause(t.Context())
	c = shell("echo begun; exec sleep 600")
	c.line = func([]byte) { stop(why) }
	if _, err := c.run(ctx); !errors.Is(err, why) {
		t.Error(err)
	}
}

func TestWhatAChildSaysIsBounded(t *testing.T) {
	t.Parallel()
	c := shell("head -c 1000000 /dev/zero | tr '\\0' x; echo; head -c 1000000 /dev/zero | tr '\\0' y >&2; echo the reason >&2; exit 3")
	longest := 0
	c.line = func(text []byte) { longest = max(longest, len(text)) }
	out, err := c.run(t.Context())
	code, exited := exitCode(err)
	if !exited || code != 3 || longest != lineBytes || len(out) > toldBytes+100 || !strings.HasSuffix(out, "the reason\n") {
		t.Error(err, longest, len(out))
	}
	if text := fmt.Sprint(err); strings.Contains(text, "yyy") {
		t.Error("the error tells what the tool said")
	}
}

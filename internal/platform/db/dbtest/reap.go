package dbtest

import (
	"os"
	"runtime"
)

// startAndReap starts the server on a thread that lives as long as the process: the kernel's death signal follows
// the thread that started the child, and Go ends idle threads at will.
func startAndReap(c *Cluster, started chan<- error) {
	runtime.LockOSThread()
	err := c.server.Start()
	started <- err
	if err != nil {
		return
	}
	_ = c.server.Wait()
	_ = os.RemoveAll(c.folder)
}

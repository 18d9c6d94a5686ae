// Command cluster runs a throw-away PostgreSQL for the browser tests: it prints the address of an empty database and
// ends with its standard input, so with whoever started it.
package main

import (
	"fmt"
	"io"
	"os"

	"greenroom/internal/platform/db/dbtest"
)

func main() {
	cluster, err := dbtest.StartCluster()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = fmt.Fprintln(os.Stdout, cluster.URL("postgres"))
	_, _ = io.Copy(io.Discard, os.Stdin)
	cluster.Stop()
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"greenroom/internal/app"
)

func user(ctx context.Context, args []string, out io.Writer) error {
	dry, args := flagged(args, "--dry-run")
	if len(args) != 2 || args[0] != "import" {
		return errUsage
	}
	return withApp(ctx, func(a *app.App) error {
		return withFile(args[1], func(file *os.File) error {
			if dry {
				return tried(out, "accounts", func(broken func(error)) (int, error) { return a.Auth().CheckImport(ctx, file, args[1], broken) })
			}
			return importUsers(ctx, a, file, args[1], out)
		})
	})
}

func importUsers(ctx context.Context, a *app.App, file *os.File, name string, out io.Writer) error {
	on := newProgress(out, "accounts")
	n, err := a.Auth().Import(ctx, file, name, func(done int) { on.note(done, 0) })
	on.end()
	fmt.Fprintf(out, "%d accounts came in, %d were here already.\n", n.Added, n.Known)
	if n.Passwordless > 0 {
		fmt.Fprintf(out, "%d of them have no password that can be kept: they need \"Forgot password?\" once.\n", n.Passwordless)
	}
	return err
}

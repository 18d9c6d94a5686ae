package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"greenroom/internal/app"
)

func user(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 2 || args[0] != "import" {
		return errUsage
	}
	return withApp(ctx, func(a *app.App) error {
		file, err := os.Open(args[1])
		if err != nil {
			return err
		}
		defer file.Close()
		n, err := a.Auth().Import(ctx, file, args[1])
		fmt.Fprintf(out, "%d accounts came in, %d were here already.\n", n.Added, n.Known)
		if n.Passwordless > 0 {
			fmt.Fprintf(out, "%d of them have no password that can be kept: they need \"Forgot password?\" once.\n", n.Passwordless)
		}
		return err
	})
}

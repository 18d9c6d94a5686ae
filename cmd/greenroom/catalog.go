package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"greenroom/internal/app"
	"greenroom/internal/catalog"
)

func catalogue(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 2 {
		return errUsage
	}
	format, err := catalog.FormatOf(args[1])
	if err != nil {
		return err
	}
	switch args[0] {
	case "import":
		return withApp(ctx, func(a *app.App) error {
			file, err := os.Open(args[1])
			if err != nil {
				return err
			}
			defer file.Close()
			n, err := a.Catalog().Import(ctx, file, format)
			switch {
			case err == nil:
				fmt.Fprintf(out, "%d courses are in the catalog.\n", n)
			case n > 0:
				return fmt.Errorf("%w (the first %d courses of the file are stored; those with an id can be imported again)", err, n)
			}
			return err
		})
	case "export":
		return withApp(ctx, func(a *app.App) error {
			file, err := os.OpenFile(args[1], os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
			if err != nil {
				return err
			}
			n, err := a.Catalog().Export(ctx, file, format)
			if closing := file.Close(); err == nil {
				err = closing
			}
			if err == nil {
				fmt.Fprintf(out, "%d courses written to %s.\n", n, args[1])
			}
			return err
		})
	}
	return errUsage
}

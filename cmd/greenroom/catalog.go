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
	dry, args := flagged(args, "--dry-run")
	if len(args) != 2 || dry && args[0] != "import" {
		return errUsage
	}
	format, err := catalog.FormatOf(args[1])
	if err != nil {
		return err
	}
	switch {
	case dry:
		return withFile(args[1], func(file *os.File) error {
			return tried(out, "courses", func(broken func(error)) (int, error) {
				return catalog.Check(ctx, file, format, func(one error) error { broken(one); return nil })
			})
		})
	case args[0] == "import":
		return withApp(ctx, func(a *app.App) error {
			return withFile(args[1], func(file *os.File) error { return importCourses(ctx, a, file, format, out) })
		})
	case args[0] == "export":
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

func importCourses(ctx context.Context, a *app.App, file *os.File, format catalog.Format, out io.Writer) error {
	on := newProgress(out, "courses")
	n, err := a.Catalog().Import(ctx, file, format, on.note)
	on.end()
	switch {
	case err == nil:
		fmt.Fprintf(out, "%d courses brought in.\n", n)
	case n > 0:
		return fmt.Errorf("%w (the first %d courses of the file are stored; those with an id can be imported again)", err, n)
	}
	return err
}

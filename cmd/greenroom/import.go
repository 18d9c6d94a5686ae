package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"greenroom/internal/app"
	"greenroom/internal/backup"
	"greenroom/internal/platform/config"
	"greenroom/internal/storage/disk"
	"greenroom/internal/supabase"
)

func importFrom(ctx context.Context, args []string, out io.Writer) error {
	dry, args := flagged(args, "--dry-run")
	if len(args) != 2 || args[0] != "supabase" {
		return errUsage
	}
	return withApp(ctx, func(a *app.App) error {
		return withFile(args[1], func(file *os.File) error {
			if !dry {
				return takeDump(ctx, a, file, out)
			}
			return onACopy(ctx, a, func(copied *app.App) error {
				err := takeDump(ctx, copied, file, out)
				fmt.Fprintln(out, "That was tried on a copy; nothing was stored.")
				return err
			})
		})
	})
}

// takeDump brings a dump in, and names every row that stays out.
func takeDump(ctx context.Context, a *app.App, file *os.File, out io.Writer) error {
	on := newProgress(out, "rows")
	into := supabase.Import{
		DB: a.DB(), Accounts: a.Accounts(), Auth: a.Auth(), Catalog: a.Catalog(), Lists: a.Lists(),
		Note: func(table string, done int) { on.things = "of " + table; on.note(done, 0) },
		Out: func(table string, line int, why error) {
			on.end()
			fmt.Fprintf(out, "line %d, %s: %s\n", line, table, why)
		},
	}
	counts, err := into.Run(ctx, file)
	on.end()
	if err != nil && len(counts) == 0 {
		return fmt.Errorf("%w; nothing was brought in", err)
	}
	stayed, all, confirmed := 0, 0, 0
	fmt.Fprintf(out, "%-32s %10s %10s %10s\n", "", "came in", "left alone", "stayed out")
	for _, n := range counts {
		fmt.Fprintf(out, "%-32s %10d %10d %10d\n", n.Table, n.Added, n.Here, n.Out)
		stayed, all = stayed+n.Out, all+n.Added+n.Here+n.Out
		confirmed += n.Confirmed
	}
	if confirmed > 0 {
		fmt.Fprintf(out, "%d of the people who came in had confirmed their address there. It counts as confirmed here, with all that it may do.\n", confirmed)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w (what came in stays; a second run goes on from there)", err)
	case all == 0:
		return fmt.Errorf("%s has none of these tables: it must be a dump in plain SQL (pg_dump without -F, or supabase db dump)", file.Name())
	case stayed > 0:
		return fmt.Errorf("%d rows stayed out", stayed)
	}
	return nil
}

// onACopy does something with a copy of an installation, beside its server and without harm to it.
func onACopy(ctx context.Context, a *app.App, fn func(copied *app.App) error) error {
	c, err := config.Load(config.Environment(os.Environ()))
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(c.Data, "restore-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	c.Data, c.DatabaseURL = folder, ""
	if _, err := backup.Make(ctx, a.DB(), disk.Folder{}, filepath.Join(folder, filepath.Base(c.Database()))); err != nil {
		return err
	}
	copied, err := app.Open(ctx, c, app.Options{Log: slog.New(slog.DiscardHandler), Bulk: true})
	if err != nil {
		return err
	}
	err = fn(copied)
	if closing := copied.Close(); err == nil {
		err = closing
	}
	return err
}

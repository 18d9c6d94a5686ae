package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"greenroom/internal/app"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/migrations"
)

// withApp opens the installation beside a server that may be running.
func withApp(ctx context.Context, fn func(a *app.App) error) error {
	c, err := config.Load(config.Environment(os.Environ()))
	if err != nil {
		return err
	}
	if err := exists(c); err != nil {
		return err
	}
	a, err := app.Open(ctx, c, app.Options{Log: slog.New(slog.DiscardHandler), Bulk: true})
	if err != nil {
		return err
	}
	err = fn(a)
	if closing := a.Close(); err == nil {
		err = closing
	}
	return err
}

// exists refuses to work on an installation that a wrong GREENROOM_DATA would make anew.
func exists(c config.Config) error {
	if c.DatabaseURL != "" {
		return nil
	}
	if _, err := os.Stat(c.Database()); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no Greenroom in %s: set GREENROOM_DATA as the server has it, or begin with greenroom migrate", filepath.Dir(c.Database()))
	}
	return nil
}

func admin(ctx context.Context, args []string, out io.Writer) error {
	unproven := slices.Contains(args, "--unproven")
	if unproven {
		args = slices.DeleteFunc(slices.Clone(args), func(one string) bool { return one == "--unproven" })
	}
	switch {
	case unproven && (len(args) == 0 || args[0] != "grant"):
		return errUsage
	case len(args) == 2 && args[0] == "grant":
		return withApp(ctx, func(a *app.App) error {
			grant := a.Accounts().Grant
			if unproven {
				grant = a.Accounts().GrantUnproven
			}
			if err := grant(ctx, args[1]); err != nil {
				return err
			}
			fmt.Fprintf(out, "%s is an admin now.\n", args[1])
			return nil
		})
	case len(args) == 2 && args[0] == "revoke":
		return withApp(ctx, func(a *app.App) error {
			if err := a.Accounts().Revoke(ctx, args[1]); err != nil {
				return err
			}
			fmt.Fprintf(out, "%s is no longer an admin.\n", args[1])
			return nil
		})
	case len(args) == 1 && args[0] == "list":
		return withApp(ctx, func(a *app.App) error {
			admins, err := a.Accounts().Admins(ctx)
			for _, one := range admins {
				fmt.Fprintf(out, "%s\tsince %s\n", one.Email, one.Since.Format(time.DateOnly))
			}
			if err == nil && len(admins) == 0 {
				fmt.Fprintln(out, "There are no admins yet. Add one with greenroom admin grant EMAIL.")
			}
			return err
		})
	}
	return errUsage
}

func keys(ctx context.Context, args []string, out io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "show":
		return withApp(ctx, func(a *app.App) error {
			fmt.Fprintf(out, "publishable key (in every page): %s\n", a.Keys().Publishable)
			fmt.Fprintf(out, "service key (keep it secret):    %s\n", a.Keys().Service)
			for _, one := range a.Tokens().Public().Keys {
				fmt.Fprintf(out, "signing key:                     %s\n", one.KeyID)
			}
			return nil
		})
	case len(args) == 1 && args[0] == "rotate":
		return withApp(ctx, func(a *app.App) error {
			if err := a.Tokens().Rotate(ctx); err != nil {
				return err
			}
			fmt.Fprintln(out, "A new key signs in a few seconds, once every instance knows it. Tokens of the older one stay good until they expire.")
			return nil
		})
	}
	return errUsage
}

func migrate(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 0 {
		return errUsage
	}
	c, err := config.Load(config.Environment(os.Environ()))
	if err != nil {
		return err
	}
	d, err := db.Open(ctx, db.Options{URL: c.DatabaseURL, Path: c.Database()})
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }() //nolint:contextcheck // what is left to write is written though the command was interrupted
	applied, err := d.Migrate(ctx, migrations.Files)
	if err != nil {
		return err
	}
	if len(applied) == 0 {
		fmt.Fprintln(out, "The schema is up to date.")
		return nil
	}
	fmt.Fprintln(out, "Applied "+strings.Join(applied, ", ")+".")
	return nil
}

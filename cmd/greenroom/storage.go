package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"greenroom/internal/backup"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/storage"
	"greenroom/internal/storage/shelf"
)

// storageMove brings stored files from where they are to another place. Nothing is taken away where they were.
func storageMove(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 3 || args[0] != "move" || args[1] != "--to" {
		return errUsage
	}
	c, err := config.Load(config.Environment(os.Environ()))
	if err != nil {
		return err
	}
	if err := exists(c); err != nil {
		return err
	}
	from, to, err := fromTo(c, args[2])
	if err != nil {
		return err
	}
	if err := to.Check(ctx); err != nil {
		return err
	}
	d, alone, err := openAlone(ctx, c)
	if err != nil {
		return err
	}
	r, err := backup.Relocate(ctx, d, from, to, percents(out))
	if err == nil && alone {
		if alone = d.Alone(ctx) == nil; alone {
			err = backup.Tidy(ctx, d, to)
		}
	}
	open := 0
	if err == nil {
		open, err = unfinished(ctx, d)
	}
	if err := errors.Join(err, d.Close()); err != nil { //nolint:contextcheck // it is closed though the command was interrupted
		return err
	}
	tellRelocated(out, r, to, open, alone, args[2])
	return nil
}

// fromTo gives the place where files are, and the other one.
func fromTo(c config.Config, to string) (here, there shelf.Shelf, err error) {
	if here, err = shelfOf(c); err != nil {
		return nil, nil, err
	}
	values := config.Environment(os.Environ())
	if values["GREENROOM_STORAGE_URL"] = to; to == "folder" {
		values["GREENROOM_STORAGE_URL"] = ""
	}
	other, err := config.Load(values) // an address is judged here as everywhere
	if err != nil {
		return nil, nil, err
	}
	if there, err = storage.Open(other.StorageURL, c.Data); err != nil {
		return nil, nil, err
	}
	if here.String() == there.String() {
		return nil, nil, fmt.Errorf("the files are in %s already: GREENROOM_STORAGE_URL says where they are, --to where they go", here)
	}
	return here, there, nil
}

// openAlone opens the database, beside a server where there is one.
func openAlone(ctx context.Context, c config.Config) (d *db.DB, alone bool, err error) {
	o := db.Options{URL: c.DatabaseURL, Path: c.Database(), Name: "greenroom storage", Exclusive: true}
	if d, err = db.Open(ctx, o); err != nil {
		o.Exclusive = false
		d, err = db.Open(ctx, o)
		return d, false, err
	}
	return d, d.Alone(ctx) == nil, nil
}

// percents says how far it is, whenever that is another percent.
func percents(out io.Writer) func(done, all int64) {
	last := int64(-1)
	return func(done, all int64) {
		if now := done * 100 / max(all, 1); now != last {
			last = now
			fmt.Fprintf(out, "  %3d %% of %d MB\n", now, all>>20)
		}
	}
}

func unfinished(ctx context.Context, d *db.DB) (n int, err error) {
	err = d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select count(*) from storage_uploads where state = 'open' and received > 0").Scan(&n)
	})
	return n, err
}

func tellRelocated(out io.Writer, r backup.Relocated, to shelf.Shelf, open int, alone bool, address string) {
	fmt.Fprintf(out, "%d files (%d MB) are in %s now; %d came with this run, each compared with its hash.\n", r.There, r.Bytes>>20, to, r.Brought)
	if r.Missing > 0 {
		fmt.Fprintf(out, "BUT the bytes of %d files were not where they should be: greenroom doctor looks for them.\n", r.Missing)
	}
	setting := "GREENROOM_STORAGE_URL set to that address"
	if address == "folder" {
		setting = "no GREENROOM_STORAGE_URL"
	}
	if !alone {
		fmt.Fprintf(out, "A server is running and may store more: stop it, run this again for the rest, and start it with %s.\n", setting)
		return
	}
	if open > 0 {
		fmt.Fprintf(out, "%d unfinished uploads begin anew there.\n", open)
	}
	fmt.Fprintf(out, "No server is running: start it with %s. What was in the old place is still there, and yours to remove.\n", setting)
}

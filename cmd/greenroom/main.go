// Command greenroom is the whole product in one file: the server and the tools to run it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"greenroom/internal/video"
)

// version is set by the build.
var version = "dev"

// command is one thing that the binary does.
type command struct {
	name    string
	takes   string
	does    string
	example string
	run     func(ctx context.Context, args []string, out io.Writer) error
}

var errUsage = errors.New("usage")

func commands() []command {
	return []command{
		{"serve", "", "serve the site, the APIs and the mail", "GREENROOM_SITE_URL=https://courses.example.com greenroom serve", serve},
		{"demo", "", "put a sample curriculum into one built-in course that has none, to see what lessons, films and the studio are like", "greenroom demo", demonstrate},
		{"work", "[--rebuild]", "prepare uploaded videos and nothing else, beside servers or on a machine of its own; --rebuild begins with those whose files are missing, as after a restore", "GREENROOM_DATABASE_URL=postgres://… greenroom work", work},
		{"admin", "grant [--unproven] EMAIL | revoke EMAIL | list", "say who may run the catalog", "greenroom admin grant ada@example.com", admin},
		{"catalog", "import [--dry-run] FILE | export FILE", "bring courses in and out (.csv, .jsonl); a file with a broken line changes nothing, and --dry-run names every one", "greenroom catalog export courses.csv", catalogue},
		{"user", "import [--dry-run] FILE", "bring accounts in with their passwords (.csv, .jsonl); --dry-run names every line that cannot come in", "greenroom user import users.csv", user},
		{"import", "supabase [--dry-run] FILE", "bring a Supabase project in from its dump in plain SQL (pg_dump, supabase db dump): accounts with their passwords, courses, lists and messages; --dry-run tries it on a copy", "greenroom import supabase dump.sql", importFrom},
		{"backup", "FILE", "write all that the database holds, and the stored files, into a file, beside a running server", "greenroom backup monday.db", backupTo},
		{"restore", "[--overwrite] FILE | s3:[NAME]", "fill the database with what a backup holds, a file or (s3:) the newest in GREENROOM_BACKUP_S3; the server must be stopped", "greenroom restore monday.db", restore},
		{"move", "[--overwrite] DATABASE", "copy everything into another database, SQLite to PostgreSQL or back; the server must be stopped", "greenroom move postgres://greenroom@localhost/greenroom", move},
		{"storage", "move --to ADDRESS | folder", "bring all stored files to S3-compatible storage or into the data folder, beside a running server; run again it goes on", "greenroom storage move --to s3://KEY:SECRET@host/bucket/folder", storageMove},
		{"doctor", "[--dkim NAME]", "look at the settings, the database, mail, certificates, backups and the server, and say what to mend", "greenroom doctor", doctor},
		{"health", "", "succeed if the server on this machine is ready", "greenroom health", health},
		{"keys", "show | rotate", "show the API keys, or sign with a new key", "greenroom keys show", keys},
		{"migrate", "", "bring the database's schema up to date", "greenroom migrate", migrate},
		{"version", "", "say which version this is", "greenroom version", printVersion},
	}
}

func main() {
	video.Helper() // a child of ours becomes ffmpeg, and does not come back
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	context.AfterFunc(ctx, cancel) // a second signal ends the process at once
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, errUsage) {
			fmt.Fprintln(os.Stderr, "greenroom:", err)
		}
		cancel()
		os.Exit(1) //nolint:gocritic // cancel has been called
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 2 && args[0] == "help" {
		args = []string{args[1], "--help"}
	}
	if len(args) == 0 || args[0] == "help" || args[0] == "--help" || args[0] == "-h" {
		usage(out)
		if len(args) == 0 {
			return errUsage
		}
		return nil
	}
	for _, c := range commands() {
		if c.name != args[0] {
			continue
		}
		if slices.Contains(args[1:], "--help") || slices.Contains(args[1:], "-h") {
			c.about(out)
			return nil
		}
		err := c.run(ctx, args[1:], out)
		if errors.Is(err, errUsage) {
			return fmt.Errorf("usage: greenroom %s (for example: %s)", strings.TrimSpace(c.name+" "+c.takes), c.example)
		}
		return err
	}
	return fmt.Errorf("there is no command %q: greenroom help lists them", args[0])
}

func printVersion(_ context.Context, _ []string, out io.Writer) error {
	_, err := fmt.Fprintln(out, "greenroom", version)
	return err
}

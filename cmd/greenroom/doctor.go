package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"greenroom/internal/backup"
	"greenroom/internal/key"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/s3"
	"greenroom/migrations"
)

// finding is what the doctor says of one thing. Advice makes it a warning, an error makes it wrong.
type finding struct {
	about  string
	said   string
	advice string
	wrong  error
}

// Bounds of what counts as well.
const (
	lookTime   = 10 * time.Second
	roomyDisk  = 1 << 30
	mostSkew   = 5 * time.Second
	mostDelay  = 10 * time.Minute // of a letter
	lateBackup = 3                // times the schedule
)

// doctor looks at an installation without changing it, beside a running server or without one.
func doctor(ctx context.Context, args []string, out io.Writer) error {
	selectors := usualSelectors
	switch {
	case len(args) == 2 && args[0] == "--dkim":
		selectors = args[1:]
	case len(args) != 0:
		return errUsage
	}
	c, err := config.Load(config.Environment(os.Environ()))
	if err != nil {
		return err
	}
	if err := exists(c); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 6*lookTime)
	defer cancel()
	findings := []finding{lookAtSite(c), lookAtFolder(c), lookAtTime()}
	findings = append(findings, lookAtDatabase(ctx, c)...)
	findings = append(findings, lookAtReplica(ctx, c))
	findings = append(findings, lookAtMail(ctx, c, selectors)...)
	findings = append(findings, lookAtBackups(c), lookAtBucket(ctx, c), lookAtRetention(c), lookAtVideo(ctx, c), lookAtServer(ctx, c), lookAtCertificate(ctx, c), lookAtProxies(ctx, c), lookAtMetrics(c))
	return tell(out, findings)
}

// tell writes the findings, and fails where something needs mending.
func tell(out io.Writer, findings []finding) error {
	ill := 0
	for _, f := range findings {
		if f.about == "" {
			continue // there was nothing to look at
		}
		mark := "ok  "
		switch {
		case f.wrong != nil:
			mark, f.said = "BAD ", f.wrong.Error()
			ill++
		case f.advice != "":
			mark = "look"
		}
		fmt.Fprintf(out, "%s  %-10s %s\n", mark, f.about, f.said)
		if f.advice != "" {
			fmt.Fprintf(out, "      %-10s %s\n", "", f.advice)
		}
	}
	if ill > 0 {
		return fmt.Errorf("%d of %d things need mending", ill, len(findings))
	}
	return nil
}

func lookAtSite(c config.Config) finding {
	f := finding{about: "site", said: c.SiteURL}
	site, err := url.Parse(c.SiteURL)
	if err == nil && site.Scheme == "http" && site.Hostname() != "localhost" && !strings.HasPrefix(site.Hostname(), "127.") {
		f.advice = "Without https passwords can be read on the way: set GREENROOM_TLS=auto, or put a proxy with certificates before the server and GREENROOM_SITE_URL to its https address."
	}
	return f
}

func lookAtFolder(c config.Config) finding {
	f := finding{about: "disk"}
	free, err := db.FreeBytes(c.Data)
	if err != nil {
		f.wrong = fmt.Errorf("%s cannot be looked at: %w", c.Data, err)
		return f
	}
	f.said = fmt.Sprintf("%d MB free in %s", free>>20, c.Data)
	about, err := os.Stat(c.Data)
	switch {
	case err != nil:
		f.wrong = err
	case free < db.LeastRoom:
		f.wrong = fmt.Errorf("%d MB are free in %s: writes are refused below %d MB; make room", free>>20, c.Data, db.LeastRoom>>20)
	case about.Mode().Perm()&0o077 != 0:
		f.advice = "Others on this machine can look into the data folder: chmod 700 " + c.Data
	case free < roomyDisk:
		f.advice = "That is little: backups and a busy day need more."
	}
	return f
}

func lookAtDatabase(ctx context.Context, c config.Config) []finding {
	d, err := db.Open(ctx, db.Options{URL: c.DatabaseURL, Path: c.Database(), Name: "greenroom doctor"})
	if err != nil {
		return []finding{{about: "database", wrong: err}}
	}
	defer func() { _ = d.Close() }() //nolint:contextcheck // it is closed though the command was interrupted
	all := []finding{{about: "database", said: string(d.Engine) + " answers", wrong: errors.Join(d.Ping(ctx), d.Check(ctx))}}
	all = append(all, lookAtLoss(ctx, d))
	pending, err := d.Pending(ctx, migrations.Files)
	schema := finding{about: "schema", said: "up to date", wrong: err}
	if len(pending) > 0 {
		schema.said, schema.advice = "older than this greenroom", "The next start brings it up to date ("+strings.Join(pending, ", ")+"); make a backup before."
	}
	all = append(all, schema)
	if c.JWTKeys == "" && err == nil {
		all = append(all, finding{about: "secret", said: "opens the keys", wrong: key.Fits(ctx, d, c.SecretFile)})
	}
	if err == nil && len(pending) == 0 {
		all = append(all, lookAtClock(ctx, d), lookAtOutbox(ctx, d), lookAtFiles(ctx, d, c))
	}
	return all
}

// lookAtReplica asks the database that strangers' reads go to; without it the primary has them all.
func lookAtReplica(ctx context.Context, c config.Config) finding {
	if c.ReplicaURL == "" {
		return finding{}
	}
	f := finding{about: "replica", said: "answers, and follows a primary"}
	replica, err := db.OpenReplica(db.Options{URL: c.ReplicaURL, Clock: clock.System{}}, slog.New(slog.DiscardHandler))
	if err != nil {
		f.wrong = err
		return f
	}
	defer func() { _ = replica.Close() }() //nolint:contextcheck // it is closed though the command was interrupted
	follows, err := replica.Follows(ctx)
	switch {
	case err != nil:
		f.wrong = fmt.Errorf("GREENROOM_REPLICA_URL does not answer: %w", err)
	case !follows:
		f.said, f.advice = "answers, and follows no primary", "What it shows may be old for ever: set GREENROOM_REPLICA_URL to a standby of the database, or to nothing."
	}
	return f
}

func lookAtClock(ctx context.Context, d *db.DB) finding {
	f := finding{about: "clock", said: "agrees with the database's"}
	apart, err := d.Apart(ctx)
	f.wrong = err
	if apart.Abs() > mostSkew {
		f.said, f.advice = fmt.Sprintf("is %s away from the database's", apart.Abs().Round(time.Second)), "Let both machines set their clocks by themselves (NTP)."
	}
	return f
}

// lookAtLoss tells what lets the database lose what it has acknowledged: nobody would notice before it is too late.
func lookAtLoss(ctx context.Context, d *db.DB) finding {
	f := finding{about: "durable", said: "what is acknowledged is on the disk"}
	risks, err := d.Risks(ctx)
	f.wrong = err
	if len(risks) > 0 {
		f.wrong = errors.New(strings.Join(risks, " "))
	}
	return f
}

func lookAtOutbox(ctx context.Context, d *db.DB) finding {
	f := finding{about: "outbox"}
	f.wrong = d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		var failed, late int
		err := tx.QueryRow(ctx, `select (select count(*) from (select 1 from outbox where state = 'failed' limit 1000) as f),
			(select count(*) from (select 1 from outbox where state in ('waiting', 'sending') and next_at < $1 limit 1000) as w)`,
			db.At(tx.Now.Add(-mostDelay))).Scan(&failed, &late)
		f.said = fmt.Sprintf("%d emails failed, %d are late", failed, late)
		if failed+late > 0 {
			f.advice = "The Mail tab of the admin pages shows why, and sends them again."
		}
		return err
	})
	return f
}

func lookAtBackups(c config.Config) finding {
	f := finding{about: "backups"}
	if c.BackupFolder == "" {
		f.said, f.advice = "none are made by the server", "Set GREENROOM_BACKUP_DIR to a folder on another disk, and keep "+c.SecretFile+" elsewhere, too."
		return f
	}
	now := clock.System{}.Now()
	newest, err := backup.Schedule{Folder: c.BackupFolder}.Newest(now)
	age := now.Sub(newest)
	switch {
	case err != nil:
		f.wrong = err
	case newest.IsZero():
		f.said, f.advice = "there is none in "+c.BackupFolder+" yet", "A running server makes the first one within a minute."
	case age > lateBackup*c.BackupEvery:
		f.wrong = fmt.Errorf("the newest in %s is of %s: see BACKUP FAILED in the server's log", c.BackupFolder, newest.Format(time.DateTime))
	default:
		f.said = fmt.Sprintf("the newest was made %s ago", age.Round(time.Minute))
	}
	return f
}

// lookAtBucket asks the storage that backups are sent to.
func lookAtBucket(ctx context.Context, c config.Config) finding {
	if c.BackupS3 == "" {
		return finding{}
	}
	f, now := finding{about: "storage"}, clock.System{}.Now()
	bucket, err := s3.Open(c.BackupS3)
	var names []string
	if err == nil {
		names, err = backup.Shipped(ctx, bucket, now)
	}
	var newest time.Time
	if err == nil {
		newest = backup.Newest(names)
	}
	switch {
	case err != nil:
		f.wrong = fmt.Errorf("GREENROOM_BACKUP_S3: %w", err)
	case newest.IsZero():
		f.said, f.advice = "there is no backup in "+bucket.String()+" yet", "A running server sends the first one within a minute."
	case now.Sub(newest) > lateBackup*c.BackupEvery:
		f.wrong = fmt.Errorf("the newest in %s is of %s: see BACKUP FAILED in the server's log", bucket, newest.Format(time.DateTime))
	default:
		f.said = fmt.Sprintf("has %d backups, the newest made %s ago", len(names), now.Sub(newest).Round(time.Minute))
	}
	return f
}

// lookAtRetention compares what is kept with what the privacy policy says.
func lookAtRetention(c config.Config) finding {
	const registrations, messages = 365 * 24 * time.Hour, 730 * 24 * time.Hour
	f := finding{about: "retention", said: "as the privacy policy says"}
	longer := func(kept, promised time.Duration) bool { return kept == 0 || kept > promised }
	if longer(c.RetainRegistrations, registrations) || longer(c.RetainMessages, messages) {
		f.said = "registrations or messages are kept longer than the privacy policy says"
		f.advice = "Set GREENROOM_RETAIN_REGISTRATIONS=365 and GREENROOM_RETAIN_MESSAGES=730, and the server deletes them by then."
	}
	return f
}

func lookAtServer(ctx context.Context, c config.Config) finding {
	f := finding{about: "server", said: "is ready at " + c.Listen}
	if err := ready(ctx, c); err != nil {
		f.said, f.advice = "does not answer at "+c.Listen, err.Error()
	}
	return f
}

// health is for those who watch a container: it says nothing if the server on this machine is ready.
func health(ctx context.Context, args []string, _ io.Writer) error {
	if len(args) != 0 {
		return errUsage
	}
	c, err := config.Load(config.Environment(os.Environ()))
	if err != nil {
		return err
	}
	return ready(ctx, c)
}

// ready asks the server on this machine as a balancer would.
func ready(ctx context.Context, c config.Config) error {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	client, address := http.DefaultClient, "http://"+here(c.Listen)+"/readyz"
	if c.TLS {
		client, address = &http.Client{Transport: ownName(c)}, "https://"+here(c.Listen)+"/readyz"
	}
	return asks(ctx, client, address)
}

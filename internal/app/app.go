// Package app puts the house together: settings, database, domains, surfaces, workers. It holds no rule of its own.
//
//	config -> db -> keys, accounts -> domains -> /rest/v1, /auth/v1, /functions/v1 and the pages -> workers
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"greenroom/internal/account"
	"greenroom/internal/auth"
	"greenroom/internal/backup"
	"greenroom/internal/catalog"
	"greenroom/internal/fn"
	"greenroom/internal/key"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/crowd"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/metrics"
	"greenroom/internal/platform/s3"
	"greenroom/internal/platform/safe"
	"greenroom/internal/platform/web"
	"greenroom/internal/rest"
	"greenroom/internal/site"
	"greenroom/internal/storage"
	"greenroom/internal/storage/shelf"
	"greenroom/internal/waitlist"
	"greenroom/migrations"
)

// App is a running installation, less the listener.
type App struct {
	config    config.Config
	log       *slog.Logger
	db        *db.DB
	box       *key.Box
	tokens    *key.Set
	keys      key.API
	accounts  *account.Directory
	domains   *domains
	origins   web.Origins
	addresses web.Addresses
	issuer    string
	secure    bool
	handler   http.Handler
	pages     *site.Site
	data      *rest.Data
	figures   *metrics.Set
	requests  metrics.Routes
	replica   *db.Replica
	bucket    *s3.Bucket
	shelf     shelf.Shelf
	shipped   atomic.Int64 // when the newest backup in the bucket was made; 0 before it is known
	cores     crowd.Cores
	stopping  atomic.Bool
	deadline  time.Duration
	close     []func() error
}

// Options are what a start needs besides the settings.
type Options struct {
	Log   *slog.Logger
	Clock clock.Clock
	// Build is the web app, embedded in the binary. Without it the installation can be worked on but not served.
	Build fs.FS
	// Exclusive claims a SQLite file for this server; Bulk is for a command that may store much.
	Exclusive, Bulk bool
	// Deadline is how long a request may take, Wait how long it waits for a connection; the product's own when zero.
	Deadline time.Duration
	Wait     time.Duration
	// Asked hears of every trip to the database, for tests that count them.
	Asked func(statement string)
}

// How long a request may take in all, and how long the database may take to say that it is there. The data API has a
// lower bound of its own, and a stream has none (platform/web).
const (
	requestTime = 15 * time.Second
	readyTime   = 1500 * time.Millisecond
)

// Open makes an installation ready to serve: the schema is up to date and the catalogue is in.
func Open(ctx context.Context, c config.Config, o Options) (*App, error) {
	a := &App{
		config: c, log: o.Log, addresses: c.TrustedProxies,
		origins: web.OriginsOf(append([]string{c.SiteURL}, c.RedirectURLs...)...),
		issuer:  c.SiteURL + "/auth/v1", secure: strings.HasPrefix(c.SiteURL, "https://"),
		deadline: cmp.Or(o.Deadline, requestTime),
	}
	if err := a.open(ctx, o); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

func (a *App) open(ctx context.Context, o Options) (err error) {
	c := a.config
	a.close = append(a.close, a.cores.Close)
	if err := closeFolder(c.Data); err != nil {
		a.log.WarnContext(ctx, "the data folder is not private", "error", err)
	}
	a.db, err = db.Open(ctx, db.Options{URL: c.DatabaseURL, Path: c.Database(), Clock: o.Clock, Exclusive: o.Exclusive, Bulk: o.Bulk, Wait: o.Wait, Asked: o.Asked})
	if err != nil {
		return err
	}
	a.close = append(a.close, a.db.Close)
	if c.BackupS3 != "" {
		if a.bucket, err = s3.Open(c.BackupS3); err != nil {
			return fmt.Errorf("GREENROOM_BACKUP_S3: %w", err)
		}
	}
	if a.shelf, err = storage.Open(c.StorageURL, c.Data); err != nil {
		return fmt.Errorf("GREENROOM_STORAGE_URL: %w", err)
	}
	if _, err := a.db.Migrate(ctx, migrations.Files); err != nil {
		return err
	}
	if a.box, err = key.OpenBox(c.SecretFile); err != nil {
		return err
	}
	if a.tokens, err = key.OpenSet(ctx, a.db, a.box, c.JWTKeys); err != nil {
		return err
	}
	if a.keys, err = key.OpenAPI(ctx, a.db, a.box, key.API{Publishable: c.APIKey, Service: c.ServiceKey}); err != nil {
		return err
	}
	a.accounts = account.New(a.db, c.AdminMFA)
	if a.domains, err = a.openDomains(ctx); err != nil {
		return err
	}
	if o.Build == nil { // a command that works beside the server has no pages
		a.measureWork()
		return nil
	}
	if a.handler, err = a.routes(o.Build); err == nil {
		a.measure()
	}
	return err
}

// Close ends what Open began, last first.
func (a *App) Close() error {
	var err error
	for _, end := range slices.Backward(a.close) {
		err = errors.Join(err, end())
	}
	return err
}

// Handler answers every request of the installation.
func (a *App) Handler() http.Handler { return a.handler }

// Figures is what the installation tells those who watch it; there is none without pages.
func (a *App) Figures() *metrics.Set { return a.figures }

// DB is the database, for commands and tests.
func (a *App) DB() *db.DB { return a.db }

// Accounts is the register of people, for commands and tests.
func (a *App) Accounts() *account.Directory { return a.accounts }

// Catalog is the courses on offer, for commands.
func (a *App) Catalog() *catalog.Catalog { return a.domains.catalog }

// Lists are the waitlists, for commands.
func (a *App) Lists() *waitlist.Lists { return a.domains.lists }

// Auth is signing in, for commands.
func (a *App) Auth() *auth.Service { return a.domains.auth }

// Tokens is the key set, for commands and tests.
func (a *App) Tokens() *key.Set { return a.tokens }

// Keys are the API keys, for commands and tests.
func (a *App) Keys() key.API { return a.keys }

// Certificates is where those of the site are kept.
func (a *App) Certificates() key.Certificates { return key.Certificates{DB: a.db, Box: a.box} }

// SiteURL is where people find the site, for commands.
func (a *App) SiteURL() string { return a.config.SiteURL }

// Issuer is what every access token names as its source.
func (a *App) Issuer() string { return a.issuer }

// Tables is what the data API may touch, for the test that tries all of it.
func (a *App) Tables() []rest.Table { return a.domains.tables() }

// Sketch makes what searches in long lists stand on now, for tests; a worker does so every minute.
func (a *App) Sketch(ctx context.Context) error { return a.data.SketchAll(ctx) }

// Functions is what can be called by name, for the test that compares it with the documentation.
func (a *App) Functions() []fn.Function { return a.domains.functions() }

// Prepare works on videos alone until the context ends, whatever the setting; with rebuild it begins with those whose files are
// missing.
func (a *App) Prepare(ctx context.Context, rebuild bool) error {
	a.domains.video.Off = false
	if rebuild {
		n, err := a.domains.video.Rebuild(ctx)
		if err != nil {
			return err
		}
		a.log.InfoContext(ctx, "videos whose files are missing are made again", "videos", n)
	}
	safe.Keep(ctx, a.log, a.domains.video.Run)
	return nil
}

// Work runs the workers until the context ends. One that panics is started again.
func (a *App) Work(ctx context.Context) {
	var workers safe.Group
	for _, work := range a.workers() {
		workers.Go(func() { safe.Keep(ctx, a.log, work) })
	}
	workers.Wait()
}

func (a *App) workers() []func(context.Context) {
	all := []func(context.Context){
		a.checkFile, a.caution,
		func(ctx context.Context) {
			a.tokens.Watch(ctx, func(err error) { a.log.ErrorContext(ctx, "signing keys", "error", err) })
		},
		a.data.Sketch,
	}
	if schedule := a.schedule(); schedule.Folder != "" {
		all = append(all, func(ctx context.Context) { schedule.Work(ctx, a.db, a.log) })
	}
	return append(all, a.domains.workers()...)
}

// schedule is how backups are made by themselves.
func (a *App) schedule() backup.Schedule {
	c := a.config
	return backup.Schedule{
		Folder: c.BackupFolder, Objects: a.shelf, Every: c.BackupEvery, Keep: c.BackupKeep, Bucket: a.bucket,
		Told: func(newest time.Time) { a.shipped.Store(newest.Unix()) },
	}
}

// Warm makes the first page ready before the first visitor; a server that does not is only slower at first.
func (a *App) Warm(ctx context.Context) {
	if err := a.domains.catalog.Versions.Look(ctx); err == nil {
		a.pages.Warm() //nolint:contextcheck // the page belongs to all visitors, not to this call
	}
}

// Stopping makes the installation not ready, so that a balancer looks elsewhere before the listener closes.
func (a *App) Stopping() { a.stopping.Store(true) }

// health tells that the process lives; ready, that it can serve.
func (a *App) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = fmt.Fprintln(w, "ok")
}

func (a *App) ready(w http.ResponseWriter, r *http.Request) {
	switch {
	case a.stopping.Load():
		notReady(w, "stopping")
		return
	case a.db.Damaged() != nil:
		notReady(w, "the database file is damaged; the log says what to do")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTime)
	defer cancel()
	if err := a.db.Ping(ctx); err != nil {
		a.log.ErrorContext(ctx, "not ready", "error", err)
		notReady(w, "the database does not answer")
		return
	}
	a.health(w, r)
}

func notReady(w http.ResponseWriter, why string) {
	w.Header().Set("Retry-After", "1")
	http.Error(w, why, http.StatusServiceUnavailable)
}

// checkFile reads the whole database file once, beside the first visitors: it may be large.
func (a *App) checkFile(ctx context.Context) {
	err := a.db.Check(ctx)
	if _, damaged := errors.AsType[*db.Damage](err); damaged {
		a.log.ErrorContext(ctx, "DATABASE DAMAGED", "error", err)
	} else if err != nil && ctx.Err() == nil {
		a.log.WarnContext(ctx, "the database file was not checked", "error", err)
	}
}

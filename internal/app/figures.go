package app

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/url"
	"time"

	"greenroom/internal/backup"
	"greenroom/internal/platform/metrics"
	"greenroom/internal/storage"
	"greenroom/internal/video"
)

// measure names everything that the installation tells those who watch it, on one page. deploy/alerts.yml and
// deploy/dashboard.json read these names, and docs/runbook.md says what each alarm means.
func (a *App) measure() {
	s := metrics.New()
	a.figures = s
	s.Routes("greenroom_http_request_duration_seconds", "How long requests took, by route, method and class of the answer.", &a.requests)
	s.Runtime(a.db.Clock.Now())
	a.measureDatabase(s)
	a.measureMail(s)
	a.measurePages(s)
	a.measureSearch(s)
	a.measureKeeping(s)
	a.measureStorage(s)
	a.measureVideo(s)
	s.Read("greenroom_refused_total", "Who was turned away because too many waited, by what they waited for.", metrics.Counting, func(_ context.Context, emit metrics.Emit) error {
		now := a.db.Stats()
		emit(float64(now.ReadsRefused), "line", "read")
		emit(float64(now.WritesRefused), "line", "write")
		emit(float64(a.domains.auth.HashRefused()), "line", "password")
		emit(float64(a.domains.catalog.SearchesRefused()), "line", "search")
		emit(float64(a.cores.Refused()), "line", "cores")
		return nil
	})
	s.Read("greenroom_hasher_passwords", "Passwords in the hasher, by whether they run or wait for a turn.", metrics.Standing, func(_ context.Context, emit metrics.Emit) error {
		running, _, waiting := a.domains.auth.HashQueue()
		emit(float64(running), "state", "running")
		emit(float64(waiting), "state", "waiting")
		return nil
	})
	s.Read("greenroom_workshop_spots", "Spots of a workshop, by whether they are taken or left.", metrics.Standing, func(ctx context.Context, emit metrics.Emit) error {
		all, err := a.domains.lists.Spots(ctx)
		for _, w := range all {
			emit(float64(w.All-w.Left), "workshop", w.Workshop, "state", "taken")
			emit(float64(w.Left), "workshop", w.Workshop, "state", "left")
		}
		return err
	})
}

// measureWork names what a worker alone tells: it answers nobody, and has no pages.
func (a *App) measureWork() {
	a.figures = metrics.New()
	a.figures.Runtime(a.db.Clock.Now())
	a.measureDatabase(a.figures)
	a.measureStorage(a.figures)
	a.measureVideo(a.figures)
}

func (a *App) measureDatabase(s *metrics.Set) {
	s.Read("greenroom_replica_reads_total", "Reads for strangers that a replica served, or left to the primary because it was late or away.", metrics.Counting, func(_ context.Context, emit metrics.Emit) error {
		if a.replica != nil {
			served, late, away := a.replica.Stats()
			emit(float64(served), "outcome", "served")
			emit(float64(late), "outcome", "late")
			emit(float64(away), "outcome", "away")
		}
		return nil
	})
	s.Read("greenroom_db_connections", "Connections to the database, by pool and by whether they work.", metrics.Standing, func(_ context.Context, emit metrics.Emit) error {
		for pool, now := range a.db.Stats().Pools {
			emit(float64(now.InUse), "pool", pool, "state", "busy")
			emit(float64(now.Idle), "pool", pool, "state", "idle")
		}
		return nil
	})
	s.Read("greenroom_db_connections_most", "Connections that a pool may have.", metrics.Standing, func(_ context.Context, emit metrics.Emit) error {
		for pool, now := range a.db.Stats().Pools {
			emit(float64(now.MaxOpenConnections), "pool", pool)
		}
		return nil
	})
	s.Read("greenroom_db_connection_wait_seconds_total", "Time that callers waited for a connection.", metrics.Counting, func(_ context.Context, emit metrics.Emit) error {
		for pool, now := range a.db.Stats().Pools {
			emit(now.WaitDuration.Seconds(), "pool", pool)
		}
		return nil
	})
	s.Read("greenroom_db_waiting", "Callers that wait to read, and to write: on SQLite the writer's queue and what it works on.", metrics.Standing, func(_ context.Context, emit metrics.Emit) error {
		now := a.db.Stats()
		emit(float64(now.Reading), "for", "read")
		emit(float64(now.Writing), "for", "write")
		return nil
	})
	s.Value("greenroom_db_commits_total", "Transactions that wrote.", metrics.Counting, func() float64 { return float64(a.db.Stats().Commits) })
	s.Value("greenroom_db_writes_total", "Writes in them: on SQLite one transaction serves many.", metrics.Counting, func() float64 { return float64(a.db.Stats().Writes) })
	s.Value("greenroom_db_commit_seconds_total", "Time that committing took; on SQLite of the whole transaction.", metrics.Counting, func() float64 { return a.db.Stats().Busy.Seconds() })
	s.Value("greenroom_db_damaged", "1 if the database's file is damaged.", metrics.Standing, func() float64 { return flag(a.db.Damaged() != nil) })
	s.Read("greenroom_db_up", "1 if the database answers.", metrics.Standing, func(ctx context.Context, emit metrics.Emit) error {
		ctx, cancel := context.WithTimeout(ctx, readyTime)
		defer cancel()
		emit(flag(a.db.Ping(ctx) == nil))
		return nil
	})
}

func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func (a *App) measureMail(s *metrics.Set) {
	s.Read("greenroom_outbox_delay_seconds", "How long the email that was written first has waited to be sent, by class.", metrics.Standing, func(ctx context.Context, emit metrics.Emit) error {
		waited, err := a.domains.mail.Delay(ctx)
		for class, time := range waited {
			emit(time.Seconds(), "class", class)
		}
		return err
	})
	s.Value("greenroom_outbox_failed_total", "Emails that were given up for good.", metrics.Counting, func() float64 { return float64(a.domains.mail.Failures()) })
}

func (a *App) measurePages(s *metrics.Set) {
	s.Histogram("greenroom_render_duration_seconds", "How long calls into the page engine took.", a.pages.Took())
	s.Value("greenroom_render_engines", "Page engines that hold memory.", metrics.Standing, func() float64 { return float64(a.pages.Stats().Engines) })
	s.Read("greenroom_render_waiting", "Calls that wait for the page engine.", metrics.Standing, func(_ context.Context, emit metrics.Emit) error {
		now := a.pages.Stats()
		emit(float64(now.Plans), "call", "plan")
		emit(float64(now.Renders), "call", "render")
		return nil
	})
	s.Read("greenroom_cache_hits_total", "What was answered from memory: pages, and answers to public reads.", metrics.Counting, func(_ context.Context, emit metrics.Emit) error {
		emit(float64(a.pages.Stats().Hits), "cache", "pages")
		emit(float64(a.data.KeptAnswers().Hits), "cache", "answers")
		return nil
	})
	s.Read("greenroom_cache_misses_total", "What could have been, and was not there.", metrics.Counting, func(_ context.Context, emit metrics.Emit) error {
		emit(float64(a.pages.Stats().Misses), "cache", "pages")
		emit(float64(a.data.KeptAnswers().Misses), "cache", "answers")
		return nil
	})
	s.Read("greenroom_cache_bytes", "What is kept.", metrics.Standing, func(_ context.Context, emit metrics.Emit) error {
		emit(float64(a.pages.Stats().Bytes), "cache", "pages")
		emit(float64(a.data.KeptAnswers().Bytes), "cache", "answers")
		return nil
	})
}

func (a *App) measureSearch(s *metrics.Set) {
	s.Value("greenroom_catalog_version", "The catalogue's version that this instance knows of.", metrics.Standing, func() float64 { return float64(a.domains.catalog.Versions.Current()) })
	s.Value("greenroom_search_index_version", "The version that searches are answered from; 0 before there is an index.", metrics.Standing, func() float64 {
		version, _ := a.domains.catalog.Indexed()
		return float64(version)
	})
	s.Read("greenroom_search_index_age_seconds", "Since when it is that index.", metrics.Standing, func(_ context.Context, emit metrics.Emit) error {
		if version, since := a.domains.catalog.Indexed(); version != 0 {
			emit(a.db.Clock.Now().Sub(since).Seconds())
		}
		return nil
	})
}

// measureKeeping tells of what is easily forgotten: backups and certificates.
func (a *App) measureKeeping(s *metrics.Set) {
	s.Read("greenroom_backup_age_seconds", "How old the newest scheduled backup is, of those that arrived where they are sent away; absent where there is none, or none is known of.", metrics.Standing, func(_ context.Context, emit metrics.Emit) error {
		if a.config.BackupFolder == "" {
			return nil
		}
		now := a.db.Clock.Now()
		newest, err := backup.Schedule{Folder: a.config.BackupFolder}.Newest(now)
		if a.bucket != nil {
			shipped := a.shipped.Load()
			if shipped == 0 {
				return err // the storage has told nothing yet, and the alarm hears of silence
			}
			if away := time.Unix(shipped, 0); away.Before(newest) {
				newest = away
			}
		}
		if err == nil && !newest.IsZero() {
			emit(now.Sub(newest).Seconds())
		}
		return err
	})
	s.Value("greenroom_backup_every_seconds", "How often one is to be made; 0 where none are.", metrics.Standing, func() float64 {
		if a.config.BackupFolder == "" {
			return 0
		}
		return a.config.BackupEvery.Seconds()
	})
	s.Read("greenroom_certificate_expires_seconds", "How long the site's certificate is good for; absent where a proxy has it.", metrics.Standing, func(ctx context.Context, emit metrics.Emit) error {
		if !a.config.TLS {
			return nil
		}
		until, err := a.certificateEnds(ctx)
		if err == nil {
			emit(until.Sub(a.db.Clock.Now()).Seconds())
		}
		return err
	})
}

func (a *App) measureStorage(s *metrics.Set) {
	files := a.domains.storage
	s.Read("greenroom_storage_bytes", "Stored files: what they have, what uploads under way may come to, and what is yet to be swept.", metrics.Standing, func(ctx context.Context, emit metrics.Emit) error {
		stored, pending, garbage, err := files.Held(ctx)
		if err == nil {
			emit(float64(stored), "state", "stored")
			emit(float64(pending), "state", "pending")
			emit(float64(garbage), "state", "garbage")
		}
		return err
	})
	s.Value("greenroom_storage_quota_bytes", "What may be stored in all.", metrics.Standing, func() float64 { return float64(a.config.StorageQuota) })
	s.Read("greenroom_storage_moved_bytes_total", "Bytes of files that came in and went out.", metrics.Counting, func(_ context.Context, emit metrics.Emit) error {
		in, out := files.Moved()
		emit(float64(in), "direction", "in")
		emit(float64(out), "direction", "out")
		return nil
	})
	s.Read("greenroom_storage_refused_total", "Files that were refused, by reason: room is the disk's, quota what was agreed on.", metrics.Counting, func(_ context.Context, emit metrics.Emit) error {
		refused := files.Refused()
		for _, why := range storage.Whys() {
			emit(float64(refused[why]), "why", why)
		}
		return nil
	})
}

func (a *App) measureVideo(s *metrics.Set) {
	films := a.domains.video
	s.Read("greenroom_video_jobs", "Jobs that prepare videos, by state: refused is the file's doing, failed ours.", metrics.Standing, func(ctx context.Context, emit metrics.Emit) error {
		states, _, err := films.Jobs(ctx)
		for _, state := range video.JobStates() {
			if err == nil {
				emit(float64(states[state]), "state", state)
			}
		}
		return err
	})
	s.Read("greenroom_video_wait_seconds", "How long the video has waited for a worker that has waited longest.", metrics.Standing, func(ctx context.Context, emit metrics.Emit) error {
		_, waited, err := films.Jobs(ctx)
		if err == nil {
			emit(waited.Seconds())
		}
		return err
	})
	s.Value("greenroom_video_made_seconds_total", "Length of the videos that were made here, each size by itself.", metrics.Counting, func() float64 { return films.Made().Seconds() })
	s.Value("greenroom_video_sent_bytes_total", "Bytes of videos that went out.", metrics.Counting, func() float64 { return float64(films.Sent()) })
	s.Read("greenroom_video_refused_total", "Addresses of videos that were refused: none of ours, too old, or their session or right has ended.", metrics.Counting, func(_ context.Context, emit metrics.Emit) error {
		for i, n := range films.Refusals() {
			emit(float64(n), "why", video.Whys()[i])
		}
		return nil
	})
}

// certificateEnds reads it where the authority's answer is kept: the private key, and the chain after it.
func (a *App) certificateEnds(ctx context.Context) (time.Time, error) {
	site, err := url.Parse(a.config.SiteURL)
	if err != nil {
		return time.Time{}, err
	}
	text, err := a.Certificates().Get(ctx, site.Hostname())
	if err != nil {
		return time.Time{}, err
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		leaf, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return time.Time{}, err
		}
		return leaf.NotAfter, nil
	}
	return time.Time{}, errors.New("no certificate")
}

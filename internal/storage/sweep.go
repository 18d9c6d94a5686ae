package storage

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"greenroom/internal/platform/db"
)

// How long bytes stay that no object names: those of an upload that does not end, and those of an object that is no more,
// which somebody may be about to read, or a backup.
const (
	patience   = 2 * time.Hour
	grace      = time.Hour
	sweepEvery = 5 * time.Minute
	sweepRows  = 500
	seenEvery  = time.Minute
	// refusalsEvery is how often the trail learns of refusals.
	refusalsEvery = time.Second
)

func filled(query, with string) string { return strings.ReplaceAll(query, "%", with) }

func (s *Service) sweepSoon() {
	select {
	case s.swept <- struct{}{}:
	default: // somebody has asked already
	}
}

// Run sweeps, says which place this instance uses, and writes refusals down, until the context ends.
func (s *Service) Run(ctx context.Context) {
	sweep, seen, refused := time.NewTicker(sweepEvery), time.NewTicker(seenEvery), time.NewTicker(refusalsEvery)
	defer sweep.Stop()
	defer seen.Stop()
	defer refused.Stop()
	defer s.lastRefusals(ctx)
	s.look(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-seen.C:
			s.look(ctx)
			continue
		case <-refused.C:
			if err := s.writeRefusals(ctx); err != nil && ctx.Err() == nil {
				s.Log.ErrorContext(ctx, "refusals are not in the audit trail yet", "error", err)
			}
			continue
		case <-sweep.C:
		case <-s.swept:
		}
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "stored bytes were not swept", "error", err)
		}
	}
}

// lastRefusals writes what is left of the refusals when the process ends.
func (s *Service) lastRefusals(ctx context.Context) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTime)
	defer cancel()
	if err := s.writeRefusals(last); err != nil {
		s.Log.ErrorContext(last, "refusals are missing from the audit trail", "error", err)
	}
}

// Sweep takes away the bytes that no object names any more, and then their rows. It may end anywhere: what is half done is
// done by the next one.
func (s *Service) Sweep(ctx context.Context) error {
	err := s.losePatience(ctx) // where that fails, there is still garbage from before
	return errors.Join(err, s.sweepGarbage(ctx))
}

func (s *Service) sweepGarbage(ctx context.Context) error {
	for {
		var versions []string
		err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
			versions = nil
			return db.Each(ctx, tx, "select version from storage_versions where state = 'garbage' and since_at <= $1 order by since_at limit 500",
				[]any{db.At(tx.Now.Add(-grace))}, func(scan func(...any) error) error {
					var version string
					err := scan(&version)
					versions = append(versions, version)
					return err
				})
		})
		if err != nil || len(versions) == 0 {
			return err
		}
		for _, version := range versions {
			if err := s.Bytes.Remove(ctx, version); err != nil {
				return err
			}
		}
		if err := s.at("swept"); err != nil {
			return err
		}
		if err := s.forget(ctx, versions); err != nil {
			return err
		}
		if len(versions) < sweepRows {
			return nil
		}
	}
}

// losePatience makes garbage of uploads that have taken too long. One that ends in this moment is refused.
func (s *Service) losePatience(ctx context.Context) error {
	return s.DB.Clear(ctx, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `update storage_versions set state = 'garbage' where state = 'pending' and since_at <= $1
			and version not in (select version from storage_uploads where state = 'open')`, db.At(tx.Now.Add(-patience)))
		if err == nil {
			err = expire(ctx, tx)
		}
		if err == nil {
			_, err = tx.Exec(ctx, "delete from storage_links where ends_at <= $1", db.At(tx.Now))
		}
		return err
	})
}

func (s *Service) forget(ctx context.Context, versions []string) error {
	return s.DB.Clear(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := turn(ctx, tx); err != nil {
			return err
		}
		for _, version := range versions {
			var by sql.NullString
			var bytes int64
			err := tx.QueryRow(ctx, "delete from storage_versions where version = $1 and state = 'garbage' returning owner, size", version).Scan(&by, &bytes)
			if errors.Is(err, sql.ErrNoRows) {
				continue // another instance has it
			}
			if err == nil {
				err = count(ctx, tx, by, -bytes)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// look says that this instance uses its place, and warns where another instance uses another one.
func (s *Service) look(ctx context.Context) {
	place, err := s.Bytes.Place(ctx)
	var others int
	if err == nil {
		err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, `insert into storage_places (id, seen_at) values ($1, $2)
				on conflict (id) do update set seen_at = excluded.seen_at`, place, db.At(tx.Now))
			if err == nil {
				_, err = tx.Exec(ctx, "delete from storage_places where seen_at < $1", db.At(tx.Now.Add(-24*time.Hour)))
			}
			if err == nil {
				others, err = Places(ctx, tx, place)
			}
			return err
		})
	}
	switch {
	case err != nil && ctx.Err() == nil:
		s.Log.WarnContext(ctx, "the place of stored files could not be looked at", "error", err)
	case others > 0:
		s.Log.WarnContext(ctx, "STORED FILES ARE NOT SHARED", "folders", others+1, "advice", NotShared)
	}
}

// NotShared is what an operator should know of instances with a folder each.
const NotShared = "Several instances keep stored files in places of their own, and none finds the files of another: set GREENROOM_STORAGE_URL to S3-compatible storage for all of them, let GREENROOM_DATA name a folder that all of them share, or run one instance."

// Places counts the places, beside one, that instances have used in the last minutes.
func Places(ctx context.Context, tx *db.Tx, beside string) (others int, err error) {
	err = tx.QueryRow(ctx, "select count(*) from storage_places where id <> $1 and seen_at > $2", beside, db.At(tx.Now.Add(-3*seenEvery))).Scan(&others)
	return others, err
}

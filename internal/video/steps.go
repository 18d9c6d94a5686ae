package video

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// work under way.
type under struct {
	*Service
	job     job
	film    film
	source  string // the path of the upload
	hash    string // of its bytes
	scratch string
	has     []string // the roles that are there already
	told    func(percent float64)
}

// Where the parts of the work begin, in percent.
const (
	afterProbe = 2
	afterSound = 5
	afterFirst = 55
	afterAll   = 98
)

// steps does the whole job. Each step looks whether its outcome is there, so that whoever takes the job up goes on.
func (s *Service) steps(ctx context.Context, j job, told func(percent float64)) (err error) {
	u := under{Service: s, job: j, told: told}
	size, err := u.load(ctx)
	if err != nil {
		return err
	}
	if err := s.emptyScratch(ctx); err != nil { // whoever had the job before may have left much
		return err
	}
	if u.scratch, err = s.openScratch(j, size); err != nil {
		return err
	}
	defer os.RemoveAll(u.scratch)
	if err := u.fetch(ctx, size); err != nil {
		return fmt.Errorf("open the upload: %w", err)
	}
	if err := s.at("probe"); err != nil {
		return err
	}
	if err := u.look(ctx); err != nil {
		return err
	}
	if err := s.at("first"); err != nil {
		return err
	}
	if err := u.first(ctx); err != nil {
		return err
	}
	if err := s.at("last"); err != nil {
		return err
	}
	return u.last(ctx)
}

// fetch finds the upload on this machine's disk, or brings it there: the tools read local files alone.
func (u *under) fetch(ctx context.Context, size int64) (err error) {
	if path := u.bytes().Path(u.film.Version); path != "" {
		if u.source, err = filepath.Abs(path); err == nil {
			_, err = os.Stat(u.source)
		}
		return err
	}
	u.source = filepath.Join(u.scratch, sourceName)
	from, err := u.bytes().Open(ctx, u.film.Version, 0, size)
	if err != nil {
		return err
	}
	defer from.Close()
	file, err := os.OpenFile(u.source, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(file, sum), from)
	if err = errors.Join(err, file.Close()); err == nil && hex.EncodeToString(sum.Sum(nil)) != u.hash {
		err = errors.New("what came is not what was stored")
	}
	return err
}

// load reads what there is of the video.
func (u *under) load(ctx context.Context) (size int64, err error) {
	err = u.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		if u.film, err = find(ctx, tx, u.job.Video); err != nil {
			return err
		}
		there := false
		err = db.Each(ctx, tx, "select size, hash from storage_objects where id = $1 and version = $2", []any{u.film.Object, u.film.Version},
			func(scan func(...any) error) error { there = true; return scan(&size, &u.hash) })
		if err == nil && !there {
			err = fault.New(fault.NotFound, "The upload was removed or replaced.")
		}
		if err != nil {
			return err
		}
		all, err := filesOf(ctx, tx, u.job.Video)
		for _, m := range all {
			u.has = append(u.has, m.Role)
		}
		return err
	})
	return size, err
}

// look probes the upload and listens to it, unless that was done.
func (u *under) look(ctx context.Context) error {
	if u.film.Facts != nil {
		return nil
	}
	facts, err := u.Tools.probe(ctx, u.source)
	if err != nil {
		return err
	}
	u.told(afterProbe)
	if facts.Loud, err = u.Tools.measure(ctx, u.source, facts); err != nil {
		return err
	}
	u.told(afterSound)
	u.film.Facts = &facts
	aside := false
	err = u.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := keepFacts(ctx, tx, u.job, facts); err != nil {
			return err
		}
		if u.Probed != nil {
			if err := u.Probed(ctx, tx, u.job.Video, facts.Seconds); err != nil {
				return err
			}
		}
		if !facts.long() {
			return nil
		}
		aside, err = u.job.standAside(ctx, tx)
		return err
	})
	if err == nil && aside {
		err = errPatient
	}
	return err
}

// first makes the sizes with which it can be played, and its pictures.
func (u *under) first(ctx context.Context) error {
	if slices.Contains(u.has, posterRole) {
		return nil
	}
	f, into := *u.film.Facts, u.scratch
	until := float64(afterAll)
	if len(f.last()) > 0 {
		until = afterFirst
	}
	sizes, err := u.Tools.transcode(ctx, u.source, into, f, f.first(), u.between(afterSound, until))
	if err != nil {
		return err
	}
	poster, err := u.Tools.poster(ctx, sizes[len(sizes)-1].media, into, f)
	if err != nil {
		return err
	}
	tiles, err := u.Tools.sprite(ctx, sizes[0].media, into, f)
	if err != nil {
		return err
	}
	return u.publish(ctx, Playable, append(u.sized(sizes), u.pictures(poster, tiles)...))
}

// last makes the largest size, of the picture that is there where it fits.
func (u *under) last(ctx context.Context) error {
	f := *u.film.Facts
	rungs := f.last()
	if len(rungs) == 0 || slices.Contains(u.has, strconv.Itoa(fullLines)+listEnding) {
		return u.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return u.finish(ctx, tx) })
	}
	told := u.between(afterFirst, afterAll)
	if f.copies() {
		if sizes, err := u.Tools.asItIs(ctx, u.source, u.scratch, f, rungs[0], told); err == nil {
			return u.publish(ctx, Ready, u.sized(sizes))
		} else if ctx.Err() != nil {
			return err
		}
		// What cannot be taken as it is may still be read.
	}
	sizes, err := u.Tools.transcode(ctx, u.source, u.scratch, f, rungs, told)
	if err != nil {
		return err
	}
	return u.publish(ctx, Ready, u.sized(sizes))
}

// between maps a part of the work to its percents.
func (u *under) between(from, to float64) func(float64) {
	return func(part float64) { u.told(from + part*(to-from)) }
}

// spareRoom must be left on the disk beside twice the upload.
const spareRoom = 2 << 30

// openScratch makes a folder for one claim of a job, if the disk has room.
func (s *Service) openScratch(j job, size int64) (string, error) {
	if err := os.MkdirAll(s.Scratch, 0o700); err != nil {
		return "", err
	}
	needed := 2*size + spareRoom
	if s.bytes().Path("") == "" {
		needed += size // the upload is brought here first
	}
	if free, err := s.Free(s.Scratch); err == nil && free < needed {
		return "", fault.Newf(fault.Unavailable, "The server's disk has too little room to prepare this video: %d MB are free, %d are needed.", free>>20, needed>>20)
	}
	path, err := filepath.Abs(filepath.Join(s.Scratch, j.Claim))
	if err != nil {
		return "", err
	}
	return path, os.Mkdir(path, 0o700)
}

// emptyScratch removes what killed workers left: folders of claims that nobody holds.
func (s *Service) emptyScratch(ctx context.Context) error {
	left, err := os.ReadDir(s.Scratch)
	if os.IsNotExist(err) || len(left) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	held := map[string]bool{}
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select claim from video_jobs where state = 'running'", nil, func(scan func(...any) error) error {
			var name string
			err := scan(&name)
			held[name] = true
			return err
		})
	})
	if err != nil {
		return err
	}
	for _, entry := range left {
		if name, is := id.Parse(entry.Name()); is && !held[name] {
			if err := os.RemoveAll(filepath.Join(s.Scratch, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

package video

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// State says how far a video is.
type State string

// The states of a video. It is playable with its first sizes and ready with the last.
const (
	Waiting  State = "waiting"
	Playable State = "playable"
	Ready    State = "ready"
	Refused  State = "refused"
)

// film is a row.
type film struct {
	ID, Object, Version string
	State               State
	Facts               *Facts
	Problem             string
	Poster              string // a stored picture that somebody chose, by its id
	Created             db.Time
}

// made is a file that was made of a video, as its row tells.
type made struct {
	Version, Role, Type string
	Size                int64
	Hash                string
	About               string
}

// name is what a file is asked for by. It changes with the content, so that a browser may keep it for ever.
func (m made) name() string { return m.Version[:8] + "-" + m.Role }

var errNoVideo = fault.New(fault.NotFound, "That video does not exist.")

// Add makes a video of a stored object as it is now, and a job for it. The same bytes again are the same video.
func (s *Service) Add(ctx context.Context, tx *db.Tx, object string) (video string, err error) {
	var version, sniffed string
	err = tx.QueryRow(ctx, "select version, sniffed from storage_objects where id = $1", object).Scan(&version, &sniffed)
	if errors.Is(err, sql.ErrNoRows) {
		return "", fault.New(fault.NotFound, "That file does not exist.")
	}
	if err != nil {
		return "", err
	}
	video = id.New()
	n, err := tx.Exec(ctx, "insert into videos (id, object_id, version, state, created_at) values ($1, $2, $3, 'waiting', $4) on conflict (version) do nothing",
		video, object, version, db.At(tx.Now))
	if err == nil && n == 0 {
		err = tx.QueryRow(ctx, "select id from videos where version = $1", version).Scan(&video)
		return video, err
	}
	if err != nil {
		return "", err
	}
	tx.AfterCommit(s.Kick)
	return video, queue(ctx, tx, video)
}

// find gives a video.
func find(ctx context.Context, tx *db.Tx, video string) (f film, err error) {
	var facts, poster sql.NullString
	err = tx.QueryRow(ctx, "select id, object_id, version, state, facts, problem, poster_id, created_at from videos where id = $1", video).
		Scan(&f.ID, &f.Object, &f.Version, &f.State, &facts, &f.Problem, &poster, &f.Created)
	f.Poster = poster.String
	if errors.Is(err, sql.ErrNoRows) {
		return f, errNoVideo
	}
	if err == nil && facts.Valid {
		err = json.Unmarshal([]byte(facts.String), &f.Facts)
	}
	return f, err
}

// filesOf gives what was made of a video.
func filesOf(ctx context.Context, tx *db.Tx, video string) (all []made, err error) {
	err = db.Each(ctx, tx, "select version, role, mimetype, size, hash, about from video_files where video_id = $1 order by role", []any{video},
		func(scan func(...any) error) error {
			var m made
			err := scan(&m.Version, &m.Role, &m.Type, &m.Size, &m.Hash, &m.About)
			all = append(all, m)
			return err
		})
	return all, err
}

// keepFacts writes down what the probe found, while the job is still ours.
func keepFacts(ctx context.Context, tx *db.Tx, j job, f Facts) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if err := j.holds(ctx, tx); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "update videos set facts = $2 where id = $1", j.Video, string(text))
	return err
}

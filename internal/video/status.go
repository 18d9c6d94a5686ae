package video

import (
	"context"
	"database/sql"
	"errors"

	"greenroom/internal/platform/db"
)

// Status is how far a video is, for those who put it there.
type Status struct {
	ID    string   `json:"id"`
	State State    `json:"state"`
	Job   JobState `json:"job"`
	// Progress is of the job, in percent. Error says why its last try failed, Problem why the video was refused, Missing what
	// this machine lacks to prepare any.
	Progress int    `json:"progress"`
	Error    string `json:"error"`
	Problem  string `json:"problem"`
	Missing  string `json:"missing"`
	// Object is the upload, Poster the picture that somebody chose; Seconds is 0 before somebody has looked into it.
	Object  string  `json:"-"`
	Poster  string  `json:"-"`
	Seconds float64 `json:"-"`
}

// Status tells how far a video is.
func (s *Service) Status(ctx context.Context, tx *db.Tx, video string) (now Status, err error) {
	f, err := find(ctx, tx, video)
	if err != nil {
		return now, err
	}
	now = Status{ID: f.ID, State: f.State, Problem: f.Problem, Object: f.Object, Poster: f.Poster}
	if f.Facts != nil {
		now.Seconds = f.Facts.Seconds
	}
	if !s.Off && !s.Tools.There() {
		now.Missing = Missing
	}
	err = db.Each(ctx, tx, "select state, progress, error from video_jobs where video_id = $1", []any{video}, func(scan func(...any) error) error {
		var said sql.NullString
		err := scan(&now.Job, &now.Progress, &said)
		now.Error = said.String
		return err
	})
	return now, err
}

// Told is how long a video says that it is, in seconds, where nobody has looked into it; 0 where it does not say, or somebody has.
func (s *Service) Told(ctx context.Context, video string) (float64, error) {
	shown, err := s.show(ctx, video)
	if err != nil || shown.film.Facts != nil || shown.outline == nil {
		return 0, err
	}
	return shown.outline.Seconds, nil
}

// Said is what is said in a video, in a language, as WebVTT.
type Said struct {
	Language string `json:"language"`
	Label    string `json:"label"`
	Text     string `json:"text"`
}

// Spoken is a language in which it is known what is said in a video.
type Spoken struct {
	Language string `json:"language"`
	Label    string `json:"label"`
}

// Languages are those in which a video has captions. What is said is long, and read by itself.
func Languages(ctx context.Context, tx *db.Tx, video string) (all []Spoken, err error) {
	all = []Spoken{}
	err = db.Each(ctx, tx, "select language, label from video_captions where video_id = $1 order by language", []any{video}, func(scan func(...any) error) error {
		var one Spoken
		err := scan(&one.Language, &one.Label)
		all = append(all, one)
		return err
	})
	return all, err
}

// Captions are a video's in a language.
func Captions(ctx context.Context, tx *db.Tx, video, language string) (said Said, err error) {
	err = tx.QueryRow(ctx, "select language, label, content from video_captions where video_id = $1 and language = $2", video, language).
		Scan(&said.Language, &said.Label, &said.Text)
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoCaptions
	}
	return said, err
}

package video

import (
	"context"
	"database/sql"
	"errors"
	"io"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// chosenRole is the picture that somebody chose for a video. It is a stored object, and no file that was made of the upload: it
// stays when those are made anew.
const (
	chosenRole = "chosen.jpg"
	pictureJPG = "image/jpeg"
)

// Choose makes a stored picture what a video shows before it plays; without one it is a frame of its own again.
func (s *Service) Choose(ctx context.Context, tx *db.Tx, video, object string) error {
	chosen := sql.NullString{String: object, Valid: object != ""}
	if chosen.Valid {
		var kind string
		var size int64
		err := tx.QueryRow(ctx, "select sniffed, size from storage_objects where id = $1", object).Scan(&kind, &size)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "That file does not exist.")
		}
		if err != nil {
			return err
		}
		if kind != pictureJPG || size > posterBytes {
			return fault.Newf(fault.Invalid, "A poster is a JPEG of at most %d MB.", posterBytes>>20)
		}
	}
	_, err := tx.Exec(ctx, "update videos set poster_id = $2 where id = $1", video, chosen)
	tx.AfterCommit(func() { s.shown.forget(video) })
	return err
}

func (w *showing) readChosen(ctx context.Context, tx *db.Tx) error {
	if w.film.Poster == "" {
		return nil
	}
	return db.Each(ctx, tx, "select version, sniffed, size, hash from storage_objects where id = $1 and sniffed = $2", []any{w.film.Poster, pictureJPG},
		func(scan func(...any) error) error {
			m := made{Role: chosenRole}
			err := scan(&m.Version, &m.Type, &m.Size, &m.Hash)
			w.files[m.name()] = m
			return err
		})
}

// poster is the picture that somebody chose, or else the frame.
func (w *showing) poster() (found made, ok bool) {
	for _, m := range w.files {
		if m.Role == chosenRole {
			return m, true
		}
		if m.Role == posterRole {
			found, ok = m, true
		}
	}
	return found, ok
}

// Picture is the poster of a video: what its bytes are known by, and the bytes, for who draws with it.
type Picture struct {
	Tag  string
	Read func(ctx context.Context) ([]byte, error)
}

// Poster gives the picture that a video shows before it plays. Who may see it is for the caller to know. Without a tag there is none.
func (s *Service) Poster(ctx context.Context, video string) (p Picture, err error) {
	shown, err := s.show(ctx, video)
	if err != nil {
		return p, err
	}
	m, ok := shown.poster()
	if !ok || m.Size > posterBytes {
		return p, nil
	}
	return Picture{m.Hash, func(ctx context.Context) ([]byte, error) {
		from, err := s.bytes().Open(ctx, m.Version, 0, m.Size)
		if err != nil {
			return nil, err
		}
		defer from.Close()
		return io.ReadAll(io.LimitReader(from, m.Size))
	}}, nil
}

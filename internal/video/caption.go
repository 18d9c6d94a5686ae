package video

import (
	"context"
	"regexp"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
)

// caption is a row: what is said in a video, in a language.
type caption struct{ Language, Label, Content string }

const (
	captionPrefix = "captions-"
	mostCaptions  = 20
	mostLabel     = 60
)

func captionName(language string) string { return captionPrefix + language + ".vtt" }

// languageForm is what browsers take for a language: en, de-CH, zh-Hant-TW.
var languageForm = regexp.MustCompile(`^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8}){0,3}$`)

// Written is what is said in a video, in a language, as we wrote it ourselves: ReadCaptions makes it.
type Written struct{ said Said }

// ReadCaptions reads what somebody says is said in a video, and writes it anew. That takes a while: it is done outside of any
// transaction, and not often for one account.
func (s *Service) ReadCaptions(ctx context.Context, by who.Actor, language, label string, text []byte) (Written, error) {
	label = strings.TrimSpace(label)
	switch {
	case !languageForm.MatchString(language):
		return Written{}, fault.New(fault.Invalid, "The language must be written like en or de-CH.")
	case label == "" || len(label) > mostLabel || strings.ContainsFunc(label, func(r rune) bool { return r < ' ' }):
		return Written{}, fault.Newf(fault.Invalid, "The name of the language must have 1 to %d characters.", mostLabel)
	}
	if by.SignedIn() {
		if err := s.Limits.Allow(ctx, limit.CaptionPerAccount.By(by.UserID)); err != nil {
			return Written{}, err
		}
	}
	cues, err := readCues(text)
	if err != nil {
		return Written{}, err
	}
	return Written{Said{language, label, string(writeCues(cues))}}, nil
}

// Caption keeps captions of a video in a language, in place of those that were there.
func (s *Service) Caption(ctx context.Context, tx *db.Tx, video string, w Written) error {
	if _, err := find(ctx, tx, video); err != nil {
		return err
	}
	var others int
	err := tx.QueryRow(ctx, "select count(*) from video_captions where video_id = $1 and language <> $2", video, w.said.Language).Scan(&others)
	if err != nil {
		return err
	}
	if others >= mostCaptions {
		return fault.Newf(fault.Invalid, "A video has captions in %d languages at most.", mostCaptions)
	}
	_, err = tx.Exec(ctx, `insert into video_captions (id, video_id, language, label, content, created_at) values ($1, $2, $3, $4, $5, $6)
		on conflict (video_id, language) do update set label = excluded.label, content = excluded.content`,
		id.InOrder(), video, w.said.Language, w.said.Label, w.said.Text, db.At(tx.Now))
	tx.AfterCommit(func() { s.shown.forget(video) })
	return err
}

var errNoCaptions = fault.New(fault.NotFound, "There are no captions in that language.")

// Uncaption takes the captions in a language away.
func (s *Service) Uncaption(ctx context.Context, tx *db.Tx, video, language string) error {
	n, err := tx.Exec(ctx, "delete from video_captions where video_id = $1 and language = $2", video, language)
	if err == nil && n == 0 {
		err = errNoCaptions
	}
	tx.AfterCommit(func() { s.shown.forget(video) })
	return err
}

func captionsOf(ctx context.Context, tx *db.Tx, video string) (all []caption, err error) {
	err = db.Each(ctx, tx, "select language, label, content from video_captions where video_id = $1 order by language", []any{video},
		func(scan func(...any) error) error {
			var c caption
			err := scan(&c.Language, &c.Label, &c.Content)
			all = append(all, c)
			return err
		})
	return all, err
}

package video

import (
	"context"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// Functions says what can be called by name. Admins prepare videos; whoever may see one gets its addresses.
func (s *Service) Functions() []fn.Function {
	return []fn.Function{
		{Name: "videos", For: fn.Admins, Call: s.listed},
		{Name: "add-video", For: fn.Admins, Call: s.added},
		{Name: "retry-video", For: fn.Admins, Call: s.changing("video.retry", s.Retry)},
		{Name: "cancel-video", For: fn.Admins, Call: s.changing("video.cancel", s.Cancel)},
		{Name: "play-video", For: fn.Anyone, Call: s.played}, // what they may see is asked there
		{Name: "caption-video", For: fn.Admins, Call: s.captioned},
	}
}

// listed is the line of videos, and whether this machine can prepare any.
func (s *Service) listed(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Job    JobState `json:"job"`
		Cursor string   `json:"cursor"`
		Limit  int      `json:"limit"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	switch ask.Job {
	case "", Queued, Running, Done, Failed, Cancelled:
	default:
		return fn.Answer{}, fault.New(fault.Invalid, "A job is queued, running, done, failed or cancelled.")
	}
	entries, next, err := s.List(ctx, Filter(ask))
	if err != nil {
		return fn.Answer{}, err
	}
	missing := ""
	if !s.Off && !s.Tools.There() {
		missing = Missing
	}
	if entries == nil {
		entries = []Entry{}
	}
	return fn.JSON(map[string]any{"videos": entries, "next": next, "missing": missing}), nil
}

// added makes a video of an upload in the bucket lessons, by the name of its object.
func (s *Service) added(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Object string `json:"object"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	object, ok := id.Parse(ask.Object)
	if !ok {
		return fn.Answer{}, fault.New(fault.Invalid, "The field object must be the id of a stored file.")
	}
	var video string
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		if video, err = s.Add(ctx, tx, object); err != nil {
			return err
		}
		return record(ctx, tx, r, "video.add", video)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]string{"video": video}), nil
}

// changing is a function that does one thing with one video.
func (s *Service) changing(act string, do func(ctx context.Context, tx *db.Tx, video string) error) func(context.Context, fn.Request) (fn.Answer, error) {
	return func(ctx context.Context, r fn.Request) (fn.Answer, error) {
		video, err := named(r)
		if err != nil {
			return fn.Answer{}, err
		}
		err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
			if err := do(ctx, tx, video); err != nil {
				return err
			}
			return record(ctx, tx, r, act, video)
		})
		return fn.Empty(), err
	}
}

func (s *Service) played(ctx context.Context, r fn.Request) (fn.Answer, error) {
	video, err := named(r)
	if err != nil {
		return fn.Answer{}, err
	}
	play, err := s.Grant(ctx, r.Actor, video)
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(play), nil
}

// captioned keeps captions in a language, or takes them away where there is no text.
func (s *Service) captioned(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Video    string  `json:"video"`
		Language string  `json:"language"`
		Label    string  `json:"label"`
		Text     *string `json:"text"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	video, ok := id.Parse(ask.Video)
	if !ok {
		return fn.Answer{}, errNoVideo
	}
	var written Written
	if ask.Text != nil {
		var err error
		if written, err = s.ReadCaptions(ctx, r.Actor, ask.Language, ask.Label, []byte(*ask.Text)); err != nil {
			return fn.Answer{}, err
		}
	}
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		if ask.Text == nil {
			err = s.Uncaption(ctx, tx, video, ask.Language)
		} else {
			err = s.Caption(ctx, tx, video, written)
		}
		if err != nil {
			return err
		}
		return record(ctx, tx, r, "video.caption", video)
	})
	return fn.Empty(), err
}

func named(r fn.Request) (string, error) {
	var ask struct {
		Video string `json:"video"`
	}
	if err := r.Decode(&ask); err != nil {
		return "", err
	}
	video, ok := id.Parse(ask.Video)
	if !ok {
		return "", errNoVideo
	}
	return video, nil
}

func record(ctx context.Context, tx *db.Tx, r fn.Request, act, subject string) error {
	return audit.Record(ctx, tx, audit.Entry{
		ActorID: r.Actor.UserID, Action: audit.AdminAct + act, Subject: subject, Address: r.Actor.Address, Result: audit.OK,
	})
}

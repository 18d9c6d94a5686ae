package learn

import (
	"context"
	"database/sql"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/video"
)

// shown is a lesson as somebody gets it. What is not open to them holds nothing.
type shown struct {
	Lesson   lesson      `json:"lesson"`
	Access   access      `json:"access"`
	OpensAt  *time.Time  `json:"opens_at"`
	Body     string      `json:"body"`
	Video    *video.Play `json:"video"`
	Files    []file      `json:"files"`
	Progress *place      `json:"progress"`
	Settings *settings   `json:"settings"`
}

// place is how far somebody is in a lesson.
type place struct {
	Position  int        `json:"position_seconds"`
	Covered   string     `json:"covered"`
	Completed *time.Time `json:"completed_at"`
}

// file comes with a lesson, under a link that works for an hour, or until the lesson closes.
type file struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	Type   string `json:"mimetype"`
	URL    string `json:"url"`
	stored Stored
}

// mostFiles is how many files a lesson shows.
const mostFiles = 50

// open gives a lesson to whoever asks, as far as it is open to them.
func (s *Service) open(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Lesson string `json:"lesson"`
		Draft  bool   `json:"draft"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	name, ok := id.Parse(ask.Lesson)
	if !ok {
		return fn.Answer{}, errNoLesson
	}
	var found standing
	var film string
	out := shown{}
	err := s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		out = shown{Files: []file{}}
		if found, err = findStanding(ctx, tx, r.Actor, name); err != nil {
			return err
		}
		var opens time.Time
		if out.Access, opens = found.access(r.Actor, tx.Now); !opens.IsZero() {
			out.OpensAt = &opens
		}
		out.Lesson = found.lesson
		film, err = out.read(ctx, tx, r.Actor, ask.Draft && (found.teaches || runs(r.Actor)))
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	if out.Access == isOpen {
		err = s.hand(ctx, r.Actor, &out, film, found.enrollment)
	}
	return fn.JSON(out), err
}

// read adds what the lesson holds, if it is open, and where its learner stands.
func (o *shown) read(ctx context.Context, tx *db.Tx, a who.Actor, draft bool) (film string, err error) {
	holds := "'', ''"
	switch {
	case o.Access != isOpen:
	case draft:
		holds = "coalesce(c.draft_body, ''), coalesce(cast(c.video_id as text), '')"
	default:
		holds = "coalesce(c.body, ''), coalesce(cast(c.video_id as text), '')"
	}
	var position, speed sql.NullInt64
	var text, captions sql.NullString
	var completed db.Time
	err = tx.QueryRow(ctx, "select "+holds+`, p.position_seconds, p.covered, p.completed_at, w.speed, w.captions
		from lessons l left join lesson_contents c on c.lesson_id = l.id left join lesson_progress p on p.user_id = $2 and p.lesson_id = l.id
		left join learner_settings w on w.user_id = $2 where l.id = $1`, o.Lesson.ID, person(a)).
		Scan(&o.Body, &film, &position, &text, &completed, &speed, &captions)
	if err != nil {
		return "", err
	}
	if position.Valid {
		o.Progress = &place{int(position.Int64), text.String, moment(completed)}
	}
	if speed.Valid {
		o.Settings = &settings{int(speed.Int64), captions.String}
	}
	if o.Access != isOpen {
		return "", nil
	}
	err = db.Each(ctx, tx, `select f.id, f.name, o.size, o.mimetype, o.id, o.version, o.bucket_id, o.name
		from lesson_files f join storage_objects o on o.id = f.object_id where f.lesson_id = $1 order by f.position, f.id limit $2`,
		[]any{o.Lesson.ID, mostFiles}, func(scan func(...any) error) error {
			var one file
			k := &one.stored
			err := scan(&one.ID, &one.Name, &one.Size, &one.Type, &k.ID, &k.Version, &k.Bucket, &k.Name)
			o.Files = append(o.Files, one)
			return err
		})
	return film, err
}

// hand adds the addresses of an open lesson's video and files, and notes that its learner has begun.
func (s *Service) hand(ctx context.Context, a who.Actor, o *shown, film string, e enrollment) (err error) {
	if film != "" {
		play, err := s.Play(ctx, a, film)
		switch {
		case err == nil:
			o.Video = &play
		case !fault.Is(err, fault.NotFound): // it may have gone, or been closed to them, at this very moment
			return err
		}
	}
	for i := range o.Files {
		if o.Files[i].URL, err = s.Link(ctx, a, o.Lesson.ID, o.Files[i].stored); err != nil {
			return err
		}
	}
	if e.id == "" || !e.started.IsZero() {
		return nil
	}
	err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "update enrollments set started_at = $2 where id = $1 and started_at is null", e.id, db.At(tx.Now))
		return err
	})
	if err != nil { // a disk that is full shuts no lesson; the next time it is opened, or reported on, notes it
		s.Log.WarnContext(ctx, "nobody noted that a learner has begun", "error", err)
	}
	return nil
}

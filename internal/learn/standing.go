package learn

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
)

// lesson is a row of the curriculum, as everybody sees it.
type lesson struct {
	ID       string `json:"id"`
	Course   string `json:"course_id"`
	Section  string `json:"section_id"`
	Title    string `json:"title"`
	Kind     string `json:"kind"`
	Seconds  int    `json:"seconds"`
	Preview  bool   `json:"preview"`
	State    string `json:"state"`
	Position int    `json:"position"`
	opens    schedule
}

const (
	published = "published"
	film      = "video"
	quiz      = "quiz"
)

// enrollment is what opens a course to somebody. Without an id there is none, or it was taken back.
type enrollment struct {
	id                          string
	created, started, completed db.Time
	openedAll                   bool
}

// standing is a lesson, and what it is to one person.
type standing struct {
	lesson
	enrollment enrollment
	teaches    bool
}

const standingColumns = `l.id, l.course_id, l.section_id, l.title, l.kind, l.seconds, l.preview, l.state, l.position, l.release_days, l.release_at,
	exists (select 1 from course_teachers t where t.course_id = l.course_id and t.user_id = $2),
	coalesce(cast(e.id as text), ''), e.created_at, e.started_at, e.completed_at, coalesce(e.opened_all, false)`

const standingTables = " from lessons l left join enrollments e on e.user_id = $2 and e.course_id = l.course_id and e.revoked_at is null"

func (s *standing) into() []any {
	l, e := &s.lesson, &s.enrollment
	return []any{
		&l.ID, &l.Course, &l.Section, &l.Title, &l.Kind, &l.Seconds, &l.Preview, &l.State, &l.Position, &l.opens.days, &l.opens.at,
		&s.teaches, &e.id, &e.created, &e.started, &e.completed, &e.openedAll,
	}
}

var errNoLesson = fault.New(fault.NotFound, "That lesson does not exist.")

// findStanding reads a lesson for somebody. What is not published exists for those who teach it alone.
func findStanding(ctx context.Context, tx *db.Tx, a who.Actor, lesson string) (s standing, err error) {
	err = tx.QueryRow(ctx, "select "+standingColumns+standingTables+" where l.id = $1", lesson, person(a)).Scan(s.into()...)
	if errors.Is(err, sql.ErrNoRows) || err == nil && s.State != published && !s.teaches && !runs(a) {
		return s, errNoLesson
	}
	return s, err
}

// access is what a lesson is to somebody.
type access string

const (
	isOpen    access = "open"
	toEnroll  access = "enroll"
	notOpened access = "locked"
)

// access tells what the lesson is to its person, and when it opens if that is to come.
func (s standing) access(a who.Actor, now time.Time) (access, time.Time) {
	switch {
	case runs(a) || s.teaches:
		return isOpen, time.Time{}
	case s.State != published:
		return toEnroll, time.Time{}
	case s.Preview:
		return isOpen, time.Time{}
	case s.enrollment.id == "":
		return toEnroll, time.Time{}
	}
	if until, shut := s.opens.shut(s.enrollment.created.Time, s.enrollment.openedAll, now); shut {
		return notOpened, until
	}
	return isOpen, time.Time{}
}

// showings are the lessons that a video is of. To everybody a trailer is what a preview is.
const showings = `select l.state, l.preview, l.release_days, l.release_at,
		exists (select 1 from course_teachers t where t.course_id = l.course_id and t.user_id = $2),
		coalesce(cast(e.id as text), ''), e.created_at, coalesce(e.opened_all, false)
	from lesson_contents c join lessons l on l.id = c.lesson_id
		left join enrollments e on e.user_id = $2 and e.course_id = l.course_id and e.revoked_at is null
	where c.video_id = $1
	union all select 'published', true, null, null, false, '', null, false from course_offers where trailer_id = $1`

// Allowed tells whether somebody may see a video: it is a trailer, or that of a lesson which is open to them. It is asked again
// and again while they watch, and is one question to the database.
func (s *Service) Allowed(ctx context.Context, a who.Actor, video string) (allowed bool, err error) {
	if runs(a) {
		return true, nil
	}
	name, ok := id.Parse(video)
	if !ok {
		return false, nil
	}
	err = s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) error {
		allowed = false
		return db.Each(ctx, tx, showings, []any{name, person(a)}, func(scan func(...any) error) error {
			var one standing
			e := &one.enrollment
			err := scan(&one.State, &one.Preview, &one.opens.days, &one.opens.at, &one.teaches, &e.id, &e.created, &e.openedAll)
			how, _ := one.access(a, tx.Now)
			allowed = allowed || how == isOpen
			return err
		})
	})
	return allowed, err
}

// Opens tells whether a lesson is open to somebody and has a stored file. It is asked whenever they use the file's address.
func (s *Service) Opens(ctx context.Context, a who.Actor, lesson, object string) (open bool, err error) {
	err = s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) error {
		open = false
		found, err := findStanding(ctx, tx, a, lesson)
		if err != nil {
			return err
		}
		if how, _ := found.access(a, tx.Now); how != isOpen {
			return nil
		}
		return tx.QueryRow(ctx, "select exists (select 1 from lesson_files where lesson_id = $1 and object_id = $2)", lesson, object).Scan(&open)
	})
	if fault.Is(err, fault.NotFound) {
		err = nil
	}
	return open, err
}

// Film gives the video of a lesson that is open to somebody, by its id; nothing where there is none, or it is not open to them.
func (s *Service) Film(ctx context.Context, a who.Actor, lesson string) (film string, err error) {
	err = s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) error {
		film = ""
		found, err := findStanding(ctx, tx, a, lesson)
		if err != nil {
			return err
		}
		if how, _ := found.access(a, tx.Now); how != isOpen {
			return nil
		}
		return tx.QueryRow(ctx, "select coalesce(cast(video_id as text), '') from lesson_contents where lesson_id = $1", lesson).Scan(&film)
	})
	if fault.Is(err, fault.NotFound) {
		err = nil
	}
	return film, err
}

package learn

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
)

// report is what a player tells of one lesson.
type report struct {
	lesson   string
	position int
	at       *time.Time // by the player's clock; nil is now
	covered  covered
	complete *bool
	passed   bool // what the lesson asks of its learner
	speed    *int
	captions *string
}

const (
	// mostPosition bounds a place in a lesson whose length is not known.
	mostPosition = 24 * 60 * 60
	leastSpeed   = 25
	mostSpeed    = 400
	mostLanguage = 35
)

func readReport(r fn.Request) (out report, err error) {
	var ask struct {
		Lesson   string  `json:"lesson"`
		Position float64 `json:"position_seconds"`
		At       string  `json:"at"`
		Covered  string  `json:"covered"`
		Complete *bool   `json:"complete"`
		Speed    *int    `json:"speed"`
		Captions *string `json:"captions"`
	}
	if err := r.Decode(&ask); err != nil {
		return out, err
	}
	var ok bool
	if out.lesson, ok = id.Parse(ask.Lesson); !ok {
		return out, errNoLesson
	}
	if ask.At != "" {
		at, err := time.Parse(time.RFC3339Nano, ask.At)
		if err != nil {
			return out, fault.New(fault.Invalid, "The field at must be a moment, such as 2026-11-28T13:30:00Z.")
		}
		out.at = &at
	}
	if out.covered, err = readCovered(ask.Covered); err != nil {
		return out, err
	}
	if ask.Speed != nil && (*ask.Speed < leastSpeed || *ask.Speed > mostSpeed) {
		return out, fault.Newf(fault.Invalid, "The field speed must be a percentage from %d to %d.", leastSpeed, mostSpeed)
	}
	if ask.Captions != nil && !language(*ask.Captions) {
		return out, fault.New(fault.Invalid, "The field captions must be the tag of a language, or empty.")
	}
	out.position = int(math.Floor(min(max(ask.Position, 0), mostPosition)))
	out.complete, out.speed, out.captions = ask.Complete, ask.Speed, ask.Captions
	return out, nil
}

// language holds for texts that can be a language's tag.
func language(tag string) bool {
	for _, c := range []byte(tag) {
		if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return len(tag) <= mostLanguage
}

// progress is how far somebody is in a lesson.
type progress struct {
	there     bool
	position  int
	at        db.Time // the moment that the position is of
	covered   covered
	text      string // covered as it is stored
	completed db.Time
	created   db.Time // when the first report of the lesson came
}

// same tells whether nothing is to be written.
func (p progress) same(other progress) bool {
	return p.there && p.position == other.position && p.at.Equal(other.at.Time) && p.covered.String() == other.covered.String() &&
		p.completed.Equal(other.completed.Time)
}

var (
	errNotWatched = fault.Newf(fault.Forbidden, "Watch %d %% of this video to complete it.", completeAt)
	errNotPassed  = fault.New(fault.Forbidden, "A quiz is completed by passing it, and stays so.")
)

// with adds a report. Bits are only ever added; those beyond the end are dropped, once it is known, also those that came before
// that. A lesson is complete when enough is covered, or when its learner says so; who takes that back has it so until they watch something new.
func (p progress) with(r report, of lesson, strict bool, now time.Time) (progress, error) {
	steps := stepsOf(of.Seconds)
	held, seen := p.covered, r.covered
	switch {
	case of.Kind != film:
		seen = nil
	case steps > 0:
		held, seen = held.first(steps), seen.first(steps)
	}
	if strict {
		seen = held.within(seen, p.believable(now, of.Seconds))
	}
	next := p
	var more bool
	next.covered, more = held.or(seen)
	if at := r.moment(now); !p.there || !at.Before(p.at.Time) {
		next.position, next.at = r.position, db.At(at)
	}
	if of.Seconds > 0 {
		next.position = min(next.position, of.Seconds)
	}
	watched := next.covered.watched(steps)
	complete := !p.completed.IsZero() || more && watched || r.passed
	if r.complete != nil {
		if of.Kind == quiz {
			return p, errNotPassed
		}
		if complete = *r.complete; complete && strict && of.Kind == film && !watched {
			return p, errNotWatched
		}
	}
	switch {
	case !complete:
		next.completed = db.Time{}
	case p.completed.IsZero():
		next.completed = db.At(now)
	}
	return next, nil
}

// What can have been watched since the first report of a lesson: at double speed, and a minute more for what came late or was lost; of
// a short video less than that, or it would be complete at once.
const (
	fastest      = 2
	slackSeconds = fastest * 60
)

// believable is how many steps of a video of so many seconds somebody can have watched by now. It counts from the first report, not from
// the last: so it does not matter in which order reports come, how many of them, or whether some were lost. A player tells all that it has
// covered each time; what comes too early is taken later.
func (p progress) believable(now time.Time, long int) int {
	var first time.Time
	if p.there {
		first = p.created.Time
	}
	return min(possible(first, now, min(slackSeconds, long/2))/stepSeconds, mostSteps)
}

// possible is how many seconds of video can have been watched since a moment, which is zero where nothing was.
func possible(since, now time.Time, slack int) int {
	if since.IsZero() {
		return slack
	}
	return int(min(max(0, now.Sub(since).Seconds())*fastest, math.MaxInt32)) + slack
}

// moment is that of a report by the player's clock, unless that is ahead of ours, or absurd.
func (r report) moment(now time.Time) time.Time {
	if r.at == nil || r.at.After(now) {
		return now
	}
	if begin := time.Unix(0, 0); r.at.Before(begin) {
		return begin
	}
	return r.at.UTC().Truncate(time.Microsecond)
}

// settings are how somebody likes to watch.
type settings struct {
	Speed    int    `json:"speed"`
	Captions string `json:"captions"`
}

// saving is all that a report meets.
type saving struct {
	standing
	strict   bool
	progress progress
	settings *settings
	done, of int
	// certificate is the code of the one that they have of the course.
	certificate string
}

// counts are the published lessons of the course of l, and how many of them somebody has completed.
const counts = `(select count(*) from lessons x join lesson_progress y on y.lesson_id = x.id and y.user_id = $2
		where x.course_id = l.course_id and x.state = 'published' and y.completed_at is not null),
	(select count(*) from lessons x where x.course_id = l.course_id and x.state = 'published')`

const savingQuery = "select " + standingColumns + `, coalesce(o.strict, false), p.position_seconds, p.position_at, p.covered, p.completed_at, p.created_at,
	w.speed, w.captions, coalesce((select x.code from certificates x where x.user_id = $2 and x.course_id = l.course_id and x.revoked_at is null), ''),
	` + counts + standingTables + ` left join course_offers o on o.course_id = l.course_id
	left join lesson_progress p on p.user_id = $2 and p.lesson_id = l.id
	left join learner_settings w on w.user_id = $2 where l.id = $1`

// ErrNotEnrolled is what those hear who do not take a lesson's course.
var ErrNotEnrolled = fault.New(fault.Forbidden, "This lesson is for enrolled learners")

func errOpens(at time.Time) error {
	return fault.Newf(fault.Forbidden, "This lesson opens at %s.", at.UTC().Format(time.RFC3339))
}

// findSaving reads what a report meets, and refuses it where the lesson is not open to its learner.
func findSaving(ctx context.Context, tx *db.Tx, a who.Actor, lesson string) (s saving, err error) {
	var position, speed sql.NullInt64
	var text, captions sql.NullString
	into := append(s.into(), &s.strict, &position, &s.progress.at, &text, &s.progress.completed, &s.progress.created, &speed, &captions, &s.certificate, &s.done, &s.of)
	err = tx.QueryRow(ctx, savingQuery, lesson, person(a)).Scan(into...)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return s, errNoLesson
	case err != nil:
		return s, err
	case s.enrollment.id == "" && (s.State == published || s.teaches || runs(a)):
		return s, ErrNotEnrolled
	case s.State != published:
		return s, errNoLesson
	}
	if until, shut := s.opens.shut(s.enrollment.created.Time, s.enrollment.openedAll, tx.Now); shut && !s.Preview && !s.teaches && !runs(a) {
		return s, errOpens(until)
	}
	s.progress.there, s.progress.position, s.progress.text = position.Valid, int(position.Int64), text.String
	if s.progress.covered, err = readCovered(text.String); err != nil {
		return s, err
	}
	if speed.Valid {
		s.settings = &settings{int(speed.Int64), captions.String}
	}
	return s, nil
}

package learn

import (
	"context"
	"math/bits"
	"slices"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

const (
	// mostParts is into how many parts a video is cut, mostWatchers how many of its watchers are counted.
	mostParts    = 20
	mostWatchers = 20_000
)

// audience is how those who watched a video went through it.
type audience struct {
	Watchers int `json:"watchers"`
	// More tells that there are more of them than were counted.
	More  bool   `json:"more"`
	Parts []part `json:"parts"`
}

// part is a stretch of a video: how many came so far, or further, and how many saw some of it.
type part struct {
	From    int `json:"from_seconds"`
	To      int `json:"to_seconds"`
	Reached int `json:"reached"`
	Seen    int `json:"seen"`
}

// watched tells where those who watch a lesson's video stop, and what they leave out. It names nobody.
func (s *Service) watched(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Lesson string `json:"lesson"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	name, ok := id.Parse(ask.Lesson)
	if !ok {
		return fn.Answer{}, errNoLesson
	}
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		found, err := findStanding(ctx, tx, r.Actor, name)
		if err == nil {
			err = teaches(ctx, tx, r.Actor, found.Course)
		}
		if err == nil && found.Kind != film {
			err = fault.New(fault.Invalid, "This lesson has no video.")
		}
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	found, err := s.audiences.of(ctx, name, s.DB.Clock, s.countAudience)
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(found), nil
}

// countAudience reads the progress in one lesson, one lesson or course at a time.
func (s *Service) countAudience(ctx context.Context, lesson string) (found audience, err error) {
	end, err := s.counts.Turn(ctx, s.counting, exportWithin)
	if err != nil {
		return found, err
	}
	defer end()
	err = s.DB.ReadBeside(ctx, func(ctx context.Context, tx *db.Tx) error {
		var seconds int
		if err := tx.QueryRow(ctx, "select seconds from lessons where id = $1", lesson).Scan(&seconds); err != nil {
			return err
		}
		found = audience{Parts: partsOf(seconds)}
		// Who left the course, or was put out of it, is not counted.
		return db.Each(ctx, tx, `select p.covered from lesson_progress p
			join enrollments e on e.user_id = p.user_id and e.course_id = p.course_id and e.revoked_at is null
			where p.lesson_id = $1 and p.covered <> '' limit $2`, []any{lesson, mostWatchers + 1}, func(scan func(...any) error) error {
			var text string
			if err := scan(&text); err != nil {
				return err
			}
			seen, err := readCovered(text)
			if found.More = found.Watchers == mostWatchers; err == nil && !found.More {
				found.add(seen.first(stepsOf(seconds)))
			}
			return err
		})
	})
	return found, err
}

// partsOf cuts a video into parts of whole steps.
func partsOf(seconds int) []part {
	parts, steps := []part{}, stepsOf(seconds)
	many := min(mostParts, steps)
	for i := range many {
		parts = append(parts, part{From: i * steps / many * stepSeconds, To: min((i+1)*steps/many*stepSeconds, seconds)})
	}
	return parts
}

// add counts one more. Who saw what comes later has reached what comes before: so it only descends.
func (a *audience) add(c covered) {
	last := c.last()
	if last < 0 {
		return
	}
	a.Watchers++
	for i := range a.Parts {
		p := &a.Parts[i]
		from, to := p.From/stepSeconds, (p.To+stepSeconds-1)/stepSeconds
		if last >= from {
			p.Reached++
		}
		for step := from; step < to; step++ {
			if c.has(step) {
				p.Seen++
				break
			}
		}
	}
}

func (c covered) has(step int) bool { return step/8 < len(c) && c[step/8]&(1<<(step%8)) != 0 }

// last is the last step that is covered; less than 0 where none is.
func (c covered) last() int {
	for i, b := range slices.Backward(c) {
		if b != 0 {
			return i*8 + bits.Len8(b) - 1
		}
	}
	return -1
}

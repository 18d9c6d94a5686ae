package learn

import (
	"time"

	"greenroom/internal/platform/db"
)

// schedule is when a lesson opens to those who take its course.
type schedule struct {
	days *int64  // after they enrolled, at the hour at which they did
	at   db.Time // or at this moment, which wins
}

const day = 24 * time.Hour

// opens gives the moment for somebody who enrolled then; the zero moment for what was never shut.
func (s schedule) opens(enrolled time.Time) time.Time {
	switch {
	case !s.at.IsZero():
		return s.at.Time
	case s.days != nil && *s.days > 0:
		return enrolled.Add(time.Duration(*s.days) * day)
	}
	return time.Time{}
}

// shut tells until when a lesson is shut to somebody, if it is.
func (s schedule) shut(enrolled time.Time, openedAll bool, now time.Time) (until time.Time, is bool) {
	until = s.opens(enrolled)
	return until, !openedAll && until.After(now)
}

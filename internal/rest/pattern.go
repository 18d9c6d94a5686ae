package rest

import (
	"context"
	"strconv"
	"time"

	"greenroom/internal/platform/fault"
)

// A pattern is tried on every row that the caller may see, letter by letter, and whoever wrote the rows can write patterns
// that almost fit. So a caller who is not trusted gives few at a time, no change goes by one (the writer of SQLite is
// everybody's, and its statements are not interrupted), and one such read at a time goes to the database.
const (
	somePatterns  = 8 // the search of the app gives four
	patternWithin = 2 * time.Second
)

var errPatternBusy = fault.New(fault.Unavailable, "Many people are searching right now. Please try again in a moment.")

// patterns counts the conditions of a request that hold one.
func patterns(where []Condition) (n int) {
	for _, c := range where {
		if c.Op == Like || c.Op == ILike {
			n++
		}
		n += patterns(c.Of)
	}
	return n
}

// checkPatterns refuses a read with too many.
func (q *request) checkPatterns() error {
	if !q.trusted() && patterns(q.query.Where) > somePatterns {
		return tooComplex("A request holds at most " + strconv.Itoa(somePatterns) + " patterns.")
	}
	return nil
}

// patternTurn waits until no other read by patterns is under way, unless there is none in this one.
func (q *request) patternTurn(ctx context.Context) (done func(), err error) {
	if q.trusted() || patterns(q.query.Where) == 0 {
		return func() {}, nil
	}
	late := time.NewTimer(patternWithin)
	defer late.Stop()
	select {
	case q.matching <- struct{}{}:
		return func() { <-q.matching }, nil
	case <-late.C:
		return nil, errPatternBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

package mail

import (
	"context"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

// occasion is what brings a letter about, and so who can bring about too many of them.
type occasion int

const (
	// byRequest are codes and links that somebody asked for. Whoever takes the request counts it, and says when it is too often.
	byRequest occasion = iota
	// byEvent are notices: something happened to an account. One that repeats itself is one letter.
	byEvent
	// byUse are notices that something was used up which there is little of, or was earned once. None is made one with another.
	byUse
	// byForm are receipts and what others bring about: somebody filled in a form, under an address that may be anybody's, or answers
	// somebody. They leave room for notices.
	byForm
	// byUs are letters that nobody outside can bring about, or that go to our own inbox.
	byUs
)

// restrain tells whether a letter is to be written. What is too much is left out without an
// error: what the letter would tell of has happened all the same.
func (o *Outbox) restrain(ctx context.Context, tx *db.Tx, about occasion, to string, proven bool) (written bool, err error) {
	var uses []limit.Use
	switch about {
	case byRequest, byUs:
		return true, nil
	case byForm:
		uses = []limit.Use{limit.ReceiptPerStranger.By(to), limit.ReceiptPerStrangerDay.By(to), limit.LetterPerStranger.By(to)}
	case byEvent, byUse:
		// Receipts leave room for notices: whoever stole an account must not be able to silence them.
		uses = []limit.Use{limit.LetterPerStranger.By(to)}
	}
	if proven {
		return true, nil
	}
	err = o.limits.Take(ctx, tx, uses...)
	if fault.Is(err, fault.TooMany) {
		return false, nil
	}
	return err == nil, err
}

// merge makes one letter of notices that repeat themselves. The first leaves at once; those that follow within a few
// minutes become one, which says what is true in the end. They are not dropped: a change that somebody else makes
// right after one's own must not go unnoticed. The count's row is locked until the commit, so there is one of them
// under any concurrency.
func (o *Outbox) merge(ctx context.Context, tx *db.Tx, l stored, content []byte) (merged bool, wait time.Duration, err error) {
	err = o.limits.Take(ctx, tx, limit.NoticePerReader.By(l.Kind+" "+l.Recipient))
	if !fault.Is(err, fault.TooMany) {
		return false, 0, err
	}
	wait = fault.Of(err).RetryAfter
	waiting, err := waitingNotice(ctx, tx, l.Kind, l.Recipient)
	if err != nil || waiting == "" {
		return false, wait, err
	}
	merged, err = replaceLetter(ctx, tx, waiting, l.Subject, o.box.Seal(place(waiting), content))
	return merged, wait, err
}

package mail

import (
	"context"
	"time"

	"greenroom/internal/platform/db"
)

// rota says which class is served first, turn by turn; a turn is a letter, or some where they become files. Where all of
// them wait, codes and links get six turns of ten, receipts and notices three, lists one. What a class does not need goes
// to the foremost that has letters.
var rota = [...]class{urgent, urgent, personal, urgent, listed, urgent, personal, urgent, urgent, personal}

// tooLate is the reason of a letter that nobody could use any more.
const tooLate = "its link or code had expired before it could leave"

// next writes down what became of the last letters and claims the following, in one transaction: at most many, all of one
// class. It tries for a while: a letter whose outcome is lost is sent once more. When another worker was faster with some,
// there may be more.
func (o *Outbox) next(ctx context.Context, done []outcome, many int) (rows []stored, err error) {
	var again bool
	for wait := 50 * time.Millisecond; ; {
		err = o.db.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
			rows, again = nil, false
			if err := note(ctx, tx, done); err != nil || many == 0 {
				return err
			}
			rows, again, err = o.claimNext(ctx, tx, many)
			return err
		})
		switch {
		case err == nil && (len(rows) > 0 || !again):
			return rows, nil
		case err == nil:
			done = nil
			continue
		case len(done) == 0 || wait > 15*time.Second || !sleep(ctx, wait):
			return nil, err
		}
		wait *= 2
	}
}

func note(ctx context.Context, tx *db.Tx, done []outcome) error {
	var b db.Batch
	for _, said := range done {
		if err := said(ctx, tx, &b); err != nil {
			return err
		}
	}
	b.Moment(tx)
	return tx.Send(ctx, &b)
}

// claimNext claims the letters whose turn it is. Those that came too late are put aside instead; again says that it is
// worth another look.
func (o *Outbox) claimNext(ctx context.Context, tx *db.Tx, many int) (rows []stored, again bool, err error) {
	claimed, err := claim(ctx, tx, rota[o.turn.Load()%uint64(len(rota))], many, o.pace.lease)
	if err != nil {
		return nil, false, err
	}
	if len(claimed) == 0 {
		again, err = due(ctx, tx)
		return nil, again, err
	}
	for _, row := range claimed {
		if !row.Expired {
			rows = append(rows, row)
			continue
		}
		o.log.Warn("letter came too late", "letter", row.ID, "kind", row.Kind, "reason", tooLate)
		if err := o.markFailed(ctx, tx, row, tooLate); err != nil {
			return nil, false, err
		}
	}
	if len(rows) > 0 {
		tx.AfterCommit(func() { o.turn.Add(1) })
	}
	return rows, true, nil
}

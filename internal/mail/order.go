package mail

import (
	"context"

	"greenroom/internal/platform/db"
)

// rota says which class is served first, letter by letter. Where all of them wait, codes and links get six turns of
// ten, receipts and notices three, lists one. What a class does not need goes to the foremost that has letters.
var rota = [...]class{urgent, urgent, personal, urgent, listed, urgent, personal, urgent, urgent, personal}

// tooLate is the reason of a letter that nobody could use any more.
const tooLate = "its link or code had expired before it could leave"

// next claims a letter. When another worker was faster with one, there may be more.
func (o *Outbox) next(ctx context.Context) (row stored, found bool, err error) {
	for again := true; again && !found && err == nil; {
		err = o.db.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
			row, found, again, err = o.claimNext(ctx, tx)
			return err
		})
	}
	return row, found, err
}

// claimNext claims the letter whose turn it is. One that came too late is put aside instead; again says that it is
// worth another look.
func (o *Outbox) claimNext(ctx context.Context, tx *db.Tx) (row stored, found, again bool, err error) {
	for _, from := range []class{rota[o.turn.Load()%uint64(len(rota))], urgent, personal, listed} {
		if row, found, err = claim(ctx, tx, from, o.pace.lease); err != nil || found {
			break
		}
	}
	if err != nil {
		return row, false, false, err
	}
	if !found {
		again, err = due(ctx, tx)
		return row, false, again, err
	}
	if row.Expired {
		o.log.Warn("letter came too late", "letter", row.ID, "kind", row.Kind, "reason", tooLate)
		return row, false, true, markFailed(ctx, tx, row, tooLate)
	}
	tx.AfterCommit(func() { o.turn.Add(1) })
	return row, true, false, nil
}

package mail

import (
	"context"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// bursting is a way out on which letters to one address make the program panic.
type bursting struct {
	sender

	over string
}

func (b bursting) open(ctx context.Context) (session, error) {
	out, err := b.sender.open(ctx)
	return burstingSession{out, b.over}, err
}

type burstingSession struct {
	session

	over string
}

func (b burstingSession) send(ctx context.Context, m message) error {
	if to := m.GetTo(); len(to) == 1 && to[0].Address == b.over {
		panic("cannot write to " + b.over)
	}
	return b.session.send(ctx, m)
}

func TestLetterThatPanicsIsParkedAndTheOthersGo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		log := &journal{}
		o := newOutbox(t, d, newBox(t), log)
		o.sender = bursting{o.sender, "poison@example.com"}
		enqueue(t, o, PasswordChanged{To: "poison@example.com"}, PasswordChanged{To: "ada@example.com"}, PasswordChanged{To: "grace@example.com"})
		work(t, o)
		waitFor(t, o, Sent, 2)
		waitFor(t, o, Failed, 1)
		if said := log.String(); !strings.Contains(said, "burstingSession.send") {
			t.Errorf("the log does not say where: %s", said)
		}
	})
}

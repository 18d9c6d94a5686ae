package app

import (
	"context"
	"time"
)

// Half of what tokens of another instance may be off (key.Leeway): two instances that are each within it get along.
const (
	mostApart  = 15 * time.Second
	apartEvery = 10 * time.Minute
)

// caution tells the log what an operator should change before it hurts: settings of the database that lose acknowledged
// rows, and a clock that is not the database's.
func (a *App) caution(ctx context.Context) {
	a.cautionOfClock(ctx)
	a.cautionOfLoss(ctx)
	for again := time.NewTicker(apartEvery); ; a.cautionOfClock(ctx) {
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return
		}
	}
}

func (a *App) cautionOfLoss(ctx context.Context) {
	risks, err := a.db.Risks(ctx)
	if err != nil && ctx.Err() == nil {
		a.log.WarnContext(ctx, "the database's settings could not be read", "error", err)
	}
	for _, risk := range risks {
		a.log.WarnContext(ctx, "ACKNOWLEDGED ROWS CAN BE LOST", "risk", risk)
	}
}

func (a *App) cautionOfClock(ctx context.Context) {
	apart, err := a.db.Apart(ctx)
	if err == nil && apart.Abs() > mostApart {
		a.log.WarnContext(ctx, "CLOCKS ARE APART", "from", "the database's", "by", apart.Round(time.Second).String(),
			"advice", "instances whose clocks are 30 s apart refuse each other's tokens: let all machines set their clocks by themselves (NTP)")
	}
}

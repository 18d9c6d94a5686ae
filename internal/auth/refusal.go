package auth

import (
	"context"
	"slices"
	"strings"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// noAddress stands in the trail for a text in the field of the address that is none: it may be a password.
const noAddress = "no address"

// turnAway refuses a sign-in that the audit trail then knows of. subject is the address that was given, or the way in.
func (s *Service) turnAway(ctx context.Context, from origin, user, subject, result string, refusal error) error {
	return s.noteRefusal(ctx, from.entry(user, "session.try", subject, result), refusal)
}

// noteRefusal writes a refusal down that leaves no other trace, and gives it back. One by a limit costs us nothing, and
// stays so: it is written with others.
func (s *Service) noteRefusal(ctx context.Context, e audit.Entry, refusal error) error {
	if fault.Is(refusal, fault.TooMany) {
		s.refusals.Add(audit.Refusals{Entry: e, Times: 1})
		return refusal
	}
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return recordTry(ctx, tx, e) })
	if err != nil {
		return err
	}
	return refusal
}

func recordTry(ctx context.Context, tx *db.Tx, e audit.Entry) error {
	return recordTries(ctx, tx, []audit.Refusals{{Entry: e, Times: 1}})
}

// recordTries writes tries under the account of their address, if there is one, so that they are forgotten with it.
func recordTries(ctx context.Context, tx *db.Tx, all []audit.Refusals) error {
	all = slices.Clone(all) // a transaction may begin anew
	for i := range all {
		e := &all[i].Entry
		if e.ActorID != "" || !strings.Contains(e.Subject, "@") {
			continue
		}
		err := tx.QueryRow(ctx, "select id from users where email = $1", e.Subject).Scan(&e.ActorID)
		if err != nil && !missing(err) {
			return err
		}
	}
	return audit.RecordRefusals(ctx, tx, all...)
}

// writeRefusals writes what the limits have refused since the last time.
func (s *Service) writeRefusals(ctx context.Context) error {
	all := s.refusals.Take()
	if len(all) == 0 {
		return nil
	}
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return recordTries(ctx, tx, all) })
	if err != nil {
		s.refusals.Add(all...) // for the next time
	}
	return err
}

const (
	refusalsEvery = time.Second
	lastWrite     = 5 * time.Second
)

// Run writes refusals down until the context ends, and then what is left of them.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(refusalsEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := s.writeRefusals(ctx); err != nil && ctx.Err() == nil {
				s.Log.ErrorContext(ctx, "refusals are not in the audit trail yet", "error", err)
			}
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
			defer cancel()
			if err := s.writeRefusals(last); err != nil {
				s.Log.ErrorContext(last, "refusals are missing from the audit trail", "error", err)
			}
			return
		}
	}
}

// turnAwayFor is turnAway with the reason in the words of the refusal itself. What failed on our side is no try.
func (s *Service) turnAwayFor(ctx context.Context, from origin, user, subject string, refusal error) error {
	if _, ours := asFailure(refusal); !ours && !fault.Is(refusal, fault.TooMany) {
		return refusal
	}
	return s.turnAway(ctx, from, user, subject, why(refusal), refusal)
}

// why is a refusal in a word or two.
func why(refusal error) string {
	if fault.Is(refusal, fault.TooMany) {
		return "limited"
	}
	f, _ := inDialect(refusal)
	return strings.ReplaceAll(f.code, "_", " ")
}

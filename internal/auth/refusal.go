package auth

import (
	"context"
	"strings"

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

// noteRefusal writes a refusal down that leaves no other trace, and gives it back.
func (s *Service) noteRefusal(ctx context.Context, e audit.Entry, refusal error) error {
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return recordTry(ctx, tx, e) })
	if err != nil {
		return err
	}
	return refusal
}

// recordTry writes a try under the account of its address, if there is one, so that it is forgotten with the account.
func recordTry(ctx context.Context, tx *db.Tx, e audit.Entry) error {
	if e.ActorID == "" && strings.Contains(e.Subject, "@") {
		err := tx.QueryRow(ctx, "select id from users where email = $1", e.Subject).Scan(&e.ActorID)
		if err != nil && !missing(err) {
			return err
		}
	}
	return audit.Record(ctx, tx, e)
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

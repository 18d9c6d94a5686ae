package auth

import (
	"context"
	"fmt"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

var errNotAGuest = fault.Coded(fault.Forbidden, "guest_not_found", "There is nothing left to take over: the guest is gone, or was none.")

// adoptGuest gives the caller what they kept as a guest before they signed up or in. The guest's own token shows that they
// were that guest. It is used up with the guest.
func (s *Service) adoptGuest(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var in struct {
		Token string `json:"token"`
	}
	if err := r.Decode(&in); err != nil {
		return fn.Answer{}, err
	}
	if err := s.Limits.Allow(ctx, limit.FunctionPerAddress.By(r.Actor.Address)); err != nil {
		return fn.Answer{}, err
	}
	if r.Actor.Guest {
		return fn.Answer{}, fault.Coded(fault.Forbidden, "no_authorization", "Sign in first.")
	}
	claims, err := s.Keys.Verify(in.Token, s.issuer, s.DB.Clock.Now())
	if err != nil || !claims.IsAnonymous {
		return fn.Answer{}, errNotAGuest
	}
	if err := s.writeRefusals(ctx); err != nil { // or what is left of them comes after
		return fn.Answer{}, err
	}
	var kept int
	err = s.write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		kept, err = s.adopt(ctx, tx, r, claims.Subject, claims.SessionID)
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]int{"kept": kept}), nil
}

func (s *Service) adopt(ctx context.Context, tx *db.Tx, r fn.Request, guest, session string) (kept int, err error) {
	// In one order, whoever is who: two of these at once must not wait for each other.
	for _, one := range []string{min(guest, r.Actor.UserID), max(guest, r.Actor.UserID)} {
		if err := holdUser(ctx, tx, one); err != nil {
			return 0, err
		}
	}
	c, err := readCaller(ctx, tx, r.Actor.UserID, r.Actor.SessionID)
	if err != nil {
		return 0, ended(err)
	}
	was, err := readCaller(ctx, tx, guest, session)
	if _, ours := asFailure(err); ours {
		return 0, errNotAGuest
	}
	if err != nil {
		return 0, err
	}
	if c.user.IsAnonymous || !was.user.IsAnonymous {
		return 0, errNotAGuest
	}
	for _, k := range s.Keepers {
		if k.Move == nil {
			continue
		}
		n, err := k.Move(ctx, tx, was.user.ID, c.user.ID)
		if err != nil {
			return 0, fmt.Errorf("move %s: %w", k.Name, err)
		}
		kept += n
	}
	from := origin{address: audit.Text(r.Actor.Address)}
	if err := audit.Record(ctx, tx, from.entry(c.user.ID, "guest.adopt", was.user.ID, audit.OK)); err != nil {
		return 0, err
	}
	return kept, s.erase(ctx, tx, was.user, c.user.ID)
}

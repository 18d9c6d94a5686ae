package auth

import (
	"context"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

// atOnce tells whether an address needs no letter to become the user's: a guest's first one, as at signing up.
func (s *Service) atOnce(u *User) bool { return u.IsAnonymous && !s.ConfirmEmail }

// changeAddress asks for a change of address; both addresses have to agree to it.
func (s *Service) changeAddress(ctx context.Context, tx *db.Tx, u *User, do change, from origin) error {
	taken, err := found(userBy(ctx, tx, "email", do.email))
	if err != nil {
		return err
	}
	if taken != nil && !s.ConfirmEmail {
		return errEmailExists
	}
	if err := audit.Record(ctx, tx, from.entry(u.ID, "address.change", do.email, audit.OK)); err != nil {
		return err
	}
	if s.atOnce(u) {
		return s.nameGuest(ctx, tx, u, do.email, time.Time{})
	}
	// Nothing shows that it is theirs; it is noted so that it is forgotten with the account.
	if err := leaveAddress(ctx, tx, u.ID, do.email, false); err != nil {
		return err
	}
	u.NewEmail = do.email
	return s.sendEmailChange(ctx, tx, u, do.flow, do.redirect)
}

// sendEmailChange mails the two letters of a change of address. Where signing up does not tell who has an account, this
// does not either: the change to a taken address begins like any other, and can only never end, because nothing is made
// that would confirm it. Its owner learns that somebody asked.
func (s *Service) sendEmailChange(ctx context.Context, tx *db.Tx, u *User, c challenge, redirect string) error {
	if err := dropOtherChanges(ctx, tx, u.ID, u.NewEmail); err != nil {
		return err
	}
	// Anybody can have the letters sent again, which takes back nobody's agreement; another address is another question.
	_, err := tx.Exec(ctx, `update users set new_email = $2, email_change_sent_at = $3,
		email_change_confirmed_at = case when new_email = $2 then email_change_confirmed_at end where id = $1`, u.ID, u.NewEmail, db.At(tx.Now))
	if err != nil {
		return err
	}
	flow, err := startFlow(ctx, tx, u.ID, c, kindEmailNew.method())
	if err != nil {
		return err
	}
	taken, err := found(userBy(ctx, tx, "email", u.NewEmail))
	if err != nil {
		return err
	}
	if u.Email == "" {
		// A guest's first address has nobody else to ask.
		if taken != nil {
			return s.Enqueue(ctx, tx, mail.AlreadyRegistered{To: taken.Email})
		}
		first, err := s.mint(ctx, tx, u.ID, kindEmailNew, u.NewEmail, flow, redirect)
		if err != nil {
			return err
		}
		return s.Enqueue(ctx, tx, mail.Confirm{To: u.NewEmail, Link: first.link, Code: first.code, User: u.ID})
	}
	current, err := s.mint(ctx, tx, u.ID, kindEmailCurrent, u.Email, flow, redirect)
	if err != nil {
		return err
	}
	if err := s.Enqueue(ctx, tx, mail.EmailChangeOld{To: u.Email, NewEmail: u.NewEmail, Link: current.link, Code: current.code}); err != nil {
		return err
	}
	if taken != nil {
		return s.Enqueue(ctx, tx, mail.AlreadyRegistered{To: taken.Email})
	}
	next, err := s.mint(ctx, tx, u.ID, kindEmailNew, u.NewEmail, flow, redirect)
	if err != nil {
		return err
	}
	return s.Enqueue(ctx, tx, mail.EmailChangeNew{To: u.NewEmail, OldEmail: u.Email, Link: next.link, Code: next.code, User: u.ID})
}

// resendEmailChange mails the two letters again. What was counted is the account's own address, and any number of
// accounts may want one mailbox, so that this is counted as well. Where it has had its letter, none leaves, and the
// answer is the same: it must not tell who asked for whom.
func (s *Service) resendEmailChange(ctx context.Context, tx *db.Tx, u *User, c challenge, redirect string) error {
	err := s.Limits.Take(ctx, tx, limit.MailPerRecipient.By(u.NewEmail))
	if fault.Is(err, fault.TooMany) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.sendEmailChange(ctx, tx, u, c, redirect)
}

// dropOtherChanges ends the letters of a change to another address: whoever agreed to one has not agreed to the next.
func dropOtherChanges(ctx context.Context, tx *db.Tx, user, next string) error {
	_, err := tx.Exec(ctx, `delete from one_time_tokens where user_id = $1 and kind in ($2, $3)
		and not exists (select 1 from users where id = $1 and new_email = $4)`, user, string(kindEmailCurrent), string(kindEmailNew), next)
	return err
}

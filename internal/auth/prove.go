package auth

import (
	"context"
	"errors"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// evidence is what came with a proof of an address. It is the prover's, so it stays.
type evidence struct {
	// by says for the trail how it was proven: a kind of letter, or a provider.
	by string
	// password is the hash that lives on; none without it.
	password string
	// session is the one that the proof was given in, with the second steps that guard it.
	session string
	// knew says that the password from before came with it.
	knew bool
	// unsure confirms the address and leaves the first proof to whoever brings it: the password may be a stranger's.
	unsure bool
	// flow ends in the session that the proof opens.
	flow string
}

// provenAddress is the user's address once somebody has shown that it is theirs, else "". Where sign-up confirms at
// once, anybody can sign up with anybody's address.
func (u *User) provenAddress() string {
	if u.provenAt.IsZero() {
		return ""
	}
	return u.Email
}

// prove notes that the user's address is theirs. The first proof gives the account to who brought it: whatever came
// before and was no part of it goes, and the owner is told. The caller holds the user's row and has read it since.
func (s *Service) prove(ctx context.Context, tx *db.Tx, u *User, with evidence, from origin) error {
	if !u.provenAt.IsZero() {
		return nil
	}
	gone, err := s.clear(ctx, tx, u, with, from)
	if err != nil {
		return err
	}
	proven, said := tx.Now, "address.prove"
	if with.unsure {
		proven, said = time.Time{}, "address.confirm"
	}
	_, err = tx.Exec(ctx, `update users set email_proven_at = $4, email_confirmed_at = coalesce(email_confirmed_at, $2), password_hash = $3,
		new_email = null, email_change_sent_at = null, email_change_confirmed_at = null, updated_at = $2 where id = $1`,
		u.ID, db.At(tx.Now), orNull(with.password), db.At(proven))
	if err != nil {
		return err
	}
	u.provenAt = proven
	u.UserMetadata.set("email_verified", true)
	if err := u.storeAddress(ctx, tx); err != nil {
		return err
	}
	if err := storeProviders(ctx, tx, u.ID); err != nil {
		return err
	}
	if err := audit.Record(ctx, tx, from.entry(u.ID, said, with.by, audit.OK)); err != nil {
		return err
	}
	if gone == (mail.AddressProven{}) {
		return nil
	}
	gone.To = u.Email
	return s.Enqueue(ctx, tx, gone)
}

// clear takes away what opened the account before it was proven, and counts it.
func (s *Service) clear(ctx context.Context, tx *db.Tx, u *User, with evidence, from origin) (gone mail.AddressProven, err error) {
	gone.Password = u.passwordHash != "" && u.passwordHash != with.password
	for _, one := range u.Identities {
		if one.Provider == "email" || one.vouchesFor(u.Email) {
			continue
		}
		if _, err := tx.Exec(ctx, "delete from identities where id = $1", one.IdentityID); err != nil {
			return gone, err
		}
		gone.Accounts++
	}
	if err := keepOneWayIn(ctx, tx, u); err != nil {
		return gone, err
	}
	if with.session == "" {
		for _, f := range u.Factors {
			if f.Status == verified {
				gone.Factors++
			}
		}
		if _, err := tx.Exec(ctx, "delete from mfa_factors where user_id = $1", u.ID); err != nil {
			return gone, err
		}
	}
	// Who knows the password set the account up; a new one may follow a stranger's, whose passkeys would still open it.
	if !with.knew {
		if gone.Passkeys, err = clearPasskeys(ctx, tx, u.ID, with.session, from); err != nil {
			return gone, err
		}
	}
	except := orNil(with.session)
	if err := tx.QueryRow(ctx, "select count(*) from sessions where user_id = $1 and id <> $2", u.ID, except).Scan(&gone.Sessions); err != nil {
		return gone, err
	}
	if err := s.endSessions(ctx, tx, u.ID, with.session, ""); err != nil {
		return gone, err
	}
	if err := dropLetters(ctx, tx, u.ID, with.flow); err != nil {
		return gone, err
	}
	if err := forgetSignUp(ctx, tx, u.Email); err != nil {
		return gone, err
	}
	_, err = tx.Exec(ctx, "delete from oauth_states where user_id = $1", u.ID)
	return gone, err
}

// dropLetters ends the links, codes and flows from before a proof. A proof by the link of a PKCE flow leaves the letters
// that only the reader of the same mailbox can open, with their flows: exchange ends them.
func dropLetters(ctx context.Context, tx *db.Tx, user, flow string) error {
	if flow == "" {
		if err := dropTokens(ctx, tx, user, true); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "delete from flow_states where user_id = $1", user)
		return err
	}
	_, err := tx.Exec(ctx, "delete from one_time_tokens where user_id = $1 and kind in ($2, $3, $4)",
		user, string(kindEmailCurrent), string(kindEmailNew), string(kindReauth))
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `delete from flow_states where user_id = $1 and id <> $2
		and not exists (select 1 from one_time_tokens t where t.flow_id = flow_states.id)`, user, flow)
	return err
}

// vouchesFor tells whether the provider has verified this very address: then the identity is its owner's.
func (one Identity) vouchesFor(address string) bool {
	return one.Provider != "email" && address != "" && one.Email == address && string(one.IdentityData["email_verified"]) == "true"
}

// keepOneWayIn gives back the way by mail to an account whose other ways are gone.
func keepOneWayIn(ctx context.Context, tx *db.Tx, u *User) error {
	var left bool
	err := tx.QueryRow(ctx, "select exists (select 1 from identities where user_id = $1)", u.ID).Scan(&left)
	if err != nil || left {
		return err
	}
	return addIdentity(ctx, tx, Identity{
		IdentityID: id.New(), ID: u.ID, UserID: u.ID, IdentityData: metadata{}, Provider: "email",
		LastSignInAt: tx.Now, CreatedAt: tx.Now, UpdatedAt: tx.Now,
	})
}

func orNil(text string) string {
	if text == "" {
		return id.Nil
	}
	return text
}

// stillTheirs refuses to connect an account that changed hands while its former holder was at the provider, and asks
// again whatever was asked at the departure: the session may be over, and its owner gone from the desk.
func (j journey) stillTheirs(ctx context.Context, tx *db.Tx) error {
	if j.user == "" {
		return nil
	}
	now, err := recall(ctx, tx, caller{user: &User{ID: j.user}, session: session{id: j.session}})
	if errors.Is(err, errNoSession) || (err == nil && now.user.provenAt.After(j.departed)) {
		return errState
	}
	if err != nil {
		return err
	}
	return now.mayChangeWaysIn(tx.Now)
}

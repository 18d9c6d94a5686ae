package auth

import (
	"context"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/webauthn"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// Passkey is a way to sign in by one gesture, as the contract shows it. Device is ours: where it was made.
type Passkey struct {
	ID           string     `json:"id"`
	FriendlyName string     `json:"friendly_name,omitempty"`
	CreatedAt    time.Time  `json:"created_at"`
	LastUsedAt   *time.Time `json:"last_used_at,omitempty"`
	Device       string     `json:"device,omitempty"`
	// Synced says that the passkey is on more devices than the one that made it.
	Synced bool `json:"synced"`

	userID string
	key    *webauthn.Credential
}

const (
	mostPasskeys    = 10
	mostPasskeyName = 120
)

var (
	errNoPasskeys     = refuse(404, "passkey_disabled", "Passkeys are disabled")
	errNoPasskey      = refuse(404, "validation_failed", "Passkey not found")
	errPasskeyRefused = refuse(400, "webauthn_verification_failed", "Credential verification failed")
)

// PasskeysWork tells whether browsers have passkeys for this site.
func (s *Service) PasskeysWork() bool { return s.keySite.on() }

// withPasskeys serves a ceremony where browsers have passkeys.
func (s *Service) withPasskeys(verb handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !s.PasskeysWork() {
			return errNoPasskeys
		}
		return verb(w, r)
	}
}

// passkeyHandle is what a passkey knows its owner by. It is not what a security key does: a phone keeps one key for each
// owner of a site, and the passkey would take the place of the second step.
func passkeyHandle(user string) []byte { return []byte("passkey " + user) }

func (p Passkey) holder(u *User) keyHolder { return keyHolder{u, passkeyHandle(u.ID), p.key} }

const passkeyColumns = "select c.id, c.user_id, c.friendly_name, c.device, c.created_at, c.last_used_at, " + keyColumns + " from passkeys c where "

func passkeysBy(ctx context.Context, tx *db.Tx, condition string, args ...any) ([]Passkey, error) {
	all := []Passkey{}
	err := db.Each(ctx, tx, passkeyColumns+condition+" order by c.created_at, c.id", args, func(scan func(...any) error) (err error) {
		var p Passkey
		var row keyRow
		var created, used db.Time
		if err := scan(append([]any{&p.ID, &p.userID, &p.FriendlyName, &p.Device, &created, &used}, row.into()...)...); err != nil {
			return err
		}
		if p.key, err = row.read(); err != nil {
			return err
		}
		p.CreatedAt, p.Synced = created.Time, p.key.Flags.BackupState
		if !used.IsZero() {
			p.LastUsedAt = &used.Time
		}
		all = append(all, p)
		return nil
	})
	return all, err
}

func passkeysOf(ctx context.Context, tx *db.Tx, user string) ([]Passkey, error) {
	return passkeysBy(ctx, tx, "c.user_id = $1", user)
}

// passkeyOf finds one of the user's passkeys by the text of a path.
func passkeyOf(ctx context.Context, tx *db.Tx, user, text string) (Passkey, error) {
	wanted, ok := id.Parse(text)
	if !ok {
		return Passkey{}, errNoPasskey
	}
	all, err := passkeysBy(ctx, tx, "c.user_id = $1 and c.id = $2", user, wanted)
	if err == nil && len(all) == 0 {
		err = errNoPasskey
	}
	if err != nil {
		return Passkey{}, err
	}
	return all[0], nil
}

// listPasskeys shows the caller's passkeys.
func (s *Service) listPasskeys(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	var all []Passkey
	err = s.DB.Read(r.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		all, err = passkeysOf(ctx, tx, c.user.ID)
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, all)
	return nil
}

// renamePasskey calls one of the caller's passkeys otherwise.
func (s *Service) renamePasskey(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	var in struct {
		FriendlyName string `json:"friendly_name"`
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	name := strings.TrimSpace(in.FriendlyName)
	switch {
	case name == "":
		return invalid("friendly_name is required")
	case utf8.RuneCountInString(name) > mostPasskeyName || name != audit.Text(name):
		return invalid("friendly_name must be 120 characters or less, all of them visible")
	}
	if err := s.Limits.Allow(r.Context(), limit.DataPerAccount.By(c.user.ID)); err != nil {
		return err
	}
	from := originOf(r)
	var p Passkey
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		now, err := recall(ctx, tx, c)
		if err != nil {
			return err
		}
		if p, err = passkeyOf(ctx, tx, now.user.ID, r.PathValue("id")); err != nil {
			return err
		}
		p.FriendlyName = name
		if _, err := tx.Exec(ctx, "update passkeys set friendly_name = $2 where id = $1", p.ID, name); err != nil {
			return err
		}
		return audit.Record(ctx, tx, from.entry(now.user.ID, "passkey.change", p.ID, audit.OK))
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, p)
	return nil
}

// deletePasskey takes one of the caller's passkeys away.
func (s *Service) deletePasskey(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	from := originOf(r)
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		now, err := recall(ctx, tx, c)
		if err != nil {
			return err
		}
		p, err := passkeyOf(ctx, tx, now.user.ID, r.PathValue("id"))
		if err != nil {
			return err
		}
		if err := now.mayChangeWaysIn(tx.Now); err != nil {
			return err
		}
		return s.dropPasskey(ctx, tx, now.user, p, now.session.id, from.entry(now.user.ID, "passkey.remove", p.ID, audit.OK))
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// userPasskeys lists a user's passkeys for the operator.
func (s *Service) userPasskeys(w http.ResponseWriter, r *http.Request) error {
	var all []Passkey
	err := s.DB.Read(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		u, err := namedUser(ctx, tx, r)
		if err == nil {
			all, err = passkeysOf(ctx, tx, u.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, all)
	return nil
}

// deleteUserPasskey takes a passkey from somebody who has lost it.
func (s *Service) deleteUserPasskey(w http.ResponseWriter, r *http.Request) error {
	from := originOf(r)
	err := s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		u, err := heldUser(ctx, tx, r)
		if err != nil {
			return err
		}
		p, err := passkeyOf(ctx, tx, u.ID, r.PathValue("passkey"))
		if err != nil {
			return err
		}
		return s.dropPasskey(ctx, tx, u, p, "", from.entry("", "passkey.remove", p.ID, audit.OK))
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// dropPasskey deletes a passkey with the sessions that it opened: whoever takes it away may have lost the device. The
// session that asks stays, and is no stronger than its other proofs.
func (s *Service) dropPasskey(ctx context.Context, tx *db.Tx, u *User, p Passkey, asking string, note audit.Entry) error {
	if err := endOpenedBy(ctx, tx, "passkey_id = $1", p.ID, asking); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "delete from passkeys where id = $1", p.ID); err != nil {
		return err
	}
	tx.AfterCommit(func() { s.forget(u.ID) })
	if err := audit.Record(ctx, tx, note); err != nil || u.Email == "" {
		return err
	}
	return s.Enqueue(ctx, tx, mail.PasskeyRemoved{To: u.Email, Passkey: p.FriendlyName})
}

// endOpenedBy ends the sessions that passkeys opened which are about to go. One may stay: it loses that proof.
func endOpenedBy(ctx context.Context, tx *db.Tx, which, arg, except string) error {
	if _, err := tx.Exec(ctx, "delete from sessions where id <> $2 and "+which, arg, orNil(except)); err != nil {
		return err
	}
	var amr string
	err := tx.QueryRow(ctx, "select amr from sessions where "+which, arg).Scan(&amr)
	if missing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if amr, err = withoutMethod(amr, methodPasskey); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "update sessions set amr = $2, aal = case when factor_id is null then 'aal1' else aal end where "+which, arg, amr)
	return err
}

// clearPasskeys takes all passkeys of an account away, and counts them.
func clearPasskeys(ctx context.Context, tx *db.Tx, user, except string, from origin) (int, error) {
	all, err := passkeysOf(ctx, tx, user)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	if err := endOpenedBy(ctx, tx, "passkey_id in (select id from passkeys where user_id = $1)", user, except); err != nil {
		return 0, err
	}
	if _, err := tx.Exec(ctx, "delete from passkeys where user_id = $1", user); err != nil {
		return 0, err
	}
	for _, p := range all {
		if err := audit.Record(ctx, tx, from.entry(user, "passkey.remove", p.ID, audit.OK)); err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

// noteRecovery marks a session that a letter for a forgotten password opened.
func noteRecovery(ctx context.Context, tx *db.Tx, session string) error {
	_, err := tx.Exec(ctx, "update sessions set by_recovery = true where id = $1", session)
	return err
}

// endRecovery takes the passkeys away with the password that was forgotten, or that a thief knew: theirs would still open
// the account. It happens once, so that what the owner adds afterwards stays.
func endRecovery(ctx context.Context, tx *db.Tx, user, session string, from origin) (gone int, err error) {
	n, err := tx.Exec(ctx, "update sessions set by_recovery = false where id = $1 and by_recovery", session)
	if err != nil || n == 0 {
		return 0, err
	}
	return clearPasskeys(ctx, tx, user, session, from)
}

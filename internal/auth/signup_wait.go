package auth

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// waitLife is how long a password waits for its letter. A new letter can be asked for meanwhile.
const waitLife = 7 * 24 * time.Hour

// rememberSignUp keeps the password of the last sign-up for an address apart from the account, until its letter is
// opened. A taken address is remembered like a free one, so that signing in with that password does not tell them
// apart. It voids every password that was chosen for an unconfirmed account before, and notes that there was one unless
// it is the only one. The caller holds the user's row and has read it since.
func rememberSignUp(ctx context.Context, tx *db.Tx, owner *User, hash string, only bool) error {
	_, err := tx.Exec(ctx, `insert into sign_ups (id, address, password_hash, created_at, expires_at) values ($1, $2, $3, $4, $5)
		on conflict (address) do update set id = excluded.id, password_hash = excluded.password_hash,
		  created_at = excluded.created_at, expires_at = excluded.expires_at`,
		id.New(), owner.Email, hash, db.At(tx.Now), db.At(tx.Now.Add(waitLife)))
	if err != nil || owner.confirmed() {
		return err
	}
	_, err = tx.Exec(ctx, "update users set password_hash = null, several_sign_ups = (several_sign_ups or $2) where id = $1", owner.ID, !only)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "update one_time_tokens set kind = $3 where user_id = $1 and kind = $2", owner.ID, string(kindSignup), string(kindSignupVoid))
	return err
}

// waitingPassword is the hash of the last sign-up for an address; "" without one.
func waitingPassword(ctx context.Context, tx *db.Tx, address string) (hash string, err error) {
	err = tx.QueryRow(ctx, "select password_hash from sign_ups where address = $1 and expires_at > $2", address, db.At(tx.Now)).Scan(&hash)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return hash, err
}

// waitsFor tells whether this very password is the one that waits for an address already: signing up twice with it is
// signing up once. It costs the same where none waits.
func (s *Service) waitsFor(ctx context.Context, address, password string) (bool, error) {
	var waiting string
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		waiting, err = waitingPassword(ctx, tx, address)
		return err
	})
	if err != nil {
		return false, err
	}
	return s.hasher.matches(ctx, waiting, password)
}

// chosenPassword is what the letter of an unconfirmed account confirms: the last sign-up's, or the operator's.
func chosenPassword(ctx context.Context, tx *db.Tx, u *User) (string, error) {
	hash, err := waitingPassword(ctx, tx, u.Email)
	if err != nil || hash != "" {
		return hash, err
	}
	return u.passwordHash, nil
}

// forgetSignUp drops what waits for an address.
func forgetSignUp(ctx context.Context, tx *db.Tx, address string) error {
	_, err := tx.Exec(ctx, "delete from sign_ups where address = $1", address)
	return err
}

package auth

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"net/http"
	"time"

	"golang.org/x/crypto/bcrypt"

	"greenroom/internal/audit"
	"greenroom/internal/key"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// operatorBody is what an operator says of a user.
type operatorBody struct {
	ID           string   `json:"id"`
	Email        string   `json:"email"`
	Phone        string   `json:"phone"`
	Password     *string  `json:"password"`
	PasswordHash string   `json:"password_hash"`
	EmailConfirm bool     `json:"email_confirm"`
	UserMetadata metadata `json:"user_metadata"`
	AppMetadata  metadata `json:"app_metadata"`
	Role         string   `json:"role"`
	BanDuration  string   `json:"ban_duration"`

	hash string
	// ban is how long; none with noBan, untouched when BanDuration is empty.
	ban time.Duration
}

func (s *Service) readOperatorBody(r *http.Request) (in operatorBody, err error) {
	if err := readBody(r, &in); err != nil {
		return in, err
	}
	switch {
	case in.Phone != "":
		return in, refuse(400, "phone_provider_disabled", "Phone signups are disabled")
	case in.Role != "" && in.Role != key.Audience:
		return in, invalid("The only role of a user is " + key.Audience)
	case in.Password != nil && *in.Password != "" && in.PasswordHash != "":
		return in, invalid("Only a password or a password hash should be provided")
	case in.PasswordHash != "" && !usableHash(in.PasswordHash):
		return in, invalid("The password hash must be one of bcrypt or argon2id")
	}
	if in.BanDuration != "" && in.BanDuration != "none" {
		if in.ban, err = time.ParseDuration(in.BanDuration); err != nil || in.ban < 0 {
			return in, invalid("invalid format for ban duration: use one such as 24h, or none")
		}
	}
	if err := in.UserMetadata.check(); err != nil {
		return in, err
	}
	if err := in.AppMetadata.check(); err != nil {
		return in, err
	}
	if in.Email != "" {
		if in.Email, err = parseEmail(in.Email); err != nil {
			return in, err
		}
	}
	in.hash = in.PasswordHash
	if in.Password != nil && *in.Password != "" {
		if err := s.rules.check(*in.Password, in.Email); err != nil {
			return in, err
		}
		in.hash, err = s.hasher.hash(r.Context(), *in.Password)
	}
	return in, err
}

// usableHash tells whether a password of this hash can be checked without stalling the server.
func usableHash(hash string) bool {
	if isBcrypt(hash) {
		cost, err := bcrypt.Cost([]byte(hash))
		return err == nil && cost <= 14
	}
	_, err := parsePHC(hash)
	return err == nil
}

// createUser makes an account without a letter.
func (s *Service) createUser(w http.ResponseWriter, r *http.Request) error {
	in, err := s.readOperatorBody(r)
	if err != nil {
		return err
	}
	if in.Email == "" {
		return invalid("Cannot create a user without either an email or phone")
	}
	var known string
	if in.ID != "" {
		var ok bool
		if known, ok = id.Parse(in.ID); !ok || known == id.Nil {
			return invalid("ID must conform to the uuid v4 format")
		}
	}
	from := originOf(r)
	var made *User
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		made = newUser(in.Email, in.UserMetadata, tx.Now, in.EmailConfirm)
		if known != "" {
			made.rename(known)
		}
		made.passwordHash = in.hash
		// What people who sign up get besides their data, an operator gives or not.
		made.UserMetadata = metadata{}
		made.UserMetadata.merge(in.UserMetadata)
		if in.EmailConfirm {
			made.provenAt = tx.Now
		}
		maps.Copy(made.AppMetadata, in.AppMetadata)
		added, err := addUser(ctx, tx, made)
		if db.Violates(err, db.Unique) || (err == nil && !added) {
			return errEmailExists
		}
		if err != nil {
			return err
		}
		if err := errors.Join(forgetSignUp(ctx, tx, in.Email), in.applyBan(ctx, tx, made.ID)); err != nil {
			return err
		}
		if err := audit.Record(ctx, tx, from.entry("", "user.create", in.Email, audit.OK)); err != nil {
			return err
		}
		made, err = userBy(ctx, tx, "id", made.ID)
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, made)
	return nil
}

var errEmailExists = refuse(422, "email_exists", "A user with this email address has already been registered")

// rename gives a user that is not stored yet the id that they had elsewhere.
func (u *User) rename(to string) {
	u.ID = to
	u.UserMetadata.set("sub", to)
	for i := range u.Identities {
		u.Identities[i].ID, u.Identities[i].UserID = to, to
		u.Identities[i].IdentityData.set("sub", to)
	}
}

func (in operatorBody) applyBan(ctx context.Context, tx *db.Tx, user string) error {
	if in.BanDuration == "" {
		return nil
	}
	var until db.Time
	if in.BanDuration != "none" {
		until = db.At(tx.Now.Add(in.ban))
	}
	_, err := tx.Exec(ctx, "update users set banned_until = $2 where id = $1", user, until)
	return err
}

// changeUser changes an account at once: the operator answers for it.
func (s *Service) changeUser(w http.ResponseWriter, r *http.Request) error {
	in, err := s.readOperatorBody(r)
	if err != nil {
		return err
	}
	from := originOf(r)
	var changed *User
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		u, err := heldUser(ctx, tx, r)
		if err != nil {
			return err
		}
		before, proven := u.Email, u.provenAddress()
		if err := s.applyOperator(ctx, tx, u, in); err != nil {
			return err
		}
		if before != u.Email {
			if err := leaveAddress(ctx, tx, u.ID, before, proven != ""); err != nil {
				return err
			}
		}
		if err := audit.Record(ctx, tx, from.entry("", "user.change", u.ID, audit.OK)); err != nil {
			return err
		}
		tx.AfterCommit(func() { s.forget(u.ID) })
		changed, err = userBy(ctx, tx, "id", u.ID)
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, changed)
	return nil
}

func (s *Service) applyOperator(ctx context.Context, tx *db.Tx, u *User, in operatorBody) error {
	u.UserMetadata.merge(in.UserMetadata)
	u.AppMetadata.merge(in.AppMetadata)
	if err := u.UserMetadata.check(); err != nil {
		return err
	}
	moves := in.Email != "" && in.Email != u.Email
	if moves {
		// What waits for either address was not chosen for this account at that one.
		if err := errors.Join(forgetSignUp(ctx, tx, u.Email), forgetSignUp(ctx, tx, in.Email)); err != nil {
			return err
		}
		u.Email = in.Email
		if !u.provenAt.IsZero() {
			u.provenAt = tx.Now
		}
	}
	if in.EmailConfirm && !u.confirmed() {
		u.EmailConfirmedAt = tx.Now
		u.UserMetadata.renew("email_verified", true)
	}
	if in.EmailConfirm && u.provenAt.IsZero() {
		u.provenAt = tx.Now
	}
	app, _, err := u.metadataText()
	if err != nil {
		return err
	}
	email := sql.NullString{String: u.Email, Valid: u.Email != ""}
	_, err = tx.Exec(ctx, "update users set email = $2, email_confirmed_at = $3, email_proven_at = $4, app_metadata = $5, made_by_link = false, updated_at = $6 where id = $1",
		u.ID, email, db.At(u.EmailConfirmedAt), db.At(u.provenAt), app, db.At(tx.Now))
	if db.Violates(err, db.Unique) {
		return errEmailExists
	}
	if err != nil {
		return err
	}
	if err := u.storeAddress(ctx, tx); err != nil {
		return err
	}
	if err := in.applyBan(ctx, tx, u.ID); err != nil {
		return err
	}
	if in.hash != "" {
		if err := forgetSignUp(ctx, tx, u.Email); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "update users set password_hash = $2 where id = $1", u.ID, in.hash); err != nil {
			return err
		}
	}
	if !moves && in.hash == "" {
		return nil
	}
	// The former mailbox may be somebody else's by now, and is why the operator was asked.
	return s.cutOff(ctx, tx, u.ID, "")
}

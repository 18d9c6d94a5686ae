package auth

import (
	"context"
	"net/http"
	"unicode/utf8"

	"greenroom/internal/audit"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

// token is the one endpoint of several grants.
func (s *Service) token(w http.ResponseWriter, r *http.Request) error {
	switch r.URL.Query().Get("grant_type") {
	case "password":
		return s.signIn(w, r)
	case "refresh_token":
		return s.refresh(w, r)
	case "pkce":
		return s.exchange(w, r)
	case "id_token":
		return s.idToken(w, r)
	case "web3":
		return refuse(422, "web3_provider_disabled", "Web3 provider is disabled")
	}
	return refuse(400, "invalid_credentials", "unsupported_grant_type")
}

var (
	errCredentials = refuse(400, "invalid_credentials", "Invalid login credentials")
	errUnconfirmed = refuse(400, "email_not_confirmed", "Email not confirmed")
)

// signIn opens a session with a password. Unknown people, people without a password and wrong passwords are answered
// alike, after the same work.
func (s *Service) signIn(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Email    string `json:"email"`
		Phone    string `json:"phone"`
		Password string `json:"password"`
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	switch {
	case in.Email != "" && in.Phone != "":
		return invalid("Only an email address or phone number should be provided on login.")
	case in.Phone != "":
		return refuse(422, "phone_provider_disabled", "Phone logins are disabled")
	case in.Email == "":
		return invalid("missing email or phone")
	}
	if err := s.hasher.full(); err != nil {
		return err // no password is tried, so no try is counted
	}
	from := originOf(r)
	email, err := parseEmail(in.Email)
	given := email
	if err != nil || utf8.RuneCountInString(in.Password) > maxPassword {
		// No account has such an address or password; the try counts and costs like any other.
		email, in.Password = audit.Text(in.Email), ""
	}
	if err != nil {
		given = noAddress
	}
	err = s.Limits.Allow(r.Context(), limit.SignInPerAddress.By(from.address), limit.SignInPerAccount.By(email))
	if fault.Is(err, fault.TooMany) {
		err = s.allowKnown(r, from, email, err)
	}
	if fault.Is(err, fault.TooMany) {
		return s.turnAway(r.Context(), from, "", given, "limited", err)
	}
	if err != nil {
		return err
	}
	var u *User
	var waiting string
	err = s.DB.Read(r.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		if u, err = found(userBy(ctx, tx, "email", email)); err != nil {
			return err
		}
		waiting, err = waitingPassword(ctx, tx, email)
		return err
	})
	if err != nil {
		return err
	}
	stored, known := "", ""
	if u != nil {
		stored, known = u.passwordHash, u.ID
	}
	right, err := s.hasher.matches(r.Context(), stored, in.Password)
	if err != nil {
		return err
	}
	if right {
		return s.admit(w, r, u, in.Password, from)
	}
	if s.ConfirmEmail {
		// Whoever has just signed up is told of the letter, whether or not the address was taken.
		waits, err := s.hasher.matches(r.Context(), waiting, in.Password)
		if err != nil {
			return err
		}
		if waits {
			return s.turnAway(r.Context(), from, known, given, "not confirmed", errUnconfirmed)
		}
	}
	return s.turnAway(r.Context(), from, known, given, "wrong password", errCredentials)
}

// admit lets somebody in whose password was right, if the account may be used.
func (s *Service) admit(w http.ResponseWriter, r *http.Request, u *User, password string, from origin) error {
	now := s.DB.Clock.Now()
	switch {
	case u.banned(now):
		return s.turnAway(r.Context(), from, u.ID, u.Email, "banned", refuse(400, "user_banned", "User is banned"))
	case !u.confirmed():
		return s.turnAway(r.Context(), from, u.ID, u.Email, "not confirmed", errUnconfirmed)
	}
	better := u.passwordHash
	if s.hasher.outdated(u.passwordHash) {
		fresh, err := s.hasher.hash(r.Context(), password)
		if err != nil {
			return err
		}
		better = fresh
	}
	var got issued
	err := s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		// The password may have been changed while its hash was compared.
		n, err := tx.Exec(ctx, "update users set password_hash = $3 where id = $1 and password_hash = $2", u.ID, u.passwordHash, better)
		if err != nil {
			return err
		}
		if n == 0 {
			return errCredentials
		}
		if err := audit.Record(ctx, tx, from.entry(u.ID, "session.try", u.Email, audit.OK)); err != nil {
			return err
		}
		if u, err = userBy(ctx, tx, "id", u.ID); err != nil {
			return err
		}
		got, err = openSession(ctx, tx, u, "password", from)
		return err
	})
	if err != nil {
		return err
	}
	return s.answer(w, r, got, s.rules.weakness(password, u.names()...))
}

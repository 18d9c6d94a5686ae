package auth

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"slices"
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

// Factor is a second step of signing in, as the contract shows it.
type Factor struct {
	ID               string     `json:"id"`
	CreatedAt        time.Time  `json:"created_at"`
	UpdatedAt        time.Time  `json:"updated_at"`
	Status           string     `json:"status"`
	FriendlyName     string     `json:"friendly_name,omitempty"`
	FactorType       string     `json:"factor_type"`
	Phone            string     `json:"phone"`
	LastChallengedAt *time.Time `json:"last_challenged_at"`

	// sealed is the secret of an authenticator app, key the public half of a security key; a factor has one of them.
	sealed []byte
	key    *webauthn.Credential
}

const (
	verified   = "verified"
	factorTOTP = "totp"
	factorKey  = "webauthn"

	mostFactors  = 10
	mostName     = 100
	enrolLife    = 5 * time.Minute
	questionLife = 5 * time.Minute
)

func (f Factor) place() string { return "factor " + f.ID }

// strong tells whether the session passed a second step.
func (held session) strong() bool { return held.aal == "aal2" }

// guards tells whether a factor guards its account. Recovery codes stand in for one that does.
func (f Factor) guards() bool { return f.Status == verified && f.FactorType != factorCodes }

// guarded tells whether the account has a second step.
func (u *User) guarded() bool { return slices.ContainsFunc(u.Factors, Factor.guards) }

func factorsOf(ctx context.Context, tx *db.Tx, user string) ([]Factor, error) {
	var all []Factor
	err := db.Each(ctx, tx, `select id, friendly_name, factor_type, status, secret, last_challenged_at, created_at, updated_at
		from mfa_factors where user_id = $1 order by created_at, id`, []any{user}, func(scan func(...any) error) error {
		var f Factor
		var challenged, created, updated db.Time
		if err := scan(&f.ID, &f.FriendlyName, &f.FactorType, &f.Status, &f.sealed, &challenged, &created, &updated); err != nil {
			return err
		}
		f.CreatedAt, f.UpdatedAt = created.Time, updated.Time
		if !challenged.IsZero() {
			f.LastChallengedAt = &challenged.Time
		}
		all = append(all, f)
		return nil
	})
	if err != nil || !slices.ContainsFunc(all, func(f Factor) bool { return f.FactorType == factorKey }) {
		return all, err
	}
	keys, err := keysOf(ctx, tx, user)
	for i := range all {
		all[i].key = keys[all[i].ID]
	}
	return all, err
}

// factor finds one of the user's factors by the id in the path.
func (u *User) factor(r *http.Request) (Factor, error) { return u.factorBy(r.PathValue("id")) }

// asked is factor for what is asked by a challenge, which recovery codes are not.
func (u *User) asked(r *http.Request) (Factor, error) {
	f, err := u.factor(r)
	if err == nil && f.FactorType == factorCodes {
		return f, invalid("Recovery codes are verified at /factors/recovery-codes/verify")
	}
	return f, err
}

func (u *User) factorBy(text string) (Factor, error) {
	wanted, ok := id.Parse(text)
	if !ok {
		return Factor{}, refuse(404, "validation_failed", "factor_id must be an UUID")
	}
	for _, f := range u.Factors {
		if f.ID == wanted {
			return f, nil
		}
	}
	return Factor{}, refuse(404, "mfa_factor_not_found", "Factor not found")
}

type enrolBody struct {
	FactorType   string `json:"factor_type"`
	FriendlyName string `json:"friendly_name"`
	Issuer       string `json:"issuer"`
}

func (in *enrolBody) check(site keySite) error {
	switch in.FactorType {
	case factorTOTP:
	case factorKey:
		if !site.on() {
			return refuse(422, "mfa_webauthn_enroll_not_enabled", "MFA enroll is disabled for WebAuthn")
		}
	case "phone":
		return refuse(422, "mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone")
	default:
		return invalid("factor_type needs to be totp, phone, or webauthn")
	}
	return in.checkNames()
}

func (in *enrolBody) checkNames() error {
	in.FriendlyName, in.Issuer = strings.TrimSpace(in.FriendlyName), strings.TrimSpace(in.Issuer)
	for _, text := range []string{in.FriendlyName, in.Issuer} {
		if utf8.RuneCountInString(text) > mostName || text != audit.Text(text) {
			return invalid("A name has at most 100 characters, all of them visible")
		}
	}
	return nil
}

// enrol makes a factor that waits for its first code, or for its security key.
func (s *Service) enrol(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	var in enrolBody
	if err := readBody(r, &in); err != nil {
		return err
	}
	if err := in.check(s.keySite); err != nil {
		return err
	}
	if err := s.Limits.Allow(r.Context(), limit.EnrolPerAccount.By(c.user.ID)); err != nil {
		return err
	}
	f := Factor{ID: id.New(), FriendlyName: in.FriendlyName, FactorType: in.FactorType, Status: "unverified", sealed: []byte{}}
	answer := map[string]any{"id": f.ID, "type": f.FactorType, "friendly_name": f.FriendlyName}
	secret := newTOTPSecret()
	if f.FactorType == factorTOTP {
		f.sealed = s.Box.Seal(f.place(), []byte(secret))
	}
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		now, err := recall(ctx, tx, c)
		if err != nil {
			return err
		}
		return now.addFactor(ctx, tx, f)
	})
	if err != nil {
		return err
	}
	if f.FactorType == factorTOTP { // drawn last: it is work that nobody gets for a factor that is not taken
		if answer["totp"], err = in.picture(s.SiteName, c.user.Email, secret); err != nil {
			return err
		}
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

// picture is a secret as an authenticator app takes it over.
func (in *enrolBody) picture(site, account, secret string) (map[string]string, error) {
	issuer := in.Issuer
	if issuer == "" {
		issuer = site
	}
	address := totpAddress(issuer, account, secret)
	picture, err := qrPicture(address)
	return map[string]string{"qr_code": picture, "secret": secret, "uri": address}, err
}

// recall takes the user's row and reads the caller again, so that what is decided holds until the commit.
func recall(ctx context.Context, tx *db.Tx, c caller) (caller, error) {
	if err := holdUser(ctx, tx, c.user.ID); err != nil {
		return caller{}, err
	}
	return readCaller(ctx, tx, c.user.ID, c.session.id)
}

func (c caller) addFactor(ctx context.Context, tx *db.Tx, f Factor) error {
	switch {
	case c.user.IsAnonymous:
		return errGuest
	case c.user.guarded() && !c.session.strong():
		return refuse(403, "insufficient_aal", "AAL2 required to enroll a new factor")
	}
	// Whoever finds a browser that was left open must not lock its owner out, whatever steps that browser once passed.
	if err := c.sure(tx.Now); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "delete from mfa_factors where user_id = $1 and status = 'unverified' and created_at <= $2", c.user.ID, db.At(tx.Now.Add(-enrolLife)))
	if err != nil {
		return err
	}
	all, err := factorsOf(ctx, tx, c.user.ID)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(one Factor) bool { return one.FactorType == factorCodes })
	if len(all) >= mostFactors {
		return refuse(422, "too_many_enrolled_mfa_factors", "Maximum number of verified factors reached, unenroll to continue")
	}
	return storeFactor(ctx, tx, c.user.ID, f)
}

func storeFactor(ctx context.Context, tx *db.Tx, user string, f Factor) error {
	n, err := tx.Exec(ctx, `insert into mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict (user_id, friendly_name) do nothing`,
		f.ID, user, f.FriendlyName, f.FactorType, f.Status, f.sealed, db.At(tx.Now))
	if err == nil && n == 0 {
		return refuse(422, "mfa_factor_name_conflict", `A factor with the friendly name "`+f.FriendlyName+`" for this user already exists`)
	}
	return err
}

// mayRemove lets a factor that guards the account go only from a session that passed it or another, with somebody there
// who has just shown who they are. One that was only begun may go at any time.
func (c caller) mayRemove(f Factor, now time.Time) error {
	switch {
	case f.Status != verified:
		return nil
	case !c.session.strong():
		return refuse(422, "insufficient_aal", "AAL2 required to unenroll verified factor")
	}
	return c.sure(now)
}

// unenrol takes a factor away.
func (s *Service) unenrol(w http.ResponseWriter, r *http.Request) error {
	return s.removeFactor(w, r, func(now caller, at time.Time) (Factor, error) {
		f, err := now.user.factor(r)
		if err != nil {
			return f, err
		}
		return f, now.mayRemove(f, at)
	})
}

// removeFactor takes away the factor that pick finds and lets go.
func (s *Service) removeFactor(w http.ResponseWriter, r *http.Request, pick func(now caller, at time.Time) (Factor, error)) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	from := originOf(r)
	var gone Factor
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		now, err := recall(ctx, tx, c)
		if err != nil {
			return err
		}
		if gone, err = pick(now, tx.Now); err != nil {
			return err
		}
		return s.dropFactor(ctx, tx, now.user, gone, from, now.user.ID)
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, map[string]string{"id": gone.ID})
	return nil
}

// dropFactor deletes a factor, weakens the sessions that it made strong, and tells the owner. The last one that guards
// the account takes the recovery codes along.
func (s *Service) dropFactor(ctx context.Context, tx *db.Tx, u *User, f Factor, from origin, actor string) error {
	if err := loseFactor(ctx, tx, f); err != nil {
		return err
	}
	others := func(one Factor) bool { return one.ID != f.ID && one.guards() }
	if codes, err := u.codes(); err == nil && f.guards() && !slices.ContainsFunc(u.Factors, others) {
		if err := loseFactor(ctx, tx, codes); err != nil {
			return err
		}
	}
	tx.AfterCommit(func() { s.forget(u.ID) })
	if f.Status != verified {
		return nil
	}
	if err := audit.Record(ctx, tx, from.entry(actor, "factor.remove", u.ID, audit.OK)); err != nil || u.Email == "" {
		return err
	}
	return s.Enqueue(ctx, tx, mail.FactorRemoved{To: u.Email, Factor: f.FriendlyName})
}

// loseFactor deletes a factor and weakens the sessions that it made strong.
func loseFactor(ctx context.Context, tx *db.Tx, f Factor) error {
	weak := map[string]string{}
	err := db.Each(ctx, tx, "select id, amr from sessions where factor_id = $1", []any{f.ID}, func(scan func(...any) error) error {
		var of, amr string
		err := scan(&of, &amr)
		weak[of] = amr
		return err
	})
	if err != nil {
		return err
	}
	for of, amr := range weak {
		if amr, err = withoutMethod(amr, methodOf(f.FactorType)); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `update sessions set aal = case when passkey_id is null then 'aal1' else 'aal2' end, amr = $2, factor_id = null
			where id = $1`, of, amr); err != nil {
			return err
		}
	}
	_, err = tx.Exec(ctx, "delete from mfa_factors where id = $1", f.ID)
	return err
}

// missing tells that there is no such row.
func missing(err error) bool { return errors.Is(err, sql.ErrNoRows) }

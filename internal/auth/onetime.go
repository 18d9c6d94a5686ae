package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// kind is the purpose of a link and its code. They open nothing else.
type kind string

const (
	kindSignup kind = "signup"
	// kindSignupVoid is a sign-up after which there was another for the same address: it still confirms that, and no
	// password.
	kindSignupVoid   kind = "signup_void"
	kindInvite       kind = "invite"
	kindRecovery     kind = "recovery"
	kindMagicLink    kind = "magiclink"
	kindEmailCurrent kind = "email_change_current"
	kindEmailNew     kind = "email_change_new"
	kindReauth       kind = "reauthentication"
)

// kindsOf are the purposes that a type of the contract's verify call may mean.
var kindsOf = map[string][]kind{
	"signup":       {kindSignup, kindSignupVoid},
	"invite":       {kindInvite},
	"recovery":     {kindRecovery},
	"magiclink":    {kindMagicLink},
	"email":        {kindSignup, kindSignupVoid, kindMagicLink},
	"email_change": {kindEmailCurrent, kindEmailNew},
}

// linkType is the type that a link of this kind names.
func (k kind) linkType() string {
	if k == kindEmailCurrent || k == kindEmailNew {
		return "email_change"
	}
	return string(k)
}

// method is how a session opened by a PKCE link of this kind says it was opened.
func (k kind) method() string {
	if k == kindSignup {
		return "email/signup"
	}
	return k.linkType()
}

// mostTries is how many wrong codes a code survives, less one.
const mostTries = 5

// pkcePrefix marks the link of a PKCE flow: it ends in a code instead of a session.
const pkcePrefix = "pkce_"

// oneTime is a stored link and code.
type oneTime struct {
	id      string
	userID  string
	kind    kind
	address string
	flowID  string
}

// ticket is what a letter carries.
type ticket struct{ link, code, token string }

// mostLinks bounds how many links of one kind a user has at once. It is more than the letters that one address can be
// sent while a link lives, so that nobody can push the owner's link out by asking for others.
const mostLinks = 64

// mint makes a link and a code for one purpose. The user's older links for it stay good, or any stranger who asks for a
// letter would end the one that the owner is about to open. Of the codes only the newest is good: many at once would be
// many to guess.
func (s *Service) mint(ctx context.Context, tx *db.Tx, user string, k kind, address, flow, redirect string) (ticket, error) {
	if err := holdUser(ctx, tx, user); err != nil {
		return ticket{}, err
	}
	token, code := id.Secret(), sixDigits()
	var flowID any
	if flow != "" {
		token, flowID = pkcePrefix+token, flow
	}
	if err := makeRoom(ctx, tx, user, k); err != nil {
		return ticket{}, fmt.Errorf("mint %s: %w", k, err)
	}
	_, err := tx.Exec(ctx, `
		insert into one_time_tokens (id, user_id, kind, address, link_hash, code_hash, attempts, flow_id, created_at, code_expires_at, expires_at)
		values ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9, $10)`,
		id.New(), user, string(k), address, hashToken(token), s.hashCode(user, k, code), flowID,
		db.At(tx.Now), db.At(tx.Now.Add(codeLife)), db.At(tx.Now.Add(linkLife)))
	if err != nil {
		return ticket{}, fmt.Errorf("mint %s: %w", k, err)
	}
	// The token stands first, as in the contract's links: some programs read them by their order.
	link := s.SiteURL + Prefix + "/verify?token=" + token + "&type=" + k.linkType() + "&redirect_to=" + url.QueryEscape(redirect)
	return ticket{link, code, token}, nil
}

// makeRoom ends the codes of a user's older letters of a kind, and the oldest letters where there are too many.
func makeRoom(ctx context.Context, tx *db.Tx, user string, k kind) error {
	_, err := tx.Exec(ctx, "update one_time_tokens set attempts = $3 where user_id = $1 and kind = $2 and attempts < $3", user, string(k), mostTries)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `delete from one_time_tokens where id in
		(select id from one_time_tokens where user_id = $1 and kind = $2 order by created_at desc, id limit $3 offset $4)`,
		user, string(k), mostLinks, mostLinks-1)
	return err
}

func sixDigits() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		panic(err) // crypto/rand never fails: it ends the process instead
	}
	return fmt.Sprintf("%06d", n)
}

// hashCode needs the pepper: a million codes are hashed in no time by whoever holds a copy of the database.
func (s *Service) hashCode(user string, k kind, code string) string {
	mac := hmac.New(sha256.New, s.Pepper)
	mac.Write([]byte(user + "\x00" + string(k) + "\x00" + code))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

var errOneTime = refuse(403, "otp_expired", "Token has expired or is invalid")

// useLink takes a link's token once. Of many at the same moment one deletes the row, and only that one is let in.
func (s *Service) useLink(ctx context.Context, tx *db.Tx, typ, token string) (oneTime, error) {
	var t oneTime
	var flow sql.NullString
	var expires db.Time
	err := tx.QueryRow(ctx, "select id, user_id, kind, address, flow_id, expires_at from one_time_tokens where link_hash = $1", hashToken(token)).
		Scan(&t.id, &t.userID, &t.kind, &t.address, &flow, &expires)
	if errors.Is(err, sql.ErrNoRows) {
		return oneTime{}, errOneTime
	}
	if err != nil {
		return oneTime{}, err
	}
	t.flowID = flow.String
	if !slices.Contains(kindsOf[typ], t.kind) || !tx.Now.Before(expires.Time) {
		return oneTime{}, errOneTime
	}
	if err := holdUser(ctx, tx, t.userID); err != nil {
		return oneTime{}, err
	}
	return t, t.consume(ctx, tx)
}

// wentTo tells whether the letter's mailbox is still the user's, or for one half of a change the one to come.
func (t oneTime) wentTo(u *User) bool {
	if t.kind == kindEmailNew {
		return t.address == u.NewEmail
	}
	return t.address == u.Email
}

// consume uses a letter up, and with it every other one of its kind. The link of a PKCE flow takes no other with it:
// whoever asked for it may be a stranger, and it is of use only to who has the verifier. exchange ends the others then.
func (t oneTime) consume(ctx context.Context, tx *db.Tx) error {
	n, err := tx.Exec(ctx, "delete from one_time_tokens where id = $1", t.id)
	if err == nil && n == 0 {
		return errOneTime
	}
	if err != nil {
		return err
	}
	if t.pending() {
		return nil
	}
	_, err = tx.Exec(ctx, "delete from one_time_tokens where user_id = $1 and kind = $2", t.userID, string(t.kind))
	return err
}

// pending tells whether the letter ends in a code that waits for its verifier. Of a change of address every letter counts
// as one agreement, so that one ends the others of its kind in any case.
func (t oneTime) pending() bool {
	return t.flowID != "" && t.kind != kindEmailCurrent && t.kind != kindEmailNew
}

// useCode takes a six-digit code once. Each try is counted before it is judged, so that no number of tries at the
// same moment gets more guesses than there are. errOneTime must be committed: it counts a wrong try.
func (s *Service) useCode(ctx context.Context, tx *db.Tx, kinds []kind, address, code string) (oneTime, error) {
	code = strings.TrimSpace(code)
	var candidates []oneTime
	for _, k := range kinds {
		err := db.Each(ctx, tx, "select id, user_id, kind, address from one_time_tokens where address = $1 and kind = $2 and attempts < $3 order by id",
			[]any{address, string(k), mostTries}, func(scan func(...any) error) error {
				var t oneTime
				err := scan(&t.id, &t.userID, &t.kind, &t.address)
				candidates = append(candidates, t)
				return err
			})
		if err != nil {
			return oneTime{}, err
		}
	}
	for _, t := range candidates {
		if err := holdUser(ctx, tx, t.userID); err != nil {
			return oneTime{}, err
		}
		var stored string
		err := tx.QueryRow(ctx, `update one_time_tokens set attempts = attempts + 1
			where id = $1 and attempts < $2 and code_expires_at > $3 returning code_hash`, t.id, mostTries, db.At(tx.Now)).Scan(&stored)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return oneTime{}, err
		}
		right := hmac.Equal([]byte(stored), []byte(s.hashCode(t.userID, t.kind, code)))
		if right, err = s.countCode(ctx, tx, t, right); err != nil {
			return oneTime{}, err
		}
		if right {
			return t, t.consume(ctx, tx)
		}
	}
	return oneTime{}, errOneTime
}

// errRight undoes the count of a try that was right.
var errRight = errors.New("right")

// countCode counts a wrong code against its account, and takes no code for right where too many were wrong: each letter
// has a few tries, but there is no end of letters. It answers like a wrong code, or it would tell who has an account. The
// letters' links stay good. Codes that take a session besides are counted apart, so that no stranger uses these up.
func (s *Service) countCode(ctx context.Context, tx *db.Tx, t oneTime, right bool) (bool, error) {
	subject := t.userID
	if t.kind == kindReauth {
		subject += " " + string(kindReauth)
	}
	err := tx.Savepoint(ctx, func() error {
		if err := s.Limits.Take(ctx, tx, limit.WrongCodePerAccount.By(subject)); err != nil || !right {
			return err
		}
		return errRight
	})
	switch {
	case errors.Is(err, errRight):
		return true, nil
	case fault.Is(err, fault.TooMany):
		return false, nil
	}
	return false, err
}

// dropTokens ends a user's links and codes. A change of address that is under way survives a mere sign-in.
func dropTokens(ctx context.Context, tx *db.Tx, user string, all bool) error {
	query, args := "delete from one_time_tokens where user_id = $1 and kind not in ($2, $3)", []any{user, string(kindEmailCurrent), string(kindEmailNew)}
	if all {
		query, args = "delete from one_time_tokens where user_id = $1", []any{user}
	}
	_, err := tx.Exec(ctx, query, args...)
	return err
}

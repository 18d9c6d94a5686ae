package auth

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

// verifyBody is what opens a letter: its link's token, or its code with the address that it went to.
type verifyBody struct {
	Type       string `json:"type"`
	Token      string `json:"token"`
	TokenHash  string `json:"token_hash"`
	Email      string `json:"email"`
	Phone      string `json:"phone"`
	RedirectTo string `json:"redirect_to"`
}

// opened is what came of it: a session, a PKCE code, or a word about what is still to be done.
type opened struct {
	session issued
	code    string
	message string
}

// verify opens a letter. A form comes from the page behind the link and is answered with the contract's redirect;
// JSON comes from a client and is answered with a session.
func (s *Service) verify(w http.ResponseWriter, r *http.Request) error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "application/x-www-form-urlencoded" {
		return s.verifyForm(w, r)
	}
	var in verifyBody
	if err := readBody(r, &in); err != nil {
		return err
	}
	if err := in.check(); err != nil {
		return err
	}
	if strings.HasPrefix(in.TokenHash, pkcePrefix) {
		// Such a link is worth nothing to whoever has only seen the letter: it ends in a code, and that needs the verifier.
		return invalid("A link of a PKCE flow is opened in the browser that asked for it")
	}
	got, err := s.open(r, in, false)
	if err != nil {
		return err
	}
	if got.message != "" {
		writeJSON(w, http.StatusOK, map[string]string{"msg": got.message, "code": "200"})
		return nil
	}
	return s.answer(w, r, got.session, nil)
}

// phoneForm is a number with its country's prefix, as the contract's server takes it.
var phoneForm = regexp.MustCompile(`^\s*\+?[1-9][0-9]{1,14}\s*$`)

func (in *verifyBody) check() (err error) {
	switch {
	case in.Type == "":
		return invalid("Verify requires a verification type")
	case in.Phone != "" && !phoneForm.MatchString(in.Phone):
		return invalid("Invalid phone number format (E.164 required)")
	case in.Phone != "":
		return errOneTime // nobody here has a phone, so no code of one is good
	case kindsOf[in.Type] == nil:
		return invalid("Verify requires a verification type that is known")
	case in.TokenHash != "" && (in.Email != "" || in.Token != ""):
		return invalid("Only the token_hash and type should be provided")
	case in.TokenHash != "":
		return nil
	case in.Token == "":
		return invalid("Verify requires a token or a token hash")
	case in.Email == "":
		return invalid("Only an email address or phone number should be provided on verify")
	}
	in.Email, err = parseEmail(in.Email)
	return err
}

// subject is what the trail calls the letter: the address that its code went to, or a link.
func (in *verifyBody) subject() string {
	if in.Email != "" {
		return in.Email
	}
	return "link"
}

// open takes the letter and does what it is for. A PKCE link that a browser opened ends in a code.
func (s *Service) open(r *http.Request, in verifyBody, browser bool) (opened, error) {
	from := originOf(r)
	tried := from.entry("", "letter.open", in.subject(), in.Type+" refused")
	if err := s.Limits.Allow(r.Context(), limit.VerifyPerAddress.By(from.address)); err != nil {
		if fault.Is(err, fault.TooMany) {
			tried.Result = in.Type + " limited"
			err = s.noteRefusal(r.Context(), tried, err)
		}
		return opened{}, err
	}
	var got opened
	var refused error
	err := s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		got, refused = opened{}, nil // a transaction may begin anew
		var t oneTime
		var err error
		if in.TokenHash != "" {
			t, err = s.useLink(ctx, tx, in.Type, in.TokenHash)
		} else {
			t, err = s.useCode(ctx, tx, kindsOf[in.Type], in.Email, in.Token)
		}
		if errors.Is(err, errOneTime) {
			refused = err // and committed, because a wrong code counts
			return recordTry(ctx, tx, tried)
		}
		if err != nil {
			return err
		}
		got, err = s.fulfil(ctx, tx, t, browser, from)
		return err
	})
	return got, errors.Join(err, refused)
}

// fulfil does what the letter is for.
func (s *Service) fulfil(ctx context.Context, tx *db.Tx, t oneTime, browser bool, from origin) (got opened, err error) {
	u, err := userBy(ctx, tx, "id", t.userID)
	if err != nil {
		return got, err
	}
	if u.banned(tx.Now) {
		return got, refuse(403, "user_banned", "User is banned")
	}
	if !t.wentTo(u) {
		return got, errOneTime
	}
	if t.kind == kindEmailCurrent || t.kind == kindEmailNew {
		done, err := s.agreeToAddress(ctx, tx, u, t.kind)
		if err != nil {
			return got, err
		}
		if !done {
			got.message = "Confirmation link accepted. Please proceed to confirm link sent to the other email"
			return got, nil
		}
	} else if err := s.confirmAddress(ctx, tx, u, t, from); err != nil {
		return got, err
	}
	if u, err = userBy(ctx, tx, "id", u.ID); err != nil {
		return got, err
	}
	if err := audit.Record(ctx, tx, from.entry(u.ID, "letter.open", string(t.kind), audit.OK)); err != nil {
		return got, err
	}
	if browser && t.flowID != "" {
		got.code, err = issueCode(ctx, tx, t.flowID, exchangeLife)
		return got, err
	}
	if got.session, err = openSession(ctx, tx, u, "otp", from); err == nil && t.kind == kindRecovery {
		err = noteRecovery(ctx, tx, got.session.session.id)
	}
	return got, err
}

// confirmAddress takes an opened letter as the proof that the address is the user's. Of passwords only the one
// survives that this very letter is the answer to. Where several were chosen, whoever opens the newest letter may not
// be who chose the newest password.
func (s *Service) confirmAddress(ctx context.Context, tx *db.Tx, u *User, t oneTime, from origin) error {
	if !t.pending() {
		if err := dropTokens(ctx, tx, u.ID, false); err != nil {
			return err
		}
	}
	with := evidence{by: string(t.kind), flow: t.flowID}
	if t.kind == kindSignup && !u.confirmed() {
		var err error
		if with.password, err = chosenPassword(ctx, tx, u); err != nil {
			return err
		}
		with.unsure = u.several && with.password != ""
	}
	return s.prove(ctx, tx, u, with, from)
}

// storeAddress writes the address and its standing into the places that repeat it.
func (u *User) storeAddress(ctx context.Context, tx *db.Tx) error {
	u.UserMetadata.renew("email", u.Email)
	_, user, err := u.metadataText()
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "update users set user_metadata = $2 where id = $1", u.ID, user); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "delete from former_addresses where user_id = $1 and address = $2", u.ID, u.Email); err != nil {
		return err
	}
	data := metadata{"email_verified": []byte("true"), "phone_verified": []byte("false")}
	data.set("email", u.Email)
	data.set("sub", u.ID)
	text, err := jsonText(data)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "update identities set identity_data = $2, updated_at = $3 where user_id = $1 and provider = 'email'", u.ID, text, db.At(tx.Now))
	return err
}

// agreeToAddress takes the confirmation of a new address by one of the two mailboxes; done when both have.
func (s *Service) agreeToAddress(ctx context.Context, tx *db.Tx, u *User, by kind) (done bool, err error) {
	if u.NewEmail == "" {
		return false, errOneTime
	}
	if u.Email == "" { // nobody else was asked
		return true, s.nameGuest(ctx, tx, u, u.NewEmail, tx.Now)
	}
	// Of two confirmations at the same moment one finds the other's mark; one mailbox agrees once, however many letters it got.
	n, err := tx.Exec(ctx, `update users set email_change_confirmed_at = $2, email_change_confirmed_by = $3
		where id = $1 and (email_change_confirmed_at is null or email_change_confirmed_by is null or email_change_confirmed_by = $3)`, u.ID, db.At(tx.Now), string(by))
	if err != nil || n > 0 {
		return false, err
	}
	old := u.Email
	_, err = tx.Exec(ctx, `update users set email = new_email, new_email = null, email_confirmed_at = $2, email_proven_at = $2, email_change_sent_at = null,
		email_change_confirmed_at = null, is_anonymous = false, updated_at = $2 where id = $1`, u.ID, db.At(tx.Now))
	if db.Violates(err, db.Unique) {
		return false, errEmailExists
	}
	if err != nil {
		return false, err
	}
	u.Email, u.NewEmail = u.NewEmail, ""
	u.UserMetadata.set("email_verified", true)
	if err := u.storeAddress(ctx, tx); err != nil {
		return false, err
	}
	if err := dropTokens(ctx, tx, u.ID, true); err != nil {
		return false, err
	}
	if err := leaveAddress(ctx, tx, u.ID, old, true); err != nil {
		return false, err
	}
	tx.AfterCommit(func() { s.forget(u.ID) })
	return true, s.Enqueue(ctx, tx, mail.EmailChanged{To: old, NewEmail: u.Email, User: u.ID})
}

// verifyForm is the second half of a link in a mail: the page's form, answered with a redirect.
func (s *Service) verifyForm(w http.ResponseWriter, r *http.Request) error {
	// A link is opened from a mail or from our own page, never by a script of another site.
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return refuse(403, "validation_failed", "Open the link from your mail instead")
	}
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	if err := r.ParseForm(); err != nil {
		return invalid("The form cannot be read")
	}
	in := verifyBody{Type: r.PostForm.Get("type"), TokenHash: r.PostForm.Get("token"), RedirectTo: r.PostForm.Get("redirect_to")}
	if in.TokenHash == "" {
		return invalid("Verify requires a token or a token hash")
	}
	if err := in.check(); err != nil {
		return err
	}
	to := s.redirects.target(r, in.RedirectTo)
	got, err := s.open(r, in, true)
	address, err := s.landing(to, in, got, err)
	if err != nil {
		return err
	}
	if got.session.user != nil {
		s.remember(w, r, got.session.user, got.session.session.strong())
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Location", address)
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// landing is the address that a browser goes on to, with what there is to say in its fragment or query.
func (s *Service) landing(to string, in verifyBody, got opened, err error) (string, error) {
	if err != nil {
		f, _ := inDialect(err)
		if f.status == http.StatusInternalServerError {
			return "", err
		}
		said := redirectError(f)
		if strings.HasPrefix(in.TokenHash, pkcePrefix) {
			to = withQuery(to, redirectError(f))
		}
		return withFragment(to, said), nil
	}
	switch {
	case got.message != "":
		return withFragment(to, url.Values{"message": {got.message}}), nil
	case got.code != "":
		return withQuery(to, url.Values{"code": {got.code}}), nil
	}
	signed, err := s.sign(got.session)
	if err != nil {
		return "", err
	}
	said := sessionValues(signed)
	said.Set("type", in.Type)
	return withFragment(to, said), nil
}

// sessionValues is a session as a fragment says it.
func sessionValues(signed *Session) url.Values {
	return url.Values{
		"access_token": {signed.AccessToken}, "token_type": {signed.TokenType}, "refresh_token": {signed.RefreshToken},
		"expires_in": {strconv.FormatInt(signed.ExpiresIn, 10)}, "expires_at": {strconv.FormatInt(signed.ExpiresAt, 10)},
	}
}

func redirectError(f *failure) url.Values {
	said := url.Values{"error_code": {f.code}, "error_description": {f.message}}
	if f.code == "otp_expired" {
		said.Set("error_description", "Email link is invalid or has expired")
	}
	names := map[int]string{400: "invalid_request", 401: "unauthorized_client", 403: "access_denied", 500: "server_error", 503: "temporarily_unavailable"}
	if name := names[f.status]; name != "" {
		said.Set("error", name)
	}
	return said
}

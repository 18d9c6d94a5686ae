package auth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/key"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
)

// Session is the answer of every call that signs somebody in.
type Session struct {
	AccessToken  string        `json:"access_token"`
	TokenType    string        `json:"token_type"`
	ExpiresIn    int64         `json:"expires_in"`
	ExpiresAt    int64         `json:"expires_at"`
	RefreshToken string        `json:"refresh_token"`
	User         *User         `json:"user"`
	WeakPassword *weakPassword `json:"weak_password,omitempty"`
	providerTokens
}

// providerTokens open a provider's own services; we hand them on and keep none.
type providerTokens struct {
	Access  string `json:"provider_token,omitempty"`
	Refresh string `json:"provider_refresh_token,omitempty"`
}

// session is a row of sessions.
type session struct {
	id        string
	userID    string
	aal       string
	amr       string
	created   time.Time
	refreshed time.Time
}

// issued is a session with its newest refresh token, not signed yet: signing waits until after the commit.
type issued struct {
	session session
	token   string
	user    *User
	at      time.Time
	// with are a provider's tokens, for a session that one opened.
	with providerTokens
}

// origin is where a request comes from, for sessions and the audit trail.
type origin struct{ address, agent string }

func originOf(r *http.Request) origin {
	return origin{audit.Text(who.From(r.Context()).Address), audit.Text(r.UserAgent())}
}

func (o origin) entry(actor, action, subject, result string) audit.Entry {
	return audit.Entry{ActorID: actor, Action: action, Subject: subject, Address: o.address, UserAgent: o.agent, Result: result}
}

// openSession signs a user in by a method of the contract's amr list.
func openSession(ctx context.Context, tx *db.Tx, u *User, method string, from origin) (issued, error) {
	amr, err := json.Marshal([]map[string]any{{"method": method, "timestamp": tx.Now.Unix()}})
	if err != nil {
		return issued{}, err
	}
	opened := session{id: id.New(), userID: u.ID, aal: "aal1", amr: string(amr), created: tx.Now, refreshed: tx.Now}
	_, err = tx.Exec(ctx, `insert into sessions (id, user_id, aal, amr, user_agent, address, created_at, refreshed_at)
		values ($1, $2, $3, $4, $5, $6, $7, $7)`, opened.id, u.ID, opened.aal, opened.amr, from.agent, from.address, db.At(tx.Now))
	if err != nil {
		return issued{}, err
	}
	token := id.Secret()
	if err := addRefreshToken(ctx, tx, opened.id, token); err != nil {
		return issued{}, err
	}
	if _, err := tx.Exec(ctx, "update users set last_sign_in_at = $2, updated_at = $2 where id = $1", u.ID, db.At(tx.Now)); err != nil {
		return issued{}, err
	}
	if _, err := tx.Exec(ctx, "update identities set last_sign_in_at = $2 where user_id = $1 and provider = 'email'", u.ID, db.At(tx.Now)); err != nil {
		return issued{}, err
	}
	u.LastSignInAt, u.UpdatedAt = tx.Now, tx.Now
	if err := audit.Record(ctx, tx, from.entry(u.ID, "session.open", method, audit.OK)); err != nil {
		return issued{}, err
	}
	return issued{session: opened, token: token, user: u, at: tx.Now}, nil
}

func addRefreshToken(ctx context.Context, tx *db.Tx, session, token string) error {
	return tx.Last(ctx, "insert into refresh_tokens (id, session_id, token_hash, created_at) values ($1, $2, $3, $4)",
		id.InOrder(), session, hashToken(token), db.At(tx.Now))
}

// hashToken is for secrets of 192 random bits, which no one can guess from a plain hash.
func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// childOf derives the one successor of a refresh token. It takes the parent's holder and the database's salt to know
// it, so a lost answer can be given again though neither token is stored, and neither alone leads to the next one.
func childOf(token, salt string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte(salt))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:24])
}

// sign makes the answer of what was issued.
func (s *Service) sign(i issued) (*Session, error) {
	app, user, err := i.user.metadataText()
	if err != nil {
		return nil, err
	}
	expires := i.at.Add(accessLife).Unix()
	token, err := s.Keys.Sign(key.Claims{
		Issuer: s.issuer, Subject: i.user.ID, Audience: key.Audience, Expires: expires, IssuedAt: i.at.Unix(),
		Email: i.user.Email, AppMetadata: json.RawMessage(app), UserMetadata: json.RawMessage(user), Role: i.user.Role,
		AAL: i.session.aal, AMR: json.RawMessage(i.session.amr), SessionID: i.session.id, IsAnonymous: i.user.IsAnonymous,
	})
	if err != nil {
		return nil, err
	}
	return &Session{
		AccessToken: token, TokenType: "bearer", ExpiresIn: int64(accessLife / time.Second), ExpiresAt: expires,
		RefreshToken: i.token, User: i.user, providerTokens: i.with,
	}, nil
}

// answer signs and writes a session, and marks the device that gets it.
func (s *Service) answer(w http.ResponseWriter, r *http.Request, i issued, weak *weakPassword) error {
	signed, err := s.sign(i)
	if err != nil {
		return err
	}
	s.remember(w, r, i.user, i.session.strong())
	signed.WeakPassword = weak
	w.Header().Set("Sb-Auth-User-Id", i.user.ID)
	w.Header().Set("Sb-Auth-Session-Id", i.session.id)
	writeJSON(w, http.StatusOK, signed)
	return nil
}

// endSessions deletes a user's sessions, and with them their refresh tokens. except stays; only, if given, is the
// one to go.
func (s *Service) endSessions(ctx context.Context, tx *db.Tx, user, except, only string) error {
	if except == "" {
		except = id.Nil
	}
	query, args := "delete from sessions where user_id = $1 and id <> $2", []any{user, except}
	if only != "" {
		query, args = "delete from sessions where user_id = $1 and id = $2", []any{user, only}
	}
	if _, err := tx.Exec(ctx, query, args...); err != nil {
		return err
	}
	tx.AfterCommit(func() { s.forget(user) })
	return nil
}

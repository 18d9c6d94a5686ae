package auth

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"strings"

	"greenroom/internal/key"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// caller is the signed-in person behind a request of a user endpoint.
type caller struct {
	user    *User
	session session
}

// bearer gives the token of the Authorization header.
func bearer(r *http.Request) (string, error) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); !ok || token == "" || !strings.EqualFold(scheme, "Bearer") {
		return "", refuse(401, "no_authorization", "This endpoint requires a valid Bearer token")
	}
	return token, nil
}

// caller checks the token and reads user and session from the database, so that what was ended is ended at once.
func (s *Service) caller(r *http.Request) (caller, error) {
	claims, user, err := s.bearerClaims(r)
	if err != nil {
		return caller{}, err
	}
	return s.read(r.Context(), user, claims.SessionID)
}

// bearerClaims checks the token alone, and gives the user that it names.
func (s *Service) bearerClaims(r *http.Request) (claims key.Claims, user string, err error) {
	token, err := bearer(r)
	if err != nil {
		return claims, "", err
	}
	claims, err = s.Keys.Verify(token, s.issuer, s.DB.Clock.Now())
	if err != nil {
		return claims, "", refuse(403, "bad_jwt", "invalid JWT: unable to parse or verify signature, "+err.Error())
	}
	if claims.Subject == "" {
		return claims, "", refuse(403, "bad_jwt", "invalid claim: missing sub claim")
	}
	user, ok := id.Parse(claims.Subject)
	if !ok {
		return claims, "", refuse(400, "bad_jwt", "invalid claim: sub claim must be a UUID")
	}
	return claims, user, nil
}

func (s *Service) read(ctx context.Context, user, session string) (c caller, err error) {
	err = s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		c, err = readCaller(ctx, tx, user, session)
		return err
	})
	return c, err
}

func readCaller(ctx context.Context, tx *db.Tx, user, of string) (c caller, err error) {
	c.user, err = userBy(ctx, tx, "id", user)
	if errors.Is(err, sql.ErrNoRows) {
		return c, refuse(403, "user_not_found", "User from sub claim in JWT does not exist")
	}
	if err != nil {
		return c, err
	}
	if c.user.banned(tx.Now) {
		// Before the session: a ban ends that as well, and the client should tell its reader of the ban.
		return c, refuse(403, "user_banned", "User is banned")
	}
	session, ok := id.Parse(of)
	if !ok {
		return c, errNoSession
	}
	c.session.id, c.session.userID = session, user
	var created, refreshed db.Time
	err = tx.QueryRow(ctx, "select aal, amr, created_at, refreshed_at from sessions where id = $1 and user_id = $2", session, user).
		Scan(&c.session.aal, &c.session.amr, &created, &refreshed)
	if errors.Is(err, sql.ErrNoRows) {
		return c, errNoSession
	}
	if err != nil {
		return c, err
	}
	c.session.created, c.session.refreshed = created.Time, refreshed.Time
	return c, nil
}

var errNoSession = refuse(403, "session_not_found", "Session from session_id claim in JWT does not exist")

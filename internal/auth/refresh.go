package auth

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// refresh trades a refresh token for its successor and a new access token.
//
// The tokens of a session are one line of descent. The newest is good; so is its parent, at any age, because the
// answer that carried the child may have been lost; and for a moment so is any other, because tabs and instances
// refresh at once. All of them get the newest. Anything older was stolen or leaked, and ends the session.
func (s *Service) refresh(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		RefreshToken string `json:"refresh_token"`
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	if in.RefreshToken == "" {
		return invalid("refresh_token required")
	}
	if len(in.RefreshToken) < 12 || len(in.RefreshToken) > 256 {
		return invalid("Refresh token is not valid")
	}
	from := originOf(r)
	use := limit.RefreshPerAddress.By(from.address)
	if err := s.Limits.Known(use); err != nil {
		return err // without a transaction
	}
	var got issued
	var refused error
	err := s.DB.Write(r.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		t := turn{token: in.RefreshToken, hash: hashToken(in.RefreshToken), salt: id.Secret()}
		// A refusal is committed as well, and with it the count: one transaction does for both.
		var b db.Batch
		if err := s.Limits.AddFirst(&b, tx, use); err != nil {
			return err
		}
		t.add(&b, tx)
		if err := s.Limits.Judge(ctx, tx, tx.Send(ctx, &b)); err != nil {
			return err
		}
		got, refused, err = s.rotate(ctx, tx, &t, from)
		return err
	})
	if err := errors.Join(err, refused); err != nil {
		return err
	}
	return s.answer(w, r, got, nil)
}

// turn is what a refresh token leads to.
type turn struct {
	token, hash, salt string

	held         session
	known, there bool
	user         userReader
	newest       bool
}

// What a refresh asks for besides its user (userByToken), by the token's hash alone. Noting the refresh keeps the
// session's row until the commit: those of one session, on whatever instance, come one after the other. A session that
// turns out to be over is deleted, whatever is noted.
const (
	holdByHash = `update sessions set refreshed_at = $2 where id = (select session_id from refresh_tokens where token_hash = $1)
		returning user_id, aal, amr, created_at`
	useToken = "update refresh_tokens set used_at = $2, child_salt = $3 where token_hash = $1 and used_at is null"
)

// add asks for all of it at once.
func (t *turn) add(b *db.Batch, tx *db.Tx) {
	// Before the session's row is held, because that changes when it was refreshed last.
	b.Each(userByToken, []any{t.hash}, func(scan func(into ...any) error) error {
		var refreshed db.Time
		err := t.user.each(func(into ...any) error { return scan(append([]any{&t.held.id, &refreshed}, into...)...) })
		t.known, t.held.refreshed = true, refreshed.Time
		return err
	})
	b.Each(holdByHash, []any{t.hash, db.At(tx.Now)}, func(scan func(into ...any) error) error {
		var created db.Time
		err := scan(&t.held.userID, &t.held.aal, &t.held.amr, &created)
		t.there, t.held.created = true, created.Time
		return err
	})
	b.Exec(useToken, []any{t.hash, db.At(tx.Now), t.salt}, func(rows int64) error {
		t.newest = rows > 0
		return nil
	})
}

// rotate gives what to issue or why not. A refusal is committed like a success: it may end the session.
func (s *Service) rotate(ctx context.Context, tx *db.Tx, t *turn, from origin) (got issued, refused, err error) {
	switch {
	case !t.known:
		return issued{}, refuse(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"), nil
	case !t.there:
		return issued{}, refuse(400, "session_not_found", "Invalid Refresh Token: No Valid Session Found"), nil
	}
	held := t.held
	u, err := t.user.finish(ctx, tx)
	if err != nil {
		return issued{}, nil, err
	}
	if refused := over(held, u, tx.Now); refused != nil {
		return issued{}, refused, s.endSessions(ctx, tx, u.ID, "", held.id)
	}
	newest, err := t.descend(ctx, tx)
	if errors.Is(err, errReused) {
		if err := audit.Record(ctx, tx, from.entry(u.ID, "session.refresh", held.id, "reused")); err != nil {
			return issued{}, nil, err
		}
		return issued{}, refuse(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used"), s.endSessions(ctx, tx, u.ID, "", held.id)
	}
	if err != nil {
		return issued{}, nil, err
	}
	return issued{session: held, token: newest, user: u, at: tx.Now}, nil, nil
}

// over tells why a session has ended by itself.
func over(held session, u *User, now time.Time) error {
	switch {
	case u.banned(now):
		return refuse(400, "user_banned", "Invalid Refresh Token: User Banned")
	case now.Sub(held.created) >= sessionLife:
		return refuse(400, "session_expired", "Invalid Refresh Token: Session Expired")
	case now.Sub(held.refreshed) >= idleLife:
		return refuse(400, "session_expired", "Invalid Refresh Token: Session Expired (Inactivity)")
	}
	return nil
}

var errReused = errors.New("the refresh token was used before")

// descend walks from a token to the newest of its line, making that one if the token was the newest itself.
func (t *turn) descend(ctx context.Context, tx *db.Tx) (string, error) {
	token, of := t.token, t.held.id
	if t.newest {
		child := childOf(token, t.salt)
		return child, addRefreshToken(ctx, tx, of, child)
	}
	salt, used, err := tokenRow(ctx, tx, of, token)
	if err != nil {
		return "", err
	}
	forgiven := tx.Now.Sub(used.Time) < reuseWindow
	for generation := 1; ; generation++ {
		token = childOf(token, salt)
		salt, used, err = tokenRow(ctx, tx, of, token)
		if err != nil {
			return "", err
		}
		if used.IsZero() {
			return token, nil
		}
		// The next step would leave the child that the token's holder knows of.
		if generation == 1 && !forgiven {
			return "", errReused
		}
	}
}

func tokenRow(ctx context.Context, tx *db.Tx, of, token string) (salt string, used db.Time, err error) {
	var kept sql.NullString
	err = tx.QueryRow(ctx, "select child_salt, used_at from refresh_tokens where session_id = $1 and token_hash = $2", of, hashToken(token)).
		Scan(&kept, &used)
	return kept.String, used, err
}

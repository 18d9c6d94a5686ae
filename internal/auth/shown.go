package auth

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"sync"
	"time"

	"greenroom/internal/platform/db"
)

// shown remembers for a moment what GET /user answered to a session: pages ask it again and again. Whether the session
// goes on is asked every time, so what was ended is ended at once. The rest is emptied by every write of this service;
// what another instance changed is shown within a second.
type shown struct {
	mu    sync.Mutex
	known map[string]answer
	bytes int
	// changed counts writes: an answer read before one must not be remembered after it.
	changed uint64
}

const (
	showFor   = time.Second
	mostShown = 4 << 20 // bytes
)

type answer struct {
	user  string
	text  []byte
	until time.Duration
}

func (s *shown) get(session, user string, now time.Duration) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.known[session]; ok && found.user == user && now < found.until {
		return found.text
	}
	return nil
}

func (s *shown) generation() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

func (s *shown) put(session, user string, text []byte, now time.Duration, generation uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if generation != s.changed {
		return
	}
	if s.bytes += len(text); s.bytes > mostShown || s.known == nil {
		s.known, s.bytes = map[string]answer{}, len(text)
	}
	s.known[session] = answer{user, text, now + showFor}
}

func (s *shown) empty() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed++
	s.known, s.bytes = nil, 0
}

// write is DB.Write for whatever may change an account.
func (s *Service) write(ctx context.Context, fn func(ctx context.Context, tx *db.Tx) error) error {
	defer s.shown.empty() // also after an error: a commit may have happened before its answer was lost
	return s.DB.Write(ctx, fn)
}

// forget ends what this instance remembers of a user's sessions, after the commit that changed them.
func (s *Service) forget(user string) {
	s.Accounts.Forget(user)
	s.shown.empty()
}

// showUser answers the caller's own account.
func (s *Service) showUser(w http.ResponseWriter, r *http.Request) error {
	claims, user, err := s.bearerClaims(r)
	if err != nil {
		return err
	}
	now, generation := s.DB.Clock.Passed(), s.shown.generation()
	text := s.shown.get(claims.SessionID, user, now)
	if text != nil {
		goesOn, err := s.goesOn(r.Context(), user, claims.SessionID)
		if err != nil {
			return err
		}
		if goesOn {
			writeText(w, http.StatusOK, text)
			return nil
		}
	}
	c, err := s.read(r.Context(), user, claims.SessionID)
	if err != nil {
		return err
	}
	text = encode(c.user)
	s.shown.put(claims.SessionID, user, text, now, generation)
	writeText(w, http.StatusOK, text)
	return nil
}

const standing = "select u.banned_until from sessions s join users u on u.id = s.user_id where s.id = $1 and s.user_id = $2"

// goesOn tells whether a session is there and its user not banned.
func (s *Service) goesOn(ctx context.Context, user, session string) (goesOn bool, err error) {
	err = s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) error {
		var banned db.Time
		err := tx.QueryRow(ctx, standing, session, user).Scan(&banned)
		goesOn = err == nil && !banned.After(tx.Now)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return goesOn, err
}

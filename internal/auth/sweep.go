package auth

import (
	"context"
	"time"

	"greenroom/internal/platform/db"
)

// guestHour is how long a guest without a session is left alone: theirs may be about to open.
const guestHour = time.Hour

// Over names the links, flows, sessions and guests that are over.
//
// A used refresh token is kept for as long as its session could have idled: until then its owner may come back with it
// and learn that somebody else went on in their place. The tokens of a session that is over go before it does, so that
// no row takes thousands along.
func (s *Service) Over(now time.Time) []db.Old {
	expired := func(table string) db.Old {
		return db.Old{Table: table, Where: "expires_at <= $1", Args: []any{db.At(now)}, Order: "expires_at"}
	}
	idle, aged := []any{db.At(now.Add(-idleLife))}, []any{db.At(now.Add(-sessionLife))}
	return []db.Old{
		expired("one_time_tokens"),
		expired("sign_ups"),
		expired("flow_states"),
		expired("oauth_states"),
		expired("mfa_challenges"),
		expired("mfa_used_codes"),
		expired("passkey_challenges"),
		{Table: "refresh_tokens", Where: "used_at <= $1", Args: idle, Order: "used_at", Final: true},
		{Table: "refresh_tokens", Where: "session_id in (select id from sessions where created_at <= $1)", Args: aged, Final: true},
		{Table: "refresh_tokens", Where: "session_id in (select id from sessions where refreshed_at <= $1)", Args: idle, Final: true},
		{Table: "sessions", Where: "created_at <= $1", Args: aged, Order: "created_at", Final: true},
		{Table: "sessions", Where: "refreshed_at <= $1", Args: idle, Order: "refreshed_at", Final: true},
		{
			Table: "users", Where: "is_anonymous and created_at <= $1 and not exists (select 1 from sessions where sessions.user_id = users.id)",
			Args: []any{db.At(now.Add(-guestHour))}, Order: "created_at",
		},
	}
}

// Sweep deletes what is over, and says how many rows that were.
func (s *Service) Sweep(ctx context.Context) (int64, error) {
	return s.DB.Sweep(ctx, s.Over(s.DB.Clock.Now())...)
}

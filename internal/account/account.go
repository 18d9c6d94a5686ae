// Package account knows the people: who has an account, which roles they hold, and who stands behind an access
// token. How they sign in is the business of package auth.
package account

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/key"
	"greenroom/internal/platform/db"
	addresses "greenroom/internal/platform/email"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
)

// Directory is the register of accounts.
type Directory struct {
	db       *db.DB
	adminMFA bool
	callers  callers
}

// New opens the register. An admin who has a second factor is one only after it; with adminMFA every admin needs one.
func New(d *db.DB, adminMFA bool) *Directory {
	return &Directory{db: d, adminMFA: adminMFA, callers: callers{known: map[string]caller{}}}
}

// ErrSessionEnded says that the token's session is over, though the token has not expired.
var ErrSessionEnded = errors.New("the session has ended")

// Caller tells who stands behind a checked token. What another instance changed counts within a second; what
// this one changed counts at once, through Forget.
func (d *Directory) Caller(ctx context.Context, claims key.Claims) (who.Actor, error) {
	now := d.db.Clock.Passed()
	if actor, ok := d.callers.get(claims.SessionID, claims.Subject, now); ok {
		return actor, nil
	}
	session, okSession := id.Parse(claims.SessionID)
	user, okUser := id.Parse(claims.Subject)
	if !okSession || !okUser {
		return who.Actor{}, ErrSessionEnded
	}
	generation := d.callers.generation()
	var actor who.Actor
	err := d.db.Look(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		actor, err = d.lookUp(ctx, tx, session, user)
		return err
	})
	if err != nil {
		return who.Actor{}, err
	}
	d.callers.put(actor, now, generation)
	return actor, nil
}

func (d *Directory) lookUp(ctx context.Context, tx *db.Tx, session, user string) (who.Actor, error) {
	actor := who.Actor{Role: who.User, UserID: user, SessionID: session}
	var email sql.NullString
	var metadata string
	var banned db.Time
	var admin, guarded bool
	err := tx.QueryRow(ctx, `select u.email, u.user_metadata, u.is_anonymous, u.banned_until, s.aal,
			exists (select 1 from user_roles r where r.user_id = u.id and r.role = 'admin'),
			exists (select 1 from mfa_factors f where f.user_id = u.id and f.status = 'verified')
		from sessions s join users u on u.id = s.user_id where s.id = $1 and s.user_id = $2`, session, user).
		Scan(&email, &metadata, &actor.Guest, &banned, &actor.AAL, &admin, &guarded)
	if errors.Is(err, sql.ErrNoRows) || (err == nil && banned.After(tx.Now)) {
		return who.Actor{}, ErrSessionEnded
	}
	if err != nil {
		return who.Actor{}, err
	}
	actor.Email, actor.Name = email.String, NameIn(metadata)
	actor.Admin = admin && (actor.AAL == "aal2" || (!d.adminMFA && !guarded))
	return actor, nil
}

// Standing gives somebody as their account stands now, without a session: for what they began in one. Who is gone or banned is
// nobody any more.
func Standing(ctx context.Context, tx *db.Tx, user string) (who.Actor, error) {
	actor := who.Actor{Role: who.User, UserID: user}
	var banned db.Time
	err := tx.QueryRow(ctx, `select u.is_anonymous, u.banned_until, exists (select 1 from user_roles r where r.user_id = u.id and r.role = 'admin')
		from users u where u.id = $1`, user).Scan(&actor.Guest, &banned, &actor.Admin)
	if errors.Is(err, sql.ErrNoRows) || (err == nil && banned.After(tx.Now)) {
		return who.Actor{Role: who.Anonymous}, nil
	}
	return actor, err
}

// NameIn finds the name that a person gave with their account.
func NameIn(metadata string) string {
	var known struct {
		Name     string `json:"name"`
		FullName string `json:"full_name"`
	}
	if json.Unmarshal([]byte(metadata), &known) != nil {
		return ""
	}
	if known.Name != "" {
		return strings.TrimSpace(known.Name)
	}
	return strings.TrimSpace(known.FullName)
}

// Forget ends what this instance remembers of a user's sessions. Call it after the commit that changed them.
func (d *Directory) Forget(userID string) { d.callers.forget(userID) }

// Proven asks, with a batch, whether an address is an account's whose holder has shown that it is theirs; found then hears
// what they call themselves.
func (*Directory) Proven(b *db.Batch, address string, found func(name string)) {
	b.Each("select user_metadata from users where email = $1 and email_proven_at is not null", []any{addresses.Key(address)},
		func(scan func(into ...any) error) error {
			var metadata string
			err := scan(&metadata)
			found(NameIn(metadata))
			return err
		})
}

// Admin is a person with the admin role.
type Admin struct {
	Email string
	Since time.Time
}

// Grant makes the person with this address an admin. To grant it twice is no mistake. An address that nobody has shown
// to be theirs may be a stranger's account, so it is refused.
func (d *Directory) Grant(ctx context.Context, email string) error {
	return d.grant(ctx, email, false)
}

// GrantUnproven makes an admin of whoever signed up with this address.
func (d *Directory) GrantUnproven(ctx context.Context, email string) error {
	return d.grant(ctx, email, true)
}

func (d *Directory) grant(ctx context.Context, email string, unproven bool) error {
	return d.changeRole(ctx, email, "admin.grant", func(ctx context.Context, tx *db.Tx, user string) error {
		var proven db.Time
		if err := tx.QueryRow(ctx, "select email_proven_at from users where id = $1", user).Scan(&proven); err != nil {
			return err
		}
		if proven.IsZero() && !unproven {
			return fault.Newf(fault.Forbidden, "Anyone could have signed up as %s. Ask its owner to confirm the address in Settings first"+
				" (or with “Forgot password?”), or add --unproven if you know whose account it is.", email)
		}
		_, err := tx.Exec(ctx, `insert into user_roles (id, user_id, role, created_at) values ($1, $2, 'admin', $3)
			on conflict (user_id, role) do nothing`, id.New(), user, db.At(tx.Now))
		return err
	})
}

// Revoke takes the admin role away.
func (d *Directory) Revoke(ctx context.Context, email string) error {
	return d.changeRole(ctx, email, "admin.revoke", func(ctx context.Context, tx *db.Tx, user string) error {
		n, err := tx.Exec(ctx, "delete from user_roles where user_id = $1 and role = 'admin'", user)
		if err == nil && n == 0 {
			return fault.Newf(fault.NotFound, "%s is not an admin.", email)
		}
		return err
	})
}

// changeRole changes what a person may do, and notes it in the trail: it is done from the command line alone.
func (d *Directory) changeRole(ctx context.Context, email, action string, fn func(ctx context.Context, tx *db.Tx, user string) error) error {
	return d.db.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		var user string
		address := addresses.Key(strings.TrimSpace(email))
		err := tx.QueryRow(ctx, "select id from users where email = $1", address).Scan(&user)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.Newf(fault.NotFound, "No one has signed up as %s yet. Sign up on the site first.", email)
		}
		if err != nil {
			return err
		}
		tx.AfterCommit(func() { d.Forget(user) })
		if err := fn(ctx, tx, user); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Action: action, Subject: address, UserAgent: "greenroom admin", Result: audit.OK})
	})
}

// Admins lists who holds the role, longest first.
func (d *Directory) Admins(ctx context.Context) ([]Admin, error) {
	var admins []Admin
	err := d.db.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, `select coalesce(u.email, ''), r.created_at from user_roles r join users u on u.id = r.user_id
			where r.role = 'admin' order by r.created_at, u.email`, nil, func(scan func(...any) error) error {
			var one Admin
			var since db.Time
			err := scan(&one.Email, &since)
			one.Since = since.Time
			admins = append(admins, one)
			return err
		})
	})
	return admins, err
}

package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

// Keeper is a domain that holds rows about people. address is empty unless the person has shown that it is theirs:
// rows that know nobody but an address belong to its owner, not to whoever signs up with it.
type Keeper struct {
	Name   string
	About  func(ctx context.Context, tx *db.Tx, user, address string) ([]map[string]any, error)
	Forget func(ctx context.Context, tx *db.Tx, user, address string) error
	// Keep lets stay, as nobody's, what a person wrote for others, where they choose so; Forget then finds nothing of it.
	Keep func(ctx context.Context, tx *db.Tx, user string) error
	// Move gives a guest's rows to somebody, and says how many they got by it.
	Move func(ctx context.Context, tx *db.Tx, guest, to string) (int, error)
}

// Functions are what a person does with their own account beyond the contract.
func (s *Service) Functions() []fn.Function {
	return []fn.Function{
		{Name: "sessions", For: fn.Users, Methods: []string{http.MethodGet, http.MethodPost}, Call: s.ownSessions},
		{Name: "my-data", For: fn.Users, Methods: []string{http.MethodGet}, Call: s.ownData},
		{Name: "prove-address", For: fn.Users, Methods: []string{http.MethodGet, http.MethodPost}, Call: s.ownAddress},
		{Name: "adopt-guest", For: fn.Users, Call: s.adoptGuest},
		{Name: "delete-account", For: fn.Users, Call: s.deleteAccount},
	}
}

// ownData is all that is stored about the caller, as a file.
func (s *Service) ownData(ctx context.Context, r fn.Request) (fn.Answer, error) {
	if err := s.Limits.Allow(ctx, limit.FunctionPerAddress.By(r.Actor.Address)); err != nil {
		return fn.Answer{}, err
	}
	data := map[string]any{}
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		u, err := userBy(ctx, tx, "id", r.Actor.UserID)
		if err != nil {
			return err
		}
		address := u.provenAddress()
		data["account"] = u
		for _, k := range append(s.ownRows(), s.Keepers...) {
			if k.About == nil {
				continue
			}
			if data[k.Name], err = k.About(ctx, tx, u.ID, address); err != nil {
				return fmt.Errorf("collect %s: %w", k.Name, err)
			}
		}
		return nil
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.File("greenroom-my-data.json", "application/json; charset=utf-8", func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(data)
	}), nil
}

// ownRows are the rows about people that sign-in itself keeps, less what would open an account.
func (s *Service) ownRows() []Keeper {
	rows := func(name, query string) Keeper {
		return Keeper{Name: name, About: func(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
			return db.Maps(ctx, tx, query, user)
		}}
	}
	return []Keeper{
		rows("sessions", "select id, aal, user_agent, address, created_at, refreshed_at from sessions where user_id = $1 order by created_at, id"),
		rows("security_keys", `select f.friendly_name, c.credential_id, c.transports, c.created_at, c.last_used_at
			from mfa_credentials c join mfa_factors f on f.id = c.factor_id where f.user_id = $1 order by c.created_at, c.id`),
		rows("recovery_codes", `select c.created_at, c.used_at from mfa_recovery_codes c join mfa_factors f on f.id = c.factor_id
			where f.user_id = $1 order by c.created_at, c.id`),
		rows("passkeys", "select friendly_name, credential_id, device, transports, created_at, last_used_at from passkeys where user_id = $1 order by created_at, id"),
		rows("former_addresses", "select address, proven, left_at from former_addresses where user_id = $1 order by left_at, address"),
		rows("roles", "select role, created_at from user_roles where user_id = $1"),
		rows("audit", "select action, subject, address, user_agent, result, times, created_at, last_at from audit_entries where actor_id = $1 order by created_at, id"),
	}
}

// eraseFresh is how long after signing in an account may be deleted without its password.
const eraseFresh = 15 * time.Minute

// deleteAccount erases the caller. It takes the password, or a session that was opened a moment ago. What they wrote for others stays
// without their name if they say so.
func (s *Service) deleteAccount(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var in struct {
		Password string `json:"password"`
		Keep     bool   `json:"keep_posts"`
	}
	if err := r.Decode(&in); err != nil {
		return fn.Answer{}, err
	}
	from := origin{address: audit.Text(r.Actor.Address)}
	c, err := s.callerOf(ctx, r)
	if err != nil {
		return fn.Answer{}, err
	}
	if c.user.guarded() && !c.session.strong() {
		return fn.Answer{}, fault.Coded(fault.Forbidden, "insufficient_aal", "Enter your two-step verification code first.")
	}
	if err := s.certain(ctx, c, in.Password, from); err != nil {
		return fn.Answer{}, err
	}
	if err := s.writeRefusals(ctx); err != nil { // or what is left of them comes after
		return fn.Answer{}, err
	}
	err = s.write(ctx, func(ctx context.Context, tx *db.Tx) error {
		now, err := recall(ctx, tx, c)
		if err != nil {
			return ended(err)
		}
		if in.Keep {
			if err := s.keepPosts(ctx, tx, now.user.ID); err != nil {
				return err
			}
		}
		return s.erase(ctx, tx, now.user, now.user.ID)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]bool{"deleted": true}), nil
}

// ended words a caller who is gone meanwhile for the functions.
func ended(err error) error {
	if f, ok := asFailure(err); ok {
		return fault.New(fault.Unauthenticated, f.message).Because(err)
	}
	return err
}

// certain makes sure that it is the owner who sits there.
func (s *Service) certain(ctx context.Context, c caller, password string, from origin) error {
	if password == "" {
		if c.user.IsAnonymous || s.DB.Clock.Now().Sub(c.session.shown()) < eraseFresh {
			return nil
		}
		return fault.Coded(fault.Forbidden, "reauthentication_needed", "Enter your password, or sign in again first.")
	}
	return s.rightPassword(ctx, c, password, from, fault.Coded(fault.Forbidden, "current_password_invalid", "That is not your password."))
}

// callerOf reads who calls a function, as they are now.
func (s *Service) callerOf(ctx context.Context, r fn.Request) (c caller, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		c, err = readCaller(ctx, tx, r.Actor.UserID, r.Actor.SessionID)
		return err
	})
	return c, ended(err)
}

// keepPosts takes a person's name off what they wrote for others, before they are erased.
func (s *Service) keepPosts(ctx context.Context, tx *db.Tx, user string) error {
	for _, k := range s.Keepers {
		if k.Keep == nil {
			continue
		}
		if err := k.Keep(ctx, tx, user); err != nil {
			return fmt.Errorf("keep %s: %w", k.Name, err)
		}
	}
	return nil
}

// erase deletes a person and what every domain knows of them. The trail keeps their id, which leads to nobody.
func (s *Service) erase(ctx context.Context, tx *db.Tx, u *User, actor string) error {
	address := u.provenAddress()
	former, own, err := formerAddresses(ctx, tx, u.ID)
	if err != nil {
		return err
	}
	for _, k := range s.Keepers {
		for _, one := range append([]string{address}, own...) {
			if k.Forget == nil {
				continue
			}
			if err := k.Forget(ctx, tx, u.ID, one); err != nil {
				return fmt.Errorf("forget %s: %w", k.Name, err)
			}
		}
	}
	if _, err := tx.Exec(ctx, "delete from users where id = $1", u.ID); err != nil {
		return err
	}
	for _, one := range append([]string{u.Email}, former...) {
		if err := forgetSignUp(ctx, tx, one); err != nil {
			return err
		}
	}
	if err := audit.Forget(ctx, tx, u.ID, u.Email, former...); err != nil {
		return err
	}
	tx.AfterCommit(func() { s.forget(u.ID); s.DB.Erased() })
	// Nothing but the two ids: where the person sat is theirs, too.
	return audit.Record(ctx, tx, audit.Entry{ActorID: actor, Action: "user.delete", Subject: u.ID, Result: audit.OK})
}

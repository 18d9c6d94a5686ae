package account_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/internal/account"
	"greenroom/internal/account/accounttest"
	"greenroom/internal/audit"
	"greenroom/internal/key"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

func claimsOf(p accounttest.Person) key.Claims {
	return key.Claims{Subject: p.ID, SessionID: p.SessionID}
}

func endSession(t *testing.T, d *db.DB, p accounttest.Person) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "delete from sessions where id = $1", p.SessionID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRoleIsReadFromTheDatabase(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		people := account.New(d, false)
		ada := accounttest.Add(t, d, "ada@example.com")
		actor, err := people.Caller(t.Context(), claimsOf(ada))
		if err != nil || actor.Admin || actor.Email != ada.Email || actor.UserID != ada.ID {
			t.Fatalf("%+v, %v", actor, err)
		}
		if err := people.Grant(t.Context(), " ADA@example.com "); err != nil {
			t.Fatal(err)
		}
		if actor, err := people.Caller(t.Context(), claimsOf(ada)); err != nil || !actor.Admin {
			t.Fatalf("after the grant: %+v, %v", actor, err)
		}
		if admins, err := people.Admins(t.Context()); err != nil || len(admins) != 1 || admins[0].Email != ada.Email {
			t.Fatalf("%v, %v", admins, err)
		}
		if err := people.Revoke(t.Context(), ada.Email); err != nil {
			t.Fatal(err)
		}
		if actor, err := people.Caller(t.Context(), claimsOf(ada)); err != nil || actor.Admin {
			t.Fatalf("after the revocation: %+v, %v", actor, err)
		}
	})
}

func TestRolesLeaveATrail(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		people := account.New(d, false)
		ada := accounttest.Add(t, d, "ada@example.com")
		if err := people.Revoke(t.Context(), ada.Email); !fault.Is(err, fault.NotFound) {
			t.Fatalf("the role of nobody: %v", err)
		}
		if err := errors.Join(people.Grant(t.Context(), " ADA@example.com "), people.Revoke(t.Context(), ada.Email)); err != nil {
			t.Fatal(err)
		}
		var acts []string
		err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			lines, _, err := audit.List(ctx, tx, audit.Filter{AdminActs: true})
			for _, line := range lines {
				acts = append(acts, line.Action+" "+line.Subject+" "+line.Result)
			}
			return err
		})
		slices.Sort(acts) // within one moment the trail has no order
		want := []string{"admin.grant ada@example.com ok", "admin.revoke ada@example.com ok"}
		if err != nil || !slices.Equal(acts, want) {
			t.Fatalf("%q, %v", acts, err)
		}
	})
}

func TestEndedSessionEndsHereAtOnceAndElsewhereWithinASecond(t *testing.T) {
	t.Parallel()
	hands := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	dbtest.EachClock(t, hands, func(t *testing.T, d *db.DB) {
		here, there := account.New(d, false), account.New(d, false)
		ada := accounttest.Add(t, d, "ada@example.com")
		for _, instance := range []*account.Directory{here, there} {
			if _, err := instance.Caller(t.Context(), claimsOf(ada)); err != nil {
				t.Fatal(err)
			}
		}
		endSession(t, d, ada)
		here.Forget(ada.ID)
		if _, err := here.Caller(t.Context(), claimsOf(ada)); !errors.Is(err, account.ErrSessionEnded) {
			t.Errorf("here: %v", err)
		}
		hands.Advance(time.Second)
		if _, err := there.Caller(t.Context(), claimsOf(ada)); !errors.Is(err, account.ErrSessionEnded) {
			t.Errorf("there: %v", err)
		}
	})
}

func TestClockThatIsSetBackKeepsNoEndedSession(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			hands := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			d := dbtest.Open(t, engine, hands)
			people := account.New(d, false)
			ada := accounttest.Add(t, d, "ada@example.com")
			if _, err := people.Caller(t.Context(), claimsOf(ada)); err != nil {
				t.Fatal(err)
			}
			endSession(t, d, ada) // as another instance does it
			hands.Advance(-4 * time.Minute)
			hands.Advance(time.Second)
			if _, err := people.Caller(t.Context(), claimsOf(ada)); !errors.Is(err, account.ErrSessionEnded) {
				t.Fatalf("a second later by a clock that was set back: %v", err)
			}
		})
	}
}

func TestSomeoneElsesSessionIsNotMine(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		people := account.New(d, false)
		ada, bob := accounttest.Add(t, d, "ada@example.com"), accounttest.Add(t, d, "bob@example.com")
		if _, err := people.Caller(t.Context(), claimsOf(ada)); err != nil {
			t.Fatal(err)
		}
		mixed := key.Claims{Subject: bob.ID, SessionID: ada.SessionID}
		if _, err := people.Caller(t.Context(), mixed); !errors.Is(err, account.ErrSessionEnded) {
			t.Fatalf("got %v", err)
		}
	})
}

func TestAdminsNeedASecondFactorWhereItIsRequired(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		people := account.New(d, true)
		ada := accounttest.Add(t, d, "ada@example.com")
		if err := people.Grant(t.Context(), ada.Email); err != nil {
			t.Fatal(err)
		}
		if actor, err := people.Caller(t.Context(), claimsOf(ada)); err != nil || actor.Admin {
			t.Fatalf("an admin at aal1: %+v, %v", actor, err)
		}
	})
}

func TestGrantRefusesAnAddressThatNobodyHasProven(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		people := account.New(d, false)
		ada := accounttest.Add(t, d, "ada@example.com")
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "update users set email_proven_at = null where id = $1", ada.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := people.Grant(t.Context(), ada.Email); !fault.Is(err, fault.Forbidden) || !strings.Contains(err.Error(), "--unproven") {
			t.Fatalf("granted to whoever signed up: %v", err)
		}
		if admins, err := people.Admins(t.Context()); err != nil || len(admins) != 0 {
			t.Fatalf("%v, %v", admins, err)
		}
		err = d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			var b db.Batch
			people.Proven(&b, ada.Email, func(string) { t.Error("it counts as proven") })
			return tx.Send(ctx, &b)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := people.GrantUnproven(t.Context(), ada.Email); err != nil {
			t.Fatal(err)
		}
		if actor, err := people.Caller(t.Context(), claimsOf(ada)); err != nil || !actor.Admin {
			t.Fatalf("%+v, %v", actor, err)
		}
	})
}

func TestGrantToAStrangerSaysWhatToDo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := account.New(d, false).Grant(t.Context(), "nobody@example.com"); !fault.Is(err, fault.NotFound) {
			t.Fatalf("got %v", err)
		}
	})
}

// TestSecurity25AnAdminWithAFactorIsAnAdminOnlyBehindIt is line 25 of the security page.
func TestSecurity25AnAdminWithAFactorIsAnAdminOnlyBehindIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		people := account.New(d, false)
		ada := accounttest.Add(t, d, "ada@example.com")
		if err := people.Grant(t.Context(), ada.Email); err != nil {
			t.Fatal(err)
		}
		set := func(query string, args ...any) {
			t.Helper()
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				_, err := tx.Exec(ctx, query, args...)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			people.Forget(ada.ID)
		}
		admin := func(expected bool, when string) {
			t.Helper()
			if actor, err := people.Caller(t.Context(), claimsOf(ada)); err != nil || actor.Admin != expected {
				t.Errorf("%s: %+v, %v", when, actor, err)
			}
		}
		now := db.At(d.Clock.Now())
		set(`insert into mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
			values ($1, $2, '', 'totp', 'unverified', $3, $4, $4)`, id.New(), ada.ID, []byte("sealed"), now)
		admin(true, "before the factor is verified")
		set("update mfa_factors set status = 'verified'")
		admin(false, "with a factor, at aal1")
		set("update sessions set aal = 'aal2' where id = $1", ada.SessionID)
		admin(true, "with a factor, at aal2")
	})
}

package app_test

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

const workshop = "Screen Acting and Professional Preparation Workshop"

// people are the callers of the matrix: a stranger, the owner of the rows, somebody else, an admin, the service key, and those
// who teach and take the courses of the matrix (school).
func people(t *testing.T, s *apptest.Server) []resttest.Caller {
	t.Helper()
	caller := func(name, token string, actor who.Actor) resttest.Caller {
		header := http.Header{"Apikey": {s.Keys().Publishable}}
		if token != "" {
			header.Set("Authorization", "Bearer "+token)
		}
		return resttest.Caller{Name: name, Actor: actor, Header: header}
	}
	user := func(email string, admin bool) resttest.Caller {
		add := s.Person
		if admin {
			add = s.Admin
		}
		person, token := add(t, email)
		return caller(email[:3], token, who.Actor{Role: who.User, UserID: person.ID, Email: email, Admin: admin})
	}
	return []resttest.Caller{
		caller("anonymous", "", who.Actor{Role: who.Anonymous}),
		user("ada@example.com", false), user("bob@example.com", false), user("adm@example.com", true),
		caller("service", s.Keys().Service, who.Actor{Role: who.Service}),
		user("tea@example.com", false), user("edi@example.com", false), user("enr@example.com", false), user("rev@example.com", false),
	}
}

// TestSecurity46EveryTableIsAsDeclared tries every table as every caller with every verb against its declaration.
func TestSecurity46EveryTableIsAsDeclared(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
		callers := people(t, s)
		resttest.Matrix{URL: s.URL, Tables: s.Tables(), Callers: callers, Owner: "ada", Cases: cases(s, callers), Relations: relations}.Run(t)
	})
}

// TestSecurity25AnAdminBelowTheSecondStepIsNoAdmin tries everything as an admin whose session has not passed the factor
// that they have, as one whose has, and, where every admin needs one, as an admin without a factor.
func TestSecurity25AnAdminBelowTheSecondStepIsNoAdmin(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"optional", "required"} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off", "GREENROOM_ADMIN_MFA": rule}, func(t *testing.T, s *apptest.Server) {
				callers := people(t, s)
				boss := callers[3].Actor
				aal := func(level string) {
					write(t, s.DB(), "update sessions set aal = $2 where user_id = $1", boss.UserID, level)
					s.Accounts().Forget(boss.UserID)
				}
				as := func(admin bool, when string) {
					t.Helper()
					callers[3].Actor.Admin = admin
					resttest.Matrix{URL: s.URL, Tables: s.Tables(), Callers: callers[:4], Owner: "ada", Cases: cases(s, callers[:4]), Relations: relations}.Run(t)
					for name, method := range map[string]string{"audit": "POST", "mail": "POST", "export": "GET", "resend-mail": "POST"} {
						got := s.Do(t, method, "/functions/v1/"+name, strings.TrimPrefix(callers[3].Header.Get("Authorization"), "Bearer "), "{}")
						if (got.Status == http.StatusForbidden) == admin {
							t.Errorf("%s, %s: %d %s", when, name, got.Status, got.Body)
						}
					}
				}
				if rule == "required" {
					as(false, "without a factor")
				}
				now := db.At(s.DB().Clock.Now())
				write(t, s.DB(), `insert into mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
					values ($1, $2, '', 'webauthn', 'verified', $3, $4, $4)`, id.New(), boss.UserID, []byte{}, now)
				aal("aal1")
				as(false, "below the factor")
				aal("aal2")
				as(true, "behind the factor")
			})
		})
	}
}

func TestEndedSessionsAreRefusedByEveryTable(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		ada, token := s.Person(t, "ada@example.com")
		err := s.DB().Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "delete from sessions where user_id = $1", ada.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range s.Tables() {
			got := s.Do(t, http.MethodGet, "/rest/v1/"+table.Name, token, "")
			if got.Status != http.StatusUnauthorized || !strings.Contains(got.Body, "PGRST303") {
				t.Errorf("%s: answered %d %s", table.Name, got.Status, got.Body)
			}
		}
	})
}

func cases(s *apptest.Server, callers []resttest.Caller) map[string]resttest.Case {
	owner := callers[1].Actor
	put := func(t *testing.T, query string, args ...any) {
		t.Helper()
		err := s.DB().Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, query, args...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	now := func() db.Time { return db.At(s.DB().Clock.Now()) }
	course := func(t *testing.T) string {
		t.Helper()
		key := id.New()
		put(t, `insert into courses (id, title, instructor, duration, category, thumbnail, description, lessons, level, rating, created_at)
			values ($1, $2, 'I', '1 week', 'AI Tools', '/art/x.webp', 'D', 1, 'Beginner', 4, $3)`, key, "Course "+key, now())
		return key
	}
	all := map[string]resttest.Case{
		"courses": {
			Seed: func(t *testing.T) map[string]any { return map[string]any{"id": course(t)} },
			New: func(*testing.T, resttest.Caller) map[string]any {
				return map[string]any{
					"title": "New " + id.New(), "instructor": "I", "duration": "1 week", "category": "AI Tools", "thumbnail": "/art/x.webp",
					"description": "D", "lessons": 1, "level": "Beginner", "rating": 4.5,
				}
			},
			Change: map[string]any{"title": "Changed"},
		},
		"saved_courses": {
			Seed: func(t *testing.T) map[string]any {
				key := id.New()
				put(t, "insert into saved_courses (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", key, owner.UserID, course(t), now())
				return map[string]any{"id": key, "user_id": owner.UserID}
			},
			New: func(t *testing.T, as resttest.Caller) map[string]any {
				return map[string]any{"user_id": userID(as), "course_id": course(t)}
			},
		},
		"course_waitlist": {
			Seed: func(t *testing.T) map[string]any {
				key := id.New()
				put(t, "insert into course_waitlist (id, user_id, course_title, email, created_at) values ($1, $2, $3, $4, $5)",
					key, owner.UserID, "Course "+key, owner.Email, now())
				return map[string]any{"id": key, "user_id": owner.UserID, "email": owner.Email}
			},
			New: func(_ *testing.T, as resttest.Caller) map[string]any {
				if !as.Actor.SignedIn() {
					return map[string]any{"name": "N", "email": id.New() + "@example.com", "course_title": workshop}
				}
				return map[string]any{"user_id": as.Actor.UserID, "email": as.Actor.Email, "course_title": "Course " + id.New()}
			},
		},
		"course_recommendations": {
			Seed: func(t *testing.T) map[string]any {
				key := id.New()
				put(t, `insert into course_recommendations (id, user_id, course_title, email, created_at, kind)
					values ($1, $2, 'T', $3, $4, 'recommendation')`, key, owner.UserID, owner.Email, now())
				return map[string]any{"id": key, "user_id": owner.UserID}
			},
			New: func(_ *testing.T, as resttest.Caller) map[string]any {
				return map[string]any{"user_id": userID(as), "course_title": "T", "course_description": "Message: hi", "instructor_name": "Contact: N", "email": "n@example.com"}
			},
		},
		"user_roles": {
			Seed: func(t *testing.T) map[string]any {
				key := id.New()
				put(t, "delete from user_roles where user_id = $1", owner.UserID)
				put(t, "insert into user_roles (id, user_id, role, created_at) values ($1, $2, 'admin', $3)", key, owner.UserID, now())
				t.Cleanup(func() {
					_ = s.DB().Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
						_, err := tx.Exec(ctx, "delete from user_roles where id = $1", key)
						return err
					})
					// The owner was an admin for a moment, and the server may have seen it.
					s.Accounts().Forget(owner.UserID)
				})
				return map[string]any{"id": key, "user_id": owner.UserID}
			},
			New: func(_ *testing.T, as resttest.Caller) map[string]any {
				return map[string]any{"user_id": userID(as), "role": "admin"}
			},
		},
		"workshops": {
			Seed: func(t *testing.T) map[string]any {
				key := id.New()
				put(t, `insert into workshops (id, title, host, about, learn, date_text, time_text, duration_minutes, spots, spots_left, created_at)
					values ($1, $2, 'H', 'A', 'L', 'D', 'T', 45, 3, 3, $3)`, key, "Workshop "+key, now())
				return map[string]any{"id": key}
			},
			Change: map[string]any{"host": "Somebody"},
		},
	}
	maps.Copy(all, schoolOf(s, callers).learning(owner))
	maps.Copy(all, schoolOf(s, callers).teaching())
	return all
}

// userID is the id that a caller writes into its rows; a stranger's is the nil id.
func userID(as resttest.Caller) string {
	if as.Actor.SignedIn() {
		return as.Actor.UserID
	}
	return id.Nil
}

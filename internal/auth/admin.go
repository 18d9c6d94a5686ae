package auth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"greenroom/internal/audit"
	"greenroom/internal/key"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/email"
	"greenroom/internal/platform/id"
)

// forOperator lets in whoever holds the service key. A person's token is none, whatever role they have on the site.
func (s *Service) forOperator(verb handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		token, err := bearer(r)
		if err != nil {
			return err
		}
		if s.IsService != nil && s.IsService(token) {
			return verb(w, r)
		}
		if _, err := s.Keys.Verify(token, s.issuer, s.DB.Clock.Now()); err != nil {
			return refuse(403, "bad_jwt", "invalid JWT: unable to parse or verify signature, "+err.Error())
		}
		return refuse(403, "not_admin", "User not allowed")
	}
}

func absent(http.ResponseWriter, *http.Request) error {
	return refuse(404, "feature_disabled", "This endpoint is not part of this installation")
}

// namedUser reads the user of the path.
func namedUser(ctx context.Context, tx *db.Tx, r *http.Request) (*User, error) {
	wanted, ok := id.Parse(r.PathValue("id"))
	if !ok {
		return nil, refuse(404, "validation_failed", "user_id must be an UUID")
	}
	u, err := userBy(ctx, tx, "id", wanted)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, refuse(404, "user_not_found", "User not found")
	}
	return u, err
}

// heldUser is namedUser with the row taken, for changes.
func heldUser(ctx context.Context, tx *db.Tx, r *http.Request) (*User, error) {
	if wanted, ok := id.Parse(r.PathValue("id")); ok {
		if err := holdUser(ctx, tx, wanted); err != nil {
			return nil, err
		}
	}
	return namedUser(ctx, tx, r)
}

const mostUsers = 1000

// pageOf reads page and per_page; empty ones are as good as absent.
func pageOf(r *http.Request) (page, size int, err error) {
	page, size = 1, 50
	for _, one := range []struct {
		name string
		into *int
		most int
	}{{"page", &page, 1 << 30}, {"per_page", &size, mostUsers}} {
		text := r.URL.Query().Get(one.name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return 0, 0, invalid("Bad Pagination Parameters: " + one.name + " must be a positive number")
		}
		*one.into = min(n, one.most)
	}
	return page, size, nil
}

// listUsers shows all users, the newest first, a page at a time.
func (s *Service) listUsers(w http.ResponseWriter, r *http.Request) error {
	page, size, err := pageOf(r)
	if err != nil {
		return err
	}
	// The filter is part of an address, as it is stored.
	filter := email.Key(strings.TrimSpace(r.URL.Query().Get("filter")))
	if filter != audit.Text(filter) {
		return invalid("The filter cannot be part of an address")
	}
	users := []*User{}
	var total int
	err = s.DB.Read(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		const where = " from users where $1 = '' or replace(coalesce(email, ''), $1, '') <> coalesce(email, '')"
		if err := tx.QueryRow(ctx, "select count(*)"+where, filter).Scan(&total); err != nil {
			return err
		}
		var ids []string
		err := db.Each(ctx, tx, "select id"+where+" order by created_at desc, id limit $2 offset $3", []any{filter, size, (page - 1) * size},
			func(scan func(...any) error) error {
				var one string
				err := scan(&one)
				ids = append(ids, one)
				return err
			})
		if err != nil {
			return err
		}
		for _, one := range ids {
			u, err := found(userBy(ctx, tx, "id", one))
			if err != nil {
				return err
			}
			if u != nil {
				users = append(users, u)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	pages := max(1, (total+size-1)/size)
	link := func(to int, rel string) string {
		return fmt.Sprintf(`<%s%s/admin/users?page=%d&per_page=%d>; rel="%s"`, s.SiteURL, Prefix, to, size, rel)
	}
	links := link(pages, "last")
	if page < pages {
		links = link(page+1, "next") + ", " + links
	}
	w.Header().Set("Link", links)
	w.Header().Set("X-Total-Count", strconv.Itoa(total))
	writeJSON(w, http.StatusOK, map[string]any{"users": users, "aud": key.Audience})
	return nil
}

// getUser shows one user.
func (s *Service) getUser(w http.ResponseWriter, r *http.Request) error {
	var u *User
	err := s.DB.Read(r.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		u, err = namedUser(ctx, tx, r)
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, u)
	return nil
}

// deleteUser erases a person; the contract's soft deletion keeps no more of them than this does.
func (s *Service) deleteUser(w http.ResponseWriter, r *http.Request) error {
	if err := s.writeRefusals(r.Context()); err != nil { // or what is left of them comes after
		return err
	}
	err := s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		u, err := heldUser(ctx, tx, r)
		if err != nil {
			return err
		}
		return s.erase(ctx, tx, u, "")
	})
	if err != nil {
		return err
	}
	return empty(w)
}

// userFactors lists a user's factors.
func (s *Service) userFactors(w http.ResponseWriter, r *http.Request) error {
	factors := []Factor{}
	err := s.DB.Read(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		u, err := namedUser(ctx, tx, r)
		if err == nil {
			factors = append(factors, u.Factors...)
		}
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, factors)
	return nil
}

// deleteUserFactor takes a factor from somebody who has lost it.
func (s *Service) deleteUserFactor(w http.ResponseWriter, r *http.Request) error {
	from := originOf(r)
	var gone Factor
	err := s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		u, err := heldUser(ctx, tx, r)
		if err != nil {
			return err
		}
		if gone, err = u.factorBy(r.PathValue("factor")); err != nil {
			return err
		}
		return s.dropFactor(ctx, tx, u, gone, from, "")
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, gone)
	return nil
}

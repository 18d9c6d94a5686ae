package certificate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// name puts its holder's name on a certificate that was issued before they had one. That happens once: a name that stands there is
// part of what the certificate says.
func (s *Service) name(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Code string `json:"code"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	code, ok := Read(ask.Code)
	if !ok {
		return fn.Answer{}, errUnknown
	}
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		var metadata string
		err := tx.QueryRow(ctx, "select u.user_metadata from certificates c join users u on u.id = c.user_id where c.code = $1 and c.user_id = $2",
			code, r.Actor.UserID).Scan(&metadata)
		if errors.Is(err, sql.ErrNoRows) {
			return errUnknown
		}
		if err != nil {
			return fmt.Errorf("whose certificate: %w", err)
		}
		name := cleanName(s.Name(metadata))
		if name == "" {
			return fault.New(fault.Invalid, "Add your name in Settings first.")
		}
		named, err := tx.Exec(ctx, "update certificates set holder = $2 where code = $1 and holder = $3 and revoked_at is null", code, name, nameless)
		if err != nil {
			return fmt.Errorf("name a certificate: %w", err)
		}
		if named == 0 {
			return fault.New(fault.Conflict, "This certificate has its name.")
		}
		return s.Changed(ctx, tx)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	found, err := s.find(ctx, code)
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(found), nil
}

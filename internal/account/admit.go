package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"greenroom/internal/audit"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// Admit makes an admin of somebody who was one elsewhere, and says whether they were none here yet. The address must be
// proven, as for anybody who is made one.
func (d *Directory) Admit(ctx context.Context, tx *db.Tx, user string) (added bool, err error) {
	var email sql.NullString
	var proven db.Time
	err = tx.QueryRow(ctx, "select email, email_proven_at from users where id = $1", user).Scan(&email, &proven)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, fault.New(fault.NotFound, "its account is not here")
	case err != nil:
		return false, fmt.Errorf("admit an admin: %w", err)
	case proven.IsZero():
		return false, fault.New(fault.Forbidden, "nobody has confirmed the address of this admin; greenroom admin grant makes one of them")
	}
	// Who was made none of it since, here, stays that at a second run.
	n, err := tx.Exec(ctx, `insert into user_roles (id, user_id, role, created_at) select $1, $2, 'admin', $3
		where not exists (select 1 from audit_entries where subject = $4 and action = 'admin.revoke' and result = 'ok') on conflict do nothing`,
		id.New(), user, db.At(tx.Now), email.String)
	if err != nil || n == 0 {
		return false, err
	}
	tx.AfterCommit(func() { d.Forget(user) })
	return true, audit.Record(ctx, tx, audit.Entry{Action: "admin.grant", Subject: email.String, Result: audit.OK})
}

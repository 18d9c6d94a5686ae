package storage

import (
	"context"
	"database/sql"

	"greenroom/internal/platform/db"
)

// What is stored is counted as it changes, in all and by account: the sums would read every object at each upload. Objects count with
// their bytes and with what was told of them; bytes that are no object's, not yet or no more, count as well. Who changes any of it takes
// the turn first, so that nobody waits for somebody who waits for them.

// turn lets one at a time change what is stored.
func turn(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, "update storage_turn set taken = taken + 1")
	return err
}

// count adds to what is stored, or takes from it. What belongs to no account counts in all alone.
func count(ctx context.Context, tx *db.Tx, owner sql.NullString, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, "update storage_turn set bytes = bytes + $1", bytes); err != nil {
		return err
	}
	return share(ctx, tx, owner, bytes)
}

// share changes what an account has stored.
func share(ctx context.Context, tx *db.Tx, owner sql.NullString, bytes int64) error {
	if !owner.Valid || bytes == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, "insert into storage_shares (owner, bytes) values ($1, $2) on conflict (owner) do update set bytes = storage_shares.bytes + excluded.bytes", owner.String, bytes)
	return missed(err)
}

// held are all bytes of an object, and of what was told of it.
func (o object) held() int64 { return o.Size + int64(len(o.Metadata.String)) }

// expected gives bytes that come a row, before there are any.
func expected(ctx context.Context, tx *db.Tx, version string, by sql.NullString, bytes int64) error {
	_, err := tx.Exec(ctx, "insert into storage_versions (version, state, owner, size, since_at) values ($1, 'pending', $2, $3, $4)", version, by, bytes, db.At(tx.Now))
	if err != nil {
		return missed(err)
	}
	return count(ctx, tx, by, bytes)
}

// byOf is an owner as a query gives it.
func byOf(owner any) sql.NullString {
	text, ok := owner.(string)
	return sql.NullString{String: text, Valid: ok}
}

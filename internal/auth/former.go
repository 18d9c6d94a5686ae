package auth

import (
	"context"

	"greenroom/internal/platform/db"
)

// leaveAddress remembers an address that was an account's until now, or was asked for, so that it can be forgotten with
// the account. proven says that somebody has shown that it was theirs.
func leaveAddress(ctx context.Context, tx *db.Tx, user, address string, proven bool) error {
	if address == "" {
		return nil
	}
	_, err := tx.Exec(ctx, `insert into former_addresses (user_id, address, proven, left_at) values ($1, $2, $3, $4)
		on conflict (user_id, address) do update set left_at = excluded.left_at,
		  proven = case when former_addresses.proven then former_addresses.proven else excluded.proven end`,
		user, address, proven, db.At(tx.Now))
	return err
}

// formerAddresses are the addresses that an account had or asked for, and those among them that were shown to be its
// owner's and are nobody else's now. One that was never shown to be theirs and is somebody else's is not theirs to forget.
func formerAddresses(ctx context.Context, tx *db.Tx, user string) (all, own []string, err error) {
	err = db.Each(ctx, tx, `select address, proven and not exists (select 1 from users where email = former_addresses.address and id <> $1)
		from former_addresses where user_id = $1
		and (proven or not exists (select 1 from users where email = former_addresses.address and id <> $1)) order by left_at, address`, []any{user}, func(scan func(...any) error) error {
		var address string
		var theirs bool
		err := scan(&address, &theirs)
		if all = append(all, address); theirs {
			own = append(own, address)
		}
		return err
	})
	return all, own, err
}

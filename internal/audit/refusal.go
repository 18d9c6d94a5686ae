package audit

import (
	"context"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/limit"
)

// mostRefusals is how many refusals of one client or account in an hour are entries of their own.
const mostRefusals = 10

// Several stands in a counted entry for what differed.
const Several = "several"

func accountBucket(account string) string { return "account " + account }

// buckets are whose hour a refusal counts in: the account's that was tried, then the client's. The order is the same
// everywhere, so that no two transactions wait for each other.
func (e Entry) buckets() []string {
	var all []string
	switch {
	case e.ActorID != "":
		all = append(all, accountBucket(e.ActorID))
	case strings.Contains(e.Subject, "@"):
		all = append(all, accountBucket(e.Subject))
	}
	if e.Address != "" {
		all = append(all, "client "+limit.Address(e.Address))
	}
	return all
}

// fullBucket counts a refusal and gives the bucket that has had too many in this hour; "" while none has.
func fullBucket(ctx context.Context, tx *db.Tx, e Entry) (full string, err error) {
	hour := tx.Now.Truncate(time.Hour)
	for _, bucket := range e.buckets() {
		var times int
		err := tx.QueryRow(ctx, `insert into audit_tallies (bucket, hour_at, times) values ($1, $2, 1)
			on conflict (bucket, hour_at) do update set times = audit_tallies.times + 1 returning times`, bucket, db.At(hour)).Scan(&times)
		if err != nil {
			return "", err
		}
		if times > mostRefusals && full == "" {
			full = bucket + " " + e.Action + " " + hour.UTC().Format(time.RFC3339)
		}
	}
	return full, nil
}

// count adds a refusal to the one entry of its bucket, which keeps what they all have in common and the last result.
func (e Entry) count(ctx context.Context, tx *db.Tx, bucket string) error {
	common := func(column string) string {
		return column + " = case when audit_entries." + column + " = excluded." + column + " then audit_entries." + column + " else '" + Several + "' end"
	}
	_, err := tx.Exec(ctx, `insert into audit_entries (id, actor_id, action, subject, address, user_agent, result, created_at, last_at, bucket)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
		on conflict (bucket) where bucket is not null do update set times = audit_entries.times + 1, last_at = excluded.last_at, result = excluded.result,
		  actor_id = case when audit_entries.actor_id = excluded.actor_id then audit_entries.actor_id end,
		  `+common("subject")+", "+common("address")+", "+common("user_agent"), append(e.values(tx), bucket)...)
	return err
}

package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
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

// Refusals is one entry that stands for so many alike.
type Refusals struct {
	Entry
	Times int
}

// RecordRefusals writes refusals, each as if it had come alone, with one change of each count.
func RecordRefusals(ctx context.Context, tx *db.Tx, all ...Refusals) error {
	times := map[string]int{}
	for i := range all {
		r := &all[i]
		if err := r.check(); err != nil {
			return err
		}
		for _, bucket := range r.buckets() {
			times[bucket] += r.Times
		}
	}
	hour := tx.Now.Truncate(time.Hour)
	before := map[string]int{}
	for _, bucket := range slices.Sorted(maps.Keys(times)) { // in the order of buckets, too
		var now int
		err := tx.QueryRow(ctx, `insert into audit_tallies (bucket, hour_at, times) values ($1, $2, $3)
			on conflict (bucket, hour_at) do update set times = audit_tallies.times + excluded.times returning times`, bucket, db.At(hour), times[bucket]).Scan(&now)
		if err != nil {
			return fmt.Errorf("count refusals: %w", err)
		}
		before[bucket] = now - times[bucket]
	}
	for _, r := range all {
		if err := r.record(ctx, tx, before, hour); err != nil {
			return fmt.Errorf("record %s: %w", r.Action, err)
		}
	}
	return nil
}

// record writes an entry each while no bucket has had too many in this hour, and counts the others in the first that has.
func (r Refusals) record(ctx context.Context, tx *db.Tx, before map[string]int, hour time.Time) error {
	counted := 0
	for _, bucket := range r.buckets() {
		over := min(r.Times, max(0, before[bucket]+r.Times-mostRefusals))
		before[bucket] += r.Times
		if over <= counted {
			continue
		}
		if err := r.count(ctx, tx, bucket+" "+r.Action+" "+hour.UTC().Format(time.RFC3339), over-counted); err != nil {
			return err
		}
		counted = over
	}
	for range r.Times - counted {
		if err := r.insert(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// count adds refusals to the one entry of their bucket, which keeps what they all have in common and the last result.
func (e Entry) count(ctx context.Context, tx *db.Tx, bucket string, times int) error {
	common := func(column string) string {
		return column + " = case when audit_entries." + column + " = excluded." + column + " then audit_entries." + column + " else '" + Several + "' end"
	}
	_, err := tx.Exec(ctx, `insert into audit_entries (id, actor_id, action, subject, address, user_agent, result, created_at, last_at, bucket, times)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10)
		on conflict (bucket) where bucket is not null do update set times = audit_entries.times + excluded.times, last_at = excluded.last_at, result = excluded.result,
		  actor_id = case when audit_entries.actor_id = excluded.actor_id then audit_entries.actor_id end,
		  `+common("subject")+", "+common("address")+", "+common("user_agent"), append(e.values(tx), bucket, times)...)
	return err
}

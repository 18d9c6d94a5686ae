package db

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
)

// sweepRows bounds one batch: it shares the writer with everybody else.
const sweepRows = 200

// Old names the rows of a table that are over. An index must serve Where and Order.
type Old struct {
	Table string
	// Key names a row; "id" where it is empty.
	Key []string
	// Where is the condition, with Args as its $1, $2 and so on.
	Where string
	Args  []any
	// Order is what the index is sorted by, so that the oldest rows go first and the planner takes that index.
	Order string
	// Final says that what is over stays over; other rows are judged again in the moment of their deletion.
	Final bool
	// Personal says that the rows are about people: what SQLite leaves of them in the file is overwritten, too.
	Personal bool
}

// Midnight is the beginning of a day. What is kept for days is judged by it, so that rows about people go once a day and
// the file is scrubbed once.
func Midnight(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

func (o Old) key() []string {
	if len(o.Key) == 0 {
		return []string{"id"}
	}
	return o.Key
}

// Find is the query for one batch of the keys.
func (o Old) Find() string {
	query := fmt.Sprintf("select %s from %s where %s", strings.Join(o.key(), ", "), o.Table, o.Where)
	if o.Order != "" {
		query += " order by " + o.Order
	}
	return fmt.Sprintf("%s limit %d", query, sweepRows)
}

// Delete is the statement for so many of the rows that were found; its parameters are Args, unless it is Final, and the keys.
func (o Old) Delete(rows int) string {
	condition, n := "("+o.Where+") and ", len(o.Args)
	if o.Final {
		condition, n = "", 0
	}
	all := make([]string, rows)
	for i := range all {
		same := make([]string, len(o.key()))
		for k, column := range o.key() {
			n++
			same[k] = fmt.Sprintf("%s = $%d", column, n)
		}
		all[i] = "(" + strings.Join(same, " and ") + ")"
	}
	return fmt.Sprintf("delete from %s where %s(%s)", o.Table, condition, strings.Join(all, " or "))
}

// Sweep deletes what is over, a batch at a time, and says how many rows that were. The rows are looked for on a reader:
// the writer only deletes by key, so no search ever holds it.
func (d *DB) Sweep(ctx context.Context, olds ...Old) (int64, error) {
	var swept int64
	for _, o := range olds {
		for {
			found, gone, err := d.sweepSome(ctx, o)
			if gone > 0 && o.Personal {
				d.Erased()
			}
			if swept += gone; err != nil {
				return swept, fmt.Errorf("sweep %s: %w", o.Table, err)
			}
			if found < sweepRows {
				break
			}
		}
	}
	return swept, nil
}

func (d *DB) sweepSome(ctx context.Context, o Old) (found int, gone int64, err error) {
	var args []any
	if !o.Final {
		args = slices.Clone(o.Args)
	}
	err = d.Read(ctx, func(ctx context.Context, tx *Tx) error {
		return Each(ctx, tx, o.Find(), o.Args, func(scan func(...any) error) error {
			values, into := make([]any, len(o.key())), make([]any, len(o.key()))
			for i := range values {
				into[i] = &values[i]
			}
			err := scan(into...)
			args, found = append(args, values...), found+1
			return err
		})
	})
	if err != nil || found == 0 {
		return 0, 0, err
	}
	err = d.Write(ctx, func(ctx context.Context, tx *Tx) (err error) {
		gone, err = tx.Exec(ctx, o.Delete(found), args...)
		return err
	})
	return found, gone, err
}

// SweepEvery sweeps what over names, and scrubs after erasures, again and again until the context ends.
func (d *DB) SweepEvery(ctx context.Context, every time.Duration, log *slog.Logger, over func(now time.Time) []Old) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			for _, o := range over(d.Clock.Now()) {
				if _, err := d.Sweep(ctx, o); err != nil && ctx.Err() == nil {
					log.WarnContext(ctx, "old rows were not swept", "error", err)
				}
			}
			if err := d.scrubOnce(ctx); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "the file was not scrubbed", "error", err)
			}
		}
	}
}

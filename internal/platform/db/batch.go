package db

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// Batch is statements that PostgreSQL gets in one trip. Each is judged in its order, by its func, and the first error
// ends the batch. On SQLite that is before the next one runs; on PostgreSQL all have run by then. So a statement belongs
// here only if it does no harm when one before it is refused: the error has to undo the transaction.
type Batch struct{ steps []step }

type step struct {
	query string
	args  []any
	// touched judges a statement by its number of rows, each reads them; a step has one of the two.
	touched func(rows int64) error
	each    func(scan func(into ...any) error) error
}

// Exec adds a statement; then is told how many rows it touched.
func (b *Batch) Exec(query string, args []any, then func(rows int64) error) {
	b.steps = append(b.steps, step{query: query, args: args, touched: then})
}

// Each adds a query; fn is called for every row, and must ask the transaction for nothing.
func (b *Batch) Each(query string, args []any, fn func(scan func(into ...any) error) error) {
	b.steps = append(b.steps, step{query: query, args: args, each: fn})
}

// Moment adds a look at the database's clock, for a DatabaseNow that is asked for later.
func (b *Batch) Moment(tx *Tx) {
	if tx.Engine == SQLite || !tx.moment.IsZero() {
		return
	}
	b.Each(clockQuery, nil, func(scan func(into ...any) error) error {
		var moment Time
		err := scan(&moment)
		tx.moment = moment.Time
		return err
	})
}

// Append adds another batch's statements.
func (b *Batch) Append(other Batch) { b.steps = append(b.steps, other.steps...) }

// Ahead runs a batch before the next statement: on PostgreSQL on the same trip, if that is sent as a batch. What is
// judged by it comes with that one.
func (t *Tx) Ahead(ctx context.Context, b *Batch) error {
	if t.pg == nil {
		return t.Send(ctx, b)
	}
	t.pg.ahead.Append(*b)
	return nil
}

// Send runs a batch.
func (t *Tx) Send(ctx context.Context, b *Batch) error {
	if t.pg != nil && len(t.pg.ahead.steps) > 0 {
		all := t.pg.ahead
		t.pg.ahead = Batch{}
		all.Append(*b)
		b = &all
	}
	if len(b.steps) == 0 {
		return nil
	}
	if t.pg != nil {
		return translate(t.sendPostgres(ctx, b))
	}
	for _, s := range b.steps {
		if s.each != nil {
			if err := Each(ctx, t, s.query, s.args, s.each); err != nil {
				return err
			}
			continue
		}
		n, err := t.Exec(ctx, s.query, s.args...)
		if err == nil {
			err = s.touched(n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) sendPostgres(ctx context.Context, b *Batch) error {
	queue := &pgx.Batch{}
	for _, s := range b.steps {
		queue.Queue(s.query, s.args...)
	}
	touched := make([]int64, 0, len(b.steps))
	failed := t.pg.driver(func(on *pgx.Conn) error {
		return t.pg.send(ctx, on, queue, func(results pgx.BatchResults) error {
			for _, s := range b.steps {
				n, err := s.result(results)
				if err != nil {
					return err
				}
				touched = append(touched, n)
			}
			return nil
		})
	})
	// What a statement is judged by comes before what failed after it, as on SQLite.
	for i, n := range touched {
		if judge := b.steps[i].touched; judge != nil {
			if err := judge(n); err != nil && failed != nil {
				return aborted{err}
			} else if err != nil {
				return err
			}
		}
	}
	return failed
}

// aborted is what a statement was judged by when one after it failed.
type aborted struct{ error }

func (a aborted) Unwrap() error { return a.error }

// Aborted tells whether the database itself has undone the transaction as well: nothing can be asked of it any more.
func Aborted(err error) bool {
	_, is := errors.AsType[aborted](err)
	return is
}

// result reads what came of a step.
func (s step) result(from pgx.BatchResults) (touched int64, err error) {
	if s.each == nil {
		said, err := from.Exec()
		return said.RowsAffected(), err
	}
	rows, err := from.Query()
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	scan := rows.Scan
	for rows.Next() {
		if err := s.each(scan); err != nil {
			return 0, err
		}
	}
	return 0, rows.Err()
}

package db

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
)

// asked tells of what PostgreSQL's driver sends. A batch is one trip, however many statements are in it.
type asked func(statement string)

// TraceQueryStart hears of a statement.
func (a asked) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	a(q.SQL)
	return ctx
}

// TraceQueryEnd is part of the driver's interface.
func (asked) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart hears of a batch.
func (a asked) TraceBatchStart(ctx context.Context, _ *pgx.Conn, b pgx.TraceBatchStartData) context.Context {
	texts := []string{"batch"}
	for _, q := range b.Batch.QueuedQueries {
		texts = append(texts, q.SQL)
	}
	a(strings.Join(texts, "; "))
	return ctx
}

// TraceBatchQuery is part of the driver's interface.
func (asked) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd is part of the driver's interface.
func (asked) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

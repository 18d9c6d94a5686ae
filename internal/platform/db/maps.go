package db

import (
	"context"
	"strings"
	"time"
)

// Maps reads every row of a query by the names of its columns, for answers that show rows as they are. Moments are
// known by their columns' names on both engines.
func Maps(ctx context.Context, tx *Tx, query string, args ...any) ([]map[string]any, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, translate(err)
	}
	all := []map[string]any{}
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, translate(err)
		}
		row := map[string]any{}
		for i, name := range names {
			row[name] = shown(name, values[i])
		}
		all = append(all, row)
	}
	return all, translate(rows.Err())
}

func shown(name string, value any) any {
	switch v := value.(type) {
	case int64:
		if strings.HasSuffix(name, "_at") {
			return time.UnixMicro(v).UTC()
		}
	case time.Time:
		return v.UTC()
	case []byte:
		return string(v)
	}
	return value
}

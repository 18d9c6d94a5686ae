package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// explain gives an error of a write PostgreSQL's code and text, made from the declaration. A driver's text never
// leaves this package.
func (q *request) explain(ctx context.Context, tx *db.Tx, row Row, err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Kind == fault.Forbidden && f.Code == "" {
		return q.violatesPolicy().hint(f.Message)
	}
	refused, ok := errors.AsType[*db.ConstraintError](err)
	if !ok {
		return err
	}
	switch refused.Kind {
	case db.Unique:
		return q.duplicate(row, refused)
	case db.ForeignKey:
		return q.dangling(ctx, tx, row, refused)
	case db.NotNull:
		if refused.Table != q.table.Name || len(refused.Columns) != 1 {
			return err
		}
		return q.table.missing(refused.Columns[0], row)
	default:
		return refuse(http.StatusBadRequest, "23514",
			fmt.Sprintf("new row for relation %q violates check constraint %q", q.table.Name, refused.Constraint)).
			details("%s", row.failing())
	}
}

func (t *Table) missing(column string, row Row) *Error {
	return refuse(http.StatusBadRequest, "23502",
		fmt.Sprintf("null value in column %q of relation %q violates not-null constraint", column, t.Name)).
		details("%s", row.failing())
}

// violated finds the unique key that refused a row: PostgreSQL tells its name, SQLite its columns.
func (t *Table) violated(e *db.ConstraintError) (Unique, bool) {
	if e.Table != "" && e.Table != t.Name {
		return Unique{}, false
	}
	if e.Constraint == "" {
		return t.unique(e.Columns)
	}
	i := slices.IndexFunc(t.Uniques, func(u Unique) bool { return u.Name == e.Constraint })
	if i < 0 {
		return Unique{}, false
	}
	return t.Uniques[i], true
}

func (q *request) duplicate(row Row, e *db.ConstraintError) error {
	u, ok := q.table.violated(e)
	if !ok {
		if e.Table != "" && e.Table != q.table.Name {
			return e
		}
		// A key over columns that are not declared: its name may be told, its values not.
		u = Unique{Name: e.Constraint, Columns: []string{""}}
		if u.Name == "" {
			u.Name = q.table.Name + "_key"
		}
	}
	refused := refuse(http.StatusConflict, "23505", fmt.Sprintf("duplicate key value violates unique constraint %q", u.Name))
	values := make([]string, 0, len(u.Columns))
	for _, name := range u.Columns {
		column := q.table.index(name)
		if column < 0 || row.values[column] == nil || q.table.Columns[column].Hidden {
			return refused
		}
		values = append(values, valueText(row.values[column]))
	}
	return refused.details("Key (%s)=(%s) already exists.", strings.Join(u.Columns, ", "), strings.Join(values, ", "))
}

// dangling names the foreign key that a row violates. SQLite does not tell which, so its candidates are looked up;
// the failed statement leaves its transaction usable.
func (q *request) dangling(ctx context.Context, tx *db.Tx, row Row, e *db.ConstraintError) error {
	for _, f := range q.table.ForeignKeys {
		value := row.get(f.Column)
		if value == nil || e.Constraint != "" && e.Constraint != f.Name {
			continue
		}
		if e.Constraint == "" {
			var there int
			query := fmt.Sprintf(`select count(*) from %q where %q = $1`, f.Table, f.To)
			if err := tx.QueryRow(ctx, query, value).Scan(&there); err != nil {
				return err
			}
			if there > 0 {
				continue
			}
		}
		refused := refuse(http.StatusConflict, "23503",
			fmt.Sprintf("insert or update on table %q violates foreign key constraint %q", q.table.Name, f.Name))
		if q.table.visible(f.Column) < 0 {
			return refused
		}
		return refused.details("Key (%s)=(%s) is not present in table %q.", f.Column, valueText(value), f.Table)
	}
	if q.http.Method == http.MethodPost {
		return e
	}
	return refuse(http.StatusConflict, "23503",
		fmt.Sprintf("update or delete on table %q violates a foreign key constraint of another table", q.table.Name)).
		details("Key (%s) is still referenced.", q.table.Key)
}

// failing writes a refused row as PostgreSQL does. What was not given is null.
func (r Row) failing() string {
	if !slices.Contains(r.given, true) {
		return ""
	}
	values := make([]string, 0, len(r.values))
	for i, v := range r.values {
		switch c := r.table.Columns[i]; {
		case c.Hidden, c.MineBy != "":
		case v == nil:
			values = append(values, "null")
		default:
			values = append(values, valueText(v))
		}
	}
	return "Failing row contains (" + strings.Join(values, ", ") + ")."
}

// valueText is a value as PostgreSQL prints it.
func valueText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return "ft"[bit(v) : bit(v)+1]
	case time.Time:
		return v.UTC().Format(asText)
	default:
		return fmt.Sprint(v)
	}
}

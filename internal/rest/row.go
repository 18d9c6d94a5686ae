package rest

import (
	"fmt"
	"time"

	"greenroom/internal/platform/db"
)

// Row holds checked values of one row. In an insert it holds what the client gave (after columns= and defaults);
// in After it holds every declared column. A column that was not given reads as null.
type Row struct {
	table  *Table
	values []any // nil, string, int64, float64, bool or time.Time, by the column's type
	given  []bool
	alone  bool // an update gave one column, which is only
	only   int
}

func newRow(t *Table) Row {
	return Row{table: t, values: make([]any, len(t.Columns)), given: make([]bool, len(t.Columns))}
}

// at finds a column; a name that is not declared is a mistake of the program.
func (r Row) at(name string) int {
	i := r.table.index(name)
	if i < 0 {
		panic("rest: table " + r.table.Name + " declares no column " + name)
	}
	return i
}

func (r Row) get(name string) any { return r.values[r.at(name)] }

// Given tells whether the column has a value here, be it null.
func (r Row) Given(name string) bool { return r.given[r.at(name)] }

// Alone tells, of a row that an update changed, whether the column is the only one that was sent: then somebody meant it, where a form
// sends back all that it was filled with.
func (r Row) Alone(name string) bool { return r.alone && r.only == r.at(name) }

// Null tells whether the column is null or was not given.
func (r Row) Null(name string) bool { return r.get(name) == nil }

// Text gives a Text or UUID column, "" for null.
func (r Row) Text(name string) string {
	v, _ := r.get(name).(string)
	return v
}

// Int gives an Int column, 0 for null.
func (r Row) Int(name string) int64 {
	v, _ := r.get(name).(int64)
	return v
}

// Float gives a Float column, 0 for null.
func (r Row) Float(name string) float64 {
	v, _ := r.get(name).(float64)
	return v
}

// Bool gives a Bool column, false for null.
func (r Row) Bool(name string) bool {
	v, _ := r.get(name).(bool)
	return v
}

// Time gives a Timestamp column, the zero time for null.
func (r Row) Time(name string) time.Time {
	v, _ := r.get(name).(time.Time)
	return v
}

// Arg gives any column as a statement's parameter, null included.
func (r Row) Arg(name string) any { return argument(r.get(name)) }

func (r Row) set(i int, value any) {
	r.values[i] = value
	r.given[i] = true
}

// argument makes a statement's parameter of a checked value.
func argument(value any) any {
	if t, ok := value.(time.Time); ok {
		return db.At(t)
	}
	return value
}

// Row makes a row of plain values (string, bool, float64, nil), for tests that ask a policy about it.
func (t Table) Row(values map[string]any) (Row, error) {
	row := newRow(&t)
	for name, value := range values {
		i := t.index(name)
		if i < 0 {
			return row, unknownField(t.Name, name)
		}
		if value == nil {
			row.set(i, nil)
			continue
		}
		checked, err := parseValue(t.Columns[i].Type, fmt.Sprint(value))
		if err != nil {
			return row, err
		}
		row.set(i, checked)
	}
	return row, nil
}

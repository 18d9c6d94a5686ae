package rest

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"greenroom/internal/platform/db"
)

// maxLocation keeps Content-Location well below what HTTP clients take as a header.
const maxLocation = 4 << 10

// read answers GET and HEAD.
func (q *request) read(ctx context.Context) (*response, error) {
	if !q.table.Read.Declared() {
		return nil, q.noPrivilege()
	}
	if err := q.rangeHeader(); err != nil {
		return nil, err
	}
	found, done, err := q.ask(ctx)
	defer done()
	if err != nil {
		return nil, err
	}
	buffer := buffers.Get().(*[]byte)
	out := newBody((*buffer)[:0], q.form, q.query.shown)
	total, begun := 0, false
	err = q.reading(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		if begun { // a replica failed in the middle
			out = newBody((*buffer)[:0], q.form, q.query.shown)
		}
		begun = true
		if found != nil {
			total = found.Total
			return q.readKeys(ctx, tx, found.Keys, out)
		}
		total, err = q.readPage(ctx, tx, out)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !q.query.Count {
		total = -1
	}
	a, err := q.page(out, total, buffer)
	if a != nil {
		a.table = found == nil
	}
	return a, err
}

// reading spares the database the questions whose answer is known to be nothing.
func (q *request) reading(ctx context.Context, fn func(ctx context.Context, tx *db.Tx) error) error {
	if q.table.Read.shut(q.actor) {
		return nil
	}
	if q.replica != nil && q.version != 0 && !q.actor.SignedIn() {
		if done, err := q.replica.Read(ctx, q.fresh, fn); done {
			return err
		}
	}
	return q.db.Read(ctx, fn)
}

// Follow has what strangers read of tables that have a version read on a replica, where that has seen the version; shown
// tells which one it has seen.
func (h *Data) Follow(replica *db.Replica, shown func(ctx context.Context, tx *db.Tx) (int64, error)) {
	h.replica, h.shown = replica, shown
}

// fresh asks what the replica has seen: what it reads after that is as new, or newer.
func (q *request) fresh(ctx context.Context, tx *db.Tx) error {
	seen, err := q.shown(ctx, tx)
	if err == nil && seen < q.version {
		err = db.ErrLate
	}
	return err
}

// page makes the answer of a read.
func (q *request) page(out *body, total int, buffer *[]byte) (*response, error) {
	if total >= 0 && q.query.Offset > total {
		return nil, unsatisfiable().
			details("An offset of %d was requested, but there are only %d rows.", q.query.Offset, total)
	}
	if q.form.single && out.rows != 1 {
		return nil, notSingle(out.rows)
	}
	status := http.StatusOK
	if total > out.rows {
		status = http.StatusPartialContent
	}
	a := q.answer(status, contentRange(q.query.Offset, out.rows, total))
	location := "/" + q.table.Name
	if q.query.location != "" {
		location += "?" + q.query.location
	}
	if len(location) <= maxLocation {
		a.header["Content-Location"] = []string{location}
	}
	a.buffer = buffer
	a.setBody(q.form.media, out.finish())
	return a, nil
}

// readPage writes the page's rows and gives the total, or -1 when nobody asked.
func (q *request) readPage(ctx context.Context, tx *db.Tx, out *body) (int, error) {
	if q.http.Method == http.MethodHead && q.query.Count {
		total, err := q.count(ctx, tx)
		out.rows = max(0, min(q.query.Limit, total-q.query.Offset))
		return total, err
	}
	spans, err := q.narrow(ctx, tx)
	if err != nil {
		return -1, err
	}
	if spans != nil {
		return -1, q.readSpans(ctx, tx, spans, out)
	}
	if err := q.scan(ctx, tx, q.pageStatement(tx.Engine, nil), out); err != nil || !q.query.Count {
		return -1, err
	}
	// A page that is not full tells the total by itself.
	if out.rows < q.query.Limit && (out.rows > 0 || q.query.Offset == 0) {
		return q.query.Offset + out.rows, nil
	}
	return q.count(ctx, tx)
}

// pageStatement reads the page, or what of it lies within a span.
func (q *request) pageStatement(engine db.Engine, within *span) *statement {
	s := q.statement(engine)
	s.add("select ")
	for i, column := range q.query.shown {
		if i > 0 {
			s.add(", ")
		}
		s.name(column.column)
	}
	s.add(` from "`, q.table.Name, `"`)
	s.where(q.query.Where, q.actor, q.table.Read)
	if within != nil {
		s.within(*within)
	}
	s.order(q.query.Order)
	// In plain sight: SQLite looks at a parameter there when it plans, and plans anew with each value.
	s.add(" limit ", strconv.Itoa(q.query.Limit))
	if q.query.Offset > 0 {
		s.add(" offset ")
		s.param(int64(q.query.Offset))
	}
	return s
}

func (q *request) count(ctx context.Context, tx *db.Tx) (int, error) {
	s := q.statement(tx.Engine)
	s.add(`select count(*) from "`, q.table.Name, `"`)
	s.where(q.query.Where, q.actor, q.table.Read)
	var total int
	if q.version == 0 {
		err := tx.QueryRow(ctx, string(s.text), s.args...).Scan(&total)
		return total, err
	}
	// The pages of a list differ, and their total is the same.
	name := totalName(s)
	if total, known := q.totals.find(q.version, name); known {
		return total, nil
	}
	err := tx.QueryRow(ctx, string(s.text), s.args...).Scan(&total)
	if err == nil {
		q.totals.keep(q.version, name, total)
	}
	return total, err
}

// scan writes each row of a query as it comes.
func (q *request) scan(ctx context.Context, tx *db.Tx, s *statement, out *body) error {
	cells, into := cellsFor(len(q.query.shown))
	value := func(i int) any { return cells[i].value }
	err := db.Each(ctx, tx, string(s.text), s.args, func(scan func(into ...any) error) error {
		if err := scan(into...); err != nil {
			return err
		}
		if out.add(value); out.err == nil && out.rows == q.query.Limit {
			return errFull
		}
		return out.err
	})
	if errors.Is(err, errFull) {
		err = nil
	}
	return err
}

var errFull = errors.New("the page is full")

// readKeys writes the rows of these keys in their order. A key whose row is gone, or hidden, is left out.
func (q *request) readKeys(ctx context.Context, tx *db.Tx, keys []string, out *body) error {
	columns := []int{q.table.index(q.table.Key)}
	for _, s := range q.query.shown {
		if s.column != columns[0] {
			columns = append(columns, s.column)
		}
	}
	rows, err := q.fetch(ctx, tx, keys, columns)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if row, ok := rows[key]; ok {
			out.add(func(i int) any { return row.values[q.query.shown[i].column] })
		}
		if out.err != nil {
			return out.err
		}
	}
	return nil
}

// fetch reads these columns, or all, of the rows of these keys that the caller may see.
func (q *request) fetch(ctx context.Context, tx *db.Tx, keys []string, columns []int) (map[string]Row, error) {
	found := make(map[string]Row, len(keys))
	if len(keys) == 0 {
		return found, nil
	}
	s := q.statement(tx.Engine)
	s.most = maxAnswer
	if columns != nil {
		s.columns = columns
	}
	s.add("select ")
	s.names()
	s.add(` from "`, q.table.Name, `"`)
	byKey := Condition{Op: In, column: q.table.index(q.table.Key)}
	for _, key := range keys {
		byKey.Values = append(byKey.Values, key)
	}
	s.where([]Condition{byKey}, q.actor, q.table.Read)
	rows, err := s.rows(ctx, tx)
	for _, row := range rows {
		found[row.Text(q.table.Key)] = row
	}
	return found, err
}

// rows runs a statement that gives the columns of names.
func (s *statement) rows(ctx context.Context, tx *db.Tx) (list []Row, err error) {
	err = db.Each(ctx, tx, string(s.text), s.args, s.each(&list))
	return list, err
}

// each takes a row of the answer.
func (s *statement) each(list *[]Row) func(scan func(into ...any) error) error {
	size := 0
	cells, into := cellsFor(len(s.columns))
	return func(scan func(into ...any) error) error {
		if err := scan(into...); err != nil {
			return err
		}
		row := newRow(s.table)
		for i, column := range s.columns {
			value, err := normal(s.table.Columns[column].Type, cells[i].value)
			if err != nil {
				return err
			}
			if text, ok := value.(string); ok {
				size += len(text)
			}
			row.set(column, value)
		}
		if s.most > 0 && size > s.most {
			return tooLarge()
		}
		if *list = append(*list, row); len(*list) > maxTouched {
			return tooComplex("A request touches at most " + strconv.Itoa(maxTouched) + " rows.")
		}
		return nil
	}
}

func cellsFor(n int) ([]cell, []any) {
	cells := make([]cell, n)
	into := make([]any, n)
	for i := range cells {
		into[i] = &cells[i]
	}
	return cells, into
}

// rangeHeader takes Range: 0-9 where neither limit nor offset is given.
func (q *request) rangeHeader() error {
	from, to, ok := strings.Cut(q.http.Header.Get("Range"), "-")
	if !ok || q.query.paged || q.http.Method != http.MethodGet {
		return nil
	}
	first, known := integer(from)
	if !known || first < 0 {
		return nil
	}
	last, known := integer(to)
	if to == "" {
		last, known = first+maxPage-1, true
	}
	if !known {
		return nil
	}
	if last < first {
		return unsatisfiable().details("The lower boundary must be lower than or equal to the upper boundary in the Range header.")
	}
	q.query.Offset, q.query.Limit = first, min(last-first+1, maxPage)
	return nil
}

package rest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Query is what a request asks of one table, its names and values checked against the declaration.
type Query struct {
	Where  []Condition // all of them hold
	Order  []Order
	Limit  int // rows of the page, at most 1,000
	Offset int
	Count  bool // the number of all matching rows is wanted

	fields   []field
	shown    []shown  // fields, with their columns found
	columns  []string // columns=, nil when absent
	conflict []string // on_conflict=, nil when absent
	paged    bool     // limit or offset were given
	location string   // the query's canonical form for Content-Location
}

// shown is one column of the answer under its name there.
type shown struct {
	column int
	kind   Type
	name   string
	key    []byte // "name": as JSON writes it
}

type param struct{ name, value string }

// splitQuery decodes a query string once. Repeated parameters stay repeated.
func splitQuery(raw string) ([]param, *Error) {
	var params []param
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		name, err1 := url.QueryUnescape(name)
		value, err2 := url.QueryUnescape(value)
		if err1 != nil || err2 != nil {
			return nil, refuse(http.StatusBadRequest, "PGRST100", "The query string holds an invalid percent-encoding")
		}
		for _, text := range []string{name, value} {
			if err := checkText(text); err != nil {
				return nil, err
			}
		}
		// The API key may come as a parameter; it is the gateway's and must not be echoed.
		if name == "apikey" {
			continue
		}
		params = append(params, param{name, value})
	}
	return params, nil
}

// checkText refuses what no text column can hold.
func checkText(text string) *Error {
	if strings.Contains(text, "\x00") {
		return badEncoding(0)
	}
	if utf8.ValidString(text) {
		return nil
	}
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return badEncoding(text[i])
			}
		}
	}
	return nil
}

func badEncoding(b byte) *Error {
	return refuse(http.StatusBadRequest, "22021", fmt.Sprintf("invalid byte sequence for encoding \"UTF8\": 0x%02x", b))
}

// parseQuery reads a query string; names and values are not yet checked against a table.
func parseQuery(raw string) (Query, *Error) {
	q := Query{Limit: maxPage}
	params, err := splitQuery(raw)
	if err != nil {
		return q, err
	}
	for _, p := range params {
		if err := q.read(p); err != nil {
			return q, err
		}
	}
	if q.fields == nil {
		q.fields = []field{{column: "*"}}
	}
	if leaves(q.Where) > maxFilters {
		return q, tooManyFilters()
	}
	q.location = canonical(params)
	return q, nil
}

func (q *Query) read(p param) (err *Error) {
	switch p.name {
	case "select":
		q.fields, err = parseSelect(p.value)
	case "order":
		q.Order, err = parseOrder(p.value)
	case "columns":
		q.columns, err = parseNames("columns", p.value)
	case "on_conflict":
		q.conflict, err = parseNames("on_conflict", p.value)
	case "limit":
		err = q.setLimit(p.value)
	case "offset":
		err = q.setOffset(p.value)
	case "and", "or", "not.and", "not.or":
		err = q.where(parseLogic(p.name, p.value))
	default:
		err = q.filter(p)
	}
	return err
}

func (q *Query) where(c Condition, err *Error) *Error {
	q.Where = append(q.Where, c)
	return err
}

func (q *Query) filter(p param) *Error {
	s := &scanner{what: "tree path", text: p.name}
	name, err := s.name(".")
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(s.rest(), "->"):
		return notImplemented("JSON paths are not available.")
	case s.peek() == '.':
		return notEmbedded(name)
	case !s.done():
		return s.fail("end of input")
	}
	return q.where(parseFilter(name, p.value))
}

func notEmbedded(name string) *Error {
	return refuse(http.StatusBadRequest, "PGRST108", fmt.Sprintf("'%s' is not an embedded resource in this request", name))
}

// setLimit bounds the page. A limit that is no number is ignored, as PostgREST does.
func (q *Query) setLimit(text string) *Error {
	n, ok := integer(text)
	if !ok {
		return nil
	}
	if n < 0 {
		return unsatisfiable().details("Limit should be greater than or equal to zero.")
	}
	q.Limit, q.paged = min(n, maxPage), true
	return nil
}

func (q *Query) setOffset(text string) *Error {
	n, ok := integer(text)
	if !ok {
		return nil
	}
	if n < 0 {
		return unsatisfiable().details("Offset should be greater than or equal to zero.")
	}
	q.Offset, q.paged = n, true
	return nil
}

func unsatisfiable() *Error {
	return refuse(http.StatusRequestedRangeNotSatisfiable, "PGRST103", "Requested range not satisfiable")
}

// integer reads a number of any size and keeps it within 32 bits.
func integer(text string) (int, bool) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil && !isRange(err) {
		return 0, false
	}
	return int(n), true
}

// leaves counts the filters of a tree.
func leaves(list []Condition) int {
	n := 0
	for _, c := range list {
		if c.Op == And || c.Op == Or {
			n += leaves(c.Of)
			continue
		}
		n++
	}
	return n
}

// canonical gives the parameters sorted by name, encoded.
func canonical(params []param) string {
	sorted := slices.Clone(params)
	slices.SortStableFunc(sorted, func(a, b param) int { return strings.Compare(a.name, b.name) })
	var out strings.Builder
	for i, p := range sorted {
		if i > 0 {
			out.WriteByte('&')
		}
		out.WriteString(url.QueryEscape(p.name) + "=" + url.QueryEscape(p.value))
	}
	return out.String()
}

package rest

import (
	"context"
	"strings"
)

// Answer may answer a read from what a domain holds in memory, such as a search. It names the rows of the page, in
// their order, by key; rest reads them from the database. With ok false the database answers as usual, so an
// Answer takes only the queries whose every part (Where, Order, Limit, Offset) it honours.
type Answer func(ctx context.Context, q Query) (page Page, ok bool, err error)

// Page is one page of an Answer: the keys of its rows and how many rows match in all.
type Page struct {
	Keys  []string
	Total int
}

// Search recognises the search form, or=(a.ilike.*text*,b.ilike.*text*) and no other filter: rows in which any of the
// columns contains the text, in whatever case.
func (q Query) Search() (text string, columns []string, ok bool) {
	if len(q.Where) != 1 || q.Where[0].Op != Or || q.Where[0].Not {
		return "", nil, false
	}
	for i, c := range q.Where[0].Of {
		if c.Op != ILike || c.Not {
			return "", nil, false
		}
		contained, plain := contains(c.Values[0].(string))
		if !plain || i > 0 && contained != text {
			return "", nil, false
		}
		text = contained
		columns = append(columns, c.Column)
	}
	return text, columns, len(columns) > 0
}

// contains gives the text of a pattern %text% in which no wildcard is left.
func contains(pattern string) (string, bool) {
	inner, ok := strings.CutPrefix(pattern, "%")
	if !ok {
		return "", false
	}
	var text strings.Builder
	escaped := false
	for i := range len(inner) {
		c := inner[i]
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
			continue
		case c == '%':
			return text.String(), i == len(inner)-1
		case c == '_':
			return "", false
		}
		text.WriteByte(c)
	}
	return "", false
}

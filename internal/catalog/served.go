package catalog

import (
	"slices"

	"greenroom/internal/rest"
)

// indexes are the table's. Each serves both ways.
var indexes = [][]rest.Order{
	{{Column: "id"}},
	{{Column: "rating", Desc: true}, {Column: "created_at", Desc: true}, {Column: "id"}},
	{{Column: "created_at", Desc: true}, {Column: "id"}},
	{{Column: "title"}, {Column: "created_at"}},
	{{Column: "category"}, {Column: "rating", Desc: true}, {Column: "created_at", Desc: true}, {Column: "id"}},
	{{Column: "coming_soon"}, {Column: "rating", Desc: true}, {Column: "created_at", Desc: true}, {Column: "id"}},
	{{Column: "instructor"}, {Column: "rating", Desc: true}, {Column: "created_at", Desc: true}, {Column: "id"}},
}

// isServed tells whether one index serves a read, so that it is cheap however many courses there are: the condition is
// the beginning of the index and the order its rest. A second condition is tried on every course that the first finds,
// and may find none; so may a condition that excludes.
func isServed(q rest.Query) bool {
	if isSelected(q.Where) {
		return true
	}
	where := q.Where
	if !q.Count {
		where = withoutOne(where)
	}
	switch len(where) {
	case 0:
		return slices.ContainsFunc(indexes, func(index []rest.Order) bool { return isSorted(q.Order, index) })
	case 1:
		return slices.ContainsFunc(indexes, func(index []rest.Order) bool { return leads(index, where[0], q.Order) })
	default:
		return false
	}
}

// isSelected tells whether a read names its courses: then the others are never looked at, and a sort is of a few. A pattern
// may be tried on one course without a turn, not on a list of them.
func isSelected(where []rest.Condition) bool {
	isCostly := func(c rest.Condition) bool { return len(c.Of) > 0 || c.Op == rest.Like || c.Op == rest.ILike }
	cheap := !slices.ContainsFunc(where, isCostly)
	return slices.ContainsFunc(where, func(c rest.Condition) bool {
		return c.Column == "id" && !c.Not && (c.Op == rest.Eq || c.Op == rest.In && cheap)
	})
}

// withoutOne leaves out the first condition that excludes one course by its id: a page has to pass over one course.
func withoutOne(where []rest.Condition) []rest.Condition {
	at := slices.IndexFunc(where, func(c rest.Condition) bool { return c.Column == "id" && !c.Not && c.Op == rest.Neq })
	if at < 0 {
		return where
	}
	return slices.Concat(where[:at], where[at+1:])
}

// leads tells whether the index leads to what the condition is about, in this order.
func leads(index []rest.Order, c rest.Condition, order []rest.Order) bool {
	if c.Not || c.Column != index[0].Column {
		return false
	}
	switch c.Op {
	case rest.Eq: // and is.true, which the data API makes it of
		return isSorted(order, index) || isSorted(order, index[1:])
	case rest.In, rest.Gt, rest.Gte, rest.Lt, rest.Lte:
		return isSorted(order, index)
	default:
		return false
	}
}

func isSorted(keys, index []rest.Order) bool {
	if len(keys) > len(index) {
		return false
	}
	forward, backward := true, true
	for i, key := range keys {
		same := key.Column == index[i].Column
		forward = forward && same && key.Desc == index[i].Desc
		backward = backward && same && key.Desc != index[i].Desc
	}
	return forward || backward
}

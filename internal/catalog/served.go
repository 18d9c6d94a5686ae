package catalog

import (
	"slices"

	"greenroom/internal/rest"
)

// The table's indexes begin with these columns; a condition on any other has the database look at every course.
var servedColumns = []string{"id", "category", "coming_soon", "rating", "created_at", "title", "instructor"}

// The orders that an index has. Each serves both ways.
var servedOrders = [][]rest.Order{
	{{Column: "rating", Desc: true}, {Column: "created_at", Desc: true}, {Column: "id"}},
	{{Column: "created_at", Desc: true}, {Column: "id"}},
	{{Column: "title"}, {Column: "created_at"}},
	{{Column: "id"}},
}

// isServed tells whether the table's indexes serve a read, so that it is cheap however many courses there are.
func isServed(q rest.Query) bool {
	return isSelected(q.Where) || !slices.ContainsFunc(q.Where, isUnserved) && isSorted(q.Order)
}

// isSelected tells whether a read names its courses: then the others are never looked at, and a sort is of a few.
func isSelected(where []rest.Condition) bool {
	return slices.ContainsFunc(where, func(c rest.Condition) bool {
		return c.Column == "id" && !c.Not && (c.Op == rest.Eq || c.Op == rest.In)
	})
}

func isUnserved(c rest.Condition) bool {
	switch c.Op {
	case rest.And, rest.Or:
		return slices.ContainsFunc(c.Of, isUnserved)
	case rest.Like, rest.ILike:
		return true
	default:
		return !slices.Contains(servedColumns, c.Column)
	}
}

func isSorted(keys []rest.Order) bool {
	return slices.ContainsFunc(servedOrders, func(index []rest.Order) bool {
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
	})
}

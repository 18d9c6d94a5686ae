package rest

import "context"

// Answer may answer a read from what a domain holds in memory, such as a search. It names the rows of the page, in
// their order, by key; rest reads them from the database. With ok false the database answers as usual, so an
// Answer takes only the queries whose every part (Where, Order, Limit, Offset) it honours.
type Answer func(ctx context.Context, q Query) (page Page, ok bool, err error)

// Page is one page of an Answer: the keys of its rows and how many rows match in all.
type Page struct {
	Keys  []string
	Total int
}

package rest

import "context"

// Answer may answer a read from what a domain holds in memory, such as a search. It names the rows of the page, in
// their order, by key; rest reads them from the database. Without a page the database answers as usual, so an
// Answer takes only the queries whose every part (Where, Order, Limit, Offset) it honours.
//
// It is asked before the read has a connection, so it may wait: for what it holds, or for the turn of a read that costs
// the database much. Then it gives done, which is called when the database has answered.
type Answer func(ctx context.Context, q Query) (page *Page, done func(), err error)

// Page is one page of an Answer: the keys of its rows and how many rows match in all.
type Page struct {
	Keys  []string
	Total int
}

// ask asks the table's Answer, where it has one.
func (q *request) ask(ctx context.Context) (page *Page, done func(), err error) {
	if err := q.checkPatterns(); err != nil {
		return nil, func() {}, err
	}
	if q.table.Answer != nil {
		page, done, err = q.table.Answer(ctx, q.query)
	} else {
		done, err = q.patternTurn(ctx)
	}
	if done == nil {
		done = func() {}
	}
	return page, done, err
}

package catalog

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"greenroom/internal/rest"
)

// patience is how long a search waits for the index to catch up before the database answers it.
const patience = 250 * time.Millisecond

// answer takes the search off the database's hands: one text, looked for in title, instructor, category and
// description, in one of the two orders that the pages use.
func (c *Catalog) answer(ctx context.Context, q rest.Query) (rest.Page, bool, error) {
	text, ok := searched(q.Where)
	if !ok {
		return rest.Page{}, false, nil
	}
	by, ok := known(q.Order)
	if !ok {
		return rest.Page{}, false, nil
	}
	index, ok := c.current(ctx)
	if !ok {
		return rest.Page{}, false, nil
	}
	ids, total := index.search([]byte(text), by, q.Limit, q.Offset)
	page := rest.Page{Total: total, Keys: make([]string, len(ids))}
	for i, key := range ids {
		page.Keys[i] = uuid.UUID(key).String()
	}
	return page, true, nil
}

// current gives the index once it shows the newest version that this instance knows of.
func (c *Catalog) current(ctx context.Context) (*snapshot, bool) {
	version := c.Versions.Current()
	var late <-chan time.Time
	for {
		caught := *c.caught.Load()
		held := c.index.Load()
		if held == nil {
			return nil, false
		}
		if held.version >= version {
			return held, true
		}
		if late == nil {
			late = time.After(patience)
		}
		select {
		case <-caught:
		case <-late:
			return nil, false
		case <-ctx.Done():
			return nil, false
		}
	}
}

var searchedColumns = []string{"category", "description", "instructor", "title"}

// searched reads or=(title.ilike.*x*,instructor.ilike.*x*,category.ilike.*x*,description.ilike.*x*), in any order.
func searched(where []rest.Condition) (text string, ok bool) {
	if len(where) != 1 || where[0].Op != rest.Or || where[0].Not || len(where[0].Of) != len(searchedColumns) {
		return "", false
	}
	var columns []string
	for i, c := range where[0].Of {
		if c.Op != rest.ILike || c.Not || len(c.Values) != 1 {
			return "", false
		}
		pattern, _ := c.Values[0].(string)
		plain, ok := literal(pattern)
		if !ok || i > 0 && plain != text {
			return "", false
		}
		text = plain
		columns = append(columns, c.Column)
	}
	slices.Sort(columns)
	return text, slices.Equal(columns, searchedColumns)
}

// known tells which of the search's orders a request asks for; the beginning of one is as good as all of it.
func known(keys []rest.Order) (order, bool) {
	orders := [][]rest.Order{
		byRating: {{Column: "rating", Desc: true}, {Column: "created_at", Desc: true}, {Column: "id"}},
		byNewest: {{Column: "created_at", Desc: true}, {Column: "id"}},
	}
	for by, want := range orders {
		same := len(keys) <= len(want)
		for i := range keys {
			same = same && keys[i].Column == want[i].Column && keys[i].Desc == want[i].Desc
		}
		if same {
			return order(by), true
		}
	}
	return 0, false
}

package catalog

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"greenroom/internal/rest"
)

const (
	// patience is how long a search waits for the index to show the newest change; then the last index answers it.
	patience = time.Second
	// turnWithin is how long a read that must look at every course waits for its turn.
	turnWithin = 2 * time.Second
	// turnSoon is how long it may wait where the line for it does not end, and mostInLine how many may stand there.
	turnSoon   = 150 * time.Millisecond
	mostInLine = 1000
)

// answer takes the search off the database's hands: one text, looked for in title, instructor, category and
// description, in all courses or in one category's, in one of the two orders that the pages use. Whatever else would make the database look at every
// course, and the search too while there is no index yet, is given a turn: one at a time does so. None of them holds a
// connection while it waits, so all other reads go on.
func (c *Catalog) answer(ctx context.Context, q rest.Query) (*rest.Page, func(), error) {
	find, known := searchOf(q)
	if !known && isServed(q) {
		return nil, nil, nil
	}
	var built <-chan struct{}
	if known {
		built = *c.caught.Load()
		if index := c.current(ctx); index != nil {
			return find(index), nil, nil
		}
	}
	place, err := c.line.Join(c.turnWithin)
	if err != nil {
		return nil, nil, err
	}
	late := time.NewTimer(place.Patience)
	defer late.Stop()
	for {
		select {
		case c.scanning <- struct{}{}:
			place.Served()
			return nil, func() { <-c.scanning }, nil
		case <-built:
			built = *c.caught.Load()
			if index := c.current(ctx); index != nil {
				place.Left()
				return find(index), nil, nil
			}
		case <-late.C:
			return nil, nil, place.GaveUp()
		case <-ctx.Done():
			place.Left()
			return nil, nil, ctx.Err()
		}
	}
}

// searchOf gives the search that a query is, if it is one that the index knows.
func searchOf(q rest.Query) (find func(*snapshot) *rest.Page, ok bool) {
	w, ok := searched(q.Where)
	if !ok {
		return nil, false
	}
	by, ok := known(q.Order)
	return func(index *snapshot) *rest.Page {
		ids, total := index.search(w, by, q.Limit, q.Offset)
		page := &rest.Page{Total: total, Keys: make([]string, len(ids))}
		for i, key := range ids {
			page.Keys[i] = uuid.UUID(key).String()
		}
		return page
	}, ok
}

// current gives the index, and waits a while for it to show the newest version that this instance knows of. One that
// must be built anew for that is not waited for; nil is none at all.
func (c *Catalog) current(ctx context.Context) *snapshot {
	version := c.Versions.Current()
	var late <-chan time.Time
	for {
		caught := *c.caught.Load()
		held := c.index.Load()
		if held == nil || held.version >= version || c.behind.Load() {
			return held
		}
		if late == nil {
			late = time.After(patience)
		}
		select {
		case <-caught:
		case <-late:
			return c.index.Load()
		case <-ctx.Done():
			return c.index.Load()
		}
	}
}

var searchedColumns = []string{"category", "description", "instructor", "title"}

// searched reads or=(title.ilike.*x*,instructor.ilike.*x*,category.ilike.*x*,description.ilike.*x*), in any order, with
// or without category=eq.y beside it.
func searched(where []rest.Condition) (w wanted, ok bool) {
	at := slices.IndexFunc(where, func(c rest.Condition) bool { return c.Op == rest.Or })
	switch {
	case at < 0 || len(where) > 2:
		return w, false
	case len(where) == 2:
		other := where[1-at]
		if w.category, ok = equals(other); !ok || other.Column != "category" {
			return w, false
		}
	}
	text, ok := textOf(where[at])
	w.text = []byte(text)
	return w, ok
}

// equals gives the text that a condition asks for exactly.
func equals(c rest.Condition) (text string, ok bool) {
	if c.Op != rest.Eq || c.Not || len(c.Values) != 1 {
		return "", false
	}
	text, _ = c.Values[0].(string)
	return text, text != ""
}

// textOf gives the text that one of the four columns must hold.
func textOf(either rest.Condition) (text string, ok bool) {
	if either.Not || len(either.Of) != len(searchedColumns) {
		return "", false
	}
	var columns []string
	for i, c := range either.Of {
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

// SearchesRefused is how many searches were turned away so far because too many waited.
func (c *Catalog) SearchesRefused() int64 { return c.line.Refused() }

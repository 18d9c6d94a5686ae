package rest

import (
	"fmt"
	"net/http"
	"testing"
)

// What is asked for again and again stays, whatever else is made up; and all of it together stays within its bytes.
func TestKeptAnswersAreBoundedInBytes(t *testing.T) {
	t.Parallel()
	var m memory
	ask := func(query string) bool {
		q := question{path: "books", query: query}
		if m.find(q, 1) != nil {
			return true
		}
		m.keep(q, 1, &response{status: http.StatusOK, table: true, body: make([]byte, 100<<10)})
		return false
	}
	ask("the one that all want")
	for i := range 1000 {
		ask(fmt.Sprint("made up ", i))
		if !ask("the one that all want") {
			t.Fatalf("it is gone after %d others", i)
		}
	}
	size := 0
	for _, generation := range []map[question]*kept{m.young, m.old} {
		for q, k := range generation {
			size += q.size() + 2*len(k.plain)
		}
	}
	if size > 2*keptBytes {
		t.Errorf("%d bytes are kept", size)
	}
	if ask("made up 0") {
		t.Error("what nobody asked for is still there")
	}
	m.keep(question{query: "large"}, 1, &response{table: true, body: make([]byte, keptLargest+1)})
	if m.find(question{query: "large"}, 1) != nil {
		t.Error("an answer is kept that is too large")
	}
}

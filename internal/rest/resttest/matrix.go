package resttest

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

// Caller is somebody who calls: who the server will take it for, and the headers that make it so.
type Caller struct {
	Name   string
	Actor  who.Actor
	Header http.Header
}

// Case is what the matrix needs to know of one table.
type Case struct {
	// Seed stores a fresh row that belongs to the owner, past the API, and gives its key and the columns that
	// policies look at.
	Seed func(t *testing.T) map[string]any
	// New is a fresh row as this caller would insert it if the policy lets it, the verb's rules kept. A table
	// without inserts needs none.
	New func(t *testing.T, as Caller) map[string]any
	// Change is a body that an update may have. A table without updates needs none.
	Change map[string]any
	// Stays says that a rule keeps these rows from being deleted, whoever asks; those who may are not tried.
	Stays bool
	// Holds names the relations that hold for these rows, whoever asks.
	Holds []string
}

// Matrix is a data API under test. What it expects of each table, caller and verb comes from the policies that the
// tables declare; a table that nobody wrote a case for fails.
type Matrix struct {
	URL     string // up to and without /rest/v1
	Tables  []rest.Table
	Callers []Caller
	Owner   string // the name of the caller that seeded rows belong to
	// Cases are by the name of the table; those of the same one in another state have more after a slash.
	Cases map[string]Case
	// Relations names the callers for whom a relation holds, in all rows that the cases make.
	Relations map[string][]string
}

// Run checks every cell.
func (m Matrix) Run(t *testing.T) {
	t.Helper()
	for _, table := range m.Tables {
		if _, ok := m.Cases[table.Name]; !ok {
			t.Errorf("the table %s has no case in the access matrix", table.Name)
		}
		if table.Key == "" {
			table.Key = "id"
		}
		for name, c := range m.Cases {
			if of, _, _ := strings.Cut(name, "/"); of != table.Name {
				continue
			}
			for _, caller := range m.Callers {
				t.Run(name+"/"+caller.Name, func(t *testing.T) { cell{m, table, c, caller}.check(t) })
			}
		}
	}
}

// cell is one table for one caller.
type cell struct {
	Matrix
	table  rest.Table
	known  Case
	caller Caller
}

func (c cell) check(t *testing.T) {
	t.Helper()
	c.read(t)
	c.update(t)
	c.delete(t)
	c.insert(t, c.caller, "own")
	for _, owner := range c.Callers {
		if owner.Name == c.Owner && owner.Name != c.caller.Name {
			c.insert(t, owner, "forged")
		}
	}
}

// seed stores a row and gives its filter and what policies say of it.
func (c cell) seed(t *testing.T) (path string, row rest.Row) {
	t.Helper()
	values := c.known.Seed(t)
	row, err := c.table.Row(values)
	if err != nil {
		t.Fatalf("the seeded row: %v", err)
	}
	key, _ := values[c.table.Key].(string)
	return c.table.Name + "?" + c.table.Key + "=eq." + key, row
}

func (c cell) sees(row rest.Row) bool { return c.admits(c.table.Read, row) }

func (c cell) admits(p rest.Policy, row rest.Row) bool {
	return p.Admits(c.caller.Actor, row, func(relation string) bool {
		return slices.Contains(c.known.Holds, relation) || slices.Contains(c.Relations[relation], c.caller.Name)
	})
}

func (c cell) read(t *testing.T) {
	t.Helper()
	path, row := c.seed(t)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		status, code, place := c.send(t, method, path, nil, "count=exact")
		if !c.table.Read.Declared() {
			c.refused(t, method, status, code)
			continue
		}
		want := "*/0"
		if c.sees(row) {
			want = "0-0/1"
		}
		if status != http.StatusOK || place != want {
			t.Errorf("%s: got %d %s, want 200 %s", method, status, place, want)
		}
	}
}

func (c cell) update(t *testing.T) {
	t.Helper()
	path, row := c.seed(t)
	change := c.known.Change
	if change == nil {
		last := len(c.table.Columns) - 1
		for c.table.Columns[last].Hidden {
			last--
		}
		change = map[string]any{c.table.Columns[last].Name: nil}
	}
	status, code, place := c.send(t, http.MethodPatch, path, change, "count=exact")
	if !c.table.Update.If.Declared() || !c.writable(change, rest.OnUpdate) {
		c.refused(t, "update", status, code)
		return
	}
	want := "*/0"
	if c.sees(row) && c.admits(c.table.Update.If, row) {
		want = "0-0/1"
	}
	if status != http.StatusNoContent || place != want {
		t.Errorf("update: got %d %s %s, want 204 %s", status, code, place, want)
	}
}

func (c cell) delete(t *testing.T) {
	t.Helper()
	path, row := c.seed(t)
	if c.known.Stays && c.sees(row) && c.admits(c.table.Delete.If, row) {
		return
	}
	status, code, place := c.send(t, http.MethodDelete, path, nil, "count=exact")
	if !c.table.Delete.If.Declared() {
		c.refused(t, "delete", status, code)
		return
	}
	want := "*/0"
	if c.sees(row) && c.admits(c.table.Delete.If, row) {
		want = "*/1"
	}
	if status != http.StatusNoContent || place != want {
		t.Errorf("delete: got %d %s %s, want 204 %s", status, code, place, want)
	}
}

// insert sends a row as the given caller would write it, plainly and as both kinds of upsert.
func (c cell) insert(t *testing.T, as Caller, kind string) {
	t.Helper()
	for _, prefer := range []string{"count=exact", "resolution=ignore-duplicates", "resolution=merge-duplicates"} {
		body := map[string]any{}
		if c.known.New != nil {
			body = c.known.New(t, as)
		}
		row, err := c.table.Row(body)
		if err != nil {
			t.Fatalf("the new row: %v", err)
		}
		allowed := c.admits(c.table.Insert.If, row) && c.writable(body, rest.OnInsert)
		if prefer == "resolution=merge-duplicates" {
			allowed = allowed && c.table.Update.If.Declared() && c.writable(body, rest.OnUpdate)
		}
		status, code, _ := c.send(t, http.MethodPost, c.table.Name, body, prefer)
		if !allowed {
			c.refused(t, kind+" insert with "+prefer, status, code)
		} else if status != http.StatusCreated {
			t.Errorf("%s insert with %s: got %d %s, want 201", kind, prefer, status, code)
		}
	}
}

func (c cell) writable(body map[string]any, how rest.Writable) bool {
	for _, column := range c.table.Columns {
		if _, named := body[column.Name]; named && column.Write&how == 0 {
			return false
		}
	}
	return true
}

// refused wants 42501: 403 for those whom the server knows, 401 for those whom it does not.
func (c cell) refused(t *testing.T, what string, status int, code string) {
	t.Helper()
	want := http.StatusUnauthorized
	if c.caller.Actor.SignedIn() || c.caller.Actor.Role == who.Service {
		want = http.StatusForbidden
	}
	if status != want || code != "42501" && what != http.MethodHead {
		t.Errorf("%s: got %d %s, want %d 42501", what, status, code, want)
	}
}

// send makes the call and gives the status, an error's code, and Content-Range.
func (c cell) send(t *testing.T, method, path string, body map[string]any, prefer string) (status int, code, place string) {
	t.Helper()
	text := ""
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		text = string(encoded)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, c.URL+"/rest/v1/"+path, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(r.Header, c.caller.Header)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Prefer", prefer)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var failed struct{ Code string }
	if answer.StatusCode >= http.StatusBadRequest && len(data) > 0 {
		if err := json.Unmarshal(data, &failed); err != nil {
			t.Errorf("%s %s: the error is no JSON object: %s", method, path, data)
		}
	}
	return answer.StatusCode, failed.Code, answer.Header.Get("Content-Range")
}

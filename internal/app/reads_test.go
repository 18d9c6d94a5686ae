package app_test

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

// readers are the callers of the matrix in the order of the columns of docs/access.md.
var readers = []string{"anonymous", "guest", "ada", "bob", "adm", "service", "tea", "edi", "enr", "rev"}

// readBy is the table of docs/access.md: by the name of a case, whether each reader sees its row.
func readBy(t *testing.T) map[string][]bool {
	t.Helper()
	text, err := os.ReadFile("../../docs/access.md")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string][]bool{}
	tables := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != len(readers)+2 {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		name := cells[0]
		if name == "table" || strings.HasPrefix(name, "-") {
			continue
		}
		if tables[name] {
			name += "/" + cells[1]
		}
		tables[cells[0]] = true
		for _, cell := range cells[2:] {
			if cell != "●" && cell != "·" {
				t.Fatalf("%s: a cell says %q", name, cell)
			}
			table[name] = append(table[name], cell == "●")
		}
	}
	return table
}

// TestEverybodyReadsWhatTheTableSaysAndNoMore holds the policies against a table that was written by hand: whatever they declare.
func TestEverybodyReadsWhatTheTableSaysAndNoMore(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off", "GREENROOM_ANONYMOUS": "on"}, func(t *testing.T, s *apptest.Server) {
		callers := people(t, s)
		visitor, ok := memberOf(s.Do(t, http.MethodPost, "/auth/v1/signup", "", `{"data":{}}`))
		if !ok {
			t.Fatal("no guest came in")
		}
		callers = append(callers, resttest.Caller{
			Name: "guest", Actor: who.Actor{Role: who.User, UserID: visitor.ID, Guest: true},
			Header: http.Header{"Apikey": {s.Keys().Publishable}, "Authorization": {"Bearer " + visitor.Access}},
		})
		by := map[string]resttest.Caller{}
		for _, c := range callers {
			by[c.Name] = c
		}
		keys := map[string]string{}
		for _, table := range s.Tables() {
			keys[table.Name] = table.Key
		}
		want := readBy(t)
		all := cases(s, callers)
		for name := range want {
			if _, there := all[name]; !there {
				t.Errorf("docs/access.md tells of %s, of which there is no case", name)
			}
		}
		for name, one := range all {
			table, _, _ := strings.Cut(name, "/")
			if want[name] == nil {
				t.Errorf("docs/access.md does not say who reads %s", name)
				continue
			}
			t.Run(name, func(t *testing.T) { // by itself, for a case may undo at its end what it changed
				row := one.Seed(t)
				key := cmp.Or(keys[table], "id")
				for i, reader := range readers {
					got := ask(t, s, by[reader], fmt.Sprintf("/rest/v1/%s?select=%s&%s=eq.%s", table, key, key, row[key]))
					if got != want[name][i] {
						t.Errorf("%s reads it is %v, and must be %v", reader, got, want[name][i])
					}
				}
			})
		}
	})
}

// ask tells whether a caller gets a row.
func ask(t *testing.T, s *apptest.Server, as resttest.Caller, path string) bool {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = as.Header.Clone()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return false // refused altogether, or not for them
	}
	return strings.HasPrefix(answer.Header.Get("Content-Range"), "0-0/")
}

package rest_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
)

// Both engines must find the same, whatever the letters: so each pattern names what it finds.
func TestAnyLetterIsFoundInAnyCase(t *testing.T) {
	t.Parallel()
	titles := []string{"Book", "BOOK", "bo\u212a", "Ärger", "ärgern", "100%", "under_score", `back\slash`, "[set]", "star*", "why?", "Москва", "日本語", "plain"}
	finds := map[string][]string{
		"book":        {"Book", "BOOK"},
		"BOK":         {"bo\u212a"},
		"ÄRGER":       {"Ärger", "ärgern"},
		"ärgerN":      {"ärgern"},
		"0%":          {"100%"},
		"R_S":         {"under_score"},
		`K\S`:         {`back\slash`},
		"[SET]":       {"[set]"},
		"r*":          {"star*"},
		"*":           {"star*"},
		"Y?":          {"why?"},
		"мОСК":        {"Москва"},
		"本":           {"日本語"},
		"PLAIN":       {"plain"},
		"no such one": nil,
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := openLibrary(t, d)
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			for _, title := range titles {
				_, err := tx.Exec(ctx, `insert into books (id, title, author, pages, rating, lent, created_at) values ($1, $2, 'case test', 1, 1, $3, $4)`,
					id.New(), title, false, db.At(tx.Now))
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		handler := rest.Handler(d, l.tables()...)
		literal := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `\*`)
		for text, want := range finds {
			pattern := "*" + literal.Replace(text) + "*"
			path := "/books?select=title&author=eq.case+test&title=ilike." + url.QueryEscape(pattern)
			var found []string
			for _, row := range resttest.Call(t, handler, resttest.Stranger, "GET", path, "").Want(t, 200, "").Rows(t) {
				found = append(found, fmt.Sprint(row["title"]))
			}
			slices.Sort(found)
			slices.Sort(want)
			if !slices.Equal(found, want) {
				t.Errorf("%q finds %q, not %q", text, found, want)
			}
		}
	})
}

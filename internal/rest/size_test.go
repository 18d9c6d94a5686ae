package rest_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

func TestEachColumnIsSelectedOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		const twice = "~The column title is selected under two names."
		one := "books?title=eq.Zebra&select="
		l.check(t, []exchange{
			{"GET", one + "title,pages,title", "", nil, 200, `[{"title":"Zebra","pages":10}]`, nil},
			{"GET", one + "n:title,pages", "", nil, 200, `[{"n":"Zebra","pages":10}]`, nil},
			{"GET", one + "*,title", "", nil, 200, `~"title":"Zebra"`, nil},
			{"GET", one + "a:title,b:title", "", nil, 400, twice, nil},
			{"GET", one + "title,b:title", "", nil, 400, twice, nil},
			{"GET", one + "*,b:title", "", nil, 400, twice, nil},
			{"PATCH", one + "a:title,b:title", `{"pages":11}`, []string{asAdmin, wanted}, 400, twice, nil},
			{"GET", one + strings.Repeat("a", 63) + ":title", "", nil, 200, "~Zebra", nil},
			{"GET", one + strings.Repeat("a", 64) + ":title", "", nil, 400, "~42622", nil},
			{"GET", one + "pages", "", nil, 200, `[{"pages":10}]`, nil},
		})
	})
}

// A million characters in each of nine books are more than one answer holds: it says so, and what to do. A write whose
// answer would be too large is not made.
func TestAnswersAreBoundedInBytes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		long := strings.Repeat("x", 1<<20)
		err := l.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			for range 9 {
				key := id.New()
				_, err := tx.Exec(ctx, `insert into books (id, title, author, pages, rating, lent, created_at) values ($1, $2, $3, 7777, 1, $4, $5)`,
					key, "Book "+key, long, false, db.At(tx.Now))
				if err != nil {
					return err
				}
			}
			_, err := tx.Exec(ctx, `update books set author = $1 where id in ($2, $3)`, strings.Repeat("y", 5<<20), book(1), book(3))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		const large = `{"code":"54000","details":null,"hint":"Ask for fewer rows with limit=, or for fewer columns with select=.","message":"The answer is larger than 8 MB"}`
		seven := "books?pages=eq.7777"
		l.check(t, []exchange{
			{"GET", seven, "", nil, 413, large, []string{"Content-Type: application/json; charset=utf-8"}},
			{"GET", seven, "", []string{"Accept: text/csv"}, 413, large, nil},
			{"GET", seven, "", []string{"Prefer: count=exact"}, 413, large, nil},
			{"HEAD", seven, "", nil, 413, "", nil},
			{"HEAD", seven, "", []string{"Prefer: count=exact"}, 200, "", []string{"Content-Range: 0-8/9"}},
			{"GET", seven + "&select=pages&limit=1", "", []string{"Prefer: count=exact"}, 206, `[{"pages":7777}]`, nil},
			{"GET", "books?or=(title.ilike.*From+Memory*,author.ilike.*x*)", "", nil, 413, large, nil}, // the keys came from an Answer
			{"GET", "books?or=(title.ilike.*From+Memory*,author.ilike.*x*)&select=pages", "", nil, 200, "[{\"pages\":90},\n {\"pages\":120}]", nil},
			{"PATCH", seven, `{"rating":2}`, []string{asAdmin, wanted}, 413, large, nil},
			{"DELETE", seven, "", []string{asAdmin, wanted}, 413, large, nil},
			{"GET", seven + "&rating=eq.2&select=id", "", nil, 200, "[]", nil},
			{"PATCH", seven + "&select=pages", `{"rating":3}`, []string{asAdmin, wanted}, 200, "~7777", nil},
			{"DELETE", seven, "", []string{asAdmin, "Prefer: count=exact"}, 204, "", []string{"Content-Range: */9"}},
		})
		if got := l.call(t, "GET", "books?id=eq."+book(1)+"&select=author", ""); got.status != 200 || len(got.body) < 5<<20 || !json.Valid([]byte(got.body)) {
			t.Errorf("five million characters: %d, %d bytes", got.status, len(got.body))
		}
	})
}

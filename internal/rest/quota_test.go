package rest_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// many gives n objects in an array.
func many(n int, object func(i int) string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = object(i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

func TestAccountsAddAHundredRowsACallAndAdminsAThousand(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		entry := func(i int) string { return fmt.Sprintf(`{"text":"entry %d"}`, i) }
		book := func(i int) string { return fmt.Sprintf(`{"title":"Book %d"}`, i) }
		const large = "~A request writes at most 100 rows."
		l.check(t, []exchange{
			{"POST", "ledger", many(100, entry), []string{asReader}, 201, "", nil},
			{"POST", "ledger", many(101, entry), []string{asReader}, 413, large, nil},
			{"POST", "notes", many(101, entry), nil, 413, large, nil},
			{"POST", "ledger", many(101, entry), []string{asAdmin}, 201, "", nil},
			{"POST", "books", many(1000, book), []string{asAdmin}, 201, "", nil},
			{"POST", "books", many(1001, book), []string{asAdmin}, 413, "~A request writes at most 1000 rows.", nil},
		})
	})
}

// Each row that an account adds is counted by its table's quota, before it is stored; those of admins, of the service
// key and of strangers are not.
func TestRowsOfAccountsAreCounted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		entry := func(i int) string { return fmt.Sprintf(`{"text":"entry %d"}`, i) }
		l.check(t, []exchange{
			{"POST", "ledger", entry(1), []string{asReader}, 201, "", nil},
			{"POST", "ledger", many(7, entry), []string{asReader}, 201, "", nil},
			{"POST", "ledger", many(50, entry), []string{asReader}, 429, `{"code":"PT429","details":null,"hint":null,"message":"Slow down."}`, []string{"Retry-After: 60"}},
			{"POST", "ledger", "[]", []string{asReader}, 201, "", nil},
			{"POST", "ledger", many(3, entry), []string{asOther}, 201, "", nil},
			{"POST", "ledger", many(50, entry), []string{asAdmin}, 201, "", nil},
			{"POST", "notes", `{"text":"wall: hello"}`, nil, 201, "", nil},
			{"POST", "notes", `{"text":"wall: hi"}`, []string{"X-Actor: service"}, 201, "", nil},
			{"POST", "notes?on_conflict=user_id,text", `{"user_id":"` + reader + `","text":"one"}`, []string{asReader, "Prefer: resolution=ignore-duplicates"}, 201, "", nil},
		})
		want := map[string]int{"ledger " + reader: 8, "ledger " + stranger: 3, "notes " + reader: 1}
		if !maps.Equal(l.quota.taken, want) {
			t.Errorf("counted %v, not %v", l.quota.taken, want)
		}
	})
}

func TestAccountsHaveSoManyRowsInAll(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		l.call(t, "POST", "books", many(61, func(i int) string { return fmt.Sprintf(`{"title":"Book %d"}`, i) }), asAdmin)
		var ids []string
		for line := range strings.Lines(l.call(t, "GET", "books?select=id&title=like.Book*", "", "Accept: text/csv").body) {
			ids = append(ids, strings.TrimSpace(line))
		}
		loan := func(i int) string { return `{"book_id":"` + ids[i+1] + `"}` }
		const full = `{"code":"54000","details":null,"hint":null,"message":"You can have at most 60 rows in loans."}`
		l.check(t, []exchange{
			{"POST", "loans", many(59, loan), []string{asReader}, 201, "", nil},
			{"POST", "loans", many(2, func(i int) string { return loan(59 + i) }), []string{asReader}, 400, full, nil},
			{"POST", "loans", loan(59), []string{asReader}, 201, "", nil},
			{"POST", "loans", loan(60), []string{asReader}, 400, full, nil},
			{"POST", "loans", loan(60), []string{asOther}, 201, "", nil},
			{"DELETE", "loans?book_id=eq." + ids[1], "", []string{asReader}, 204, "", nil},
			{"POST", "loans", loan(60), []string{asReader}, 201, "", nil},
		})
	})
}

package rest_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// hostile are texts that have broken other programs' SQL, JSON or headers.
var hostile = []string{
	`'`, `"`, `''`, `' or '1'='1`, `" or "1"="1`, `'; drop table books; --`, `"; drop table books; --`, `x') or 1=1 --`, `1; select pg_sleep(10)`,
	`(select randomblob(1000000000))`, `pg_sleep(10)`, `id) or (1=1`, `id"--`, `"id"`, `"id" desc nulls first, (select 1)`, `*`, `**`, `%`, `_`, `\`, `\\`, `\'`,
	`$1`, `$1::text`, `?`, `:name`, `@x`, `/*`, `*/`, `--`, `#`, `;`, `||`, `null`, `NULL`, `true`, `undefined`, `NaN`, `Infinity`, `-0`, `1e309`, `0x41`, `١٢٣`,
	`{}`, `[]`, `{"a":1}`, `(`, `)`, `()`, `((((((((`, `))))))))`, `,`, `,,,`, `.`, `..`, `.eq.`, `eq.`, `not.not.eq.1`, `in.(`, `in.("`, `in.("\`, `and(`, `or()`, `:`, `::`, `a::b`,
	`->`, `->>`, `!`, `!inner`, `...`, `rowid`, `_rowid_`, `oid`, `ctid`, `sqlite_master`, `pg_user`, `information_schema`, `public.users`, `users`, `password_hash`, `🙂`, `İ`, `ß`, `ﬀ`,
	"\u202e", "\u2028", "\ufeff", "\t", "\r\n", "a\r\nX-Injected: 1", strings.Repeat("a", 5000), strings.Repeat("(", 5000), strings.Repeat("or(", 1000), strings.Repeat("*", 3000),
}

// No text in any place is more than a text: nothing breaks, nothing is changed, nothing answers as our own mistake.
func TestSecurity54HostileTextsAreOnlyTexts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		before := l.call(t, "GET", "books?order=id", "").body
		check := func(text, method, path, body string, headers ...string) {
			got := l.call(t, method, path, body, headers...)
			if got.status >= http.StatusInternalServerError || got.header.Get("X-Injected") != "" {
				t.Errorf("%.60q at %s %.120s: %d %.300s", text, method, path, got.status, got.body)
			}
		}
		for _, text := range hostile {
			escaped := url.QueryEscape(text)
			for _, op := range []string{"eq", "neq", "gt", "like", "ilike", "in", "is", "isdistinct", "fts", "not.eq", "like(any)"} {
				check(text, "GET", "books?title="+op+"."+escaped, "")
			}
			for _, path := range []string{
				"books?title=" + escaped, "books?pages=eq." + escaped, "books?id=eq." + escaped, "books?due_at=gt." + escaped, "books?lent=eq." + escaped,
				"books?" + escaped + "=eq.1", "books?select=" + escaped, "books?select=a:" + escaped, "books?select=" + escaped + ":id", "books?order=" + escaped,
				"books?order=id." + escaped, "books?or=(" + escaped + ")", "books?or=(title.eq." + escaped + ")", "books?not.and=(title.in.(" + escaped + "))",
				"books?limit=" + escaped, "books?offset=" + escaped, "books?title=in.(" + escaped + ",b)", url.PathEscape(text), "rpc/" + url.PathEscape(text),
			} {
				check(text, "GET", path, "")
			}
			check(text, "POST", "books?columns="+escaped, `[{"title":"x"}]`, asReader)
			check(text, "POST", "loans?on_conflict="+escaped, `{"book_id":"`+book(1)+`"}`, asOther, "Prefer: resolution=merge-duplicates")
			check(text, "PATCH", "books?title=eq."+escaped, `{"pages":1}`, asReader)
			check(text, "DELETE", "books?title=eq."+escaped, "", asReader)
			if !strings.ContainsAny(text, "\r\n\t") {
				for _, header := range []string{"Prefer: ", "Accept: ", "Accept-Profile: ", "Range: ", "Prefer: count=exact, "} {
					check(text, "GET", "books?limit=1", "", header+text)
				}
			}
		}
		if after := l.call(t, "GET", "books?order=id", "").body; after != before {
			t.Errorf("the books have changed:\n%s\n%s", before, after)
		}
	})
}

// The unique key decides races: of many who insert the same, one does, and all are answered.
func TestRacingInsertsAreOneRow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		for _, prefer := range []string{"return=minimal", "resolution=ignore-duplicates", "resolution=merge-duplicates"} {
			l.call(t, "DELETE", "loans?book_id=eq."+book(1), "", asReader)
			var group sync.WaitGroup
			answers := make([]reply, 30)
			for i := range answers {
				group.Go(func() {
					answers[i] = l.call(t, "POST", "loans?on_conflict=user_id,book_id", `{"book_id":"`+book(1)+`","user_id":"`+reader+`","stars":1}`, asReader, "Prefer: "+prefer)
				})
			}
			group.Wait()
			seen := map[int]int{}
			for _, got := range answers {
				seen[got.status]++
			}
			want := map[string]map[int]int{
				"return=minimal":               {201: 1, 409: 29},
				"resolution=ignore-duplicates": {201: 30},
				"resolution=merge-duplicates":  {201: 1, 200: 29},
			}[prefer]
			for status, n := range want {
				if seen[status] != n {
					t.Errorf("%s: got %v, want %v", prefer, seen, want)
					break
				}
			}
			if got := l.call(t, "GET", "loans?select=stars", "", asReader); got.body != `[{"stars":1}]` {
				t.Errorf("%s: stored %s", prefer, got.body)
			}
		}
	})
}

package rest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/rest"
)

// rename changes a book's title behind the data API's back, as another instance does.
func (l *library) rename(t *testing.T, n int, title string) {
	t.Helper()
	err := l.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "update books set title = $2 where id = $1", book(n), title)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnswersAreKeptUntilTheVersionRises(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		one := "books?select=title&id=eq." + book(4)
		read := func(want string, headers ...string) {
			t.Helper()
			if got := l.call(t, "GET", one, "", headers...); got.status != 200 || got.body != `[{"title":"`+want+`"}]` {
				t.Errorf("%v: %d %s, want %s", headers, got.status, got.body, want)
			}
		}
		read("Zebra")
		l.rename(t, 4, "Without a version")
		read("Without a version")
		l.version.Store(1)
		read("Without a version")
		l.rename(t, 4, "Later")
		read("Without a version")
		read("Without a version", "X-Actor: reader")
		read("Later", "X-Actor: admin")
		read("Later", "X-Actor: service")
		l.version.Store(2)
		read("Later")
	})
}

func TestKeptAnswersAreThoseOfTheirQuestion(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		l.version.Store(1)
		questions := [][]string{
			{"books?order=pages"},
			{"books?order=pages.desc"},
			{"books?order=pages", "Range: 1-2"},
			{"books?order=pages", "Prefer: count=exact"},
			{"books?order=pages", "Accept: text/csv"},
			{"books?order=pages", "Accept-Profile: other"},
			{"books?order=pages&limit=1", "Prefer: count=exact"},
			{"books?order=pages", "Accept: application/json", "Accept: text/csv"},
			{"books?order=pages&limit=1", "Accept: application/vnd.pgrst.object+json"},
			{"books?or=(title.ilike.*From%20Memory*,author.ilike.*From%20Memory*)"},
		}
		var first []reply
		for round := range int64(3) {
			l.version.Store(min(round, 1)) // in the first nothing is kept
			for i, q := range questions {
				got := l.call(t, "GET", q[0], "", append(q[1:], "Accept-Encoding: identity")...)
				got.header.Del("Date")
				if first = append(first, got); fmt.Sprint(got) != fmt.Sprint(first[i]) {
					t.Errorf("%v, again: %v, want %v", q, got, first[i])
				}
			}
		}
	})
}

func TestWhatADomainAnswersFromMemoryIsNotKept(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		l.version.Store(1)
		search := "books?select=title&or=(title.ilike.*From%20Memory*,author.ilike.*From%20Memory*)"
		before := l.call(t, "GET", search, "")
		l.rename(t, 3, "Meanwhile")
		if after := l.call(t, "GET", search, ""); after.body == before.body || !strings.Contains(after.body, "Meanwhile") {
			t.Errorf("%s, then %s", before.body, after.body)
		}
	})
}

func TestAKeptAnswerIsPackedForWhoeverTakesIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		l.version.Store(1)
		l.rename(t, 1, strings.Repeat("long ", 1000))
		plain := l.call(t, "GET", "books", "")
		for _, encoding := range []string{"br", "gzip", "identity"} {
			got := l.call(t, "GET", "books", "", "Accept-Encoding: "+encoding)
			packed := encoding == "br" || encoding == "gzip"
			if packed != (got.header.Get("Content-Encoding") == encoding) || packed != (len(got.body) < len(plain.body)/2) ||
				packed != strings.Contains(fmt.Sprint(got.header["Vary"]), "Accept-Encoding") {
				t.Errorf("%q: %d bytes, %v", encoding, len(got.body), got.header)
			}
		}
		small := l.call(t, "GET", "books?limit=1&order=pages", "", "Accept-Encoding: gzip")
		if again := l.call(t, "GET", "books?limit=1&order=pages", "", "Accept-Encoding: gzip"); again.body != small.body {
			t.Errorf("%s, then %s", small.body, again.body)
		}
	})
}

func TestOnlyWhatEverybodyReadsIsKept(t *testing.T) {
	t.Parallel()
	for _, read := range []rest.Policy{rest.Own("id"), rest.SignedIn(), {}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a version with the policy %v is taken", read)
				}
			}()
			rest.Handler(nil, rest.Table{
				Name: "notes", Columns: []rest.Column{{Name: "id", Type: rest.UUID}}, Read: read, Version: func() int64 { return 1 },
			})
		}()
	}
}

func TestPagesOfAListAreCountedOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		total := func(want, path string, headers ...string) {
			t.Helper()
			got := l.call(t, "GET", path, "", append(headers, "Prefer: count=exact")...)
			if _, all, _ := strings.Cut(got.header.Get("Content-Range"), "/"); all != want {
				t.Errorf("%s: %s, want %s", path, got.header.Get("Content-Range"), want)
			}
		}
		l.version.Store(1)
		total("5", "books?limit=1")
		total("2", "books?limit=1&lent=is.true")
		total("5", "books?limit=1&pages=lt.5000000")
		total("4", "books?limit=1&pages=lt.300")
		l.forget(t, 5)
		total("5", "books?limit=1&offset=1")
		total("5", "books?limit=1&offset=2", "X-Actor: reader")
		total("2", "books?limit=1&lent=is.true&offset=1")
		total("2", "books?limit=1&lent=is.false", "X-Actor: stranger") // not asked before
		total("4", "books?limit=1&offset=1", "X-Actor: admin")
		l.version.Store(2)
		total("4", "books?limit=1&offset=1")
	})
}

// forget removes a book behind the data API's back.
func (l *library) forget(t *testing.T, n int) {
	t.Helper()
	err := l.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "delete from books where id = $1", book(n))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAKeptReadAnswersNothingButThatRead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		l.version.Store(1)
		for range 2 {
			l.call(t, "GET", "books", "")
		}
		if got := l.call(t, "HEAD", "books", ""); got.body != "" || got.status != 200 {
			t.Errorf("HEAD: %d %s", got.status, got.body)
		}
		if got := l.call(t, "DELETE", "books", ""); got.status == 200 {
			t.Error("a kept read answers a DELETE")
		}
		long := "books?select=title&title=neq." + strings.Repeat("x", 3000)
		before := l.call(t, "GET", long, "")
		l.rename(t, 3, "Meanwhile")
		if after := l.call(t, "GET", long, ""); after.body == before.body {
			t.Error("a question of any length is kept")
		}
	})
}

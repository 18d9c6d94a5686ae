package rest

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

var (
	quotedName = regexp.MustCompile(`"([^"]*)"`)
	plainSQL   = regexp.MustCompile(`^[a-z0-9_ "$(),.*=<>-]*$`)
)

// checkSQL holds a statement to its promise: declared names in quotes, our own words, and numbered parameters.
func checkSQL(t *testing.T, s *statement, from string) {
	t.Helper()
	text := string(s.text)
	if !plainSQL.MatchString(text) || strings.Contains(text, "--") {
		t.Fatalf("%q became the statement %s", from, text)
	}
	for _, name := range quotedName.FindAllStringSubmatch(text, -1) {
		if s.table.index(name[1]) < 0 && name[1] != s.table.Name && name[1] != "und-x-icu" {
			t.Fatalf("%q put the name %q into %s", from, name[1], text)
		}
	}
	if n := strings.Count(text, "$"); n != len(s.args) {
		t.Fatalf("%q made %d places for %d values: %s", from, n, len(s.args), text)
	}
}

// checkQuery runs a query string through all that a read does before the database sees it.
func checkQuery(t *testing.T, raw string) {
	t.Helper()
	q, err := parseQuery(raw)
	if err != nil {
		return
	}
	table := sample()
	table.Read = Own("id").Or(Null("title")).Or(NotEqual("title", "x")).OrAdmin()
	if err := table.bind(&q, map[string]*Table{table.Name: table}); err != nil {
		return
	}
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		for _, actor := range []who.Actor{{}, {Role: who.User, UserID: "u"}, {Role: who.User, UserID: "a", Admin: true}} {
			s := table.statement(engine)
			s.where(q.Where, actor, table.Read)
			s.order(q.Order)
			checkSQL(t, s, raw)
		}
	}
	if q.Limit < 0 || q.Limit > maxPage || q.Offset < 0 || len(q.shown) == 0 {
		t.Fatalf("%q: limit %d, offset %d, %d columns", raw, q.Limit, q.Offset, len(q.shown))
	}
}

func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"select=id,t:title&title=eq.x&order=rating.desc.nullslast&limit=5&offset=1", "or=(title.ilike.*x*,and(rating.gt.4,lessons.in.(1,2)))",
		`title=in.("a\"b",c)`, "coming_soon=is.true", `title=like(any).{a,"b"}`, "columns=%22id%22,title&on_conflict=id", `nope"=eq.1`,
		`"title"=eq.x`, "id=eq.11111111-1111-4111-8111-111111111111", "created_at=gt.2026-01-02T04:05:06%2B01:00", "not.or=(title.not.is.null)",
	} {
		f.Add(seed)
	}
	f.Fuzz(checkQuery)
}

func FuzzFilter(f *testing.F) {
	f.Add("title", `not.in.("a,b",c)`)
	f.Add("rating", "gte.4.5")
	f.Add(`ti"tle`, "eq.x")
	f.Fuzz(func(t *testing.T, column, text string) {
		checkQuery(t, url.QueryEscape(column)+"="+url.QueryEscape(text))
	})
}

func FuzzLogic(f *testing.F) {
	f.Add(`(title.eq.a,not.and(rating.gt.1,id.is.null))`)
	f.Add(`(title.eq."a,b)",title.in.(a,"b)"),title.like(all).{a})`)
	f.Fuzz(func(t *testing.T, text string) { checkQuery(t, "not.and="+url.QueryEscape(text)) })
}

func FuzzSelectAndOrder(f *testing.F) {
	f.Add(`*,a:title,"id"`, "title.desc.nullsfirst,id")
	f.Add("courses!inner(id)", "courses(id).asc")
	f.Fuzz(func(t *testing.T, selected, order string) {
		checkQuery(t, "select="+url.QueryEscape(selected)+"&order="+url.QueryEscape(order))
	})
}

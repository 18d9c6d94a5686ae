package rest_test

import (
	"slices"
	"strings"
	"testing"
)

const (
	asReader = "X-Actor: reader"
	asOther  = "X-Actor: stranger"
	asAdmin  = "X-Actor: admin"
	wanted   = "Prefer: return=representation"
	single   = "Accept: application/vnd.pgrst.object+json"
)

func TestInsertsAnswerAsPostgREST(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		l.check(t, []exchange{
			{"POST", "books", `{"title":"One"}`, []string{asAdmin}, 201, "", []string{"Content-Range: */*", "Content-Length: 0", "Content-Type: "}},
			{"GET", "books?title=eq.One&select=title,author,pages,rating,lent", "", nil, 200, `[{"title":"One","author":null,"pages":100,"rating":4.5,"lent":false}]`, nil},
			{"POST", "books?select=title,pages", `{"title":"Two","pages":7}`, []string{asAdmin, wanted, single}, 201, `{"title":"Two","pages":7}`, []string{"Content-Type: application/vnd.pgrst.object+json; charset=utf-8", "Preference-Applied: return=representation"}},
			{
				"POST", `books?columns=%22title%22,%22author%22&select=title,author,pages`, `[{"title":"Three","ignored":1},{"title":"Four","author":"A"}]`,
				[]string{asAdmin, "Prefer: count=exact, return=representation"},
				201,
				`[{"title":"Three","author":null,"pages":100},` + "\n " + `{"title":"Four","author":"A","pages":100}]`,
				[]string{"Content-Range: */2", "Preference-Applied: return=representation, count=exact"},
			},
			{"POST", `books?columns=title,pages`, `[{"title":"Five"}]`, []string{asAdmin}, 400, "~null value in column \\\"pages\\\" of relation \\\"books\\\" violates not-null constraint", nil},
			{"POST", `books?columns=title,pages&select=pages`, `[{"title":"Five"}]`, []string{asAdmin, "Prefer: missing=default, return=representation"}, 201, `[{"pages":100}]`, []string{"Preference-Applied: missing=default, return=representation"}},
			{"POST", "books?select=title&order=title.desc", `[{"title":"Six"},{"title":"Seven"},{"title":"Six b"}]`, []string{asAdmin, wanted}, 201, `[{"title":"Six b"},` + "\n " + `{"title":"Six"},` + "\n " + `{"title":"Seven"}]`, nil},
			{"POST", "books", `[]`, []string{asAdmin}, 201, "", nil},
			{"POST", "books", `[]`, []string{asAdmin, wanted}, 201, "[]", nil},
			{"POST", "books", `[{"title":"X1"},{"title":"X2"}]`, []string{asAdmin, wanted, single}, 406, "~The result contains 2 rows", nil},
			{"GET", "books?title=like.X*", "", nil, 200, "[]", nil},
			{"POST", "books", `{"title":"Typed","pages":"12","rating":"4.5","lent":"yes","due_at":"2026-03-04","author":17}`, []string{asAdmin}, 201, "", nil},
			{"GET", "books?title=eq.Typed&select=pages,rating,lent,due_at,author", "", nil, 200, `[{"pages":12,"rating":4.5,"lent":true,"due_at":"2026-03-04T00:00:00+00:00","author":"17"}]`, nil},
			{"POST", "loans", `{"book_id":"` + book(1) + `"}`, []string{asReader, "Prefer: return=headers-only"}, 201, "", nil},
			{"POST", "loans", `{"user_id":"` + reader + `","book_id":"` + book(2) + `"}`, []string{asReader}, 201, "", nil},
			{"GET", "loans?select=user_id,book_id&order=book_id", "", []string{asReader}, 200, `[{"user_id":"` + reader + `","book_id":"` + book(1) + `"},` + "\n " + `{"user_id":"` + reader + `","book_id":"` + book(2) + `"}]`, nil},
		})
		if got := l.call(t, "POST", "books", `{"title":"Located"}`, asAdmin, "Prefer: return=headers-only"); !strings.HasPrefix(got.header.Get("Location"), "/books?id=eq.") {
			t.Errorf("Location: got %q", got.header.Get("Location"))
		}
		if !slices.Contains(l.hooks, "insert One") || slices.Contains(l.hooks, "insert X9") {
			t.Errorf("hooks saw %v", l.hooks)
		}
	})
}

func TestRefusedWritesStoreNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		saved := `{"user_id":"` + reader + `","book_id":"` + book(1) + `"}`
		mine := `{"user_id":"` + reader + `","text":"mine"}`
		l.check(t, []exchange{
			{"POST", "loans", saved, []string{asReader}, 201, "", nil},
			{"POST", "loans", saved, []string{asReader}, 409, `{"code":"23505","details":"Key (user_id, book_id)=(` + reader + `, ` + book(1) + `) already exists.","hint":null,"message":"duplicate key value violates unique constraint \"loans_user_id_book_id_key\""}`, nil},
			{"POST", "loans", `[{"user_id":"` + reader + `","book_id":"` + book(3) + `"},` + saved + `]`, []string{asReader}, 409, "~23505", nil},
			{"GET", "loans?book_id=eq." + book(3), "", []string{asReader}, 200, "[]", nil},
			{"POST", "loans", `{"user_id":"` + reader + `","book_id":"` + stranger + `"}`, []string{asReader}, 409, `{"code":"23503","details":"Key (book_id)=(` + stranger + `) is not present in table \"books\".","hint":null,"message":"insert or update on table \"loans\" violates foreign key constraint \"loans_book_id_fkey\""}`, nil},
			{"POST", "books", `{"author":"x"}`, []string{asAdmin}, 400, "~\"code\":\"23502\",\"details\":\"Failing row contains (", nil},
			{"POST", "books", `{"title":null}`, []string{asAdmin}, 400, `~null value in column \"title\" of relation \"books\" violates not-null constraint`, nil},
			{"POST", "books", `{"title":"x","pages":-1}`, []string{asAdmin}, 400, `~new row for relation \"books\" violates check constraint \"books_pages_check\"`, nil},
			{"POST", "books", `{"title":"Zebra"}`, []string{asAdmin}, 409, `~Key (title)=(Zebra) already exists.`, nil},
			{"POST", "books", `{"title":"forbidden title"}`, []string{asAdmin}, 400, `{"code":"P0001","details":null,"hint":null,"message":"That title is taken by the rules."}`, nil},
			{"GET", "books?title=eq.forbidden+title", "", nil, 200, "[]", nil},

			// Permission: the whole table, its columns, its rows.
			{"POST", "vault", `{"text":"x"}`, []string{asAdmin}, 403, `{"code":"42501","details":null,"hint":null,"message":"permission denied for table vault"}`, nil},
			{"POST", "vault", `{"text":"x"}`, nil, 401, "~permission denied for table vault", []string{"Www-Authenticate: Bearer"}},
			{"GET", "vault", "", nil, 401, "~permission denied for table vault", []string{"Www-Authenticate: Bearer"}},
			{"PATCH", "vault?text=eq.x", `{"text":"x"}`, []string{asAdmin}, 403, "~42501", nil},
			{"DELETE", "vault?text=eq.x", "", []string{asAdmin}, 403, "~42501", nil},
			{"POST", "books", `{"title":"x"}`, []string{asReader}, 403, `{"code":"42501","details":null,"hint":null,"message":"new row violates row-level security policy for table \"books\""}`, nil},
			{"POST", "books", `{"title":"x"}`, nil, 401, "~42501", []string{"Www-Authenticate: Bearer"}},
			{"POST", "books", `{"title":"x","id":"` + stranger + `"}`, []string{asAdmin}, 403, "~permission denied for table books", nil},
			{"POST", "books", `{"title":"x","created_at":"2020-01-01"}`, []string{asAdmin}, 403, "~42501", nil},
			{"POST", "loans", `{"user_id":"` + stranger + `","book_id":"` + book(1) + `"}`, []string{asReader}, 403, "~new row violates row-level security policy for table \\\"loans\\\"", nil},
			{"POST", "loans", `{"user_id":"` + stranger + `","book_id":"` + book(1) + `"}`, nil, 401, "~42501", nil},
			{"POST", "ledger", `{"text":"x"}`, []string{asReader}, 201, "", nil},
			{"POST", "ledger", `{"text":"y"}`, []string{asReader, wanted}, 403, "~permission denied for table ledger", nil},

			// A verb's rules.
			{"POST", "notes", mine, []string{asReader, wanted, single}, 201, `~"text":"mine"`, nil},
			{"POST", "notes", mine, []string{asReader}, 409, `~Key (user_id, text)=(` + reader + `, mine) already exists.`, nil},
			{"POST", "notes", `{"user_id":"` + reader + `","text":"LOUD"}`, []string{asReader}, 400, `{"code":"P0001","details":null,"hint":null,"message":"Please do not shout."}`, nil},
			{"POST", "notes", `{"text":"elsewhere"}`, nil, 401, `{"code":"42501","details":null,"hint":"Strangers write on the wall.","message":"new row violates row-level security policy for table \"notes\""}`, nil},
			{"POST", "notes", `{"text":"wall: hello"}`, nil, 201, "", nil},
			{"POST", "notes", `{"text":"wall: seen?"}`, []string{wanted}, 401, "~42501", nil},
			{"POST", "notes", `{"user_id":"` + reader + `"}`, []string{asReader}, 400, "~23502", nil},
			{"GET", "notes?select=text&order=text", "", []string{asAdmin}, 200, `[{"text":"mine"},` + "\n " + `{"text":"wall: hello"}]`, nil},
		})
	})
}

func TestSecurity60BodiesAreReadStrictly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		invalid := `{"code":"PGRST102","details":null,"hint":null,"message":"Empty or invalid json"}`
		var list []exchange
		for _, body := range []string{
			" ", "{", "nope", `{"title":"a"} x`, `{"title":"a","title":"b"}`, `"text"`, `17`, `[1]`, `{"title":'a'}`, `{"title":"a",}`,
			`{"title":"` + "\xff" + `"}`, `{"title":"` + "\x01" + `"}`, `{"title":"\ud800"}`, `{"title":"\q"}`, `{"pages":01}`, `{"pages":.5}`, `{"pages":+1}`,
			`{"title":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`, `{"title":nul}`, "{\"title\":\"a\"}\x00",
		} {
			list = append(list, exchange{"POST", "books", body, []string{asAdmin}, 400, invalid, nil})
		}
		l.check(t, append(list, []exchange{
			{"POST", "books", "", []string{asAdmin, "Content-Type: application/json"}, 400, invalid, nil},
			{"POST", "books", `{"title":"\u0000"}`, []string{asAdmin}, 400, `{"code":"22P05","details":"\\u0000 cannot be converted to text.","hint":null,"message":"unsupported Unicode escape sequence"}`, nil},
			{"POST", "books", `[{"title":"a"},{"title":"b","pages":1}]`, []string{asAdmin}, 400, "~All object keys must match", nil},
			{"POST", "books", `{"nope":1}`, []string{asAdmin}, 400, `{"code":"PGRST204","details":null,"hint":null,"message":"Could not find the 'nope' column of 'books' in the schema cache"}`, nil},
			{"POST", "books?columns=nope", `[{"nope":1}]`, []string{asAdmin}, 400, "~PGRST204", nil},
			{"POST", "books", `{"title":"a","pages":9007199254740993}`, []string{asAdmin}, 400, "~22003", nil},
			{"POST", "books", `{"title":"a","pages":1.5}`, []string{asAdmin}, 400, "~22P02", nil},
			{"POST", "books", `{"title":{"a":1}}`, []string{asAdmin}, 400, "~22P02", nil},
			{"POST", "books", `{"title":"a","due_at":"soon"}`, []string{asAdmin}, 400, "~22007", nil},
			{"POST", "books", `{"title":"a"}`, []string{asAdmin, "Content-Type: text/plain"}, 400, `{"code":"PGRST102","details":null,"hint":null,"message":"Content-Type not acceptable: text/plain"}`, nil},
			{"POST", "books", `title=a`, []string{asAdmin, "Content-Type: application/x-www-form-urlencoded"}, 400, "~PGRST102", nil},
			{"POST", "books", `{"title":"a"}`, []string{asAdmin, "Content-Type: "}, 400, "~Content-Type not acceptable", nil},
			{"POST", "books", `{"title":"` + strings.Repeat("x", 1<<20) + `"}`, []string{asAdmin}, 413, "~54000", nil},
			{"POST", "books", `[` + strings.Repeat(`{},`, 1000) + `{}]`, []string{asAdmin}, 413, "~54001", nil},
			{"POST", "books?limit=1", `{"title":"a"}`, []string{asAdmin}, 400, "~PGRST127", nil},
			{"PATCH", "books?title=eq.Zebra", `[{"pages":1},{"pages":2}]`, []string{asAdmin}, 400, "~PGRST102", nil},
			{"GET", "books?select=id", "", []string{"Prefer: count=exact"}, 200, "~id", []string{"Content-Range: 0-4/5"}},
			{"POST", "books", `{"title":"\ud83d\ude00\n\"\\"}`, []string{asAdmin}, 201, "", nil},
			{"GET", "books?select=title&title=like.%F0%9F%98%80*", "", nil, 200, `[{"title":"😀\n\"\\"}]`, nil},
		}...))
	})
}

func TestUpsertsMergeOrIgnore(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		row := func(n int, stars string) string {
			return `{"user_id":"` + reader + `","book_id":"` + book(n) + `","stars":` + stars + `}`
		}
		const on = "loans?on_conflict=user_id,book_id&select=stars&order=stars"
		merge, ignore := "Prefer: resolution=merge-duplicates", "Prefer: resolution=ignore-duplicates"
		l.check(t, []exchange{
			{"POST", on, row(1, "1"), []string{asReader, merge}, 201, "", []string{"Preference-Applied: resolution=merge-duplicates"}},
			{"POST", on, row(1, "2"), []string{asReader, merge + ", return=representation"}, 200, `[{"stars":2}]`, nil},
			{"POST", on, "[" + row(1, "3") + "," + row(2, "4") + "]", []string{asReader, merge + ", return=representation, count=exact"}, 201, `[{"stars":3},` + "\n " + `{"stars":4}]`, []string{"Content-Range: */2"}},
			{"POST", on, "[" + row(1, "5") + "," + row(3, "6") + "]", []string{asReader, ignore + ", return=representation"}, 201, `[{"stars":6}]`, nil},
			{"POST", on, row(1, "5"), []string{asReader, ignore}, 201, "", nil},
			{"POST", on, "[" + row(4, "1") + "," + row(4, "2") + "]", []string{asReader, merge}, 400, "~ON CONFLICT DO UPDATE command cannot affect row a second time", nil},
			{"POST", on, "[" + row(5, "1") + "," + row(5, "2") + "]", []string{asReader, ignore}, 201, "", nil},
			{"GET", "loans?select=stars&order=book_id", "", []string{asReader}, 200, `[{"stars":3},` + "\n " + `{"stars":4},` + "\n " + `{"stars":6},` + "\n " + `{"stars":1}]`, nil},
			{"POST", on, row(1, "9"), []string{asOther, merge}, 403, "~42501", nil},
			{"POST", "loans?on_conflict=stars", row(1, "9"), []string{asReader, merge}, 400, "~42P10", nil},
			{"POST", "loans?on_conflict=nope", row(1, "9"), []string{asReader, merge}, 400, "~42703", nil},
			{"POST", "loans", row(1, "9"), []string{asReader, merge}, 409, "~23505", nil}, // the key is not what it meets
			{"POST", "ledger", `{"text":"x"}`, []string{asReader, merge}, 403, "~42501", nil},
			// Through a verb.
			{"POST", "notes?on_conflict=user_id,text", `{"user_id":"` + reader + `","text":"one"}`, []string{asReader, ignore}, 201, "", nil},
			{"POST", "notes?on_conflict=user_id,text", `{"user_id":"` + reader + `","text":"one"}`, []string{asReader, ignore + ", return=representation"}, 201, "[]", nil},
			{"POST", "notes?on_conflict=user_id,text&select=text", `{"user_id":"` + reader + `","text":"one"}`, []string{asReader, merge + ", return=representation"}, 200, `[{"text":"one"}]`, nil},
		})
	})
}

func TestChangesTouchOnlyWhatTheCallerMay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		mine := `{"user_id":"` + reader + `","book_id":"` + book(1) + `"}`
		l.check(t, []exchange{
			{"PATCH", "books?title=eq.Zebra", `{"pages":11}`, []string{asAdmin}, 204, "", []string{"Content-Range: 0-0/*", "Content-Type: "}},
			{"PATCH", "books?title=eq.Zebra&select=pages,author", `{"pages":12,"author":null}`, []string{asAdmin, "Prefer: count=exact, return=representation", single}, 200, `{"pages":12,"author":null}`, []string{"Content-Range: 0-0/1", "Preference-Applied: return=representation, count=exact"}},
			{"PATCH", "books?title=eq.none", `{"pages":1}`, []string{asAdmin}, 204, "", []string{"Content-Range: */*"}},
			{"PATCH", "books?title=eq.none", `{"pages":1}`, []string{asAdmin, wanted}, 200, "[]", nil},
			{"PATCH", "books?title=eq.Zebra", `{}`, []string{asAdmin}, 204, "", []string{"Content-Range: */*"}},
			{"PATCH", "books?title=eq.Zebra", `{"pages":13}`, []string{asReader}, 204, "", []string{"Content-Range: */*"}},
			{"PATCH", "books?title=eq.Zebra", `{"pages":13}`, nil, 204, "", nil},
			{"PATCH", "books", `{"pages":1}`, []string{asAdmin}, 400, `{"code":"21000","details":null,"hint":null,"message":"UPDATE requires a WHERE clause"}`, nil},
			{"DELETE", "books", "", []string{asAdmin}, 400, "~DELETE requires a WHERE clause", nil},
			{"PATCH", "books?title=eq.Zebra&limit=1", `{"pages":1}`, []string{asAdmin}, 400, "~PGRST127", nil},
			{"PATCH", "books?pages=gte.0", `{"pages":1}`, []string{asAdmin, single}, 406, "~The result contains 5 rows", nil},
			{"PATCH", "books?pages=gte.0", `{"pages":1}`, []string{asAdmin, "Prefer: handling=strict, max-affected=2"}, 400, `{"code":"PGRST124","details":"The query affects 5 rows","hint":null,"message":"Query result exceeds max-affected preference constraint"}`, nil},
			{"GET", "books?pages=eq.1", "", nil, 200, "[]", nil},
			{"PATCH", "books?title=eq.Zebra", `{"pages":-1}`, []string{asAdmin}, 400, "~23514", nil},
			{"PATCH", "books?title=eq.Zebra", `{"pages":null}`, []string{asAdmin}, 400, `~null value in column \"pages\"`, nil},
			{"PATCH", "books?title=eq.Zebra", `{"title":"GO west"}`, []string{asAdmin}, 409, "~Key (title)=(GO west) already exists.", nil},
			{"PATCH", "books?title=eq.Zebra", `{"id":"` + stranger + `"}`, []string{asAdmin}, 403, "~42501", nil},
			{"PATCH", "books?title=eq.Zebra", `{"title":"forbidden title"}`, []string{asAdmin}, 400, "~P0001", nil},
			{"GET", "books?title=eq.Zebra&select=pages", "", nil, 200, `[{"pages":12}]`, nil},

			{"POST", "loans", mine, []string{asReader}, 201, "", nil},
			{"PATCH", "loans?book_id=eq." + book(1), `{"stars":5}`, []string{asOther}, 204, "", []string{"Content-Range: */*"}},
			{"PATCH", "loans?book_id=eq." + book(1), `{"user_id":"` + stranger + `"}`, []string{asReader}, 403, "~new row violates row-level security policy", nil},
			{"PATCH", "loans?book_id=eq." + book(1), `{"book_id":"` + stranger + `"}`, []string{asReader}, 409, "~23503", nil},
			{"PATCH", "loans?book_id=eq." + book(1) + "&select=stars", `{"stars":5}`, []string{asReader, wanted}, 200, `[{"stars":5}]`, nil},
			{"DELETE", "books?id=eq." + book(1), "", []string{asAdmin}, 409, "~23503", nil},
			{"DELETE", "loans?stars=eq.5", "", []string{asOther, "Prefer: count=exact"}, 204, "", []string{"Content-Range: */0"}},
			{"DELETE", "loans?stars=eq.5&select=stars", "", []string{asReader, "Prefer: count=exact, return=representation"}, 200, `[{"stars":5}]`, []string{"Content-Range: */1"}},
			{"DELETE", "books?pages=lt.100&select=title&order=title.desc", "", []string{asAdmin, wanted}, 200, "~Zebra", []string{"Content-Range: */*"}},
			{"DELETE", "books?title=eq.gone", "", []string{asAdmin, single}, 406, "~The result contains 0 rows", nil},
		})
		if !slices.Contains(l.hooks, "update Zebra") || !slices.Contains(l.hooks, "delete "+book(4)) {
			t.Errorf("hooks saw %v", l.hooks)
		}
	})
}

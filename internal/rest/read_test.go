package rest_test

import (
	"net/http"
	"strings"
	"testing"
)

// exchange is one request and what must come back: status, the body (or a part of it after "~"), headers.
type exchange struct {
	method, path, body string
	send               []string
	status             int
	want               string
	headers            []string
}

func (l *library) check(t *testing.T, list []exchange) {
	t.Helper()
	for _, e := range list {
		got := l.call(t, e.method, e.path, e.body, e.send...)
		name := e.method + " " + e.path + " " + e.body + " " + strings.Join(e.send, " | ")
		part, partly := strings.CutPrefix(e.want, "~")
		if got.status != e.status || !partly && got.body != e.want || partly && !strings.Contains(got.body, part) {
			t.Errorf("%.300s\n got %d %.600s\nwant %d %.600s", name, got.status, got.body, e.status, e.want)
		}
		for _, header := range e.headers {
			key, value, _ := strings.Cut(header, ": ")
			if got.header.Get(key) != value {
				t.Errorf("%.300s\n got %s: %q\nwant %q", name, key, got.header.Get(key), value)
			}
		}
	}
}

func TestReadsAnswerAsPostgREST(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		const exact = "Prefer: count=exact"
		l.check(t, []exchange{
			{
				"GET", "books?select=title&order=pages", "", nil, 200,
				`[{"title":"GO west"},` + "\n " + `{"title":"Zebra"},` + "\n " + `{"title":"a_b (quoted) \"x\""},` + "\n " + `{"title":"Ärger im Garten"},` + "\n " + `{"title":"Go, in 100%"}]`,
				[]string{"Content-Type: application/json; charset=utf-8", "Content-Range: 0-4/*", "Content-Location: /books?order=pages&select=title", "Cache-Control: no-store"},
			},
			{
				"GET", "books?id=eq." + book(1), "", nil, 200,
				`[{"id":"` + book(1) + `","title":"Ärger im Garten","author":"Ölmann","pages":120,"rating":4.8,"lent":true,"due_at":"2026-01-02T04:00:01.5+00:00","created_at":"2026-01-02T04:00:00+00:00"}]`, nil,
			},
			{"GET", "books?select=*&limit=0", "", nil, 200, "[]", []string{"Content-Range: */*"}},
			{"GET", "books?select=n:title,pages&title=eq.Zebra", "", nil, 200, `[{"n":"Zebra","pages":10}]`, nil},
			{"GET", "books?select=id", "", []string{exact}, 200, "~" + book(5), []string{"Content-Range: 0-4/5", "Preference-Applied: count=exact"}},
			{"GET", "books?select=title&limit=2&offset=1&order=title", "", []string{exact}, 206, "~Zebra", []string{"Content-Range: 1-2/5"}},
			{"GET", "books?select=title&limit=2&offset=1", "", nil, 200, "~title", []string{"Content-Range: 1-2/*"}},
			{"GET", "books?title=eq.none", "", []string{exact}, 200, "[]", []string{"Content-Range: */0"}},
			{"GET", "books?title=eq.none", "", nil, 200, "[]", []string{"Content-Range: */*"}},
			{"GET", "books?offset=100", "", []string{exact}, 416, `{"code":"PGRST103","details":"An offset of 100 was requested, but there are only 5 rows.","hint":null,"message":"Requested range not satisfiable"}`, nil},
			{"GET", "books?offset=100", "", nil, 200, "[]", nil},
			{"GET", "books?limit=-1", "", nil, 416, "~Limit should be greater than or equal to zero.", nil},
			{"GET", "books?limit=many&select=pages&title=eq.Zebra", "", nil, 200, `[{"pages":10}]`, nil},
			{"GET", "books?select=title&order=title", "", []string{"Range: 0-1"}, 200, "~Go, in", []string{"Content-Range: 0-1/*"}},
			{"HEAD", "books?select=*", "", []string{exact}, 200, "", []string{"Content-Range: 0-4/5"}},
			{"HEAD", "books?select=*&limit=2", "", []string{exact}, 206, "", []string{"Content-Range: 0-1/5"}},
			{"HEAD", "books?select=*", "", nil, 200, "", []string{"Content-Range: 0-4/*"}},
			{"GET", "books?select=title&title=eq.Zebra", "", []string{"Accept: application/vnd.pgrst.object+json"}, 200, `{"title":"Zebra"}`, []string{"Content-Type: application/vnd.pgrst.object+json; charset=utf-8"}},
			{"GET", "books?title=eq.none", "", []string{"Accept: application/vnd.pgrst.object+json"}, 406, `{"code":"PGRST116","details":"The result contains 0 rows","hint":null,"message":"Cannot coerce the result to a single JSON object"}`, []string{"Proxy-Status: PostgREST; error=PGRST116"}},
			{"GET", "books", "", []string{"Accept: application/vnd.pgrst.object+json"}, 406, "~The result contains 5 rows", nil},
			{"GET", "books?select=author,title&pages=eq.0", "", []string{"Accept: application/vnd.pgrst.array+json;nulls=stripped"}, 200, `[{"title":"GO west"}]`, nil},
			{
				"GET", "books?select=title,author,lent,due_at&order=pages&pages=gt.5&pages=lt.100", "",
				[]string{"Accept: text/csv"},
				200,
				"title,author,lent,due_at\nZebra,Anna,t,2026-01-02 05:00:00+00\n\"a_b (quoted) \"\"x\"\"\",Go Author,f,",
				[]string{"Content-Type: text/csv; charset=utf-8"},
			},
			{"GET", "books?title=eq.none", "", []string{"Accept: text/csv"}, 200, "", nil},
			{"GET", "books?apikey=secret&select=title&title=eq.Zebra", "", nil, 200, `[{"title":"Zebra"}]`, []string{"Content-Location: /books?select=title&title=eq.Zebra"}},
		})
	})
}

func TestFiltersMeanTheSameOnBothEngines(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		for filter, want := range map[string]string{
			"title=eq.Zebra":                          "4",
			"title=neq.Zebra":                         "1235",
			"author=neq.Anna":                         "13", // nulls are neither equal nor unequal
			"author=isdistinct.Anna":                  "1235",
			"author=not.isdistinct.Anna":              "4",
			"author=is.null":                          "25",
			"author=not.is.null":                      "134",
			"author=is.not_null":                      "134",
			"lent=is.true":                            "14",
			"lent=eq.no":                              "235",
			"lent=not.is.false":                       "14",
			"pages=gte.90&pages=lt.300":               "13",
			"rating=eq.4.8":                           "1",
			"rating=gt.4.25":                          "14",
			"due_at=gt.2026-01-02T04:30:00Z":          "4",
			"due_at=lte.2026-01-02%2004:00:01.5%2B00": "1",
			"title=like.*Go*":                         "2",
			"title=ilike.*go*":                        "25",
			"title=ilike.*%C3%A4RGER*":                "1", // folding is not for ASCII alone
			"author=ilike.%C3%B6l*":                   "1",
			"title=like.*%C3%A4rger*":                 "",
			`title=like.*100\%25`:                     "2",
			`title=like.a\_b*`:                        "3",
			"title=like._ebra":                        "4",
			"title=like.*[*":                          "",
			"title=not.ilike.*go*":                    "134",
			`title=in.(Zebra,"Go,+in+100%25")`:        "24",
			"title=in.()":                             "",
			"title=not.in.()":                         "12345",
			"author=not.in.(Anna)":                    "13",
			"id=in.(" + book(1) + "," + strings.ToUpper(book(2)) + ")": "12",
			"title=like(any).{Z*,GO*}":                                 "45",
			"pages=gt(all).{5,80}":                                     "123",
			"pages=eq(any).{}":                                         "",
			"or=(pages.eq.0,and(pages.gt.50,rating.gt.4.5))":           "15",
			"not.or=(pages.eq.0,lent.is.true)":                         "23",
			"and=(pages.gt.5,or(lent.is.true,author.is.null))":         "124",
			`or=(title.eq."Go,+in+100%25",title.eq.Zebra)`:             "24",
			"or=(author.not.is.null,pages.not.in.(0,300))":             "134",
			"author=eq.null":                                           "",
		} {
			got := l.call(t, "GET", "books?order=created_at&select=id&"+filter, "")
			var found strings.Builder
			for _, part := range strings.Split(got.body, book(0)[:35])[1:] {
				found.WriteByte(part[0])
			}
			if got.status != http.StatusOK || found.String() != want {
				t.Errorf("%s: got %d %q, want %q", filter, got.status, found.String(), want)
			}
		}
		for order, want := range map[string]string{
			"author,title":             "43152", // C collation: capitals, then Ö
			"author.desc,pages":        "52134",
			"author.asc.nullsfirst,id": "25431",
			"author.desc.nullslast,id": "13425",
			"due_at.desc.nullslast,id": "41235",
			"due_at.asc.nullsfirst,id": "23514",
			"rating.desc":              "41235",
			"lent.desc,title":          "41523",
		} {
			got := l.call(t, "GET", "books?select=id&order="+order, "")
			var found strings.Builder
			for _, part := range strings.Split(got.body, book(0)[:35])[1:] {
				found.WriteByte(part[0])
			}
			if found.String() != want {
				t.Errorf("order %s: got %q, want %q", order, found.String(), want)
			}
		}
	})
}

func TestRefusalsOfRequestsAreTheContracts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		l.check(t, []exchange{
			{"GET", "book", "", nil, 404, `{"code":"PGRST205","details":null,"hint":"Perhaps you meant the table 'public.books'","message":"Could not find the table 'public.book' in the schema cache"}`, nil},
			{"GET", "users", "", nil, 404, `{"code":"PGRST205","details":null,"hint":null,"message":"Could not find the table 'public.users' in the schema cache"}`, nil},
			{"GET", "", "", nil, 404, "~PGRST126", nil},
			{"GET", "books/1", "", nil, 404, "~PGRST125", nil},
			{"POST", "rpc/nope", "{}", nil, 404, "~Could not find the function public.nope without parameters in the schema cache", nil},
			{"GET", "rpc/nope?a=1", "", nil, 404, "~Could not find the function public.nope(a) in the schema cache", nil},
			{"PUT", "books", "{}", nil, 405, `{"code":"PGRST117","details":null,"hint":null,"message":"Unsupported HTTP method: PUT"}`, nil},
			{"GET", "books", "", []string{"Accept-Profile: nope"}, 406, `{"code":"PGRST106","details":null,"hint":"Only the following schemas are exposed: public","message":"Invalid schema: nope"}`, nil},
			{"GET", "books", "", []string{"Accept-Profile: public"}, 200, "~title", nil},
			{"POST", "books", "{}", []string{"Content-Profile: nope"}, 406, "~PGRST106", nil},
			{"GET", "books", "", []string{"Accept: text/xml"}, 406, "~None of these media types are available: text/xml", nil},
			{"GET", "books", "", []string{`Accept: application/vnd.pgrst.plan+json; for="application/json"; options=analyze;`}, 406, "~PGRST107", nil},
			{"GET", "books?nope=eq.1", "", nil, 400, `{"code":"42703","details":null,"hint":null,"message":"column books.nope does not exist"}`, []string{"Proxy-Status: PostgREST; error=42703"}},
			{"GET", "notes?hidden=eq.1", "", []string{"X-Actor: admin"}, 400, "~42703", nil},
			{"GET", "notes?select=hidden", "", []string{"X-Actor: admin"}, 400, "~42703", nil},
			{"GET", "notes?order=hidden", "", []string{"X-Actor: admin"}, 400, "~42703", nil},
			{"GET", `books?select=id%22%20from%20vault--`, "", nil, 400, "~42703", nil},
			{"GET", "books?id=eq.abc", "", nil, 400, `{"code":"22P02","details":null,"hint":null,"message":"invalid input syntax for type uuid: \"abc\""}`, nil},
			{"GET", "books?select=id,loans(id)", "", nil, 400, "~PGRST127", nil},
			{"GET", "loans?select=id,books(id,title)", "", nil, 400, "~PGRST127", nil},
			{"GET", "books?select=id,notes(id)", "", nil, 400, "~Could not find a relationship between 'books' and 'notes' in the schema cache", nil},
			{"GET", "books", "", []string{"Prefer: handling=strict, foo=bar"}, 400, `{"code":"PGRST122","details":"Invalid preferences: foo=bar","hint":null,"message":"Invalid preferences given with handling=strict"}`, nil},
			{"GET", "books?select=id&limit=1", "", []string{"Prefer: foo=bar"}, 200, "~id", nil},
			{"GET", "books?title=eq." + strings.Repeat("x", 17<<10), "", nil, 414, "~54000", nil},
			{"GET", "books?id=in.(" + strings.Repeat("1,", 7000) + "1)", "", nil, 413, "~54001", nil},
		})
	})
}

func TestAnswerTakesTheQueriesThatItKnows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		search := func(text string) string {
			return "books?select=title&limit=2&or=(title.ilike.*" + text + "*,author.ilike.*" + text + "*)"
		}
		l.check(t, []exchange{
			{
				"GET", search("From+Memory"), "",
				[]string{"Prefer: count=exact"},
				206,
				`[{"title":"a_b (quoted) \"x\""},` + "\n " + `{"title":"Ärger im Garten"}]`,
				[]string{"Content-Range: 0-1/70"},
			},
			{"GET", search("From+Memory"), "", nil, 200, "~Garten", []string{"Content-Range: 0-1/*"}},
			{"GET", search("go") + "&order=id", "", []string{"Prefer: count=exact"}, 206, "~Go, in", []string{"Content-Range: 0-1/3"}},
		})
	})
}

package rest_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

// The tests' own tables are a small library: books that everybody reads and admins keep, loans that belong to their
// readers, notes that go through a verb, a ledger that takes entries and shows none, and a vault that is closed.
const schema = `
create table books (
  id ID primary key,
  title TEXT not null constraint books_title_key unique,
  author TEXT,
  pages integer not null constraint books_pages_check check (pages >= 0),
  rating REAL not null,
  lent BOOL not null,
  due_at MOMENT,
  created_at MOMENT not null
);
create table loans (
  id ID primary key,
  user_id ID not null,
  book_id ID not null constraint loans_book_id_fkey references books (id),
  stars integer,
  constraint loans_user_id_book_id_key unique (user_id, book_id)
);
create table notes (
  id ID primary key,
  user_id ID,
  text TEXT not null,
  hidden TEXT,
  constraint notes_user_id_text_key unique (user_id, text)
);
create table ledger (id ID primary key, text TEXT not null);
create table vault (id ID primary key, text TEXT not null);
`

const (
	reader   = "11111111-1111-4111-8111-111111111111"
	stranger = "22222222-2222-4222-8222-222222222222"
	keeper   = "33333333-3333-4333-8333-333333333333"
)

// actors are the callers that the header X-Actor names.
var actors = map[string]who.Actor{
	"":         {Role: who.Anonymous},
	"reader":   {Role: who.User, UserID: reader},
	"stranger": {Role: who.User, UserID: stranger},
	"admin":    {Role: who.User, UserID: keeper, Admin: true},
	"service":  {Role: who.Service},
}

// library is a running server over the tables, with what its hooks saw.
type library struct {
	*httptest.Server
	db    *db.DB
	hooks []string
	// version is that of the books. While it is 0 no answer is kept, which is how all other tests want it.
	version atomic.Int64
	quota   struct {
		sync.Mutex
		taken map[string]int // rows by table and account, those that were undone among them
	}
}

// count is a quota that is never used up, and remembers what was taken of it; 50 rows at once are too many.
func (l *library) count(table string) func(b *db.Batch, tx *db.Tx, account string, rows int) error {
	return func(_ *db.Batch, _ *db.Tx, account string, rows int) error {
		l.quota.Lock()
		defer l.quota.Unlock()
		if rows == 50 {
			return &fault.Error{Kind: fault.TooMany, Message: "Slow down.", RetryAfter: time.Minute}
		}
		l.quota.taken[table+" "+account] += rows
		return nil
	}
}

func (l *library) tables() []rest.Table {
	both := rest.OnInsert | rest.OnUpdate
	own := rest.Own("user_id")
	return []rest.Table{
		{
			Name: "books",
			Columns: []rest.Column{
				{Name: "id", Type: rest.UUID, Default: rest.NewID},
				{Name: "title", Type: rest.Text, Write: both},
				{Name: "author", Type: rest.Text, Nullable: true, Write: both},
				{Name: "pages", Type: rest.Int, Write: both, Default: 100},
				{Name: "rating", Type: rest.Float, Write: both, Default: 4.5},
				{Name: "lent", Type: rest.Bool, Write: both, Default: false},
				{Name: "due_at", Type: rest.Timestamp, Nullable: true, Write: both},
				{Name: "created_at", Type: rest.Timestamp, Default: rest.Now},
			},
			Uniques: []rest.Unique{{Columns: []string{"title"}}},
			Read:    rest.All(),
			Insert:  rest.Insert{If: rest.Admins(), After: l.saw("insert")},
			Update:  rest.Update{If: rest.Admins(), After: l.saw("update")},
			Delete:  rest.Delete{If: rest.Admins(), After: l.saw("delete")},
			Answer:  answerGo,
			Version: l.version.Load,
		},
		{
			Name: "loans",
			Columns: []rest.Column{
				{Name: "id", Type: rest.UUID, Default: rest.NewID},
				{Name: "user_id", Type: rest.UUID, Write: both, Default: rest.Caller},
				{Name: "book_id", Type: rest.UUID, Write: both},
				{Name: "stars", Type: rest.Int, Nullable: true, Write: both},
			},
			Uniques:     []rest.Unique{{Name: "loans_user_id_book_id_key", Columns: []string{"user_id", "book_id"}}},
			ForeignKeys: []rest.ForeignKey{{Column: "book_id", Table: "books"}},
			Read:        own,
			Insert:      rest.Insert{If: own, Quota: rest.Quota{Take: l.count("loans"), Most: 60, Owner: "user_id"}},
			Update:      rest.Update{If: own},
			Delete:      rest.Delete{If: own},
		},
		{
			Name: "notes",
			Columns: []rest.Column{
				{Name: "id", Type: rest.UUID},
				{Name: "user_id", Type: rest.UUID, Nullable: true, Write: rest.OnInsert},
				{Name: "text", Type: rest.Text, Write: both},
			},
			Uniques: []rest.Unique{{Columns: []string{"user_id", "text"}}},
			Read:    own.OrAdmin(),
			Insert:  rest.Insert{If: own.Or(rest.Null("user_id")), Do: writeNote, Quota: rest.Quota{Take: l.count("notes")}},
			Update:  rest.Update{If: own},
			Delete:  rest.Delete{If: own.OrAdmin(), After: l.saw("delete")},
		},
		{
			Name: "ledger",
			Columns: []rest.Column{
				{Name: "id", Type: rest.UUID, Default: rest.NewID},
				{Name: "text", Type: rest.Text, Write: rest.OnInsert},
			},
			Insert: rest.Insert{If: rest.SignedIn(), Quota: rest.Quota{Take: l.count("ledger")}},
		},
		{Name: "vault", Columns: []rest.Column{{Name: "id", Type: rest.UUID}, {Name: "text", Type: rest.Text}}},
	}
}

// saw records the rows that a hook got, and fails on a row that asks for it.
func (l *library) saw(what string) func(context.Context, *db.Tx, []rest.Row) error {
	return func(_ context.Context, _ *db.Tx, rows []rest.Row) error {
		for _, row := range rows {
			name := "id"
			if what != "delete" {
				name = "title"
			}
			if row.Text(name) == "forbidden title" {
				return fault.New(fault.Invalid, "That title is taken by the rules.")
			}
			l.hooks = append(l.hooks, what+" "+row.Text(name))
		}
		return nil
	}
}

// writeNote is a verb with rules: no shouting, and the wall takes only what is marked for it.
func writeNote(ctx context.Context, tx *db.Tx, row rest.Row) (string, error) {
	text := row.Text("text")
	if text == strings.ToUpper(text) {
		return "", fault.New(fault.Invalid, "Please do not shout.")
	}
	if row.Null("user_id") && !strings.HasPrefix(text, "wall: ") {
		return "", fault.New(fault.Forbidden, "Strangers write on the wall.")
	}
	key := id.New()
	_, err := tx.Exec(ctx, `insert into notes (id, user_id, text) values ($1, $2, $3)`, key, row.Arg("user_id"), text)
	return key, err
}

// answerGo answers one search alone, out of its head, to show that it is asked.
func answerGo(_ context.Context, q rest.Query) (*rest.Page, func(), error) {
	if len(q.Where) != 1 || len(q.Where[0].Of) != 2 || len(q.Where[0].Of[0].Values) != 1 || q.Where[0].Of[0].Values[0] != "%From Memory%" {
		return nil, nil, nil
	}
	return &rest.Page{Keys: []string{book(3), book(1), id.Nil}, Total: 70}, nil, nil
}

func book(n int) string { return "bbbbbbbb-0000-4000-8000-00000000000" + string(rune('0'+n)) }

// openLibrary makes the tables on one engine, with five books, and serves them.
func openLibrary(t testing.TB, d *db.DB) *library {
	t.Helper()
	l := &library{db: d}
	l.quota.taken = map[string]int{}
	kinds := []string{"ID", "text", "REAL", "real", "BOOL", "integer", "MOMENT", "integer", "TEXT", "text"}
	if d.Engine == db.Postgres {
		kinds = []string{"ID", "uuid", "REAL", "double precision", "BOOL", "boolean", "MOMENT", "timestamptz", "TEXT", `text collate "C"`}
	}
	seed := strings.NewReplacer(kinds...).Replace(schema)
	err := d.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
		for statement := range strings.SplitSeq(seed, ";\n") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return seedBooks(ctx, tx)
	})
	if err != nil {
		t.Fatalf("prepare the tables: %v", err)
	}
	inner := rest.Handler(d, l.tables()...)
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<20) // as the edge does
		inner.ServeHTTP(w, r.WithContext(who.With(r.Context(), actors[r.Header.Get("X-Actor")])))
	}))
	t.Cleanup(l.Close)
	return l
}

func seedBooks(ctx context.Context, tx *db.Tx) error {
	day := time.Date(2026, 1, 2, 4, 0, 0, 0, time.UTC)
	for i, b := range []struct {
		title, author any
		pages         int
		rating        float64
		lent          bool
		due           db.Time
	}{
		{"Ärger im Garten", "Ölmann", 120, 4.8, true, db.At(day.Add(1500 * time.Millisecond))},
		{"Go, in 100%", nil, 300, 4.25, false, db.Time{}},
		{"a_b (quoted) \"x\"", "Go Author", 90, 3, false, db.Time{}},
		{"Zebra", "Anna", 10, 5, true, db.At(day.Add(time.Hour))},
		{"GO west", nil, 0, 1.5, false, db.Time{}},
	} {
		_, err := tx.Exec(ctx, `insert into books (id, title, author, pages, rating, lent, due_at, created_at)
			values ($1, $2, $3, $4, $5, $6, $7, $8)`,
			book(i+1), b.title, b.author, b.pages, b.rating, b.lent, b.due, db.At(day.Add(time.Duration(i)*time.Minute)))
		if err != nil {
			return err
		}
	}
	return nil
}

// each runs fn over a library on each engine.
func each(t *testing.T, fn func(t *testing.T, l *library)) {
	t.Helper()
	dbtest.EachClock(t, clock.System{}, func(t *testing.T, d *db.DB) { fn(t, openLibrary(t, d)) })
}

// reply is an answer, its body read.
type reply struct {
	status int
	header http.Header
	body   string
}

// call makes one request. Headers are "Name: value"; a body is JSON unless a Content-Type is given.
func (l *library) call(t testing.TB, method, path, body string, headers ...string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, l.URL+"/rest/v1/"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{answer.StatusCode, answer.Header, string(data)}
}

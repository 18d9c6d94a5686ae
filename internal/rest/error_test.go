package rest_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

func TestErrorsAreWrittenInTheDialect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		err    error
		actor  string
		status int
		body   string
		header string
	}{
		{"no key", rest.NoAPIKey, "", 401, `{"message":"No API key found in request","hint":"No ` + "`apikey`" + ` request header or url param was found."}`, ""},
		{"wrong key", rest.BadAPIKey, "", 401, `{"message":"Invalid API key","hint":"Double check your Supabase ` + "`anon` or `service_role`" + ` API key."}`, ""},
		{"bad token", rest.BadToken("JWT cryptographic operation failed"), "", 401, `{"code":"PGRST301","details":null,"hint":null,"message":"JWT cryptographic operation failed"}`, `Www-Authenticate: Bearer error="invalid_token", error_description="JWT cryptographic operation failed"`},
		{"stale token", rest.StaleToken("JWT expired"), "", 401, `{"code":"PGRST303","details":null,"hint":null,"message":"JWT expired"}`, `Www-Authenticate: Bearer error="invalid_token", error_description="JWT expired"`},
		{"too many", &fault.Error{Kind: fault.TooMany, Message: "Slow down.", RetryAfter: 1500 * time.Millisecond}, "", 429, `{"code":"PT429","details":null,"hint":null,"message":"Slow down."}`, "Retry-After: 2"},
		{"a limit", &fault.Error{Kind: fault.TooMany, Code: "over_request_rate_limit", Message: "Slow down."}, "", 429, `{"code":"PT429","details":null,"hint":null,"message":"Slow down."}`, "Retry-After: 1"},
		{"unavailable", fault.New(fault.Unavailable, "Later."), "", 503, `{"code":"PGRST001","details":null,"hint":null,"message":"Later."}`, "Retry-After: 1"},
		{"forbidden stranger", fault.New(fault.Forbidden, "No."), "", 401, `{"code":"42501","details":null,"hint":null,"message":"No."}`, "Www-Authenticate: Bearer"},
		{"forbidden user", fault.New(fault.Forbidden, "No."), "reader", 403, `{"code":"42501","details":null,"hint":null,"message":"No."}`, ""},
		{"a domain's code", &fault.Error{Kind: fault.Conflict, Code: "23505", Message: "Twice.", Detail: "d", Hint: "h"}, "", 409, `{"code":"23505","details":"d","hint":"h","message":"Twice."}`, "Proxy-Status: PostgREST; error=23505"},
		{"ours", errors.New("pq: secret inside"), "", 500, `{"code":"XX000","details":null,"hint":null,"message":"Something went wrong on our side."}`, ""},
	} {
		r := httptest.NewRequestWithContext(who.With(t.Context(), actors[c.actor]), http.MethodGet, "/rest/v1/x", nil)
		w := httptest.NewRecorder()
		rest.WriteError(w, r, c.err)
		name, value, _ := strings.Cut(c.header, ": ")
		if w.Code != c.status || w.Body.String() != c.body || w.Header().Get(name) != value {
			t.Errorf("%s: got %d %s %v", c.name, w.Code, w.Body, w.Header())
		}
	}
}

// It changes the program's log, so nothing may run beside it.
func TestSecurity53RefusedAccessIsLogged(t *testing.T) {
	var lines bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&lines, nil)))
	defer slog.SetDefault(before)
	l := openLibrary(t, dbtest.Open(t, db.SQLite, clock.System{}))
	refusals := 0
	for _, actor := range []string{"", "reader", "stranger"} {
		for _, path := range []string{"books", "vault", "ledger?text=eq.secret"} {
			for _, method := range []string{"GET", "POST", "DELETE"} {
				if got := l.call(t, method, path, `{"text":"secret","title":"secret"}`, "X-Actor: "+actor); got.status == 401 || got.status == 403 {
					refusals++
				}
			}
		}
	}
	if logged := strings.Count(lines.String(), `"access refused"`); refusals < 10 || logged != refusals || strings.Contains(lines.String(), "secret") {
		t.Errorf("%d refusals, %d lines:\n%s", refusals, logged, lines.String())
	}
}

// For each way to ask, a stranger's answer is what it would be if the reader's rows did not exist.
func TestSecurity47NothingTellsOfHiddenRows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		for n := 1; n <= 3; n++ {
			l.call(t, "POST", "loans", `{"book_id":"`+book(n)+`","stars":4}`, asReader)
		}
		const exact = "Prefer: count=exact"
		for _, filter := range []string{
			"", "stars=eq.4", "stars=neq.5", "stars=gt.1", "stars=not.is.null", "stars=in.(4,5)", "user_id=eq." + reader, "user_id=neq." + stranger,
			"or=(stars.eq.4,user_id.eq." + reader + ")", "not.or=(stars.eq.1,user_id.is.null)", "stars=isdistinct.1", "order=stars.desc",
			"or=(stars.is.not_null,stars.is.null)", "stars=gt(any).{1,2}", "not.and=(stars.eq.1,stars.eq.2)",
		} {
			if got := l.call(t, "GET", "loans?"+filter, "", asOther, exact); got.status != 200 || got.body != "[]" || got.header.Get("Content-Range") != "*/0" {
				t.Errorf("%s: %d %s %s", filter, got.status, got.body, got.header.Get("Content-Range"))
			}
			if got := l.call(t, "HEAD", "loans?"+filter, "", asOther, exact); got.header.Get("Content-Range") != "*/0" {
				t.Errorf("HEAD %s: %s", filter, got.header.Get("Content-Range"))
			}
			if filter == "" || strings.HasPrefix(filter, "order") {
				continue
			}
			for _, method := range []string{"PATCH", "DELETE"} {
				if got := l.call(t, method, "loans?"+filter, `{"stars":1}`, asOther, "Prefer: count=exact, return=representation"); got.status != 200 || got.body != "[]" {
					t.Errorf("%s %s: %d %s", method, filter, got.status, got.body)
				}
			}
		}
		if got := l.call(t, "GET", "loans?stars=eq.4&select=stars", "", asReader, exact); got.header.Get("Content-Range") != "0-2/3" {
			t.Errorf("the reader's own rows: %s %s", got.header.Get("Content-Range"), got.body)
		}
	})
}

func TestDeclarationsThatContradictThemselvesStopTheStart(t *testing.T) {
	t.Parallel()
	key := rest.Column{Name: "id", Type: rest.UUID}
	for name, table := range map[string]rest.Table{
		"no key":           {Name: "t", Columns: []rest.Column{{Name: "text"}}},
		"twice":            {Name: "t", Columns: []rest.Column{key, key}},
		"a strange name":   {Name: "t", Columns: []rest.Column{key, {Name: `a"b`}}},
		"a wrong default":  {Name: "t", Columns: []rest.Column{key, {Name: "n", Type: rest.Int, Default: "x"}}},
		"unknown policy":   {Name: "t", Columns: []rest.Column{key}, Read: rest.Own("nobody")},
		"unknown foreign":  {Name: "t", Columns: []rest.Column{key}, ForeignKeys: []rest.ForeignKey{{Column: "x", Table: "y"}}},
		"no quota":         {Name: "t", Columns: []rest.Column{key}, Insert: rest.Insert{If: rest.Own("id")}},
		"unknown owner":    {Name: "t", Columns: []rest.Column{key}, Insert: rest.Insert{If: rest.Admins(), Quota: rest.Quota{Most: 1, Owner: "nobody"}}},
		"answer and rules": {Name: "t", Columns: []rest.Column{key}, Read: rest.Own("id"), Answer: answerGo},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			rest.Handler(nil, table)
		}()
	}
}

// Whoever waits for an Answer holds no connection: however many do, the other reads go on.
func TestReadThatWaitsForItsAnswerHoldsNoConnection(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const many = 64 // more than there are connections
		waiting, answered := make(chan struct{}, many), make(chan struct{})
		held := rest.Table{
			Name: "versions", Key: "name", Columns: []rest.Column{{Name: "name", Type: rest.Text}}, Read: rest.All(),
			Answer: func(context.Context, rest.Query) (*rest.Page, func(), error) {
				waiting <- struct{}{}
				<-answered
				return &rest.Page{}, nil, nil
			},
		}
		handler := rest.Handler(d, held)
		var all sync.WaitGroup
		for range many {
			all.Go(func() {
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/rest/v1/versions", nil))
				if w.Code != http.StatusOK {
					t.Errorf("got %d %s", w.Code, w.Body)
				}
			})
		}
		for range many {
			<-waiting
		}
		err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			var one int
			return tx.QueryRow(ctx, "select 1").Scan(&one)
		})
		if err != nil {
			t.Error(err)
		}
		close(answered)
		all.Wait()
	})
}

func TestSlowReadsAreGivenUp(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		slow := rest.Table{
			Name: "versions", Key: "name", Columns: []rest.Column{{Name: "name", Type: rest.Text}}, Read: rest.All(),
			Answer: func(ctx context.Context, _ rest.Query) (*rest.Page, func(), error) {
				<-ctx.Done()
				return nil, nil, nil // the query that follows meets the deadline
			},
		}
		w := httptest.NewRecorder()
		rest.Handler(d, slow).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/rest/v1/versions", nil))
		if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), `"57014"`) || w.Header().Get("Retry-After") != "1" {
			t.Errorf("got %d %s", w.Code, w.Body)
		}
	})
}

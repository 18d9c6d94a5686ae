package auth

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/account"
	"greenroom/internal/key"
	"greenroom/internal/mail"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// house is a running service with a clock that the test moves and a letter box that it opens.
type house struct {
	*Service
	t       *testing.T
	clock   *clock.Manual
	box     *key.Box
	at      db.Options
	handler http.Handler
	letters *letterBox
}

type letterBox struct {
	mu   sync.Mutex
	sent []mail.Letter
}

// each opens a house on each engine.
func each(t *testing.T, change func(*Options), fn func(t *testing.T, h *house)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			fn(t, openHouse(t, dbtest.Location(t, engine), change, nil))
		})
	}
}

// openHouse starts an instance; beside another one it shares that one's database, clock, secrets and letter box.
func openHouse(t *testing.T, at db.Options, change func(*Options), beside *house) *house {
	t.Helper()
	h := &house{t: t, clock: clock.NewManual(start), letters: &letterBox{}, at: at}
	if beside != nil {
		h.clock, h.letters, h.box = beside.clock, beside.letters, beside.box
	} else {
		box, err := key.OpenBox(filepath.Join(t.TempDir(), "secret"))
		if err != nil {
			t.Fatal(err)
		}
		h.box = box
	}
	d := dbtest.Reopen(t, at, h.clock)
	keys, err := key.OpenSet(t.Context(), d, h.box, "")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		DB: d, Keys: keys, Accounts: account.New(d, false), Enqueue: h.letters.take, Box: h.box, Pepper: []byte("pepper"),
		SiteName: "Greenroom", SiteURL: testSite, RedirectURLs: []string{"https://app.example.org/**"}, Hashing: cheap,
	}
	if change != nil {
		change(&o)
	}
	if o.Limits == strict {
		o.Limits = limit.New(limit.Options{DB: d, Secret: []byte("test")})
	}
	h.Service, err = New(o)
	if err != nil {
		t.Fatal(err)
	}
	h.beat = time.Millisecond
	h.handler = h.Handler()
	return h
}

// strict stands for limits that are on.
var strict = &limit.Limits{}

func limited(o *Options)   { o.Limits = strict }
func confirmed(o *Options) { o.ConfirmEmail = true }

func (b *letterBox) take(_ context.Context, tx *db.Tx, letter mail.Letter) error {
	tx.AfterCommit(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.sent = append(b.sent, letter)
	})
	return nil
}

func (b *letterBox) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.sent)
}

// last gives the newest letter of a kind.
func last[T mail.Letter](h *house) T {
	h.t.Helper()
	h.letters.mu.Lock()
	defer h.letters.mu.Unlock()
	for _, sent := range slices.Backward(h.letters.sent) {
		if letter, ok := sent.(T); ok {
			return letter
		}
	}
	var none T
	h.t.Fatalf("no %T among %d letters", none, len(h.letters.sent))
	return none
}

// reply is an answer, with its JSON read.
type reply struct {
	status int
	header http.Header
	text   string
	json   map[string]any
}

// code is the error's code in the newer format.
func (r reply) code() string { text, _ := r.json["code"].(string); return text }

func (r reply) str(names ...string) string {
	at := r.json
	for _, name := range names[:len(names)-1] {
		at, _ = at[name].(map[string]any)
	}
	text, _ := at[names[len(names)-1]].(string)
	return text
}

type request struct {
	method, path, token, address string
	body                         any
	header                       map[string]string
}

func (h *house) send(q request) reply {
	var body bytes.Buffer
	contentType := "application/json;charset=UTF-8"
	switch b := q.body.(type) {
	case nil:
	case string:
		body.WriteString(b)
	case url.Values:
		body.WriteString(b.Encode())
		contentType = "application/x-www-form-urlencoded"
	default:
		if err := json.NewEncoder(&body).Encode(b); err != nil {
			panic(err)
		}
	}
	r := httptest.NewRequestWithContext(context.Background(), q.method, Prefix+q.path, &body)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set(VersionHeader, FirstVersion)
	if q.token != "" {
		r.Header.Set("Authorization", "Bearer "+q.token)
	}
	for name, value := range q.header {
		r.Header.Set(name, value)
	}
	if q.address == "" {
		q.address = "192.0.2.1"
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r.WithContext(who.With(r.Context(), who.Actor{Role: who.Anonymous, Address: q.address})))
	out := reply{status: w.Code, header: w.Header(), text: w.Body.String()}
	_ = json.Unmarshal(w.Body.Bytes(), &out.json)
	return out
}

func (h *house) post(path string, body any) reply {
	return h.send(request{method: "POST", path: path, body: body})
}

func (h *house) get(path, token string) reply {
	return h.send(request{method: "GET", path: path, token: token})
}

func (h *house) put(token string, body any) reply {
	return h.send(request{method: "PUT", path: "/user", token: token, body: body})
}

type m = map[string]any

const password = "a fine long secret"

// want fails the test unless the answer has this status and, if given, this code.
func want(t *testing.T, got reply, status int, code string) reply {
	t.Helper()
	if got.status != status || (code != "" && got.code() != code) {
		t.Fatalf("got %d %s, want %d %s", got.status, got.text, status, code)
	}
	return got
}

// signedUp makes an account and gives its first session.
func (h *house) signedUp(email string) reply {
	h.t.Helper()
	return want(h.t, h.post("/signup", m{"email": email, "password": password}), 200, "")
}

// proven makes an address one that was shown to be its holder's, as the operator's word does.
func (h *house) proven(email string) {
	h.t.Helper()
	h.exec("update users set email_proven_at = created_at where email = $1", email)
}

func (h *house) signIn(email, password string) reply {
	return h.post("/token?grant_type=password", m{"email": email, "password": password})
}

func (h *house) refresh(token string) reply {
	return h.post("/token?grant_type=refresh_token", m{"refresh_token": token})
}

// follow opens a link as a browser does: the page, then its form; it gives where the browser lands.
func (h *house) follow(link string) *url.URL {
	h.t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		h.t.Fatal(err)
	}
	path := strings.TrimPrefix(u.Path, Prefix)
	want(h.t, h.send(request{method: "GET", path: path + "?" + u.RawQuery}), 200, "")
	got := want(h.t, h.post(path, url.Values(u.Query())), 303, "")
	landed, err := url.Parse(got.header.Get("Location"))
	if err != nil {
		h.t.Fatal(err)
	}
	return landed
}

func fragment(t *testing.T, u *url.URL) url.Values {
	t.Helper()
	values, err := url.ParseQuery(u.Fragment)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func tokenIn(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("token")
}

// settle writes down what waits to be.
func (h *house) settle() {
	h.t.Helper()
	if err := h.writeRefusals(context.Background()); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) count(query string, args ...any) (n int) {
	h.t.Helper()
	h.settle()
	err := h.DB.Read(context.Background(), func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, query, args...).Scan(&n)
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return n
}

func (h *house) exec(query string, args ...any) {
	h.t.Helper()
	err := h.DB.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

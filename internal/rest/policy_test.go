package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
)

// wall is a table of three posts: a is the reader's, b the stranger's, and c is nobody's.
type wall struct {
	*db.DB
	posts map[string]any // a text and whose it is
}

func openWall(t *testing.T, d *db.DB) *wall {
	t.Helper()
	kind := map[db.Engine]string{db.SQLite: "text", db.Postgres: "uuid"}[d.Engine]
	w := &wall{DB: d, posts: map[string]any{"a": reader, "b": stranger, "c": nil}}
	w.exec(t, fmt.Sprintf("create table posts (id %s primary key, user_id %s, text text not null constraint posts_text_key unique, mark text)", kind, kind))
	return w
}

func (w *wall) exec(t *testing.T, statements ...string) {
	t.Helper()
	err := w.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		for _, statement := range statements {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// reset puts the three posts up again, and nothing else.
func (w *wall) reset(t *testing.T) {
	t.Helper()
	statements := []string{"delete from posts"}
	for text, user := range w.posts {
		owner := "null"
		if user != nil {
			owner = fmt.Sprintf("'%s'", user)
		}
		statements = append(statements, fmt.Sprintf("insert into posts (id, user_id, text) values ('%s', %s, '%s')", id.New(), owner, text))
	}
	w.exec(t, statements...)
}

// rules are the policies of one declaration.
type rules struct{ read, insert, update, remove rest.Policy }

func (w *wall) serve(r rules) http.Handler { return rest.Handler(w.DB, w.table(r)) }

func (w *wall) table(r rules) rest.Table {
	both := rest.OnInsert | rest.OnUpdate
	free := func(*db.Batch, *db.Tx, string, int) error { return nil }
	return rest.Table{
		Name: "posts",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID, Default: rest.NewID},
			{Name: "user_id", Type: rest.UUID, Nullable: true, Write: both},
			{Name: "text", Type: rest.Text, Write: both},
			{Name: "mark", Type: rest.Text, Nullable: true, Write: both},
		},
		Uniques: []rest.Unique{{Columns: []string{"text"}}},
		Read:    r.read, Update: rest.Update{If: r.update}, Delete: rest.Delete{If: r.remove},
		Insert: rest.Insert{If: r.insert, Quota: rest.Quota{Take: free}},
	}
}

// texts are the texts of an answer's rows, in order, in one word.
func texts(t *testing.T, answer resttest.Answer) string {
	t.Helper()
	var list []string
	for _, row := range answer.Want(t, http.StatusOK, "").Rows(t) {
		list = append(list, fmt.Sprint(row["text"]))
	}
	slices.Sort(list)
	return strings.Join(list, "")
}

func (w *wall) post(t *testing.T, api http.Handler, as who.Actor, text string, headers ...string) resttest.Answer {
	t.Helper()
	owner := "null"
	if user := w.posts[text]; user != nil {
		owner = fmt.Sprintf("%q", user)
	}
	return resttest.Call(t, api, as, "POST", "/posts", fmt.Sprintf(`{"user_id":%s,"text":%q}`, owner, text), headers...)
}

// everyone are the callers in the order of the tables below.
var everyone = []string{"", "reader", "stranger", "admin", "service"}

// policies and which of the three posts they admit everyone to.
var policies = map[string]struct {
	policy rest.Policy
	admits [5]string
}{
	"all":                   {rest.All(), [5]string{"abc", "abc", "abc", "abc", "abc"}},
	"admins":                {rest.Admins(), [5]string{"", "", "", "abc", "abc"}},
	"signed in":             {rest.SignedIn(), [5]string{"", "abc", "abc", "abc", ""}},
	"anonymous":             {rest.Anonymous(), [5]string{"abc", "", "", "", ""}},
	"own":                   {rest.Own("user_id"), [5]string{"", "a", "b", "", ""}},
	"null":                  {rest.Null("user_id"), [5]string{"c", "c", "c", "c", "c"}},
	"equal":                 {rest.Equal("user_id", stranger), [5]string{"b", "b", "b", "b", "b"}},
	"not equal":             {rest.NotEqual("user_id", stranger), [5]string{"ac", "ac", "ac", "ac", "ac"}},
	"equal to nothing":      {rest.Equal("mark", ""), [5]string{"", "", "", "", ""}}, // which null is not
	"not equal to nothing":  {rest.NotEqual("mark", ""), [5]string{"abc", "abc", "abc", "abc", "abc"}},
	"own or admin":          {rest.Own("user_id").OrAdmin(), [5]string{"", "a", "b", "abc", "abc"}},
	"own or null":           {rest.Own("user_id").Or(rest.Null("user_id")), [5]string{"c", "ac", "bc", "c", "c"}},
	"anonymous and null":    {rest.Anonymous().And(rest.Null("user_id")), [5]string{"c", "", "", "", ""}},
	"signed in and one":     {rest.SignedIn().And(rest.Equal("text", "b")), [5]string{"", "b", "b", "b", ""}},
	"own or null, not of c": {rest.Own("user_id").Or(rest.Null("user_id")).And(rest.NotEqual("text", "c")), [5]string{"", "a", "b", "", ""}},
}

// Each policy is tried on each verb beside policies that admit everybody, so that it alone decides.
func TestEachPolicyDecidesEachVerb(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, all := openWall(t, d), rest.All()
		for name, p := range policies {
			reading := w.serve(rules{p.policy, all, all, all})
			writing := w.serve(rules{all, p.policy, p.policy, p.policy})
			for i, caller := range everyone {
				t.Run(name+" as "+caller, func(t *testing.T) { w.decides(t, reading, writing, actors[caller], p.admits[i]) })
			}
		}
	})
}

// decides tries one caller, to whom the policy admits these posts: as what may be read, and as what may be written.
func (w *wall) decides(t *testing.T, reading, writing http.Handler, as who.Actor, admits string) {
	t.Helper()
	check := func(what, got string) {
		t.Helper()
		if got != admits {
			t.Errorf("%s as %s %s: %q, not %q", what, as.Role, as.UserID, got, admits)
		}
	}
	const every = "/posts?text=neq.x"
	total := fmt.Sprintf("/%d", len(admits))
	w.reset(t)
	check("read", texts(t, resttest.Call(t, reading, as, "GET", every, "")))
	for _, method := range []string{"GET", "HEAD"} {
		got := resttest.Call(t, reading, as, method, "/posts?select=id&limit=1", "", "Prefer: count=exact")
		if !strings.HasSuffix(got.Header.Get("Content-Range"), total) {
			t.Errorf("%s as %s counts %s, not %s", method, as.Role, got.Header.Get("Content-Range"), total)
		}
	}
	check("change what may be read", texts(t, resttest.Call(t, reading, as, "PATCH", every, `{"mark":"x"}`, wanted)))
	check("change", texts(t, resttest.Call(t, writing, as, "PATCH", every, `{"mark":"x"}`, wanted)))
	check("delete what may be read", texts(t, resttest.Call(t, reading, as, "DELETE", every, "", wanted)))
	w.reset(t)
	check("delete", texts(t, resttest.Call(t, writing, as, "DELETE", every, "", wanted)))
	for what, api := range map[string]http.Handler{"insert": writing, "insert and read": reading} {
		w.exec(t, "delete from posts")
		var stored strings.Builder
		for _, text := range []string{"a", "b", "c"} {
			if answer := w.post(t, api, as, text, wanted); answer.Status == http.StatusCreated {
				stored.WriteString(text)
			} else if answer.Code() != "42501" {
				t.Errorf("%s as %s: %d %s", what, as.Role, answer.Status, answer.Body)
			}
		}
		check(what, stored.String())
		check(what+", stored", texts(t, resttest.Call(t, writing, as, "GET", every, "")))
	}
}

// An update is judged by the row before it and the row after it, by what may be changed and by what may be seen.
func TestSecurity49NoChangeTakesARowOutOfReach(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, all, own := openWall(t, d), rest.All(), rest.Own("user_id")
		for name, r := range map[string]rules{"changing": {all, all, own, all}, "seeing": {own, all, all, all}} {
			api := w.serve(r)
			w.reset(t)
			for _, to := range []string{`"` + stranger + `"`, "null"} {
				answer := resttest.Call(t, api, actors["reader"], "PATCH", "/posts?text=eq.a", `{"mark":"y","user_id":`+to+`}`)
				if answer.Status != http.StatusForbidden || answer.Code() != "42501" {
					t.Errorf("%s: a row was given to %s: %d %s", name, to, answer.Status, answer.Body)
				}
			}
			if n := resttest.Call(t, w.serve(rules{read: all}), actors[""], "GET", "/posts?mark=eq.y", "").Rows(t); len(n) != 0 {
				t.Errorf("%s: stored %v", name, n)
			}
		}
	})
}

// A merge is an insert and an update: the new row must be admitted, the row that it meets must be in reach, and it must
// stay there. What it may not touch stays as it was.
func TestSecurity49MergesMeetOnlyRowsInReach(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, all, own := openWall(t, d), rest.All(), rest.Own("user_id")
		merge := func(r rules, as, body string) resttest.Answer {
			w.reset(t)
			return resttest.Call(t, w.serve(r), actors[as], "POST", "/posts?on_conflict=text", body, "Prefer: resolution=merge-duplicates")
		}
		mine, theirs := `{"text":"a","mark":"m"}`, `{"text":"b","mark":"m"}`
		for _, c := range []struct {
			name string
			rules
			as, body string
			status   int
		}{
			{"what may be changed", rules{all, all, own, all}, "reader", mine, 200},
			{"what may be seen", rules{own, all, all, all}, "reader", mine, 200},
			{"what may not be changed", rules{all, all, own, all}, "reader", theirs, 403},
			{"what may not be seen", rules{own, all, all, all}, "reader", theirs, 403},
			{"what strangers may not change", rules{all, all, own, all}, "", mine, 401},
			{"what may not be changed, into what may", rules{all, all, own, all}, "reader", `{"text":"b","mark":"m","user_id":"` + reader + `"}`, 403},
			{"what may not be seen, into what may", rules{own, all, all, all}, "reader", `{"text":"b","mark":"m","user_id":"` + reader + `"}`, 403},
			{"a table without updates", rules{all, all, rest.None(), all}, "reader", mine, 403},
			{"nothing, without updates", rules{all, all, rest.None(), all}, "reader", `{"text":"z","mark":"m"}`, 403},
			{"a row that may not be inserted", rules{all, own, all, all}, "reader", `{"text":"a","user_id":"` + stranger + `"}`, 403},
			{"away from what may be changed", rules{all, all, own, all}, "reader", `{"text":"a","mark":"m","user_id":"` + stranger + `"}`, 403},
			{"away from what may be seen", rules{own, all, all, all}, "reader", `{"text":"a","mark":"m","user_id":"` + stranger + `"}`, 403},
		} {
			answer := merge(c.rules, c.as, c.body)
			marked := texts(t, resttest.Call(t, w.serve(rules{read: all}), actors[""], "GET", "/posts?mark=eq.m", ""))
			want := map[bool]string{true: "a", false: ""}[c.status == http.StatusOK]
			if answer.Status != c.status || marked != want {
				t.Errorf("%s: %d %s, marked %q", c.name, answer.Status, answer.Body, marked)
			}
		}
	})
}

// Whoever must lock something before rows go is shown the rows that go, and no others.
func TestRowsAreShownBeforeTheyGo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, all, own := openWall(t, d), rest.All(), rest.Own("user_id")
		for name, r := range map[string]rules{"deleting": {all, all, all, own}, "seeing": {own, all, all, all}} {
			var shown strings.Builder
			table := w.table(r)
			table.Delete.Before = func(_ context.Context, _ *db.Tx, rows []rest.Row) error {
				for _, row := range rows {
					shown.WriteString(row.Text("text"))
				}
				return nil
			}
			w.reset(t)
			resttest.Call(t, rest.Handler(d, table), actors["reader"], "DELETE", "/posts?text=neq.x", "").Want(t, http.StatusNoContent, "")
			if shown.String() != "a" {
				t.Errorf("%s: %q was shown", name, shown.String())
			}
		}
	})
}

// What a table does not declare, nobody does: not even beside another verb that all may do.
func TestVerbsThatAreNotDeclaredAreRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, all := openWall(t, d), rest.All()
		w.reset(t)
		for name, r := range map[string]rules{
			"GET": {rest.None(), all, all, all}, "POST": {all, rest.None(), all, all}, "PATCH": {all, all, rest.None(), all}, "DELETE": {all, all, all, rest.None()},
		} {
			for _, caller := range everyone {
				for _, method := range []string{"GET", "POST", "PATCH", "DELETE"} {
					// Nothing can be found to be changed without the right to read.
					refused := method == name || name == "GET" && method != "POST"
					body := `{"text":"` + id.New() + `"}`
					if answer := resttest.Call(t, w.serve(r), actors[caller], method, "/posts?"+map[bool]string{true: "", false: "text=eq.none"}[method == "POST"], body); (answer.Code() == "42501") != refused {
						t.Errorf("%s where %s is not declared, as %q: %d %s", method, name, caller, answer.Status, answer.Body)
					}
				}
			}
		}
	})
}

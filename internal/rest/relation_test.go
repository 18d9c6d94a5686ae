package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
)

// club is the wall with clubs around it: posts belong to one by user_id, the reader is a member of theirs, the stranger a
// former member of theirs, and the club of the reader is open. Whose a post is is hidden.
type club struct{ *wall }

func openClub(t *testing.T, d *db.DB) club {
	t.Helper()
	w := openWall(t, d)
	kind := map[db.Engine]string{db.SQLite: "text", db.Postgres: "uuid"}[d.Engine]
	yes := map[db.Engine]string{db.SQLite: "integer", db.Postgres: "boolean"}[d.Engine]
	w.exec(t,
		fmt.Sprintf("create table members (club %s not null, member %s not null, chair %s not null, left_for text)", kind, kind, yes),
		fmt.Sprintf("create table clubs (club %s not null, opened text)", kind),
		fmt.Sprintf("insert into members values ('%s', '%s', %s, null)", reader, reader, map[db.Engine]string{db.SQLite: "1", db.Postgres: "true"}[d.Engine]),
		fmt.Sprintf("insert into members values ('%s', '%s', %s, 'good')", stranger, stranger, map[db.Engine]string{db.SQLite: "0", db.Postgres: "false"}[d.Engine]),
		fmt.Sprintf("insert into clubs values ('%s', 'monday')", reader),
		fmt.Sprintf("insert into clubs values ('%s', null)", stranger))
	return club{w}
}

var (
	member = rest.Related{Name: "member", Table: "members", Key: "club", If: rest.Own("member")}
	active = rest.Related{Name: "active", Table: "members", Key: "club", If: rest.Own("member").And(rest.Null("left_for"))}
	chairs = rest.Related{Name: "chairs", Table: "members", Key: "club", If: rest.Own("member").And(rest.True("chair"))}
	opened = rest.Related{Name: "opened", Table: "clubs", Key: "club", If: rest.NotNull("opened")}
	// alike asks the table that is asked from.
	alike = rest.Related{Name: "alike", Table: "posts", Key: "user_id", If: rest.Equal("text", "a")}
	deep  = rest.Related{Name: "deep", Table: "clubs", Key: "club", If: rest.Has("club", active)}
)

var related = map[string]struct {
	policy rest.Policy
	admits [5]string
}{
	"member":                     {rest.Has("user_id", member), [5]string{"", "a", "b", "", ""}},
	"member, not left":           {rest.Has("user_id", active), [5]string{"", "a", "", "", ""}},
	"chairs":                     {rest.Has("user_id", chairs), [5]string{"", "a", "", "", ""}},
	"open":                       {rest.Has("user_id", opened), [5]string{"a", "a", "a", "a", "a"}},
	"open, or member, or admin":  {rest.Has("user_id", opened).Or(rest.Has("user_id", member)).OrAdmin(), [5]string{"a", "a", "ab", "abc", "abc"}},
	"open to members":            {rest.Has("user_id", opened).And(rest.Has("user_id", member)), [5]string{"", "a", "", "", ""}},
	"members of somebody's club": {rest.Has("user_id", deep), [5]string{"", "a", "", "", ""}},
	"members":                    {rest.Members(), [5]string{"", "abc", "abc", "abc", ""}},
	"not null":                   {rest.NotNull("user_id"), [5]string{"ab", "ab", "ab", "ab", "ab"}},
}

// A question to another table decides each verb as any other term does.
func TestEachRelationDecidesEachVerb(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, all := openClub(t, d), rest.All()
		for name, p := range related {
			reading := w.serve(rules{p.policy, all, all, all})
			writing := w.serve(rules{all, p.policy, p.policy, p.policy})
			for i, caller := range everyone {
				t.Run(name+" as "+caller, func(t *testing.T) { w.decides(t, reading, writing, actors[caller], p.admits[i]) })
			}
		}
		t.Run("the same table", func(t *testing.T) {
			w.reset(t)
			api := w.serve(rules{rest.Has("user_id", alike), all, all, all})
			if got := texts(t, resttest.Call(t, api, actors[""], "GET", "/posts", "")); got != "a" {
				t.Errorf("read %q", got)
			}
		})
	})
}

// A guest is signed in, and no member.
func TestMembersAreNoGuests(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, all := openClub(t, d), rest.All()
		guest := who.Actor{Role: who.User, UserID: reader, Guest: true}
		mine := rest.Members().And(rest.Has("user_id", member))
		w.decides(t, w.serve(rules{mine, all, all, all}), w.serve(rules{all, mine, mine, mine}), guest, "")
	})
}

// What a change would make of a row is asked of the other tables as well.
func TestSecurity49NoChangeLeavesARelation(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, all, own := openClub(t, d), rest.All(), rest.Has("user_id", active)
		for name, r := range map[string]rules{"changing": {all, all, own, all}, "seeing": {own, all, all, all}} {
			for _, to := range []string{`"` + stranger + `"`, "null"} {
				w.reset(t)
				answer := resttest.Call(t, w.serve(r), actors["reader"], "PATCH", "/posts?text=eq.a", `{"mark":"y","user_id":`+to+`}`)
				if answer.Status != http.StatusForbidden || answer.Code() != "42501" {
					t.Errorf("%s: a row was given to %s: %d %s", name, to, answer.Status, answer.Body)
				}
				answer = resttest.Call(t, w.serve(r), actors["reader"], "POST", "/posts?on_conflict=text", `{"text":"a","mark":"y","user_id":`+to+`}`, "Prefer: resolution=merge-duplicates")
				if answer.Status != http.StatusForbidden {
					t.Errorf("%s: a merge gave a row to %s: %d %s", name, to, answer.Status, answer.Body)
				}
			}
			if n := resttest.Call(t, w.serve(rules{read: all}), actors[""], "GET", "/posts?mark=eq.y", "").Rows(t); len(n) != 0 {
				t.Errorf("%s: stored %v", name, n)
			}
		}
	})
}

// hidden is the wall with hidden owners, and mine in their place.
func (c club) hidden(r rules) http.Handler {
	table := c.table(r)
	table.Columns[1].Hidden = true
	table.Columns[1].Write = rest.OnInsert
	table.Columns = append(table.Columns, rest.Column{Name: "mine", Type: rest.Bool, MineBy: "user_id"})
	table.Uniques = append(table.Uniques, rest.Unique{Columns: []string{"user_id", "text"}})
	table.ForeignKeys = []rest.ForeignKey{{Column: "user_id", Table: "people"}}
	return rest.Handler(c.DB, table)
}

func TestHiddenColumnsServePoliciesAndNobodyElse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, all, own := openClub(t, d), rest.All(), rest.Own("user_id")
		w.reset(t)
		api := w.hidden(rules{all, all, own, own})
		for _, as := range everyone {
			for _, query := range []string{
				"select=user_id", "select=x:user_id", "order=user_id", "user_id=eq." + reader, "user_id=not.is.null", "or=(user_id.eq." + reader + ")",
				"user_id=in.(" + reader + ")",
			} {
				answer := resttest.Call(t, api, actors[as], "GET", "/posts?"+query, "").Want(t, http.StatusBadRequest, "42703")
				if strings.Contains(answer.Body, reader) {
					t.Errorf("%s: %s", query, answer.Body)
				}
			}
			resttest.Call(t, api, actors[as], "GET", "/posts?select=user_id(id)", "").Want(t, http.StatusBadRequest, "PGRST200")
			resttest.Call(t, api, actors[as], "PATCH", "/posts?text=eq.a", `{"user_id":null}`).Want(t, http.StatusBadRequest, "PGRST204")
			resttest.Call(t, api, actors[as], "POST", "/posts?on_conflict=user_id,text", `{"text":"q"}`, "Prefer: resolution=ignore-duplicates").
				Want(t, http.StatusBadRequest, "42703")
			for _, row := range resttest.Call(t, api, actors[as], "GET", "/posts?order=text", "").Rows(t) {
				if _, there := row["user_id"]; there {
					t.Errorf("shown to %q: %v", as, row)
				}
				if want := map[string]string{"reader": "a", "stranger": "b"}[as] == row["text"]; row["mine"] != want {
					t.Errorf("%q: %v", as, row)
				}
			}
		}
		// The policies know it, and what comes back does not.
		if got := texts(t, resttest.Call(t, api, actors["reader"], "PATCH", "/posts?text=neq.x", `{"mark":"x"}`, wanted)); got != "a" {
			t.Errorf("changed %q", got)
		}
		answer := resttest.Call(t, api, actors["reader"], "POST", "/posts", `{"user_id":"`+reader+`","text":"new"}`, wanted).Want(t, http.StatusCreated, "")
		if strings.Contains(answer.Body, reader) || answer.Rows(t)[0]["mine"] != true {
			t.Errorf("shown: %s", answer.Body)
		}
	})
}

// mine is a column to filter and to sort by.
func TestMineIsAskedForTheCaller(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, all := openClub(t, d), rest.All()
		w.reset(t)
		api := w.hidden(rules{all, all, all, all})
		for query, want := range map[string][3]string{
			"mine=is.true": {"", "a", "b"}, "mine=eq.false": {"abc", "bc", "ac"}, "mine=not.is.true": {"abc", "bc", "ac"}, "or=(mine.is.true,text.eq.c)": {"c", "ac", "bc"},
		} {
			for i, as := range everyone[:3] {
				if got := texts(t, resttest.Call(t, api, actors[as], "GET", "/posts?"+query, "")); got != want[i] {
					t.Errorf("%s as %q: %q", query, as, got)
				}
			}
		}
		for _, as := range everyone {
			rows := resttest.Call(t, api, actors[as], "GET", "/posts?select=text,mine&order=mine.desc,text", "").Want(t, http.StatusOK, "").Rows(t)
			if first := map[string]string{"stranger": "b"}[as]; first != "" && rows[0]["text"] != first {
				t.Errorf("as %q: %v", as, rows)
			}
		}
		resttest.Call(t, api, actors["reader"], "POST", "/posts", `{"text":"z","mine":true}`).Want(t, http.StatusForbidden, "42501")
		resttest.Call(t, api, actors["reader"], "PATCH", "/posts?mine=is.true", `{"mark":"m"}`, wanted).Want(t, http.StatusOK, "")
		if got := texts(t, resttest.Call(t, api, actors[""], "GET", "/posts?mark=eq.m", "")); got != "a" {
			t.Errorf("changed %q", got)
		}
	})
}

// An error's text has the row that failed, and not what is hidden of it.
func TestErrorsDoNotTellWhatIsHidden(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, all := openClub(t, d), rest.All()
		w.reset(t)
		kind := map[db.Engine]string{db.SQLite: "text", db.Postgres: "uuid"}[d.Engine]
		w.exec(t, "drop table posts", fmt.Sprintf("create table people (id %s primary key)", kind), "insert into people values ('"+reader+"')",
			fmt.Sprintf(`create table posts (id %[1]s primary key, user_id %[1]s constraint posts_user_id_fkey references people (id), text text not null,
				mark text constraint posts_mark_check check (mark <> 'bad'), constraint posts_user_id_text_key unique (user_id, text))`, kind))
		api := w.hidden(rules{all, all, all, all})
		body := func(user, rest string) string { return `{"user_id":"` + user + `",` + rest + `}` }
		resttest.Call(t, api, actors["admin"], "POST", "/posts", body(reader, `"text":"one"`)).Want(t, http.StatusCreated, "")
		nobody := id.New()
		for code, sent := range map[string]string{
			"23505": body(reader, `"text":"one"`), "23503": body(nobody, `"text":"two"`), "23514": body(reader, `"text":"three","mark":"bad"`),
			"23502": body(reader, `"text":null`),
		} {
			answer := resttest.Call(t, api, actors["admin"], "POST", "/posts", sent)
			if answer.Code() != code || strings.Contains(answer.Body, reader) || strings.Contains(answer.Body, nobody) {
				t.Errorf("%s: %d %s", code, answer.Status, answer.Body)
			}
		}
	})
}

// A declaration that would show what is hidden, or keep what is one caller's, does not start.
func TestDeclarationsOfHiddenColumnsAreChecked(t *testing.T) {
	t.Parallel()
	base := func() rest.Table {
		return rest.Table{Name: "posts", Columns: []rest.Column{{Name: "id", Type: rest.UUID}, {Name: "user_id", Type: rest.UUID, Hidden: true}}, Read: rest.All()}
	}
	for name, spoil := range map[string]func(t *rest.Table){
		"a hidden key": func(t *rest.Table) { t.Columns[0].Hidden = true },
		"mine of no column": func(t *rest.Table) {
			t.Columns = append(t.Columns, rest.Column{Name: "mine", Type: rest.Bool, MineBy: "x"})
		},
		"mine that is no bool":  func(t *rest.Table) { t.Columns = append(t.Columns, rest.Column{Name: "mine", MineBy: "user_id"}) },
		"a policy over mine":    func(t *rest.Table) { mine(t); t.Read = rest.True("mine") },
		"mine in kept answers":  func(t *rest.Table) { mine(t); t.Version = func() int64 { return 1 } },
		"a relation of no name": func(t *rest.Table) { t.Read = rest.Has("user_id", rest.Related{Table: "x", Key: "y", If: rest.All()}) },
		"a relation for nobody": func(t *rest.Table) { t.Read = rest.Has("user_id", rest.Related{Name: "n", Table: "x", Key: "y"}) },
		"a relation with quotes": func(t *rest.Table) {
			t.Read = rest.Has("user_id", rest.Related{Name: "n", Table: `x"`, Key: "y", If: rest.All()})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := base()
			spoil(&table)
			defer func() {
				if recover() == nil {
					t.Error("it was taken")
				}
			}()
			rest.Handler(nil, table)
		})
	}
}

func mine(t *rest.Table) {
	t.Columns = append(t.Columns, rest.Column{Name: "mine", Type: rest.Bool, MineBy: "user_id"})
}

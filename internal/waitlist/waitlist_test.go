package waitlist_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/catalog"
	"greenroom/internal/mail/mailtest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
	"greenroom/internal/waitlist"
)

const title = "Screen Acting and Professional Preparation Workshop"

// stage is the product as far as waiting goes, with its letters.
type stage struct {
	api     http.Handler
	d       *db.DB
	box     *mailtest.Mailbox
	lists   *waitlist.Lists
	catalog *catalog.Catalog
	admin   who.Actor
}

func open(t *testing.T, d *db.DB) *stage {
	t.Helper()
	return openWith(t, d, nil)
}

func openWith(t *testing.T, d *db.DB, limits *limit.Limits) *stage {
	t.Helper()
	s := &stage{d: d, box: mailtest.Open(t, d), admin: resttest.Admin(id.New(), "admin@example.org")}
	log := slog.New(slog.DiscardHandler)
	s.catalog = catalog.New(d, log)
	s.lists = waitlist.New(waitlist.Options{
		DB: d, Outbox: s.box.Outbox, Limits: limits, SiteURL: "https://greenroom.example/", Changed: s.catalog.Raise, Log: log,
	})
	s.catalog.Launched = func(ctx context.Context, tx *db.Tx, c catalog.Course) error { return s.lists.Launched(ctx, tx, c.ID) }
	for _, install := range []func(context.Context) error{s.catalog.Install, s.lists.Install} {
		if err := install(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s.api = rest.Handler(d, append(s.lists.Tables(), s.catalog.Tables()...)...)
	return s
}

func (s *stage) person(t *testing.T, email string) who.Actor {
	t.Helper()
	p := accounttest.Add(t, s.d, email)
	return resttest.Signed(p.ID, p.Email)
}

func (s *stage) register(t *testing.T, name, email string) resttest.Answer {
	t.Helper()
	return resttest.Call(t, s.api, resttest.Stranger, "POST", "/course_waitlist",
		fmt.Sprintf(`{"name":%q,"email":%q,"course_title":%q}`, name, email, title))
}

func join(who who.Actor, course string) string {
	return fmt.Sprintf(`{"user_id":%q,"course_title":%q,"email":%q}`, who.UserID, course, who.Email)
}

func (s *stage) count(t *testing.T, query string, args ...any) (n int) {
	t.Helper()
	err := s.d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, query, args...).Scan(&n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// spots checks the numbers: as many confirmed as said, numbered from 1 without a gap, and the rest waiting.
func (s *stage) spots(t *testing.T, confirmed, waiting, left int) {
	t.Helper()
	if n := s.count(t, "select count(*) from course_waitlist where spot is not null"); n != confirmed {
		t.Errorf("%d are confirmed, not %d", n, confirmed)
	}
	if n := s.count(t, "select count(distinct spot) from course_waitlist where spot between 1 and $1", confirmed); n != confirmed {
		t.Errorf("%d numbers from 1 to %d are given", n, confirmed)
	}
	if n := s.count(t, "select count(*) from course_waitlist where workshop_id is not null and spot is null"); n != waiting {
		t.Errorf("%d wait, not %d", n, waiting)
	}
	if n := s.count(t, "select spots_left from workshops"); n != left {
		t.Errorf("%d spots are left, not %d", n, left)
	}
}

func (s *stage) letters(t *testing.T, kind string) int {
	t.Helper()
	return s.count(t, "select count(*) from outbox where kind = $1", kind)
}

func TestJoinerIsOnTheListUnderTheNameThatWasSent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		ada := s.person(t, "ada@example.org")
		ada.Name = "Ada Kovač"
		body := fmt.Sprintf(`{"user_id":%q,"course_title":"Documentary Filmmaking","email":"ADA@example.org","name":"  Ada of Zagreb "}`, ada.UserID)
		resttest.Call(t, s.api, ada, "POST", "/course_waitlist", body).Want(t, http.StatusCreated, "")
		rows := resttest.Call(t, s.api, ada, "GET", "/course_waitlist?user_id=eq."+ada.UserID+"&order=created_at.desc", "").Rows(t)
		if len(rows) != 1 {
			t.Fatalf("the list has %v", rows)
		}
		want := map[string]any{
			"name": "Ada of Zagreb", "email": "ada@example.org", "course_title": "Documentary Filmmaking",
			"course_id": id.Named("course documentary-filmmaking"), "workshop_id": nil, "spot": nil,
		}
		for column, value := range want {
			if rows[0][column] != value {
				t.Errorf("%s is %v, not %v", column, rows[0][column], value)
			}
		}
		letter := s.box.To(t, "ada@example.org", 1)[0]
		if letter.Subject != "You’re on the waitlist: Documentary Filmmaking" ||
			letter.Link() != "https://greenroom.example/course/"+id.Named("course documentary-filmmaking") {
			t.Errorf("the letter is %q with %s", letter.Subject, letter.Link())
		}
	})
}

func TestJoinersNameIsTheAccountsUnlessOneIsSent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		ada := s.person(t, "ada@example.org")
		ada.Name = "Ada Kovač"
		long := strings.Repeat("é", 100)
		for i, c := range []struct{ sent, want string }{{"null", "Ada Kovač"}, {`"  "`, "Ada Kovač"}, {`"` + long + `"`, long}} {
			title := fmt.Sprint("Course ", i)
			body := fmt.Sprintf(`{"user_id":%q,"course_title":%q,"email":%q,"name":%s}`, ada.UserID, title, ada.Email, c.sent)
			resttest.Call(t, s.api, ada, "POST", "/course_waitlist", body).Want(t, http.StatusCreated, "")
			if n := s.count(t, "select count(*) from course_waitlist where course_title = $1 and name = $2", title, c.want); n != 1 {
				t.Errorf("%s: the name is not %s", c.sent, c.want)
			}
		}
		body := fmt.Sprintf(`{"user_id":%q,"course_title":"X","email":%q,"name":%q}`, ada.UserID, ada.Email, long+"é")
		resttest.Call(t, s.api, ada, "POST", "/course_waitlist", body).Want(t, http.StatusBadRequest, "23514")
	})
}

func TestJoinersNameMayBeAbsentAndItsCourseUnknown(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		ada := s.person(t, "ada@example.org")
		resttest.Call(t, s.api, ada, "POST", `/course_waitlist?columns="user_id","course_title","email"`, "["+join(ada, "A Course of Tomorrow")+"]").
			Want(t, http.StatusCreated, "")
		rows := resttest.Call(t, s.api, ada, "GET", "/course_waitlist", "").Rows(t)
		if len(rows) != 1 || rows[0]["name"] != nil || rows[0]["course_id"] != nil {
			t.Errorf("the list has %v", rows)
		}
	})
}

func TestOldestCourseOfATitleIsTheOneWaitedFor(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		ada := s.person(t, "ada@example.org")
		resttest.Call(t, s.api, s.admin, "POST", "/courses", `{"title":"Documentary Filmmaking","instructor":"I","duration":"1 week","category":"AI Tools",`+
			`"thumbnail":"/a.webp","description":"D","lessons":1,"level":"Beginner","rating":5}`).Want(t, http.StatusCreated, "")
		resttest.Call(t, s.api, ada, "POST", "/course_waitlist", join(ada, "Documentary Filmmaking")).Want(t, http.StatusCreated, "")
		if rows := resttest.Call(t, s.api, ada, "GET", "/course_waitlist", "").Rows(t); rows[0]["course_id"] != id.Named("course documentary-filmmaking") {
			t.Errorf("waits for %v", rows[0]["course_id"])
		}
	})
}

func TestJoinTwiceIsADuplicate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		ada := s.person(t, "ada@example.org")
		resttest.Call(t, s.api, ada, "POST", "/course_waitlist", join(ada, "Documentary Filmmaking")).Want(t, http.StatusCreated, "")
		again := resttest.Call(t, s.api, ada, "POST", "/course_waitlist", join(ada, "Documentary Filmmaking")).Want(t, http.StatusConflict, "23505")
		if want := `duplicate key value violates unique constraint "course_waitlist_user_id_course_title_key"`; again.Message() != want {
			t.Errorf("the message is %q", again.Message())
		}
		if n := s.letters(t, "waitlist-joined"); n != 1 {
			t.Errorf("%d letters", n)
		}
	})
}

func TestFiftyJoinsAtOnceAreOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		ada := s.person(t, "ada@example.org")
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				answer := resttest.Call(t, s.api, ada, "POST", "/course_waitlist", join(ada, "Documentary Filmmaking"))
				if answer.Status != http.StatusCreated && answer.Code() != "23505" {
					t.Errorf("answered %d %s", answer.Status, answer.Body)
				}
			})
		}
		wait.Wait()
		if n, letters := s.count(t, "select count(*) from course_waitlist"), s.letters(t, "waitlist-joined"); n != 1 || letters != 1 {
			t.Errorf("%d rows, %d letters", n, letters)
		}
	})
}

func TestJoinForSomebodyElseIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		ada, bob := s.person(t, "ada@example.org"), s.person(t, "bob@example.org")
		asBob := join(bob, "Documentary Filmmaking")
		resttest.Call(t, s.api, ada, "POST", "/course_waitlist", asBob).Want(t, http.StatusForbidden, "42501")
		resttest.Call(t, s.api, s.admin, "POST", "/course_waitlist", asBob).Want(t, http.StatusForbidden, "42501")
		resttest.Call(t, s.api, resttest.Stranger, "POST", "/course_waitlist", asBob).Want(t, http.StatusUnauthorized, "42501")
		// Under one's own id, but with somebody else's address.
		resttest.Call(t, s.api, ada, "POST", "/course_waitlist", strings.Replace(join(ada, "X"), "ada@", "bob@", 1)).Want(t, http.StatusForbidden, "42501")
		for _, blank := range []string{"", "  ", strings.Repeat("é", 201)} {
			resttest.Call(t, s.api, ada, "POST", "/course_waitlist", join(ada, blank)).Want(t, http.StatusBadRequest, "23514")
		}
		if n := s.count(t, "select count(*) from course_waitlist"); n != 0 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestEntriesAreSeenAndRemovedByTheirOwnerAndAdmins(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		ada, bob := s.person(t, "ada@example.org"), s.person(t, "bob@example.org")
		resttest.Call(t, s.api, ada, "POST", "/course_waitlist", join(ada, "Documentary Filmmaking")).Want(t, http.StatusCreated, "")
		s.register(t, "Cleo", "cleo@example.org").Want(t, http.StatusCreated, "")
		for _, c := range []struct {
			who  who.Actor
			sees int
		}{{resttest.Stranger, 0}, {bob, 0}, {ada, 1}, {s.admin, 2}} {
			if rows := resttest.Call(t, s.api, c.who, "GET", "/course_waitlist?order=created_at.desc", "").Rows(t); len(rows) != c.sees {
				t.Errorf("sees %v", rows)
			}
		}
		for _, other := range []who.Actor{resttest.Stranger, bob} {
			resttest.Call(t, s.api, other, "DELETE", "/course_waitlist?email=neq.x", "").Want(t, http.StatusNoContent, "")
		}
		resttest.Call(t, s.api, ada, "DELETE", "/course_waitlist?email=neq.x", "").Want(t, http.StatusNoContent, "")
		if n := s.count(t, "select count(*) from course_waitlist"); n != 1 {
			t.Errorf("%d rows are left", n)
		}
		resttest.Call(t, s.api, s.admin, "DELETE", "/course_waitlist?email=eq.cleo@example.org", "").Want(t, http.StatusNoContent, "")
		s.spots(t, 0, 0, 12)
		resttest.Call(t, s.api, s.admin, "PATCH", "/course_waitlist?email=neq.x", `{"name":"x"}`).Want(t, http.StatusForbidden, "42501")
	})
}

func TestDeletedCourseKeepsItsWaitingPeople(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		ada := s.person(t, "ada@example.org")
		resttest.Call(t, s.api, ada, "POST", "/course_waitlist", join(ada, "Documentary Filmmaking")).Want(t, http.StatusCreated, "")
		resttest.Call(t, s.api, s.admin, "DELETE", "/courses?title=eq."+url.QueryEscape("Documentary Filmmaking"), "").Want(t, http.StatusNoContent, "")
		rows := resttest.Call(t, s.api, ada, "GET", "/course_waitlist", "").Rows(t)
		if len(rows) != 1 || rows[0]["course_id"] != nil {
			t.Errorf("the list has %v", rows)
		}
	})
}

// catalogTitles are titles of our own courses.
func (s *stage) catalogTitles(t *testing.T, n int) (titles []string) {
	t.Helper()
	err := s.d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select title from courses order by id limit $1", []any{n}, func(scan func(...any) error) error {
			var one string
			err := scan(&one)
			titles = append(titles, one)
			return err
		})
	})
	if err != nil || len(titles) != n {
		t.Fatalf("%d titles, %v", len(titles), err)
	}
	return titles
}

func TestJoinsOfAMinuteAreBounded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := openWith(t, d, limit.New(limit.Options{DB: d, Secret: []byte("test")}))
		ada, bob := s.person(t, "ada@example.org"), s.person(t, "bob@example.org")
		var rows []string
		for i := range 60 {
			rows = append(rows, join(ada, fmt.Sprint("Course ", i)))
		}
		resttest.Call(t, s.api, ada, "POST", "/course_waitlist", "["+strings.Join(rows, ",")+"]").Want(t, http.StatusCreated, "")
		refused := resttest.Call(t, s.api, ada, "POST", "/course_waitlist", join(ada, "Documentary Filmmaking")).Want(t, http.StatusTooManyRequests, "PT429")
		if refused.Header.Get("Retry-After") == "" || s.count(t, "select count(*) from course_waitlist") != 60 {
			t.Errorf("Retry-After is %q", refused.Header.Get("Retry-After"))
		}
		resttest.Call(t, s.api, bob, "POST", "/course_waitlist", join(bob, "Documentary Filmmaking")).Want(t, http.StatusCreated, "")
	})
}

func TestVeryManyJoinsStayButAreNotAllConfirmedByMail(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := openWith(t, d, limit.New(limit.Options{DB: d, Secret: []byte("test")}))
		ada := s.person(t, "ada@example.org")
		for _, course := range s.catalogTitles(t, 25) {
			resttest.Call(t, s.api, ada, "POST", "/course_waitlist", join(ada, course)).Want(t, http.StatusCreated, "")
		}
		if rows, letters := s.count(t, "select count(*) from course_waitlist"), s.letters(t, "waitlist-joined"); rows != 25 || letters != 20 {
			t.Errorf("%d rows, %d letters", rows, letters)
		}
	})
}

func TestTitleThatIsNotOursStandsInNoLetter(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		ada := s.person(t, "ada@example.org")
		for _, typed := range []string{
			"your card was charged, cancel at https://evil.example", "Documentary Filmmaking – cancel at evil.example", "documentary filmmaking", title,
		} {
			resttest.Call(t, s.api, ada, "POST", "/course_waitlist", join(ada, typed)).Want(t, http.StatusCreated, "")
		}
		rows := resttest.Call(t, s.api, ada, "GET", "/course_waitlist", "").Rows(t)
		if letters := s.count(t, "select count(*) from outbox"); len(rows) != 4 || letters != 0 {
			t.Errorf("%d rows, %d letters", len(rows), letters)
		}
	})
}

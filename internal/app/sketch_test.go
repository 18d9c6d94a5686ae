package app_test

import (
	"context"
	"fmt"
	"net/url"
	"testing"
	"time"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// fill adds people who wait for a course, one each second.
func fill(t *testing.T, d *db.DB, first, count int) {
	t.Helper()
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		for i := first; i < first+count; i++ {
			_, err := tx.Exec(ctx, "insert into course_waitlist (id, course_title, email, name, created_at) values ($1, $2, $3, $4, $5)",
				id.New(), fmt.Sprintf("Course %d", i%7), fmt.Sprintf("p%d.q%d@example.org", i, i*i), fmt.Sprintf("Name%dX", i*31), db.At(began.Add(time.Duration(i)*time.Second)))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func change(t *testing.T, d *db.DB, statement string, args ...any) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, statement, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A search in a long list finds the same with sketches and without, whatever changes.
func TestALongListIsSearchedBySketches(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		_, token := s.Admin(t, "ada@example.com")
		fill(t, s.DB(), 0, 3000)
		search := func(text string, more ...string) string {
			t.Helper()
			query := url.Values{"select": {"email,name"}, "order": {"created_at.desc,id"}, "limit": {"20"}}
			query.Set("or", fmt.Sprintf(`(course_title.ilike."*%[1]s*",email.ilike."*%[1]s*",name.ilike."*%[1]s*")`, text))
			for i := 0; i+1 < len(more); i += 2 {
				query.Add(more[i], more[i+1])
			}
			got := s.Do(t, "GET", "/rest/v1/course_waitlist?"+query.Encode(), token, "")
			if got.Status != 200 {
				t.Fatalf("%s: %d %s", text, got.Status, got.Body)
			}
			return got.Body
		}
		questions := []string{"p1234.", "P1234.Q", "example.org", "name31x", "e9", "nobody at all", "q4000000@", "_", "1x"}
		same := func(when string, before map[string]string) {
			t.Helper()
			for text, want := range before {
				if got := search(text); got != want {
					t.Errorf("%s, %q finds %s, want %s", when, text, got, want)
				}
			}
		}
		before := map[string]string{}
		for _, text := range questions {
			before[text] = search(text)
		}
		if err := s.Sketch(t.Context()); err != nil {
			t.Fatal(err)
		}
		same("with sketches", before)

		// A row that was changed without its sketch is not found, for nobody looks at it: that is what sketches are for.
		drop := map[db.Engine]string{
			db.SQLite:   "drop trigger course_waitlist_sketch_update",
			db.Postgres: "alter table course_waitlist disable trigger course_waitlist_sketch",
		}
		change(t, s.DB(), drop[s.DB().Engine])
		change(t, s.DB(), "update course_waitlist set name = 'Zebra' where email like 'p77.%'")
		if got := search("zebra"); got != "[]" {
			t.Errorf("all rows were looked at: %s", got)
		}
		if s.DB().Engine == db.Postgres {
			change(t, s.DB(), "alter table course_waitlist enable trigger course_waitlist_sketch")
		}
		change(t, s.DB(), "delete from course_waitlist where email like 'p77.%'") // and with it the sketch
		change(t, s.DB(), "insert into course_waitlist (id, course_title, email, created_at) values ($1, 'Old', 'giraffe@example.org', $2)",
			id.New(), db.At(time.Date(2026, 1, 1, 0, 20, 0, 0, time.UTC)))
		fill(t, s.DB(), 3000, 700)
		for _, when := range []string{"after changes", "with new sketches"} {
			for text, want := range map[string]string{
				"GIRAFFE@": `[{"email":"giraffe@example.org","name":null}]`, "p3600.": `[{"email":"p3600.q12960000@example.org","name":"Name111600X"}]`, "p77.": "[]",
			} {
				if got := search(text); got != want {
					t.Errorf("%s, %q finds %s", when, text, got)
				}
			}
			if err := s.Sketch(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := search("p1234.", "course_title", "eq.Course 3"); got != "[]" && got != before["p1234."] {
			t.Errorf("with another condition: %s", got)
		}
	})
}

// A row that is being written while its time is sketched is found afterwards.
func TestASketchWaitsForThoseWhoWrite(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		_, token := s.Admin(t, "ada@example.com")
		fill(t, s.DB(), 0, 1200)
		written, sketched := make(chan struct{}), make(chan error, 1)
		go func() {
			<-written
			sketched <- s.Sketch(t.Context())
		}()
		err := s.DB().Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "insert into course_waitlist (id, course_title, email, created_at) values ($1, 'Old', 'giraffe@example.org', $2)",
				id.New(), db.At(time.Date(2026, 1, 1, 0, 5, 0, 0, time.UTC)))
			close(written)
			select { // who does not wait is done by then
			case err := <-sketched:
				sketched <- err
			case <-time.After(300 * time.Millisecond):
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-sketched; err != nil {
			t.Fatal(err)
		}
		got := s.Do(t, "GET", "/rest/v1/course_waitlist?select=email&order=created_at.desc&limit=20&email=ilike.*giraffe*", token, "")
		if got.Body != `[{"email":"giraffe@example.org"}]` {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	})
}

// A row is found by what it is now, and where it is now, whatever its sketch was made of.
func TestAChangedRowIsFoundByWhatItIsNow(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		_, token := s.Admin(t, "ada@example.com")
		fill(t, s.DB(), 0, 3000)
		change(t, s.DB(), `insert into course_recommendations (id, kind, user_id, course_title, course_description, email, created_at)
			select id, 'recommendation', (select id from users limit 1), course_title, 'Text', email, created_at from course_waitlist`)
		for i, c := range []struct{ table, column string }{
			{"course_waitlist", "course_title"},
			{"course_waitlist", "email"},
			{"course_waitlist", "name"},
			{"course_recommendations", "course_title"},
			{"course_recommendations", "course_description"},
			{"course_recommendations", "instructor_name"},
			{"course_recommendations", "email"},
		} {
			if err := s.Sketch(t.Context()); err != nil {
				t.Fatal(err)
			}
			word := fmt.Sprintf("zebra%d@example.org", i)
			change(t, s.DB(), fmt.Sprintf("update %s set %s = '%s' where email like 'p%d.%%'", c.table, c.column, word, 700+i))
			search := fmt.Sprintf("/rest/v1/%s?select=%s&order=created_at.desc&limit=20&%[2]s=ilike.*zebra%d*", c.table, c.column, i)
			want := fmt.Sprintf(`[{"%s":"%s"}]`, c.column, word)
			for _, when := range []time.Time{{}, time.Date(2026, 1, 1, 0, 40, 0, 0, time.UTC)} {
				if !when.IsZero() { // it goes to another time, whose sketch knows nothing of it
					if err := s.Sketch(t.Context()); err != nil {
						t.Fatal(err)
					}
					change(t, s.DB(), fmt.Sprintf("update %s set created_at = $1 where %s = '%s'", c.table, c.column, word), db.At(when))
				}
				if got := s.Do(t, "GET", search, token, ""); got.Body != want {
					t.Errorf("%s by %s, moved %v: %d %s", c.table, c.column, !when.IsZero(), got.Status, got.Body)
				}
			}
		}
	})
}

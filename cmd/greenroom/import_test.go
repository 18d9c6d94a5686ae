package main

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

const theirPassword = "a fine long secret"

// dumped makes a project in a PostgreSQL of its own, and gives the dump that PostgreSQL's own program makes of it.
func dumped(t *testing.T, how ...string) string {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte(theirPassword), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	address, err := url.Parse(dbtest.Location(t, db.Postgres).URL)
	if err != nil {
		t.Fatal(err)
	}
	// What our driver knows in an address, these programs do not.
	query := address.Query()
	query.Del("lock_timeout")
	query.Del("statement_timeout")
	address.RawQuery = query.Encode()
	theirs := address.String()
	schema, file := filepath.Join(folder, "schema.sql"), filepath.Join(folder, "dump.sql")
	text := strings.ReplaceAll(read(t, "cmd/greenroom/testdata/supabase.sql"), "HASH", string(hash))
	if err := os.WriteFile(schema, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*exec.Cmd{
		exec.CommandContext(t.Context(), postgres(t, "psql"), "-qX", "-v", "ON_ERROR_STOP=1", "-f", schema, theirs),
		exec.CommandContext(t.Context(), postgres(t, "pg_dump"), append(how, "-f", file, theirs)...),
	} {
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return file
}

// postgres finds one of its programs, where Debian has them.
func postgres(t *testing.T, program string) string {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + program)
	if len(found) > 0 {
		return found[len(found)-1]
	}
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// moved are what of the project must be here, by a query and its one number.
var moved = map[string]int{
	"select count(*) from users where id = 'a0000000-0000-4000-8000-000000000001' and email = 'ada@example.com' and email_proven_at is not null": 1,
	"select count(*) from users where email like '%@example.com'":                                                                                2,
	"select count(*) from users where user_metadata like '%the Countess%' and user_metadata like '%Lovelace%'":                                   1,
	"select count(*) from identities where provider = 'google' and provider_id = '1234567' and user_id = 'a0000000-0000-4000-8000-000000000001'": 1,
	"select count(*) from user_roles": 1,
	"select count(*) from courses where title = 'It''s a Start: Storyboards' and description = 'First line.\nSecond\tline; with \\ and '');' and coming_soon and rating between 4.75 and 4.85": 1,
	"select count(*) from courses": 29,
	"select count(*) from saved_courses where user_id = 'a0000000-0000-4000-8000-000000000001'":                             1,
	"select count(*) from course_waitlist where course_id = 'c0000000-0000-4000-8000-000000000001' and user_id is not null": 1,
	"select count(*) from course_waitlist where spot = 1 and email_key = 'visitor@example.com'":                             1,
	"select count(*) from course_waitlist":                                                                     2,
	"select count(*) from workshops where spots_left = 11":                                                     1,
	"select count(*) from course_recommendations where kind = 'contact' and course_description = 'Two\nlines'": 1,
	"select count(*) from course_recommendations":                                                              2,
	"select count(*) from course_recommendations r where not exists (select 1 from users u where u.id = r.user_id) and user_id <> '00000000-0000-0000-0000-000000000000'": 0,
	"select count(*) from outbox": 0,
	"select count(*) from users where app_metadata like '%google%' and id = 'a0000000-0000-4000-8000-000000000001'": 1,
	"select count(*) from users where banned_until is not null and id = 'a0000000-0000-4000-8000-000000000002'":     1,
}

func (p place) holds(t *testing.T, after string, all map[string]int) {
	t.Helper()
	err := p.database(t).Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		for query, want := range all {
			var got int
			if err := tx.QueryRow(ctx, query).Scan(&got); err != nil {
				return err
			}
			if got != want {
				t.Errorf("%s: %s: %d instead of %d", after, query, got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestASupabaseProjectMovesIn(t *testing.T) {
	t.Parallel()
	for name, how := range map[string][]string{
		"whole": nil, "data": {"--data-only"}, "inserts": {"--data-only", "--column-inserts", "--rows-per-insert=3", "--quote-all-identifiers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := dumped(t, how...)
			eachPlace(t, func(t *testing.T, p place) {
				p.must(t, "migrate")
				p.must(t, "keys", "show") // the first start puts the catalog in
				said, complained, ok := p.run(t, "import", "supabase", "--dry-run", file)
				if ok || !strings.Contains(complained, "5 rows stayed out") || !strings.Contains(said, "public.saved_courses: its account is not here\n") || !strings.Contains(said, "nothing was stored") {
					t.Fatalf("dry run: %v %s %s", ok, said, complained)
				}
				p.holds(t, "after a dry run", map[string]int{"select count(*) from users": 0, "select count(*) from courses": 28, "select count(*) from course_recommendations": 0})
				first, complained, _ := p.run(t, "import", "supabase", file)
				if !strings.Contains(complained, "5 rows stayed out") {
					t.Fatalf("%s %s", first, complained)
				}
				for _, part := range []string{
					"auth.users: Unable to validate email address: invalid format\n", "public.courses: Level", "no workshop is called \"A Workshop of Theirs\"\n",
					"nobody has confirmed the address of this admin", " of the people who came in had confirmed their address there.",
				} {
					if !strings.Contains(first, part) {
						t.Errorf("%q is not in:\n%s", part, first)
					}
				}
				p.holds(t, "after the first", moved)
				if second, complained, _ := p.run(t, "import", "supabase", file); !strings.Contains(complained, "5 rows stayed out") {
					t.Errorf("the second time: %s %s", second, complained)
				}
				p.holds(t, "after the second", moved)
				p.must(t, "admin", "revoke", "ada@example.com")
				p.run(t, "import", "supabase", file)
				p.holds(t, "after somebody was made no admin", map[string]int{"select count(*) from user_roles": 0})
				if name == "whole" {
					signsIn(t, p)
				}
			})
		})
	}
}

// signsIn lets an imported person sign in with the password that they had.
func signsIn(t *testing.T, p place) {
	t.Helper()
	server := p.serve(t)
	body := strings.NewReader(`{"email":"ada@example.com","password":"` + theirPassword + `"}`)
	r, _ := http.NewRequestWithContext(t.Context(), "POST", server.url+"/auth/v1/token?grant_type=password", body)
	r.Header.Set("Apikey", "sb_publishable_of_the_tests")
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != 200 {
		t.Errorf("signing in: %d", answer.StatusCode)
	}
	server.stop(t)
}

func TestWhatIsNoDumpIsNamed(t *testing.T) {
	t.Parallel()
	p := newPlace(t, db.SQLite)
	p.must(t, "migrate")
	file := filepath.Join(t.TempDir(), "dump.sql")
	for text, want := range map[string]string{
		"PGDMP\x01\x02": "none of these tables",
		"COPY public.course_waitlist (id, email) FROM stdin;\nx\ty\tz\n\\N\tv@example.com\n\\.\n":                          "2 rows stayed out",
		"COPY public.courses (id, title) FROM stdin;\nx\ty\n":                                                              "not read beyond line 3",
		"INSERT INTO public.courses (id) VALUES ('x', 'y');\n":                                                             "not read beyond line 1",
		"INSERT INTO public.courses (id) VALUES\n\t('x',":                                                                  "not read beyond line 2",
		"INSERT INTO public.courses VALUES ('x');\n":                                                                       "--column-inserts",
		"INSERT INTO public.course_recommendations (user_id, course_title, email) VALUES (NULL, 'it''s', 'v@example.com')": "",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if said, complained, ok := p.run(t, "import", "supabase", file); ok != (want == "") || !strings.Contains(complained, want) {
			t.Errorf("%q: %v %s %s", text, ok, said, complained)
		}
	}
}

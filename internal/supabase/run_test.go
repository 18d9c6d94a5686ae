package supabase

import (
	"context"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/waitlist"
)

// TestADumpThatCannotBeReadToItsEndStaysOutWhole has an account before what cannot be read, which would come in.
func TestADumpThatCannotBeReadToItsEndStaysOutWhole(t *testing.T) {
	t.Parallel()
	const good = "INSERT INTO auth.users (id, email) VALUES ('a0000000-0000-4000-8000-000000000001', 'ada@example.com');\n"
	const course = "INSERT INTO public.course_recommendations (course_title, email) VALUES\n"
	for name, c := range map[string]struct{ dump, beyond string }{
		"a value":          {good + course + "\t('a', 'a@example.com'),\n\t('b', 'x'::text),\n\t('c', 'c@example.com');\n", "line 4:"},
		"a call":           {good + course + "\t('a', now()),\n\t('c', 'c@example.com');\n", "line 3:"},
		"another table":    {good + "INSERT INTO public.notes (a) VALUES ('x'::text);\n", "line 2:"},
		"a long line":      {good + "COPY public.notes (a) FROM stdin;\n" + strings.Repeat("x", mostLine+1<<17) + "\n\\.\n", "line 3:"},
		"no end of a text": {good + course + "\t('a', 'a@example.com);\n", "line 3:"},
		"no end of a COPY": {good + "COPY public.courses (id, title) FROM stdin;\nx\ty\n", "line 4:"},
		"no end of a body": {good + "CREATE FUNCTION f() AS $_$\n", "line 2:"},
	} {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			i := Import{DB: d, Out: func(string, int, error) {}}
			counts, err := i.Run(t.Context(), strings.NewReader(c.dump))
			if err == nil || !strings.Contains(err.Error(), "not read beyond "+c.beyond) {
				t.Errorf("%s: %+v %v", name, counts, err)
			}
			err = d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				var n int
				err := tx.QueryRow(ctx, "select count(*) from users").Scan(&n)
				if n != 0 {
					t.Errorf("%s: %d came in", name, n)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestSpotsGoToThoseWhoRegisteredFirst has the last of them stand first in the dump, and more than there are spots.
func TestSpotsGoToThoseWhoRegisteredFirst(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, `insert into workshops (id, title, host, about, learn, date_text, time_text, duration_minutes, spots, spots_left, created_at)
				values ('b0000000-0000-4000-8000-000000000001', 'W', '', '', '', '', '', 45, 2, 2, $1)`, db.At(tx.Now))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		const dump = `COPY public.course_waitlist (course_title, email, created_at) FROM stdin;
W	third@example.com	2026-03-03 10:00:00+00
W	second@example.com	2026-03-02 10:00:00+00
W	unknown@example.com	\N
W	first@example.com	2026-03-01 10:00:00+00
\.
`
		i := Import{DB: d, Lists: &waitlist.Lists{}, Out: func(_ string, line int, why error) { t.Errorf("line %d: %v", line, why) }}
		if _, err := i.Run(t.Context(), strings.NewReader(dump)); err != nil {
			t.Fatal(err)
		}
		var got []string
		err = d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return db.Each(ctx, tx, "select email from course_waitlist where spot is not null order by spot", nil, func(scan func(...any) error) error {
				var one string
				err := scan(&one)
				got = append(got, one)
				return err
			})
		})
		if err != nil || strings.Join(got, " ") != "first@example.com second@example.com" {
			t.Errorf("%q %v", got, err)
		}
	})
}

// TestOnlyRowsOfIdentitiesNameAProvider has three accounts of which one alone has been proven by a provider.
func TestOnlyRowsOfIdentitiesNameAProvider(t *testing.T) {
	t.Parallel()
	const dump = `COPY auth.users (id, email, email_confirmed_at, raw_app_meta_data) FROM stdin;
a0000000-0000-4000-8000-000000000001	ada@example.com	2026-03-01 10:00:00+00	{"provider": "google", "providers": ["google"], "role": "admin"}
a0000000-0000-4000-8000-000000000002	bob@example.com	2026-03-01 10:00:00+00	{"provider": "email", "providers": ["email"]}
a0000000-0000-4000-8000-000000000003	eve@example.com	\N	{"provider": "github", "providers": ["github"]}
\.
COPY auth.identities (provider, provider_id, user_id, identity_data) FROM stdin;
google	1234567	a0000000-0000-4000-8000-000000000002	{"sub": "1234567"}
\.
`
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		i := Import{DB: d, Out: func(_ string, line int, why error) { t.Errorf("line %d: %v", line, why) }}
		counts, err := i.Run(t.Context(), strings.NewReader(dump))
		if err != nil || counts[0].Added != 3 || counts[0].Confirmed != 2 {
			t.Errorf("%+v %v", counts, err)
		}
		if again, err := i.Run(t.Context(), strings.NewReader(dump)); err != nil || again[0].Confirmed != 0 {
			t.Errorf("again: %+v %v", again, err)
		}
		err = d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			for query, want := range map[string]int{
				"select count(*) from identities where provider <> 'email'":                                                      1,
				"select count(*) from identities where provider = 'google' and user_id = 'a0000000-0000-4000-8000-000000000002'": 1,
				"select count(*) from users where app_metadata like '%google%'":                                                  1,
				"select count(*) from users where app_metadata like '%github%' or app_metadata like '%admin%'":                   0,
				"select count(*) from users where app_metadata like '%google%' and id = 'a0000000-0000-4000-8000-000000000002'":  1,
			} {
				var got int
				if err := tx.QueryRow(ctx, query).Scan(&got); err != nil {
					return err
				}
				if got != want {
					t.Errorf("%s: %d", query, got)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

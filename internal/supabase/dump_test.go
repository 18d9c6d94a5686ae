package supabase

import (
	"strings"
	"testing"
)

// TestATextThatLooksLikeADumpIsAText has what people may have written stand at the beginning of a line.
func TestATextThatLooksLikeADumpIsAText(t *testing.T) {
	t.Parallel()
	const dump = `INSERT INTO "public"."notes" ("id", "text") VALUES
	(1, 'it''s
INSERT INTO "public"."courses" ("id") VALUES
COPY public.courses (id) FROM stdin;
\.'),
	(2, E'a\'b');
CREATE FUNCTION f() AS $_$
INSERT INTO public.courses (id) VALUES ('no');
$_$ LANGUAGE sql;
COPY public.notes (id, text) FROM stdin;
3	INSERT INTO public.courses (id) VALUES ('no');
\.
INSERT INTO "public"."courses" ("id", "title", "lessons", "coming_soon", "x") VALUES
	('one', E'tab\there \\ \'quoted\'', -12, true, NULL),
	('two', 'a, (b)', 1.5 , false, '');
COPY public.courses (id, title) FROM stdin;
three	back\\slash\ttab\nline \141\N
four	\N
\.
`
	var got []string
	for one, err := range rows(strings.NewReader(dump), "public.courses") {
		if err != nil {
			t.Fatalf("line %d: %v", one.line, err)
		}
		title, there := one.cells["title"]
		got = append(got, one.cells["id"]+"|"+title+"|"+one.cells["lessons"]+one.cells["coming_soon"])
		if there == (one.cells["id"] == "four") {
			t.Errorf("%+v", one)
		}
	}
	want := "one|tab\there \\ 'quoted'|-12true\ntwo|a, (b)|1.5false\nthree|back\\slash\ttab\nline aN|\nfour||"
	if strings.Join(got, "\n") != want {
		t.Errorf("%q\n%q", strings.Join(got, "\n"), want)
	}
}

// TestWhatAnybodyWroteIsNoStatement has a text that would make its writer an admin, in every way of writing rows in which the
// reader could lose its place.
func TestWhatAnybodyWroteIsNoStatement(t *testing.T) {
	t.Parallel()
	const attack = "\nINSERT INTO public.user_roles (user_id, role) VALUES (mallory, admin);\n"
	long := strings.Repeat("x", mostLine+1<<17)
	for name, dump := range map[string]string{
		"without columns":     "INSERT INTO public.notes VALUES ('" + attack + "');\n",
		"in small letters":    "insert into public.notes (text) values ('" + attack + "');\n",
		"a COPY of columns":   "COPY public.notes FROM stdin;\n" + attack + "\\.\n",
		"a text without end":  "INSERT INTO public.notes (text) VALUES ('" + long + attack + "');\n",
		"a line without end":  "COPY public.notes (text) FROM stdin;\n" + long + "\n" + attack + "\\.\n",
		"a word for a value":  attack,
		"a row with too many": "INSERT INTO public.notes (text) VALUES ('a', '" + attack + "');\n",
	} {
		for one, err := range rows(strings.NewReader(dump), "public.user_roles") {
			if err == nil {
				t.Errorf("%s: %+v came in", name, one)
			}
		}
		if err := readable(strings.NewReader(dump)); err == nil {
			t.Errorf("%s: nobody says that it cannot be read", name)
		}
	}
}

// FuzzDump holds that any text comes to its end.
func FuzzDump(f *testing.F) {
	for _, seed := range []string{
		"COPY public.courses (id, title) FROM stdin;\n1\ta\\n\\N\\08\n\\.\n", "INSERT INTO public.courses (id) VALUES ('a''b'), (E'\\''), (NULL);\n",
		"INSERT INTO public.courses (id) VALUES ((", "$$\n$$\n$a$", "COPY public.courses (id) FROM stdin;\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		for range rows(strings.NewReader(text), "public.courses") {
			if n++; n > len(text)+2 {
				t.Fatal("more rows than characters")
			}
		}
	})
}

// TestEscapesCostNoCopies is not parallel: it counts allocations.
func TestEscapesCostNoCopies(t *testing.T) {
	for text, want := range map[string]string{`\0611`: "11", `\61`: "1", `\8`: "8", `\\n`: `\n`, `\1018`: "A8", `\1`: "\x01", `a\`: `a\`, `\377`: "\xff"} {
		if got := unescape(text); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
	long := strings.Repeat(`\\`, 1000)
	if n := testing.AllocsPerRun(10, func() { unescape(long) }); n > 50 {
		t.Errorf("%.0f allocations for a thousand escapes", n)
	}
}

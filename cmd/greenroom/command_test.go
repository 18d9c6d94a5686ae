package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestHelpNamesEveryCommandAndEachHasAnExample(t *testing.T) {
	t.Parallel()
	p := newPlace(t, db.SQLite)
	all := p.must(t, "help")
	for _, c := range commands() {
		if !strings.Contains(all, "\n  "+c.name+" ") {
			t.Errorf("help does not name %s:\n%s", c.name, all)
		}
		if one := p.must(t, c.name, "--help"); !strings.Contains(one, "For example:\n  "+c.example) || one != p.must(t, "help", c.name) {
			t.Errorf("%s --help:\n%s", c.name, one)
		}
	}
	if said, _, ok := p.run(t); ok || said != all {
		t.Errorf("without a command: %v\n%s", ok, said)
	}
	for line := range strings.Lines(all) {
		if len(strings.TrimRight(line, "\n")) > 80 || strings.Contains(line, "\x1b") {
			t.Errorf("too wide for a terminal, or colors where there is none: %q", line)
		}
	}
}

func TestWrongUseIsOneSentence(t *testing.T) {
	t.Parallel()
	p := newPlace(t, db.SQLite)
	for _, c := range []struct {
		args []string
		said string
	}{
		{[]string{"sreve"}, `greenroom: there is no command "sreve": greenroom help lists them`},
		{[]string{"serve", "now"}, "greenroom: usage: greenroom serve (for example: "},
		{[]string{"admin"}, "greenroom: usage: greenroom admin grant [--unproven] EMAIL"},
		{[]string{"admin", "grant", "nobody@example.com"}, "greenroom: "},
		{[]string{"catalog", "import", "courses.doc"}, "greenroom: "},
		{[]string{"catalog", "import", "absent.csv"}, "greenroom: "},
		{[]string{"keys", "lose"}, "greenroom: usage: greenroom keys"},
		{[]string{"user", "import"}, "greenroom: usage: greenroom user import [--dry-run] FILE"},
		{[]string{"migrate", "down"}, "greenroom: usage: greenroom migrate"},
	} {
		said, complained, ok := p.run(t, c.args...)
		if ok || said != "" || !strings.HasPrefix(complained, c.said) || strings.Count(complained, "\n") != 1 {
			t.Errorf("%v: %v, %q, %q", c.args, ok, said, complained)
		}
	}
}

func TestWrongSettingStopsEveryCommandWithOneSentence(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]string{
		"GREENROOM_CONFIRM_EMIAL=true":                             "greenroom: GREENROOM_CONFIRM_EMIAL is not a setting: the closest one is GREENROOM_CONFIRM_EMAIL\n",
		"GREENROOM_PASSWORD_MIN=3":                                 "greenroom: GREENROOM_PASSWORD_MIN must be a number from 8 to 64, not \"3\"\n",
		"GREENROOM_DATABASE_URL=postgres://u:hidden@db.example/db": "greenroom: GREENROOM_DATABASE_URL must say how the connection to db.example is protected",
	} {
		p := newPlace(t, db.SQLite, setting)
		for _, args := range [][]string{{"serve"}, {"admin", "list"}, {"migrate"}, {"keys", "show"}} {
			_, complained, ok := p.run(t, args...)
			if ok || !strings.HasPrefix(complained, want) || strings.Count(complained, "\n") != 1 || strings.Contains(complained, "hidden") {
				t.Errorf("%s %v: %v, %q", setting, args, ok, complained)
			}
		}
	}
}

func TestCommandsMakeNoInstallationByMistake(t *testing.T) {
	t.Parallel()
	p := newPlace(t, db.SQLite)
	for _, args := range [][]string{{"admin", "grant", "ada@example.com"}, {"admin", "list"}, {"keys", "show"}, {"catalog", "export", "x.csv"}} {
		_, complained, ok := p.run(t, args...)
		if ok || !strings.HasPrefix(complained, "greenroom: there is no Greenroom in ") || !strings.Contains(complained, "GREENROOM_DATA") {
			t.Errorf("%v: %v, %q", args, ok, complained)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	if said := newPlace(t, db.SQLite).must(t, "version"); said != "greenroom dev\n" {
		t.Errorf("%q", said)
	}
}

func TestMigrateOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t, db.SQLite)
	if said := p.must(t, "migrate"); !strings.HasPrefix(said, "Applied 0001") {
		t.Errorf("first: %q", said)
	}
	if said := p.must(t, "migrate"); said != "The schema is up to date.\n" {
		t.Errorf("again: %q", said)
	}
	eachPlace(t, func(t *testing.T, p place) {
		p.must(t, "migrate")
		if said := p.must(t, "migrate"); said != "The schema is up to date.\n" {
			t.Errorf("again: %q", said)
		}
	})
}

// database opens the installation's own, beside its commands.
func (p place) database(t *testing.T) *db.DB {
	t.Helper()
	c, err := config.Load(config.Environment(p.env))
	if err != nil {
		t.Fatal(err)
	}
	at := db.Options{URL: c.DatabaseURL}
	if at.URL == "" {
		at.Path = c.Database()
	}
	return dbtest.Reopen(t, at, clock.System{})
}

func TestAdminsComeAndGo(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		p.must(t, "migrate")
		if said := p.must(t, "admin", "list"); said != "There are no admins yet. Add one with greenroom admin grant EMAIL.\n" {
			t.Errorf("none: %q", said)
		}
		accounttest.Add(t, p.database(t), "ada@example.com")
		if said := p.must(t, "admin", "grant", "ada@example.com"); said != "ada@example.com is an admin now.\n" {
			t.Errorf("grant: %q", said)
		}
		if said := p.must(t, "admin", "list"); !regexp.MustCompile(`^ada@example\.com\tsince \d{4}-\d\d-\d\d\n$`).MatchString(said) {
			t.Errorf("list: %q", said)
		}
		if said := p.must(t, "admin", "revoke", "ada@example.com"); said != "ada@example.com is no longer an admin.\n" {
			t.Errorf("revoke: %q", said)
		}
		if said := p.must(t, "admin", "list"); !strings.HasPrefix(said, "There are no admins yet") {
			t.Errorf("after: %q", said)
		}
	})
}

func TestAnAddressThatNobodyHasProvenMakesNoAdmin(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		d := p.database(t)
		accounttest.Add(t, d, "ada@example.com")
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "update users set email_proven_at = null")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if said, complained, ok := p.run(t, "admin", "grant", "ada@example.com"); ok || said != "" ||
			!strings.Contains(complained, "--unproven") || strings.Count(complained, "\n") != 1 {
			t.Errorf("%v, %q, %q", ok, said, complained)
		}
		if said := p.must(t, "admin", "grant", "--unproven", "ada@example.com"); said != "ada@example.com is an admin now.\n" {
			t.Errorf("grant: %q", said)
		}
		if _, complained, ok := p.run(t, "admin", "revoke", "--unproven", "ada@example.com"); ok || !strings.Contains(complained, "usage") {
			t.Errorf("%v, %q", ok, complained)
		}
	})
}

func TestCatalogueGoesOutAndComesIn(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		p.must(t, "migrate")
		for _, kind := range []string{".csv", ".jsonl"} {
			first, second := filepath.Join(t.TempDir(), "a"+kind), filepath.Join(t.TempDir(), "b"+kind)
			if said := p.must(t, "catalog", "export", first); !strings.HasPrefix(said, "28 courses written to ") {
				t.Errorf("export: %q", said)
			}
			text, err := os.ReadFile(first)
			if err != nil {
				t.Fatal(err)
			}
			about, err := os.Stat(first)
			if err != nil || about.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", about.Mode(), err)
			}
			if said := p.must(t, "catalog", "import", first); !strings.Contains(said, "28 courses") {
				t.Errorf("import: %q", said)
			}
			p.must(t, "catalog", "export", second)
			if again, err := os.ReadFile(second); err != nil || string(again) != string(text) {
				t.Errorf("%s: what came in is not what went out (%v)", kind, err)
			}
		}
	})
}

func TestKeysAreShownAndRotated(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		p.must(t, "migrate")
		before := p.must(t, "keys", "show")
		if !strings.Contains(before, "publishable key (in every page): sb_publishable_of_the_tests\n") || strings.Count(before, "signing key: ") != 1 {
			t.Fatalf("show:\n%s", before)
		}
		if again := p.must(t, "keys", "show"); again != before {
			t.Errorf("the keys of one installation changed:\n%s\n%s", before, again)
		}
		if said := p.must(t, "keys", "rotate"); !strings.HasPrefix(said, "A new key signs") {
			t.Errorf("rotate: %q", said)
		}
		after := p.must(t, "keys", "show")
		if strings.Count(after, "signing key: ") != 2 {
			t.Errorf("after:\n%s", after)
		}
		for line := range strings.Lines(before) {
			if !strings.Contains(after, line) {
				t.Errorf("%q is gone:\n%s", line, after)
			}
		}
	})
}

func TestUsersComeInOnce(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		p.must(t, "migrate")
		file := filepath.Join(t.TempDir(), "users.csv")
		if err := os.WriteFile(file, []byte("email,name\nada@example.com,Ada\ngrace@example.com,Grace\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if said := p.must(t, "user", "import", file); !strings.HasPrefix(said, "2 accounts came in, 0 were here already.\n") {
			t.Errorf("first: %q", said)
		}
		if said := p.must(t, "user", "import", file); !strings.HasPrefix(said, "0 accounts came in, 2 were here already.\n") {
			t.Errorf("again: %q", said)
		}
	})
}

func TestDryRunNamesEveryBrokenLineAndStoresNothing(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		p.must(t, "migrate")
		folder := t.TempDir()
		const row = "T,I,1 week,AI Tools,/a.webp,D,1,Beginner,"
		for _, try := range []struct {
			verb, file, text, said, complained string
		}{
			{
				"catalog", "courses.csv",
				"title,instructor,duration,category,thumbnail,description,lessons,level,rating\n" + row + "4.5\n" + row + "7\nT,I\n" + row + "4.5\n" + row + "four\n",
				"line 3: Rating must be a number from 0 to 5 in steps of 0.1.\nline 4: record on line 4: wrong number of fields\n" +
					"line 6: rating: \"four\" cannot be read: strconv.ParseFloat: parsing \"four\": invalid syntax\n2 courses could come in; nothing was stored.\n",
				"3 courses cannot come in",
			},
			{"catalog", "courses.jsonl", "{\n\n{}\n", "line 1: unexpected EOF\nline 3: Title is required.\n0 courses could come in; nothing was stored.\n", "2 courses cannot come in"},
			{"user", "users.csv", "email\nada@example.com\n?\n", "account 2 of FILE: Unable to validate email address: invalid format\n1 accounts could come in; nothing was stored.\n", "1 accounts cannot come in"},
		} {
			file := filepath.Join(folder, try.file)
			if err := os.WriteFile(file, []byte(try.text), 0o600); err != nil {
				t.Fatal(err)
			}
			said, complained, ok := p.run(t, try.verb, "import", "--dry-run", file)
			if said = strings.ReplaceAll(said, file, "FILE"); ok || said != try.said || !strings.Contains(complained, try.complained) {
				t.Errorf("%s: %v, %q, %q", try.file, ok, said, complained)
			}
		}
		if said := p.must(t, "catalog", "export", filepath.Join(folder, "after.csv")); !strings.HasPrefix(said, "28 courses") {
			t.Errorf("afterwards: %s", said)
		}
	})
}

func TestProgressOfAFileThatGrew(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := &progress{out: &out, things: "courses"}
	p.note(210, 200)
	if want := "\r[==============================] 100 %  210 of 210 courses"; out.String() != want {
		t.Errorf("%q, wanted %q", out.String(), want)
	}
}

func TestProgressIsOneLine(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := &progress{out: &out, things: "courses"}
	for _, done := range []int{0, 100, 100, 200} {
		p.note(done, 200)
	}
	p.end()
	want := "\r[                              ]   0 %  0 of 200 courses\r[===============               ]  50 %  100 of 200 courses" +
		"\r[==============================] 100 %  200 of 200 courses\r" + strings.Repeat(" ", 58) + "\r"
	if out.String() != want {
		t.Errorf("%q, wanted %q", out.String(), want)
	}
}

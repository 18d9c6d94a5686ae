package rest

import (
	"strings"
	"testing"
)

func sample() *Table {
	t := &Table{
		Name: "courses",
		Columns: []Column{
			{Name: "id", Type: UUID},
			{Name: "title", Type: Text, Write: OnInsert | OnUpdate},
			{Name: "lessons", Type: Int, Write: OnInsert},
			{Name: "rating", Type: Float, Write: OnInsert},
			{Name: "coming_soon", Type: Bool, Nullable: true, Write: OnInsert},
			{Name: "created_at", Type: Timestamp},
		},
		Read: All(),
	}
	if err := t.prepare(); err != nil {
		panic(err)
	}
	return t
}

// show writes a condition in one line, so that a table of tests can be read.
func show(c Condition) string {
	var out strings.Builder
	if c.Not {
		out.WriteString("not ")
	}
	if c.Op == And || c.Op == Or {
		parts := make([]string, len(c.Of))
		for i := range c.Of {
			parts[i] = show(c.Of[i])
		}
		return out.String() + string(c.Op) + "(" + strings.Join(parts, "; ") + ")"
	}
	parts := make([]string, len(c.Values))
	for i, v := range c.Values {
		parts[i] = v.(string)
	}
	return out.String() + c.Column + " " + string(c.Op) + " [" + strings.Join(parts, "|") + "]"
}

func TestFiltersAreReadToTheEndOfTheParameter(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"title=eq.a,b.c":                       "title eq [a,b.c]",
		"title=eq.%22x%22":                     `title eq ["x"]`,
		"title=neq.":                           "title neq []",
		"title=not.eq.x":                       "not title eq [x]",
		"title=eq.not.x":                       "title eq [not.x]",
		"title=like.*go*":                      "title like [%go%]",
		`title=like.*a\*b\\*`:                  `title like [%a\*b\\%]`,
		`or=(title.ilike."*\\*\\\\*")`:         `or(title ilike [%\*\\%])`,
		`title=eq.a\*b`:                        `title eq [a\*b]`,
		"title=eq.T%2C+x":                      "title eq [T, x]",
		`title=in.(a,"b,c","d(e)",q"x,sp+ace)`: `title in [a|b,c|d(e)|q"x|sp ace]`,
		`title=in.("a\"b","c\\d")`:             `title in [a"b|c\d]`,
		`title=in.("a"b,c)`:                    `title in ["a"b|c]`,
		"title=in.()":                          "title in []",
		"title=not.in.(1,2)":                   "not title in [1|2]",
		"coming_soon=is.NULL":                  "coming_soon is [null]",
		"coming_soon=not.is.not_null":          "not coming_soon is [not_null]",
		"title=isdistinct.a":                   "title isdistinct [a]",
		"title=like(any).{a*,\"b,c\"}":         "or(title like [a%]; title like [b,c])",
		"lessons=not.gt(all).{1,2}":            "not and(lessons gt [1]; lessons gt [2])",
		"or=(title.ilike.*go*,and(rating.gte.4,rating.lt.5))": "or(title ilike [%go%]; and(rating gte [4]; rating lt [5]))",
		"not.and=(title.eq.a, rating.not.in.(1,2))":           "not and(title eq [a]; not rating in [1|2])",
		`or=(title.eq."a,b)",not.or(title.is.null))`:          "or(title eq [a,b)]; not or(title is [null]))",
		`and=("title".eq.x)`:                                  "and(title eq [x])",
		"or=(title.eq.,title.eq.b)":                           "or(title eq []; title eq [b])",
	} {
		q, err := parseQuery(strings.ReplaceAll(query, " ", "+"))
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		if got := show(q.Where[0]); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

func TestWhatCannotBeReadIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"title=foo":              `PGRST100: "failed to parse filter (foo)" (line 1, column 1)`,
		"title=eq":               `PGRST100: "failed to parse filter (eq)" (line 1, column 1)`,
		"title=not.foo.1":        `PGRST100: "failed to parse filter (not.foo.1)" (line 1, column 5)`,
		"title=in.(a":            `PGRST100: "failed to parse filter (in.(a)" (line 1, column 6)`,
		"title=in.(a)x":          `PGRST100: "failed to parse filter (in.(a)x)" (line 1, column 7)`,
		"title=is.maybe":         `PGRST100: "failed to parse filter (is.maybe)" (line 1, column 4)`,
		"order=created_at.down":  `PGRST100: "failed to parse order (created_at.down)" (line 1, column 12)`,
		"order=a.asc.b":          `PGRST100: "failed to parse order (a.asc.b)" (line 1, column 7)`,
		"order=":                 `PGRST100: "failed to parse order ()" (line 1, column 1)`,
		"select=id,":             `PGRST100: "failed to parse select parameter (id,)" (line 1, column 4)`,
		"or=(id.foo.1)":          `PGRST100: "failed to parse logic tree ((id.foo.1))" (line 1, column 7)`,
		"or=title.eq.a":          `PGRST100: "failed to parse logic tree (title.eq.a)" (line 1, column 3)`,
		"or=()":                  `PGRST100: "failed to parse logic tree (())" (line 1, column 4)`,
		"=eq.1":                  `PGRST100: "failed to parse tree path ()" (line 1, column 1)`,
		"title=fts.go":           "PGRST127: Feature not implemented",
		"title=wfts(english).go": "PGRST127: Feature not implemented",
		"title=cs.{a}":           "PGRST127: Feature not implemented",
		"title=match.^a":         "PGRST127: Feature not implemented",
		"title->>x=eq.1":         "PGRST127: Feature not implemented",
		"select=title::text":     "PGRST127: Feature not implemented",
		"select=rating.avg()":    "PGRST127: Feature not implemented",
		"select=count()":         "PGRST127: Feature not implemented",
		"select=title->x":        "PGRST127: Feature not implemented",
		"select=...other(a)":     "PGRST127: Feature not implemented",
		"courses.title=eq.1":     "PGRST108: 'courses' is not an embedded resource in this request",
		"other.order=a":          "PGRST108: 'other' is not an embedded resource in this request",
		"order=other(a).desc":    "PGRST108: 'other' is not an embedded resource in this request",
		"limit=-1":               "PGRST103: Requested range not satisfiable",
		"title=eq.%00":           `22021: invalid byte sequence for encoding "UTF8": 0x00`,
		"title=eq.%ff":           `22021: invalid byte sequence for encoding "UTF8": 0xff`,
		"title=eq.%zz":           "PGRST100: The query string holds an invalid percent-encoding",
		"or=(and(and(and(and(and(title.eq.a))))))":                           "54001: statement too complex",
		"title=in.(" + strings.Repeat("a,", maxItems) + "a)":                 "54001: statement too complex",
		strings.TrimSuffix(strings.Repeat("title=eq.a&", maxFilters+1), "&"): "54001: statement too complex",
	} {
		_, err := parseQuery(query)
		if err == nil {
			t.Errorf("%.80s: accepted", query)
			continue
		}
		if err.Error() != want {
			t.Errorf("%.80s: got %s, want %s", query, err, want)
		}
	}
}

func TestNamesAndValuesAreCheckedAgainstTheDeclaration(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"nope=eq.1":                "42703: column courses.nope does not exist",
		"select=nope":              "42703: column courses.nope does not exist",
		"select=a:nope":            "42703: column courses.nope does not exist",
		"order=nope":               "42703: column courses.nope does not exist",
		"or=(nope.eq.1)":           "42703: column courses.nope does not exist",
		"nope=eq(any).{}":          "42703: column courses.nope does not exist",
		"id=eq.abc":                `22P02: invalid input syntax for type uuid: "abc"`,
		"id=eq.null":               `22P02: invalid input syntax for type uuid: "null"`,
		"id=in.(abc)":              `22P02: invalid input syntax for type uuid: "abc"`,
		"lessons=gt.1.5":           `22P02: invalid input syntax for type integer: "1.5"`,
		"lessons=gt.99999999999":   `22003: value "99999999999" is out of range for type integer`,
		"rating=gt.abc":            `22P02: invalid input syntax for type numeric: "abc"`,
		"rating=gt.1e999":          `22003: "1e999" is out of range for type double precision`,
		"rating=gt.0x10":           `22P02: invalid input syntax for type numeric: "0x10"`,
		"coming_soon=eq.maybe":     `22P02: invalid input syntax for type boolean: "maybe"`,
		"created_at=gt.abc":        `22007: invalid input syntax for type timestamp with time zone: "abc"`,
		"created_at=gt.2026-13-01": `22008: date/time field value out of range: "2026-13-01"`,
		"title=is.true":            "42804: argument of IS TRUE must be type boolean, not type text",
		"id=like.a*":               "42883: operator does not exist: uuid ~~ unknown",
		`title=like.a\`:            "22025: LIKE pattern must not end with escape character",
		"title=like." + strings.Repeat("a", maxPattern+1): "54001: statement too complex",
		"select=id,lessons(id)":                           "PGRST200: Could not find a relationship between 'courses' and 'lessons' in the schema cache",
	} {
		q, err := parseQuery(query)
		if err == nil {
			err = sample().bind(&q, nil)
		}
		if err == nil {
			t.Errorf("%.80s: accepted", query)
			continue
		}
		if err.Error() != want {
			t.Errorf("%.80s: got %s, want %s", query, err, want)
		}
	}
}

func TestMomentsAreReadInEveryCommonForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-01-02":                       "2026-01-02T00:00:00+00:00",
		"2026-01-02T04:05:06Z":             "2026-01-02T04:05:06+00:00",
		"2026-01-02 04:05":                 "2026-01-02T04:05:00+00:00",
		"2026-01-02T04:05:06.120000+00:00": "2026-01-02T04:05:06.12+00:00",
		"2026-01-02T04:05:06.1234567+02":   "2026-01-02T02:05:06.123457+00:00",
		"2026-01-02 04:05:06-0530":         "2026-01-02T09:35:06+00:00",
	} {
		v, err := parseValue(Timestamp, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		written, _ := appendJSON(nil, Timestamp, v)
		if got := strings.Trim(string(written), `"`); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestGlobFoldsLettersAndKeepsTheRest(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string][2]string{
		`%aÄ_%`:   {`*aÄ?*`, `*[aA][Ää]?*`},
		`50\%*?[`: {`50%[*][?][[]`, `50%[*][?][[]`},
		`a\\b`:    {`a\b`, `[aA]\[bB]`},
	} {
		if got := [2]string{glob(pattern, false), glob(pattern, true)}; got != want {
			t.Errorf("%s: got %v, want %v", pattern, got, want)
		}
	}
}

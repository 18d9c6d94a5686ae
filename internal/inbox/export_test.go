package inbox_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/internal/catalog"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

// sheet reads an exported file as a spreadsheet does.
func sheet(t *testing.T, answer resttest.Answer) []map[string]string {
	t.Helper()
	text, ok := strings.CutPrefix(answer.Body, "\ufeff")
	if answer.Status != http.StatusOK || !ok {
		t.Fatalf("answered %d %.100q", answer.Status, answer.Body)
	}
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func TestExportIsForAdminsOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		for _, c := range []struct {
			who    who.Actor
			status int
		}{{resttest.Stranger, http.StatusUnauthorized}, {ada, http.StatusForbidden}} {
			if answer := k.call(t, c.who, "GET", "export?tab=waitlist", ""); answer.Status != c.status {
				t.Errorf("answered %d", answer.Status)
			}
		}
		for _, tab := range []string{"", "users", "waitlist'"} {
			if answer := k.call(t, admin, "GET", "export?tab="+tab, ""); answer.Status != http.StatusBadRequest {
				t.Errorf("tab %q answered %d", tab, answer.Status)
			}
		}
	})
}

func TestExportIsNamedByTabAndDay(t *testing.T) {
	t.Parallel()
	day := clock.NewManual(time.Date(2025, 11, 27, 23, 30, 0, 0, time.UTC))
	dbtest.EachClock(t, day, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		for _, tab := range []string{"courses", "waitlist", "recommendations", "inquiries"} {
			answer := k.call(t, admin, "GET", "export?tab="+tab, "")
			if want := "attachment; filename=" + tab + "-2025-11-27.csv"; answer.Header.Get("Content-Disposition") != want {
				t.Errorf("the file is %s", answer.Header.Get("Content-Disposition"))
			}
			if answer.Header.Get("Content-Type") != "text/csv; charset=utf-8" || len(sheet(t, answer)) != 0 {
				t.Errorf("%s: %s %q", tab, answer.Header.Get("Content-Type"), answer.Body)
			}
		}
	})
}

func TestMomentsAreQuotedAsAllTextsAre(t *testing.T) {
	t.Parallel()
	moment := clock.NewManual(time.Date(2025, 11, 27, 23, 30, 0, 0, time.UTC))
	dbtest.EachClock(t, moment, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		k.insert(t, ada, row{ada.UserID, "Title", "Message: M", "", ada.Email}).Want(t, http.StatusCreated, "")
		if answer := k.call(t, admin, "GET", "export?tab=recommendations", ""); !strings.Contains(answer.Body, `"2025-11-27T23:30:00Z"`) {
			t.Errorf("exported %s", answer.Body)
		}
	})
}

func TestExportSplitsByKindNewestFirst(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		for i, marker := range []string{"", "Help Center", "Grace Hopper", "Contact: Ada", "Investor Relations", "Corporate Sponsorships"} {
			k.insert(t, ada, row{ada.UserID, fmt.Sprint("Title ", i), "Message: M", marker, ada.Email}).Want(t, http.StatusCreated, "")
		}
		titles := func(tab string) (list []string) {
			for _, row := range sheet(t, k.call(t, admin, "GET", "export?tab="+tab, "")) {
				list = append(list, row["course_title"])
			}
			return list
		}
		if list := titles("recommendations"); !slices.Equal(list, []string{"Title 2", "Title 0"}) {
			t.Errorf("recommendations: %v", list)
		}
		if list := titles("inquiries"); !slices.Equal(list, []string{"Title 5", "Title 4", "Title 3", "Title 1"}) {
			t.Errorf("inquiries: %v", list)
		}
	})
}

func TestSecurity58CellsCannotBecomeFormulas(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		texts := []string{
			"=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠x", "harmless = + - @", `"quoted", "twice"`, "two\nlines", "שלום \U0001F3AD", "'already",
		}
		for _, text := range texts {
			k.insert(t, ada, row{ada.UserID, text, text, "", ada.Email}).Want(t, http.StatusCreated, "")
		}
		rows := sheet(t, k.call(t, admin, "GET", "export?tab=recommendations", ""))
		if len(rows) != len(texts) {
			t.Fatalf("%d rows", len(rows))
		}
		for i, row := range rows {
			text := texts[len(texts)-1-i]
			want := text
			if strings.ContainsAny(text[:1], "=+-@") || strings.ContainsRune("＝＋－＠", []rune(text)[0]) {
				want = "'" + text
			}
			if row["course_title"] != want || row["course_description"] != want {
				t.Errorf("%q became %q", text, row["course_title"])
			}
			if row["instructor_name"] != "" || row["user_id"] != ada.UserID || row["email"] != ada.Email {
				t.Errorf("the row is %v", row)
			}
			if _, err := time.Parse(time.RFC3339Nano, row["created_at"]); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestExportOfCourses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		if err := catalog.New(d, slog.New(slog.DiscardHandler)).Install(t.Context()); err != nil {
			t.Fatal(err)
		}
		rows := sheet(t, k.call(t, admin, "GET", "export?tab=courses", ""))
		if len(rows) != 28 || rows[0]["title"] != "Cinematography Masterclass" || rows[0]["coming_soon"] != "true" ||
			rows[0]["rating"] != "4.7" || rows[0]["launch_at"] != "" || rows[0]["created_at"] != "2025-09-22T09:00:00Z" || rows[27]["coming_soon"] != "false" {
			t.Errorf("%d rows, the first %v", len(rows), rows[0])
		}
	})
}

// fill stores n recommendations, many of them at the same moment.
func fill(t testing.TB, d *db.DB, n int) {
	t.Helper()
	const batch, statement = 3000, 30
	begin := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for from := 0; from < n; from += batch {
		err := d.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
			for first := from; first < min(n, from+batch); first += statement {
				var values []string
				var args []any
				for i := first; i < min(n, first+statement); i++ {
					marks := make([]any, 8)
					for m := range marks {
						marks[m] = len(args) + m + 1
					}
					values = append(values, fmt.Sprintf("($%d,$%d,$%d,$%d,$%d,$%d,$%d,$%d)", marks...))
					args = append(args, id.New(), ada.UserID, fmt.Sprint("Title ", i), "A course about one thing and another, please.", nil,
						"ada@example.org", db.At(begin.Add(time.Duration(i/700)*time.Second)), "recommendation")
				}
				_, err := tx.Exec(ctx, `insert into course_recommendations (id, user_id, course_title, course_description, instructor_name, email, created_at, kind)
					values `+strings.Join(values, ","), args...)
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
}

func TestExportOfManyPagesHasEachRowOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		fill(t, d, 12000)
		rows, seen := sheet(t, k.call(t, admin, "GET", "export?tab=recommendations", "")), map[string]bool{}
		for _, row := range rows {
			seen[row["course_title"]] = true
		}
		if len(rows) != 12000 || len(seen) != 12000 {
			t.Errorf("%d rows, %d different, of 12,000", len(rows), len(seen))
		}
	})
}

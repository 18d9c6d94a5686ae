package admin_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"greenroom/internal/inbox"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
)

// BenchmarkList reads pages of a hundred out of a million messages as the panel does, without the network: the first
// one, those that follow it, and those in the middle of the list.
func BenchmarkList(b *testing.B) {
	const rows = 1_000_000
	boss := resttest.Admin(id.New(), "boss@example.com")
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		b.Run(string(engine), func(b *testing.B) {
			d := dbtest.Open(b, engine, clock.System{})
			begin := fillMessages(b, d, rows)
			data := rest.Handler(d, inbox.New(d, nil, nil).Tables()...)
			middle := begin.Add(rows / 2 * time.Millisecond).Format(time.RFC3339Nano)
			for _, list := range []string{"kind=eq.recommendation", "kind=neq.recommendation", "kind=eq.help"} {
				for name, from := range map[string]string{"first": "", "middle": after(middle, id.Nil)} {
					b.Run(list+"/"+name, func(b *testing.B) {
						path := "/course_recommendations?select=*&order=created_at.desc,id.asc&limit=100&" + list
						place := from
						var slowest time.Duration
						for b.Loop() {
							asked := time.Now()
							page := resttest.Call(b, data, boss, "GET", path+place, "").Want(b, 200, "").Rows(b)
							slowest = max(slowest, time.Since(asked))
							last := page[len(page)-1]
							place = after(last["created_at"].(string), last["id"].(string))
						}
						b.ReportMetric(float64(slowest.Microseconds())/1000, "slowest-ms")
					})
				}
			}
		})
	}
}

// after is the condition of the page behind a row, as the panel writes it.
func after(at, id string) string {
	return "&created_at=lte." + url.QueryEscape(at) + "&or=" + url.QueryEscape(fmt.Sprintf(`(created_at.lt.%q,id.gt.%s)`, at, id))
}

// fillMessages puts messages of all kinds into the table, several a moment, and gives the moment of the first.
func fillMessages(b *testing.B, d *db.DB, n int) time.Time {
	b.Helper()
	const batch, statement = 10_000, 100
	kinds := []string{"recommendation", "help", "contact", "investor", "sponsorship"}
	begin := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for from := 0; from < n; from += batch {
		err := d.Write(b.Context(), func(ctx context.Context, tx *db.Tx) error {
			for first := from; first < from+batch; first += statement {
				var values []string
				var args []any
				for i := first; i < first+statement; i++ {
					at := len(args)
					values = append(values, fmt.Sprintf("($%d,$%d,$%d,$%d,'x','ada@example.com',$%d,$%d)", at+1, at+2, at+3, at+4, at+5, at+6))
					args = append(args, id.New(), id.Nil, fmt.Sprint("Title ", i), "Name: Ada\nMessage: Something that goes on for a while.",
						db.At(begin.Add(time.Duration(i/20*20)*time.Millisecond)), kinds[i%len(kinds)])
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
			b.Fatal(err)
		}
	}
	err := d.Write(b.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "analyze course_recommendations")
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return begin
}

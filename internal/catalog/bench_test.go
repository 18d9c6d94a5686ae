package catalog_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/internal/catalog"
	"greenroom/internal/catalog/catalogtest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
)

const many = 250_000

// BenchmarkSearch searches 250,000 courses through the data API, on both engines: texts that at most one course in a
// hundred holds, and any texts. It reports the slowest of a hundred.
func BenchmarkSearch(b *testing.B) {
	list := slices.Collect(catalogtest.Courses(many))
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		api := searchable(b, engine, list)
		rare, all := searches(b, api, list)
		for name, texts := range map[string][]string{"rare": rare, "any": all} {
			b.Run(fmt.Sprintf("%s/%s", engine, name), func(b *testing.B) {
				var took []time.Duration
				for i := 0; b.Loop(); i++ {
					begin := time.Now()
					find(b, api, texts[i%len(texts)])
					took = append(took, time.Since(begin))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			})
		}
	}
}

// searchable gives the data API over the courses, once its index is there.
func searchable(b *testing.B, engine db.Engine, list []catalog.Course) http.Handler {
	b.Helper()
	d := dbtest.Open(b, engine, clock.System{})
	c := catalog.New(d, slog.New(slog.DiscardHandler))
	begin := time.Now()
	var lines bytes.Buffer
	if err := catalogtest.Write(&lines, slices.Values(list)); err != nil {
		b.Fatal(err)
	}
	if n, err := c.Import(b.Context(), bytes.NewReader(lines.Bytes()), catalog.JSONL, nil); err != nil || n != len(list) {
		b.Fatalf("%d imported: %v", n, err)
	}
	fmt.Fprintf(os.Stderr, "%s: imported %d courses in %v\n", engine, len(list), time.Since(begin).Round(time.Millisecond))
	before := heap()
	ctx, stop := context.WithCancel(b.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Run(ctx)
	}()
	b.Cleanup(func() { stop(); <-done })
	begin = time.Now()
	for {
		if _, _, ok := c.Find(b.Context(), "", 1, 0); ok {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Fprintf(os.Stderr, "%s: indexed in %v, %d MB\n", engine, time.Since(begin).Round(time.Millisecond), (heap()-before)>>20)
	return rest.Handler(d, c.Tables()...)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func find(b *testing.B, api http.Handler, text string) resttest.Answer {
	b.Helper()
	answer := resttest.Call(b, api, resttest.Stranger, "GET", searchPath(text, "&order=rating.desc,created_at.desc,id.asc&limit=24"), "", "Prefer: count=exact")
	if answer.Status != http.StatusOK && answer.Status != http.StatusPartialContent {
		b.Fatalf("%q answered %d %s", text, answer.Status, answer.Body)
	}
	return answer
}

// searches are pieces of the courses' texts from one letter up, words that are everywhere, and misses.
func searches(b *testing.B, api http.Handler, list []catalog.Course) (rare, all []string) {
	b.Helper()
	chance := rand.New(rand.NewPCG(5, 6))
	all = []string{"a", "e", "the", "and", "course", "learn", "acting", "the c", "e ", ". ", "creator economy", "of the", "zzz", "nobody says this", "xq", "in", "ing"}
	for len(all) < 600 {
		c := list[chance.IntN(len(list))]
		field := []rune([]string{c.Title, c.Instructor, c.Category, c.Description, c.Description, c.Description}[chance.IntN(6)])
		from := chance.IntN(len(field))
		if text := strings.TrimSpace(string(field[from:min(len(field), from+1+chance.IntN(16))])); text != "" {
			all = append(all, text)
		}
	}
	type timed struct {
		text  string
		total int
		took  time.Duration
	}
	var slow []timed
	for _, text := range all {
		begin := time.Now()
		answer := find(b, api, text)
		var total int
		_, of, _ := strings.Cut(answer.Header.Get("Content-Range"), "/")
		_, _ = fmt.Sscan(of, &total)
		slow = append(slow, timed{text, total, time.Since(begin)})
		if total <= many/100 {
			rare = append(rare, text)
		}
	}
	slices.SortFunc(slow, func(x, y timed) int { return cmp.Compare(y.took, x.took) })
	for _, s := range slow[:8] {
		fmt.Fprintf(os.Stderr, "slowest: %-22q %6d found in %v\n", s.text, s.total, s.took.Round(10*time.Microsecond))
	}
	return rare, all
}

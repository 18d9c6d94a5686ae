//go:build faults

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault/faulttest"
)

// moment is how a server stands at one moment.
type moment struct{ values [len(soaked)]float64 }

// soaked is what a soak looks at, and in which unit.
var soaked = [...]struct{ name, unit string }{{"heap", "MB"}, {"goroutines", ""}, {"open files", ""}, {"log of the database", "MB"}, {"database, per 1,000 writes", "MB"}}

// TestASoakStaysFlat serves mixed traffic for ten minutes: reads, pages, searches, registrations, refused sign-ins. What must not
// grow with the time does not; the table grows with its rows alone.
func TestASoakStaysFlat(t *testing.T) {
	port := ports(t, 1)[0]
	p := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off", fmt.Sprintf("GREENROOM_METRICS_LISTEN=127.0.0.1:%d", port))
	s := p.serve(t)
	inside := fmt.Sprintf("http://127.0.0.1:%d/metrics", port)
	g := newGenerator(t, s.url)
	rendered(t, g.client, s.url+"/")
	token := p.admin(t, g)
	long := faultTime(10 * time.Minute)
	ctx, stop := context.WithTimeout(t.Context(), long)
	defer stop()
	got, all := &result{}, sync.WaitGroup{}
	mixed := []labor{
		{path: "/"}, besides, {path: "/rest/v1/saved_courses?select=*", token: token}, {path: "/auth/v1/user", token: token}, {path: "/search?q=acting"},
		{method: "POST", path: "/rest/v1/course_waitlist", body: func(i int64) string {
			return fmt.Sprintf(`{"course_title":"Screen Acting and Professional Preparation Workshop","name":"N","email":"soak%d@example.com"}`, i)
		}},
	}
	for i, w := range mixed {
		all.Go(func() {
			for again := time.NewTicker(time.Duration(10+i) * time.Millisecond); ctx.Err() == nil; <-again.C {
				g.once(ctx, w, got)
			}
		})
	}
	var moments []moment
	for every := time.NewTicker(long / 60); len(moments) < 59 && ctx.Err() == nil; <-every.C {
		moments = append(moments, look(t, inside, p, s.cmd.Process.Pid))
	}
	stop()
	all.Wait()
	s.stop(t)
	survived := 1
	first, last := middleOf(moments[len(moments)/6:len(moments)/2]), middleOf(moments[len(moments)/2:])
	var figures []string
	for i, what := range soaked {
		figures = append(figures, fmt.Sprintf("%s %.1f, then %.1f %s", what.name, first.values[i], last.values[i], what.unit))
		if last.values[i] > 1.3*first.values[i]+10 {
			survived = 0
		}
	}
	if got.failed > 0 || len(got.refused) > len(got.accepted)/1000 { // a machine that does much else may turn somebody away
		survived = 0
	}
	if name := os.Getenv("SOAK_PICTURE"); name != "" {
		if err := os.WriteFile(name, []byte(drawn(moments, long)), 0o644); err != nil {
			t.Error(err)
		}
	}
	faulttest.Survived(t, fmt.Sprintf("soak of %v, SQLite", long), 1, survived, got, "; ", strings.Join(figures, "; "))
}

func look(t *testing.T, inside string, p place, pid int) (s moment) {
	t.Helper()
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	size := func(suffix string) float64 {
		about, err := os.Stat(filepath.Join(p.value("GREENROOM_DATA"), "greenroom.db"+suffix))
		if err != nil {
			return 0
		}
		return float64(about.Size()) / (1 << 20)
	}
	writes := figure(t, inside, "greenroom_db_writes_total")
	s.values = [...]float64{
		figure(t, inside, "go_memstats_heap_alloc_bytes") / (1 << 20), figure(t, inside, "go_goroutines"), float64(len(files)), size("-wal"), size("") * 1000 / max(writes, 1000),
	}
	return s
}

// middleOf is the median of each value.
func middleOf(moments []moment) (m moment) {
	for i := range m.values {
		var all []time.Duration // centile sorts those
		for _, s := range moments {
			all = append(all, time.Duration(s.values[i]*1000))
		}
		m.values[i] = float64(centile(all, 0.5)) / 1000
	}
	return m
}

// drawn shows every value over the time, each in a strip of its own.
func drawn(moments []moment, long time.Duration) string {
	const width, strip, left = 900, 90, 230
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="Geist, system-ui, sans-serif" font-size="13" role="img"><title>A soak of %v</title><rect width="100%%" height="100%%" fill="#0a0c11"/>`+"\n",
		width, strip*len(soaked)+30, width, strip*len(soaked)+30, long)
	for i, what := range soaked {
		most, path := 0.0, ""
		for _, s := range moments {
			most = max(most, s.values[i])
		}
		for j, s := range moments {
			path += fmt.Sprintf("%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[j == 0],
				left+float64(width-left-20)*float64(j)/float64(max(1, len(moments)-1)), float64(strip*(i+1))-s.values[i]/max(most, 0.001)*(strip-30))
		}
		fmt.Fprintf(&b, `<text x="12" y="%d" fill="#f5f7fa">%s</text><text x="12" y="%d" fill="#acb1bb">at most %.1f %s</text><path d="%s" fill="none" stroke="#fc8731" stroke-width="2"/><path d="M%d %dH%d" stroke="#ffffff" stroke-opacity="0.12"/>`+"\n",
			strip*i+50, what.name, strip*i+68, most, what.unit, path, left, strip*(i+1), width-20)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" fill="#acb1bb">0</text><text x="%d" y="%d" fill="#acb1bb" text-anchor="end">%v</text></svg>`+"\n", left, strip*len(soaked)+22, width-20, strip*len(soaked)+22, long)
	return b.String()
}

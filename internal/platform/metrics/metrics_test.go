package metrics_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	model "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/metrics"
)

// read gives what Prometheus' own parser makes of a set's text.
func read(t *testing.T, s *metrics.Set) map[string]*model.MetricFamily {
	t.Helper()
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if kind := answer.Header().Get("Content-Type"); kind != string(expfmt.NewFormat(expfmt.TypeTextPlain)) && !strings.HasPrefix(kind, "text/plain; version=0.0.4; charset=utf-8") {
		t.Errorf("the text is said to be %q", kind)
	}
	var parser expfmt.TextParser
	families, err := parser.TextToMetricFamilies(strings.NewReader(answer.Body.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, answer.Body)
	}
	return families
}

func TestPrometheusReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	s := metrics.New()
	odd := "a \"quoted\" \\ text\nof two lines, and \xff"
	s.Read("greenroom_odd", "Help with a \\ and\ntwo lines.", metrics.Standing, func(_ context.Context, emit metrics.Emit) error {
		emit(1.5, "text", odd, "more", "é")
		emit(math.Inf(1), "text", "", "more", "")
		emit(math.NaN(), "text", "nan", "more", "")
		return nil
	})
	s.Value("greenroom_plain_total", "Plain.", metrics.Counting, func() float64 { return 1e12 })
	var h metrics.Histogram
	for _, took := range []time.Duration{time.Microsecond, time.Millisecond, 30 * time.Millisecond, time.Hour} {
		h.Observe(took)
	}
	s.Histogram("greenroom_times_seconds", "Times.", &h)
	s.Runtime(clock.System{}.Now())
	families := read(t, s)

	got := families["greenroom_odd"].GetMetric()
	if len(got) != 3 || got[0].GetGauge().GetValue() != 1.5 || got[0].GetLabel()[0].GetValue() != strings.ReplaceAll(odd, "\xff", "�") ||
		!math.IsInf(got[1].GetGauge().GetValue(), 1) || !math.IsNaN(got[2].GetGauge().GetValue()) {
		t.Errorf("%v", got)
	}
	if help := families["greenroom_odd"].GetHelp(); help != "Help with a \\ and\ntwo lines." {
		t.Errorf("%q", help)
	}
	if plain := families["greenroom_plain_total"].GetMetric()[0].GetCounter().GetValue(); plain != 1e12 {
		t.Errorf("%v", plain)
	}
	times := families["greenroom_times_seconds"].GetMetric()[0].GetHistogram()
	if times.GetSampleCount() != 4 || math.Abs(times.GetSampleSum()-3600.031001) > 1e-9 {
		t.Errorf("%v", times)
	}
	for _, bucket := range times.GetBucket() {
		want := map[float64]uint64{0.0001: 1, 0.0005: 1, 0.001: 2, 0.025: 2, 0.05: 3, 15: 3, math.Inf(1): 4}
		if n, asked := want[bucket.GetUpperBound()]; asked && n != bucket.GetCumulativeCount() {
			t.Errorf("up to %v: %d, not %d", bucket.GetUpperBound(), bucket.GetCumulativeCount(), n)
		}
	}
	if n := families["go_goroutines"].GetMetric()[0].GetGauge().GetValue(); n < 1 {
		t.Errorf("%v goroutines", n)
	}
}

func TestWhatCannotBeReadIsLeftOutAndCounted(t *testing.T) {
	t.Parallel()
	s := metrics.New()
	s.Read("greenroom_broken", "Fails midway.", metrics.Standing, func(_ context.Context, emit metrics.Emit) error {
		emit(1, "half", "done")
		return errors.New("no database")
	})
	s.Read("greenroom_worse", "Panics.", metrics.Standing, func(context.Context, metrics.Emit) error { panic("boom") })
	s.Value("greenroom_good", "Stays.", metrics.Standing, func() float64 { return 7 })
	read(t, s)
	families := read(t, s)
	if n := len(families["greenroom_broken"].GetMetric()) + len(families["greenroom_worse"].GetMetric()); n != 0 {
		t.Errorf("%d figures of what could not be read", n)
	}
	if families["greenroom_good"].GetMetric()[0].GetGauge().GetValue() != 7 || families["greenroom_scrape_failures_total"].GetMetric()[0].GetCounter().GetValue() != 2 {
		t.Errorf("%v", families)
	}
}

// However many figures a frozen database holds up, a reading ends before Prometheus gives it up. Time in here is not real.
func TestAFrozenDatabaseHoldsUpAReadingOnceOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := metrics.New()
		for _, name := range []string{"greenroom_a", "greenroom_b", "greenroom_c", "greenroom_d", "greenroom_e"} {
			s.Read(name, "Frozen.", metrics.Standing, func(ctx context.Context, _ metrics.Emit) error {
				<-ctx.Done()
				return ctx.Err()
			})
		}
		s.Value("greenroom_good", "Stays.", metrics.Standing, func() float64 { return 7 })
		var its clock.System
		begun := its.Now()
		families := read(t, s)
		if took := its.Now().Sub(begun); took > 4*time.Second {
			t.Errorf("it took %v", took)
		}
		if families["greenroom_good"].GetMetric()[0].GetGauge().GetValue() != 7 {
			t.Errorf("%v", families)
		}
		if n := read(t, s)["greenroom_scrape_failures_total"].GetMetric()[0].GetCounter().GetValue(); n != 5 {
			t.Errorf("%v failures were counted", n)
		}
	})
}

// SQLite and the page engine have memory that the runtime knows nothing of.
func TestMemoryOutsideTheHeapIsTold(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("told on Linux alone")
	}
	s := metrics.New()
	s.Runtime(clock.System{}.Now())
	families := read(t, s)
	told := families["process_resident_memory_bytes"].GetMetric()
	if len(told) != 1 || told[0].GetGauge().GetValue() < families["go_memstats_heap_alloc_bytes"].GetMetric()[0].GetGauge().GetValue()/2 || told[0].GetGauge().GetValue() < 1<<20 {
		t.Errorf("%v", told)
	}
}

func TestRequestsAreCountedByFewLabels(t *testing.T) {
	t.Parallel()
	var routes metrics.Routes
	routes.Observe("POST /auth/v1/token", "POST", 200, time.Millisecond)
	routes.Observe("POST /auth/v1/token", "POST", 201, time.Millisecond)
	routes.Observe("", "BREW", 418, time.Second)
	routes.Observe("/rest/v1/courses", "GET", 0, time.Second)
	for _, odd := range []string{"A", "B", "GET /x"} {
		routes.Observe("/", odd, 99999, 0)
	}
	s := metrics.New()
	s.Routes("greenroom_requests_seconds", "Requests.", &routes)
	got := map[string]uint64{}
	for _, one := range read(t, s)["greenroom_requests_seconds"].GetMetric() {
		var labels []string
		for _, l := range one.GetLabel() {
			labels = append(labels, l.GetValue())
		}
		got[strings.Join(labels, " ")] = one.GetHistogram().GetSampleCount()
	}
	want := map[string]uint64{"/auth/v1/token POST 2xx": 2, "other other 4xx": 1, "/rest/v1/courses GET none": 1, "/ other none": 3}
	if len(got) != len(want) {
		t.Errorf("%v", got)
	}
	for labels, n := range want {
		if got[labels] != n {
			t.Errorf("%s: %d, not %d", labels, got[labels], n)
		}
	}
}

//nolint:paralleltest // it counts the allocations of the whole process
func TestCountingARequestAllocatesNothing(t *testing.T) {
	var routes metrics.Routes
	if n := testing.AllocsPerRun(100, func() { routes.Observe("/rest/v1/courses", "GET", 200, time.Millisecond) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSecurity67InsideAnswersNoNameOfTheInternet(t *testing.T) {
	t.Parallel()
	handler := metrics.Inside(metrics.New())
	for _, c := range []struct {
		method, host, path string
		status             int
	}{
		{"GET", "127.0.0.1:9090", "/metrics", 200},
		{"GET", "[::1]:9090", "/metrics", 200},
		{"GET", "::1", "/metrics", 200},
		{"GET", "localhost:9090", "/metrics", 200},
		{"GET", "greenroom:9090", "/metrics", 200},
		{"GET", "localhost", "/debug/pprof/heap", 200},
		{"GET", "rebound.example.com:9090", "/metrics", 421},
		{"GET", "127.0.0.1.example.com", "/debug/pprof/heap", 421},
		{"GET", "localhost.", "/metrics", 421},
		{"GET", "", "/metrics", 421},
		{"POST", "localhost", "/metrics", 405},
		{"GET", "localhost", "/", 404},
		{"GET", "localhost", "/debug/pprof/cmdline", 404},
		{"GET", "localhost", "/debug/pprof/profile?seconds=86400", 400},
		{"GET", "localhost", "/debug/pprof/profile?seconds=NaN", 400},
		{"GET", "localhost", "/debug/pprof/profile?seconds=0", 400},
		{"GET", "localhost", "/debug/pprof/goroutine?debug=2", 200},
		{"GET", "localhost", "/debug/pprof/profile?seconds=1", 200},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Host = c.host
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		if answer.Code != c.status {
			t.Errorf("%s %s at %q: %d, not %d", c.method, c.path, c.host, answer.Code, c.status)
		}
	}
}

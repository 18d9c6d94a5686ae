package metrics

import (
	"bytes"
	"context"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"greenroom/internal/platform/safe"
)

// oneTime bounds what one family may take to be read, allTime the whole reading: Prometheus gives up after ten seconds, and
// what does not need the database is wanted most when that is frozen.
const oneTime, allTime = 2 * time.Second, 3 * time.Second

// contentType names the text form and its version.
const contentType = "text/plain; version=0.0.4; charset=utf-8"

// ServeHTTP writes all figures as they stand.
func (s *Set) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	all := s.families[:len(s.families):len(s.families)]
	s.mu.Unlock()
	to := &page{}
	whole, done := context.WithTimeout(r.Context(), allTime)
	defer done()
	for _, f := range all {
		to.family(f)
		before := to.Len()
		ctx, cancel := context.WithTimeout(whole, oneTime)
		err := safe.Try(func() error { return f.write(ctx, to) })
		cancel()
		if err != nil {
			s.failures.Add(1)
			to.Truncate(before) // half a family would look like a whole one
		}
	}
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write(to.Bytes()) // the reader may be gone
}

// page is a reading as it grows.
type page struct{ bytes.Buffer }

var (
	helpText  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	labelText = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

func (p *page) family(f family) {
	p.WriteString("# HELP " + f.name + " " + helpText.Replace(f.help) + "\n# TYPE " + f.name + " " + string(f.kind) + "\n")
}

func (p *page) sample(name string, value float64, labels []string) {
	p.WriteString(name)
	for i := 0; i+1 < len(labels); i += 2 {
		p.WriteByte("{,"[min(i, 1)])
		p.WriteString(labels[i] + `="` + labelText.Replace(strings.ToValidUTF8(labels[i+1], "�")) + `"`)
	}
	if len(labels) > 1 {
		p.WriteByte('}')
	}
	p.WriteByte(' ')
	p.WriteString(number(value))
	p.WriteByte('\n')
}

func number(value float64) string {
	switch {
	case math.IsInf(value, 1):
		return "+Inf"
	case math.IsInf(value, -1):
		return "-Inf"
	}
	return strconv.FormatFloat(value, 'g', -1, 64) // NaN is written so, too
}

// histogram writes the buckets, each of which counts those before it as well.
func (p *page) histogram(name string, h *Histogram, labels []string) {
	with := slices.Concat(labels, []string{"le", ""})
	var count uint64
	for i := range h.counts {
		bound := math.Inf(1)
		if i < len(limits) {
			bound = limits[i].Seconds()
		}
		count += h.counts[i].Load()
		with[len(with)-1] = number(bound)
		p.sample(name+"_bucket", float64(count), with)
	}
	p.sample(name+"_sum", time.Duration(h.sum.Load()).Seconds(), labels)
	p.sample(name+"_count", float64(count), labels)
}

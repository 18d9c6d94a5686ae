package metrics

import (
	"context"
	"runtime/metrics"
	"time"
)

// Runtime adds what the process itself takes, under the names that Prometheus' own libraries give it.
func (s *Set) Runtime(begun time.Time) {
	for _, f := range []struct {
		name, help string
		kind       Kind
		source     string
	}{
		{"go_goroutines", "Goroutines that exist.", Standing, "/sched/goroutines:goroutines"},
		{"go_memstats_heap_alloc_bytes", "Bytes of heap in use.", Standing, "/memory/classes/heap/objects:bytes"},
		{"go_memstats_sys_bytes", "Bytes that the runtime has from the system.", Standing, "/memory/classes/total:bytes"},
		{"go_memstats_heap_released_bytes", "Bytes that it has given back.", Standing, "/memory/classes/heap/released:bytes"},
		{"go_gc_cycles_total", "Garbage collections.", Counting, "/gc/cycles/total:gc-cycles"},
		{"go_memstats_alloc_bytes_total", "Bytes allocated, freed ones included.", Counting, "/gc/heap/allocs:bytes"},
	} {
		s.Value(f.name, f.help, f.kind, func() float64 {
			sample := []metrics.Sample{{Name: f.source}}
			metrics.Read(sample)
			return float64(sample[0].Value.Uint64())
		})
	}
	if _, err := residentBytes(); err == nil {
		s.Read("process_resident_memory_bytes", "Memory that the process has, outside of Go's heap too.", Standing, func(_ context.Context, emit Emit) error {
			bytes, err := residentBytes()
			emit(bytes)
			return err
		})
	}
	s.Value("process_start_time_seconds", "When the process began, since 1970.", Standing, func() float64 { return float64(begun.UnixMilli()) / 1e3 })
	s.Value("process_cpu_seconds_total", "Time on a core, of the program and of the system for it.", Counting, cpuSeconds)
}

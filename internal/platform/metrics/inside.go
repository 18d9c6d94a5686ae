package metrics

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"
)

// How long a profile over time takes, and may take.
const (
	usualProfile   = 30
	longestProfile = 60
)

// Inside answers on the listener for those who run the installation: /metrics, and /debug/pprof/NAME for `go tool pprof`. It
// asks for no password: who reaches the listener may read it. It stands on runtime/pprof alone; net/http/pprof would weigh
// as much again, and enters itself into every process's default mux.
func Inside(figures http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", figures)
	mux.HandleFunc("GET /debug/pprof/profile", cpuProfile)
	mux.HandleFunc("GET /debug/pprof/{name}", profile)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !near(r.Host) {
			http.Error(w, "This listener answers to addresses and local names only.", http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// near tells whether a host is an address or a name of this network. A page on the internet can let its own name lead to
// this machine and would then, in the operator's browser, read what is here: such a name has a dot.
func near(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	return host != "" && !strings.Contains(host, ".")
}

// profile writes heap, allocs, goroutine and the others that the runtime keeps; with ?debug=1 as text.
func profile(w http.ResponseWriter, r *http.Request) {
	found := pprof.Lookup(r.PathValue("name"))
	if found == nil {
		http.Error(w, "There is no such profile.", http.StatusNotFound)
		return
	}
	debug, _ := strconv.Atoi(r.FormValue("debug"))
	w.Header().Set("Content-Type", "application/octet-stream")
	if debug > 0 {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	}
	_ = found.WriteTo(w, debug) // the reader may be gone
}

// cpuProfile writes what the process does for some seconds. The runtime takes one at a time.
func cpuProfile(w http.ResponseWriter, r *http.Request) {
	seconds, err := strconv.Atoi(cmp.Or(r.FormValue("seconds"), strconv.Itoa(usualProfile)))
	if err != nil || seconds < 1 || seconds > longestProfile {
		http.Error(w, "A profile takes 1 to "+strconv.Itoa(longestProfile)+" seconds.", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	if err := pprof.StartCPUProfile(w); err != nil {
		http.Error(w, "Another profile is being taken.", http.StatusConflict)
		return
	}
	defer pprof.StopCPUProfile()
	select {
	case <-time.After(time.Duration(seconds) * time.Second):
	case <-r.Context().Done():
	}
}

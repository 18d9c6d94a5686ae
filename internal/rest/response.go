package rest

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// response is a success, ready to be written.
type response struct {
	status int
	header http.Header
	body   []byte
	buffer *[]byte // the body's memory, given back once it is written
	table  bool    // read from the table itself, and so as new as that
}

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 16<<10); return &b }}

func (a *response) write(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	for name, values := range a.header {
		set(header, name, values)
	}
	header["Cache-Control"] = noStore
	if r.Method == http.MethodHead || a.status == http.StatusNoContent {
		w.WriteHeader(a.status)
	} else if err := send(w, a.status, a.body); err != nil {
		return // a write that was cut may still hold the buffer
	}
	if a.buffer != nil && cap(a.body) <= 1<<20 {
		*a.buffer = a.body[:0]
		buffers.Put(a.buffer)
	}
}

var noStore = []string{"no-store"}

// set puts a header's values in the place of those that are there; Vary alone adds to what the edge has said. The slice
// is shared with other answers, so nothing is appended to it.
func set(header http.Header, name string, values []string) {
	if name == "Vary" && len(header[name]) > 0 {
		values = append(slices.Clip(header[name]), values...)
	}
	header[name] = values
}

func send(w http.ResponseWriter, status int, body []byte) error {
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, err := w.Write(body) //nolint:gosec // JSON or CSV, and declared as such
	return err
}

// answer starts a success with the headers that all of them have.
func (q *request) answer(status int, contentRange string) *response {
	a := &response{status: status, header: make(http.Header, 8)}
	a.header["Content-Range"] = []string{contentRange}
	a.header["Vary"] = []string{"Accept, Prefer, Range"}
	if applied := q.prefs.applied(q.http.Method); applied != "" {
		a.header["Preference-Applied"] = []string{applied}
	}
	return a
}

func (a *response) setBody(media string, body []byte) {
	a.header["Content-Type"] = []string{media + "; charset=utf-8"}
	a.body = body
}

// contentRange writes first-last/total; a total below zero is unknown.
func contentRange(first, rows, total int) string {
	out := make([]byte, 0, 24)
	if rows > 0 {
		out = strconv.AppendInt(out, int64(first), 10)
		out = append(out, '-')
		out = strconv.AppendInt(out, int64(first+rows-1), 10)
	} else {
		out = append(out, '*')
	}
	out = append(out, '/')
	if total < 0 {
		return string(append(out, '*'))
	}
	return string(strconv.AppendInt(out, int64(total), 10))
}

func notSingle(rows int) *Error {
	return refuse(http.StatusNotAcceptable, "PGRST116", "Cannot coerce the result to a single JSON object").
		details("The result contains %d rows", rows)
}

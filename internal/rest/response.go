package rest

import (
	"net/http"
	"strconv"
	"sync"
)

// response is a success, ready to be written.
type response struct {
	status int
	header http.Header
	body   []byte
	buffer *[]byte // the body's memory, given back once it is written
}

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 16<<10); return &b }}

func (a *response) write(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	for name, values := range a.header {
		header[name] = append(header[name], values...)
	}
	header.Set("Cache-Control", "no-store")
	if a.status != http.StatusNoContent && r.Method != http.MethodHead {
		header.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.body) //nolint:gosec // JSON or CSV, and declared as such
	}
	if a.buffer != nil && cap(a.body) <= 1<<20 {
		*a.buffer = a.body[:0]
		buffers.Put(a.buffer)
	}
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

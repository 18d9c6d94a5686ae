// Package web is what every HTTP surface stands on: request ids, the access log, the client's address, the rules
// for other origins, and answers in JSON. It knows no route and no dialect; a surface passes its own way to fail.
package web

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// Fail writes an error in a surface's dialect.
type Fail func(w http.ResponseWriter, r *http.Request, err error)

// JSON answers with a value.
func JSON(w http.ResponseWriter, status int, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may be gone; there is nobody left to tell
	return nil
}

type requestKey struct{}

// RequestID is the id under which the log knows this request.
func RequestID(ctx context.Context) string {
	name, _ := ctx.Value(requestKey{}).(string)
	return name
}

// Seen hears of an answered request. The pattern is the route's, and empty where there was none.
type Seen func(pattern, method string, status int, took time.Duration)

// Logged gives every request an id and a deadline, and writes one line when it is answered. Queries, bodies and headers
// are never logged: they hold what people write, and tokens.
//
// First is asked before anything else is made ready, and answers what needs nothing of it; it may be nil. Seen hears of
// every request when it is answered: its pattern is the one of the route that it met.
func Logged(next http.Handler, first func(w http.ResponseWriter, r *http.Request) bool, seen Seen, log *slog.Logger, hands clock.Clock, most time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, name := hands.Now(), id.New()
		w.Header()["X-Request-Id"] = []string{name}
		answer := &recorder{ResponseWriter: w}
		if first == nil || !first(answer, r) {
			ctx := &hurried{Context: r.Context(), name: name, until: clock.System{}.Now().Add(most)}
			defer ctx.end()             //nolint:contextcheck // it is the context
			inner := r.WithContext(ctx) //nolint:contextcheck // made of the request's own
			next.ServeHTTP(answer, inner)
			r.Pattern = inner.Pattern
		}
		end := hands.Now()
		if seen != nil {
			seen(r.Pattern, r.Method, answer.status, end.Sub(start))
		}
		level := slog.LevelInfo
		if answer.status >= http.StatusInternalServerError {
			level = slog.LevelError
		}
		ctx := r.Context()
		if answer.quiet || !log.Enabled(ctx, level) {
			return
		}
		// Straight to the handler: the logger would look for the line of the program that it is called from.
		line := slog.NewRecord(end, level, "request", 0)
		line.AddAttrs(
			slog.String("id", name), slog.String("method", r.Method), slog.String("path", r.URL.Path),
			slog.Int("status", answer.status), slog.Int64("bytes", answer.bytes),
			slog.Float64("ms", float64(end.Sub(start))/float64(time.Millisecond)))
		if trace := traceOf(r.Header["Traceparent"]); trace != "" {
			line.AddAttrs(slog.String("trace", trace))
		}
		_ = log.Handler().Handle(ctx, line) // a log that cannot be written is nobody's fault here, as with the logger
	})
}

// Recovered turns a panic into the surface's answer for our own mistakes and keeps the server running.
func Recovered(next http.Handler, log *slog.Logger, fail Fail) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { //nolint:contextcheck // the request carries it
			found := recover()
			if found == nil {
				return
			}
			if found == http.ErrAbortHandler { //nolint:errorlint // a panic's value, compared as net/http does
				panic(found)
			}
			log.ErrorContext(r.Context(), "panic", "id", RequestID(r.Context()), "panic", found, "stack", string(debug.Stack()))
			fail(w, r, fault.New(fault.Internal, "Something went wrong on our side."))
		}()
		next.ServeHTTP(w, r)
	})
}

// recorder remembers what was answered, for the log.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
	quiet  bool
}

// Quiet keeps an answer out of the log: where there are more requests than cores, each line of the log is taken from somebody
// who could be served. Whoever calls it counts them.
func Quiet(w http.ResponseWriter) {
	for {
		switch answer := w.(type) {
		case *recorder:
			answer.quiet = true
			return
		case interface{ Unwrap() http.ResponseWriter }:
			w = answer.Unwrap()
		default:
			return
		}
	}
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(text []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(text)
	r.bytes += int64(n)
	return n, err
}

// ReadFrom lets the connection take a file by itself, which costs us no copy.
func (r *recorder) ReadFrom(from io.Reader) (int64, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := io.Copy(r.ResponseWriter, from)
	r.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

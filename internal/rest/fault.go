package rest

import (
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
)

// WriteError answers with any error in the dialect: its own errors as they are, a fault by the status table, and
// everything else as a 500 that says nothing about the inside.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		e = fromFault(w, r, err)
	}
	if e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden {
		caller := who.From(r.Context())
		slog.WarnContext(r.Context(), "access refused", "id", web.RequestID(r.Context()), "method", r.Method, "path", r.URL.Path,
			"code", e.Code, "role", caller.Role, "user", caller.UserID, "address", caller.Address)
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	if e.challenge != "" {
		header.Set("WWW-Authenticate", e.challenge)
	}
	var out []byte
	if e.gateway {
		out = append(out, `{"message":`...)
	} else {
		header.Set("Proxy-Status", "PostgREST; error="+e.Code)
		out = appendString(append(out, `{"code":`...), e.Code)
		out = appendOptional(append(out, `,"details":`...), e.Details)
		out = appendOptional(append(out, `,"hint":`...), e.Hint)
		out = append(out, `,"message":`...)
	}
	out = appendString(out, e.Message)
	if e.gateway {
		out = appendString(append(out, `,"hint":`...), e.Hint)
	}
	out = append(out, '}')
	header.Set("Content-Length", strconv.Itoa(len(out)))
	w.WriteHeader(e.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(out) //nolint:gosec // JSON, and declared as such
	}
}

func appendOptional(out []byte, text string) []byte {
	if text == "" {
		return append(out, "null"...)
	}
	return appendString(out, text)
}

// statuses is the status table: what each kind of fault is in this dialect. PTnnn is PostgREST's way to name a status.
var statuses = map[fault.Kind]Error{
	fault.Invalid:         {Status: http.StatusBadRequest, Code: "P0001"},
	fault.Unauthenticated: {Status: http.StatusUnauthorized, Code: "42501", challenge: "Bearer"},
	fault.Forbidden:       {Status: http.StatusForbidden, Code: "42501"},
	fault.NotFound:        {Status: http.StatusNotFound, Code: "PT404"},
	fault.Conflict:        {Status: http.StatusConflict, Code: "PT409"},
	fault.TooLarge:        {Status: http.StatusRequestEntityTooLarge, Code: "54000"},
	fault.TooMany:         {Status: http.StatusTooManyRequests, Code: "PT429"},
	fault.Unavailable:     {Status: http.StatusServiceUnavailable, Code: "PGRST001"},
	fault.Internal:        {Status: http.StatusInternalServerError, Code: "XX000"},
}

// fromFault writes a fault in the dialect. Its Retry-After goes straight to the header.
func fromFault(w http.ResponseWriter, r *http.Request, err error) *Error {
	f := fault.Of(err)
	e := statuses[f.Kind]
	e.Message, e.Details, e.Hint = f.Message, f.Detail, f.Hint
	// The code of a limit is the auth dialect's.
	if f.Code != "" && f.Kind != fault.TooMany {
		e.Code = f.Code
	}
	if f.Kind == fault.Forbidden && !identified(who.From(r.Context())) {
		e.Status, e.challenge = http.StatusUnauthorized, "Bearer"
	}
	if f.Kind == fault.TooMany || f.Kind == fault.Unavailable {
		seconds := max(1, int(math.Ceil(f.RetryAfter.Seconds())))
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	if (f.Kind == fault.Internal || f.Kind == fault.Unavailable) && !f.Expected() {
		slog.ErrorContext(r.Context(), "data API failed", "id", web.RequestID(r.Context()), "method", r.Method, "path", r.URL.Path, "error", err)
	}
	return &e
}

// identified tells whether a refusal is about what this caller may do (403) and not about who it is (401).
func identified(a who.Actor) bool { return a.SignedIn() || a.Role == who.Service }

// denied refuses by permission.
func denied(a who.Actor, message string) *Error {
	if identified(a) {
		return refuse(http.StatusForbidden, "42501", message)
	}
	e := refuse(http.StatusUnauthorized, "42501", message)
	e.challenge = "Bearer"
	return e
}

func (q *request) noPrivilege() *Error {
	return denied(q.actor, "permission denied for table "+q.table.Name)
}

func (q *request) violatesPolicy() *Error {
	return denied(q.actor, `new row violates row-level security policy for table "`+q.table.Name+`"`)
}

// late says that a statement took too long, unless the error says something better. The cause is for the log.
func late(err error) error {
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Kind != fault.Unavailable {
		return err
	}
	return fault.Coded(fault.Unavailable, "57014", "canceling statement due to statement timeout").Because(err)
}

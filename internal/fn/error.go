package fn

import (
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

// The two refusals that no fault names.
var (
	notAllowed = fault.Coded(fault.Invalid, "METHOD_NOT_ALLOWED", "This function does not take that method.")
	notJSON    = fault.Coded(fault.Invalid, "UNSUPPORTED_MEDIA_TYPE", "The request body must be application/json.")
)

// statuses is the status table of this surface, with the codes that faults without one get.
var statuses = map[fault.Kind]struct {
	status int
	code   any
}{
	fault.Invalid:         {http.StatusBadRequest, "BAD_REQUEST"},
	fault.Unauthenticated: {http.StatusUnauthorized, http.StatusUnauthorized}, // the platform's own form: a number
	fault.Forbidden:       {http.StatusForbidden, "FORBIDDEN"},
	fault.NotFound:        {http.StatusNotFound, "NOT_FOUND"},
	fault.Conflict:        {http.StatusConflict, "CONFLICT"},
	fault.TooLarge:        {http.StatusRequestEntityTooLarge, "TOO_LARGE"},
	fault.TooMany:         {http.StatusTooManyRequests, "TOO_MANY_REQUESTS"},
	fault.Unavailable:     {http.StatusServiceUnavailable, "UNAVAILABLE"},
	fault.Internal:        {http.StatusInternalServerError, "INTERNAL"},
}

// WriteError answers with a fault in the form {"code","message"}. What the gateway before the functions refuses, a
// missing key or a bad token, is the same for both surfaces and comes as the data API's error.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	if web.Gone(w, r) {
		return
	}
	if refused, ok := errors.AsType[*rest.Error](err); ok {
		if refused.Code == "" {
			rest.WriteError(w, r, err)
			return
		}
		err = fault.New(fault.Unauthenticated, "Invalid JWT").Because(err)
	}
	f := fault.Of(err)
	known := statuses[f.Kind]
	code := known.code
	if f.Code != "" {
		code = f.Code
	}
	switch code {
	case notAllowed.Code:
		known.status = http.StatusMethodNotAllowed
	case notJSON.Code:
		known.status = http.StatusUnsupportedMediaType
	}
	header := w.Header()
	if f.Kind == fault.TooMany || f.Kind == fault.Unavailable {
		header.Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(f.RetryAfter.Seconds())))))
	}
	if f.Kind == fault.Unauthenticated {
		header.Set("WWW-Authenticate", "Bearer")
	}
	if f.Kind == fault.Unauthenticated || f.Kind == fault.Forbidden {
		caller := who.From(r.Context())
		slog.WarnContext(r.Context(), "access refused", "id", web.RequestID(r.Context()), "method", r.Method, "path", r.URL.Path,
			"code", code, "role", caller.Role, "user", caller.UserID, "address", caller.Address)
	}
	if (f.Kind == fault.Internal || f.Kind == fault.Unavailable) && !f.Expected() {
		slog.ErrorContext(r.Context(), "function failed", "id", web.RequestID(r.Context()), "method", r.Method, "path", r.URL.Path, "error", err)
	}
	text, _ := json.Marshal(map[string]any{"code": code, "message": f.Message}) // two texts and a number always encode
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(known.status)
	_, _ = w.Write(text)
}

package auth

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/web"
)

// failure is a refusal in the words of the auth contract: its status belongs to the code and the endpoint together,
// so it cannot be derived from the sort of failure alone.
type failure struct {
	status  int
	code    string
	message string
	// reasons say why a password is weak.
	reasons []string
}

func (f *failure) Error() string { return f.code + ": " + f.message }

func refuse(status int, code, message string) error {
	return &failure{status: status, code: code, message: message}
}

func invalid(message string) error {
	return refuse(http.StatusBadRequest, "validation_failed", message)
}

// VersionHeader names the version of the API that a client speaks, and FirstVersion is the first of them.
const (
	VersionHeader = "X-Supabase-Api-Version"
	FirstVersion  = "2024-01-01"
)

var versionForm = regexp.MustCompile(`^2[0-9]{3}-(0[1-9]|1[0-2])-([0-2][0-9]|3[01])$`)

// WriteError answers with an error in the auth dialect: the body of the API version that the request names.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	if web.Gone(w, r) {
		return
	}
	f, wait := inDialect(err)
	header := w.Header()
	if wait > 0 {
		header.Set("Retry-After", strconv.FormatInt(int64((wait+time.Second-1)/time.Second), 10))
	}
	var body map[string]any
	asked := r.Header.Get(VersionHeader)
	newer := versionForm.MatchString(asked) && asked >= FirstVersion
	if newer {
		header.Set(VersionHeader, FirstVersion)
		body = map[string]any{"code": f.code, "message": f.message}
	} else {
		body = map[string]any{"code": f.status, "error_code": f.code, "msg": f.message}
		if f.status >= 500 {
			body["error_id"] = header.Get("X-Request-Id")
		}
	}
	if f.reasons != nil {
		body["weak_password"] = map[string]any{"reasons": f.reasons}
	}
	if !newer || f.reasons == nil {
		header.Set("X-Sb-Error-Code", f.code)
	}
	if f.code == "bad_jwt" {
		slog.WarnContext(r.Context(), "access refused", "id", web.RequestID(r.Context()), "method", r.Method, "path", r.URL.Path,
			"code", f.code, "address", originOf(r).address)
	}
	if f.status >= 500 && !fault.Of(err).Expected() {
		slog.ErrorContext(r.Context(), "auth failed", "path", r.URL.Path, "error", err)
	}
	writeJSON(w, f.status, body)
}

// inDialect finds the contract's words for any error, and how long to wait before the next try.
func inDialect(err error) (*failure, time.Duration) {
	if f, ok := asFailure(err); ok {
		return f, 0
	}
	found := fault.Of(err)
	f := &failure{code: found.Code, message: found.Message}
	otherwise := ""
	switch found.Kind {
	case fault.Invalid:
		f.status, otherwise = http.StatusBadRequest, "validation_failed"
	case fault.Unauthenticated:
		f.status, otherwise = http.StatusUnauthorized, "no_authorization"
	case fault.Forbidden:
		f.status, otherwise = http.StatusForbidden, "not_admin"
	case fault.NotFound:
		f.status, otherwise = http.StatusNotFound, "user_not_found"
	case fault.Conflict:
		f.status, otherwise = http.StatusConflict, "conflict"
	case fault.TooLarge:
		f.status, otherwise = http.StatusRequestEntityTooLarge, "request_entity_too_large"
	case fault.TooMany:
		f.status, otherwise = http.StatusTooManyRequests, "over_request_rate_limit"
	case fault.Unavailable:
		f.status, otherwise = http.StatusServiceUnavailable, "request_timeout"
	case fault.Internal:
		f.status, otherwise = http.StatusInternalServerError, "unexpected_failure"
	}
	if f.code == "" {
		f.code = otherwise
	}
	if found.Kind == fault.TooMany {
		f.message = tooMany(f.code, found)
	}
	if found.Kind == fault.Unavailable {
		return f, max(time.Second, found.RetryAfter)
	}
	return f, found.RetryAfter
}

func tooMany(code string, found *fault.Error) string {
	if code == "over_email_send_rate_limit" {
		return fmt.Sprintf("For security purposes, you can only request this after %d seconds.", int64(found.RetryAfter/time.Second))
	}
	return "Request rate limit reached"
}

func writeJSON(w http.ResponseWriter, status int, body any) { writeText(w, status, encode(body)) }

func encode(body any) []byte {
	text, err := json.Marshal(body)
	if err != nil {
		// Only our own objects come here; one that cannot be written is a mistake of ours.
		panic(err)
	}
	return text
}

func writeText(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

func asFailure(err error) (*failure, bool) { return errors.AsType[*failure](err) }

package rest

import (
	"fmt"
	"net/http"
	"strconv"
)

// Error is an answer of the dialect that is no success. Details and Hint are written as null when empty.
type Error struct {
	Status  int
	Code    string
	Message string
	Details string
	Hint    string

	challenge string // WWW-Authenticate
	gateway   bool   // the body of the gateway before PostgREST: no code, no details
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

func refuse(status int, code, message string) *Error {
	return &Error{Status: status, Code: code, Message: message}
}

func (e *Error) details(format string, args ...any) *Error {
	e.Details = fmt.Sprintf(format, args...)
	return e
}

func (e *Error) hint(text string) *Error {
	e.Hint = text
	return e
}

// NoAPIKey and BadAPIKey are the gateway's answers to a request without a key and with an unknown one.
var (
	NoAPIKey = &Error{
		Status: http.StatusUnauthorized, Message: "No API key found in request",
		Hint: "No `apikey` request header or url param was found.", gateway: true,
	}
	BadAPIKey = &Error{
		Status: http.StatusUnauthorized, Message: "Invalid API key",
		Hint: "Double check your Supabase `anon` or `service_role` API key.", gateway: true,
	}
)

// BadToken refuses a bearer token that cannot be decoded or whose signature is wrong.
func BadToken(message string) *Error { return tokenError("PGRST301", message) }

// StaleToken refuses a genuine token whose claims do not hold, such as "JWT expired".
func StaleToken(message string) *Error { return tokenError("PGRST303", message) }

func tokenError(code, message string) *Error {
	e := refuse(http.StatusUnauthorized, code, message)
	e.challenge = fmt.Sprintf("Bearer error=%q, error_description=%q", "invalid_token", message)
	return e
}

func unparsable(what, text string, column int, details string) *Error {
	return refuse(http.StatusBadRequest, "PGRST100",
		fmt.Sprintf("%q (line 1, column %d)", "failed to parse "+what+" ("+text+")", column)).details("%s", details)
}

func notImplemented(what string) *Error {
	return refuse(http.StatusBadRequest, "PGRST127", "Feature not implemented").details("%s", what)
}

func tooComplex(details string) *Error {
	return refuse(http.StatusRequestEntityTooLarge, "54001", "statement too complex").details("%s", details)
}

func tooLarge() *Error {
	return refuse(http.StatusRequestEntityTooLarge, "54000", "The answer is larger than "+strconv.Itoa(maxAnswer>>20)+" MB").
		hint("Ask for fewer rows with limit=, or for fewer columns with select=.")
}

func unknownColumn(table, column string) *Error {
	return refuse(http.StatusBadRequest, "42703", fmt.Sprintf("column %s.%s does not exist", table, column))
}

func unknownField(table, column string) *Error {
	return refuse(http.StatusBadRequest, "PGRST204",
		fmt.Sprintf("Could not find the '%s' column of '%s' in the schema cache", column, table))
}

func badValue(t Type, text string) *Error {
	if t == Timestamp {
		return refuse(http.StatusBadRequest, "22007", fmt.Sprintf("invalid input syntax for type %s: \"%s\"", t, text))
	}
	return refuse(http.StatusBadRequest, "22P02", fmt.Sprintf("invalid input syntax for type %s: \"%s\"", t, text))
}

func badBody(message string) *Error { return refuse(http.StatusBadRequest, "PGRST102", message) }

// Package fault is the vocabulary of failure. A domain says what went wrong once, in a sentence for a person;
// each surface (the data API, the auth API, the functions) writes the same fault in its own dialect.
//
// An error that is no fault is ours, not the caller's: its text is for the log and never reaches a client.
package fault

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Kind says what sort of failure a fault is; each surface maps it to a status of its own.
type Kind int

// The kinds of failure that a caller can meet.
const (
	Internal        Kind = iota // our own mistake; the text is hidden
	Invalid                     // the input breaks a rule
	Unauthenticated             // nobody is signed in
	Forbidden                   // somebody is, and may not
	NotFound                    // it is not there, or not for this caller
	Conflict                    // it is there already
	TooLarge                    // the input exceeds a limit
	TooMany                     // the caller exceeds a limit; RetryAfter says for how long
	Unavailable                 // we cannot answer now; a retry is harmless
)

// Error is a failure that a caller may see. Code, Detail and Hint are optional and belong to a dialect.
type Error struct {
	Kind       Kind
	Code       string
	Message    string
	Detail     string
	Hint       string
	RetryAfter time.Duration

	cause error
}

// New makes a fault with a sentence for a person.
func New(kind Kind, message string) *Error { return &Error{Kind: kind, Message: message} }

// Newf is New with a format.
func Newf(kind Kind, format string, args ...any) *Error {
	return New(kind, fmt.Sprintf(format, args...))
}

// Coded makes a fault with a code of the surface that it is meant for.
func Coded(kind Kind, code, message string) *Error {
	return &Error{Kind: kind, Code: code, Message: message}
}

// Because keeps the cause for the log. The client never sees it.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// Expected tells that there is nothing to look into: the caller was turned away because too many wait, which is counted where
// it is decided.
func (e *Error) Expected() bool { return e.Kind == Unavailable && e.RetryAfter > 0 && e.cause == nil }

// Of finds the fault in an error. One that ran into its deadline is Unavailable; any other error is an Internal fault
// that hides its text.
func Of(err error) *Error {
	if found, ok := errors.AsType[*Error](err); ok {
		return found
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return New(Unavailable, "This took too long. Please try again.").Because(err)
	}
	return New(Internal, "Something went wrong on our side.").Because(err)
}

// Is tells whether an error is a fault of this kind.
func Is(err error, kind Kind) bool {
	found, ok := errors.AsType[*Error](err)
	return ok && found.Kind == kind
}

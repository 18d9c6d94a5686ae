package web

import (
	"context"
	"errors"
	"net/http"
)

// statusGone is what logs call an answer that nobody was there for any more.
const statusGone = 499

// Gone tells whether the client has left before its answer: then there is nobody to tell of the failure, and it is none
// of ours.
func Gone(w http.ResponseWriter, r *http.Request) bool {
	if !errors.Is(r.Context().Err(), context.Canceled) {
		return false
	}
	w.WriteHeader(statusGone)
	return true
}

package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"greenroom/internal/platform/web"
)

func TestEveryRequestHasADeadline(t *testing.T) {
	t.Parallel()
	const most = time.Millisecond
	handler := web.Within(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		deadline, has := r.Context().Deadline()
		if left := time.Until(deadline); !has || left > most {
			t.Errorf("it has %v left", left)
		}
		<-r.Context().Done()
		if !errors.Is(r.Context().Err(), context.DeadlineExceeded) {
			t.Errorf("it ended by %v", r.Context().Err())
		}
	}), most)
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody))
}

// What streams outlives the deadline, and ends with its client.
func TestAStreamEndsWithItsClientAlone(t *testing.T) {
	t.Parallel()
	client, leave := context.WithCancel(t.Context())
	handler := web.Within(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		ctx, cancel := web.Unhurried(r.Context())
		defer cancel()
		<-r.Context().Done()
		if _, has := ctx.Deadline(); has || ctx.Err() != nil {
			t.Errorf("the stream ended with its request: %v", ctx.Err())
		}
		leave()
		<-ctx.Done()
	}), time.Millisecond)
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(client, http.MethodGet, "/", http.NoBody))
}

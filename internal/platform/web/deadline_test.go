package web_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/web"
)

func within(next http.Handler, most time.Duration) http.Handler {
	return web.Logged(next, nil, nil, slog.New(slog.DiscardHandler), clock.System{}, most)
}

func TestEveryRequestHasADeadline(t *testing.T) {
	t.Parallel()
	const most = time.Millisecond
	handler := within(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
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
	handler := within(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
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

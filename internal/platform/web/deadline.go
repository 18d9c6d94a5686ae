package web

import (
	"context"
	"net/http"
	"time"
)

type clientKey struct{}

// Within gives every request a deadline: whatever the answer waits for, it ends then. What streams asks for more time
// with Unhurried.
func Within(next http.Handler, most time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(context.WithValue(r.Context(), clientKey{}, r.Context()), most)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Unhurried is a request's context without its deadline, for an answer that is sent in pieces, each of which is bounded
// by itself. It still ends with the client.
func Unhurried(ctx context.Context) (context.Context, context.CancelFunc) {
	client, ok := ctx.Value(clientKey{}).(context.Context)
	if !ok {
		return context.WithCancel(ctx)
	}
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(client, cancel)
	return longer, func() { stop(); cancel() }
}

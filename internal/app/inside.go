package app

import (
	"context"
	"net/http"

	"greenroom/internal/fn"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

// SampleQuestions puts questions and answers of nobody into a course, for whoever wants to see some, and tells how many were not there yet.
func (a *App) SampleQuestions(ctx context.Context, course string) (int, error) {
	return a.domains.discuss.Sample(ctx, course)
}

// SampleReviews puts reviews of nobody into a course, for whoever wants to see some, and tells how many were not there yet.
func (a *App) SampleReviews(ctx context.Context, course string) (int, error) {
	return a.domains.reviews.Sample(ctx, course)
}

// Inside is the installation's own API for whoever has its database and its secret in hand: a command. Nobody else is asked for,
// and there is no network, so it knows neither keys nor limits; all the rules of the domains hold.
func (a *App) Inside() http.Handler {
	operator := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, as(r, who.Actor{Role: who.Service, Admin: true}))
		})
	}
	mux := http.NewServeMux()
	mux.Handle("/rest/v1/", operator(rest.Handler(a.db, a.domains.tables()...)))
	mux.Handle("/functions/v1/", operator(fn.Handler(a.domains.functions()...)))
	stored := a.storing(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+a.keys.Service)
		stored.ServeHTTP(w, r)
	})
}

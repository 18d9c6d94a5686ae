package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"greenroom/internal/platform/web"
)

func TestAClientThatLeftIsNoFailureOfOurs(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/auth/v1/signup", nil)
	if w := httptest.NewRecorder(); web.Gone(w, r) {
		t.Fatal("it is still here")
	}
	leave()
	if w := httptest.NewRecorder(); !web.Gone(w, r) || w.Code != 499 {
		t.Fatalf("answered %d", w.Code)
	}
}

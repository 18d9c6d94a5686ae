package rest_test

import (
	"net/http"
	"strings"
	"testing"
)

// A free account must not keep the writer or the readers busy with patterns on rows of its own.
func TestPatternsOfAccountsAreFewAndChangeNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		many := "or=(" + strings.TrimSuffix(strings.Repeat("title.ilike.*a*,", 9), ",") + ")"
		few := "or=(" + strings.TrimSuffix(strings.Repeat("title.ilike.*a*,", 8), ",") + ")"
		for _, c := range []struct {
			method, path, body, actor string
			status                    int
		}{
			{"GET", "books?" + few, "", asReader, http.StatusOK},
			{"GET", "books?" + many, "", asReader, http.StatusRequestEntityTooLarge},
			{"GET", "books?" + many, "", "X-Actor: ", http.StatusRequestEntityTooLarge},
			{"GET", "books?" + many, "", asAdmin, http.StatusOK},
			{"DELETE", "books?title=like.a*", "", asReader, http.StatusRequestEntityTooLarge},
			{"DELETE", "books?or=(title.ilike.a*,and(id.eq." + book(1) + ",title.ilike.b))", "", asReader, http.StatusRequestEntityTooLarge},
			{"PATCH", "books?title=like.a*", `{"pages":1}`, asReader, http.StatusRequestEntityTooLarge},
			{"DELETE", "books?title=like.nothing*", "", asAdmin, http.StatusNoContent},
		} {
			if got := l.call(t, c.method, c.path, c.body, c.actor); got.status != c.status {
				t.Errorf("%s %s %s: %d %s", c.actor, c.method, c.path, got.status, got.body)
			}
		}
	})
}

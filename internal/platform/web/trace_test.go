package web_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/web"
)

func TestALineNamesTheTraceThatItsRequestIsPartOf(t *testing.T) {
	t.Parallel()
	const id = "0af7651916cd43dd8448eb211c80319c"
	for header, want := range map[string]string{
		"00-" + id + "-b7ad6b7169203331-01": `"trace":"` + id + `"`,
		"":                                  "",
		"00-" + strings.Repeat("0", 32) + "-b7ad6b7169203331-01":     "",
		"00-" + strings.Repeat("\"", 32) + "-b7ad6b7169203331-01":    "",
		"00-" + strings.ToUpper(id) + "-b7ad6b7169203331-01":         "",
		"00-" + id + "-b7ad6b7169203331-01" + strings.Repeat("x", 9): "",
	} {
		var said bytes.Buffer
		answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
		r := httptest.NewRequest("GET", "/", nil)
		if header != "" {
			r.Header.Set("Traceparent", header)
		}
		web.Logged(answer, nil, nil, slog.New(web.NewLines(&said)), clock.System{}, time.Minute).ServeHTTP(httptest.NewRecorder(), r)
		if got := said.String(); strings.Contains(got, "trace") != (want != "") || !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%q: %s", header, got)
		}
	}
}

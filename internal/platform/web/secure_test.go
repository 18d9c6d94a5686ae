package web_test

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"greenroom/internal/platform/web"
)

// serveTLS is serve with TLS, and a client that believes it.
func serveTLS(t *testing.T, bounds web.Bounds, handler http.HandlerFunc) (address string, client func() *http.Client) {
	t.Helper()
	// Only its certificate is used.
	lent := httptest.NewUnstartedServer(nil)
	lent.EnableHTTP2 = true
	lent.StartTLS()
	t.Cleanup(lent.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	secure := &tls.Config{Certificates: lent.TLS.Certificates, NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12}
	server, ended := bounds.Serve(listener, secure, handler, nil, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	believes := lent.Client().Transport.(*http.Transport).TLSClientConfig
	return "https://" + listener.Addr().String(), func() *http.Client {
		return &http.Client{Transport: &http.Transport{TLSClientConfig: believes.Clone(), ForceAttemptHTTP2: true}}
	}
}

func ask(t *testing.T, client *http.Client, address string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

func TestSecurity66AnIdleConnectionGivesWayOverTLSToo(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Connections = 1
	address, client := serveTLS(t, bounds, func(http.ResponseWriter, *http.Request) {})
	for range 3 {
		if got := ask(t, client(), address); got.StatusCode != http.StatusOK || got.ProtoMajor != 2 {
			t.Errorf("%s %s", got.Status, got.Proto)
		}
	}
}

func TestSecurity66AStreamThatTakesNothingIsCut(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Stall = 50 * time.Millisecond
	failed := make(chan error, 1)
	address, client := serveTLS(t, bounds, func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				failed <- err
				return
			}
		}
	})
	ask(t, client(), address)
	select {
	case <-failed:
	case <-time.After(patience):
		t.Error("who takes nothing is served for ever")
	}
}

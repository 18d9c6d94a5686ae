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

// ask gives the status and the protocol of an answer; its body is left unread, and closed with the test.
func ask(t *testing.T, client *http.Client, address string) (status, proto int, err error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		return 0, 0, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, 0, err
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer.StatusCode, answer.ProtoMajor, nil
}

func TestSecurity66AnIdleConnectionGivesWayOverTLSToo(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Connections = 1
	address, client := serveTLS(t, bounds, func(http.ResponseWriter, *http.Request) {})
	for range 3 {
		if status, proto, err := ask(t, client(), address); status != http.StatusOK || proto != 2 {
			t.Errorf("%d HTTP/%d %v", status, proto, err)
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
	if _, _, err := ask(t, client(), address); err != nil {
		t.Fatal(err)
	}
	select {
	case <-failed:
	case <-time.After(patience):
		t.Error("who takes nothing is served for ever")
	}
}

func TestSecurity66ABusyConnectionKeepsItsPlaceOverTLS(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Connections = 1
	begun, finish, slow := make(chan bool, 1), make(chan bool), make(chan error, 1)
	address, client := serveTLS(t, bounds, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			begun <- true
			<-finish
		}
	})
	go func() {
		_, _, err := ask(t, client(), address+"/slow")
		slow <- err
	}()
	<-begun
	if status, _, err := ask(t, client(), address); err == nil {
		t.Errorf("a second one came in: %d", status)
	}
	close(finish)
	if err := <-slow; err != nil {
		t.Errorf("who was being answered was cut: %v", err)
	}
}

func TestSecurity66StreamsOfAnAddressAreBoundedAsItsConnections(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.PerAddress = 3
	begun, finish := make(chan bool, 10), make(chan bool)
	address, client := serveTLS(t, bounds, func(http.ResponseWriter, *http.Request) {
		begun <- true
		<-finish
	})
	one := client() // all on one connection
	statuses := make(chan int, 4)
	for range 3 {
		go func() { status, _, _ := ask(t, one, address); statuses <- status }()
	}
	for range 3 {
		<-begun
	}
	if status, _, err := ask(t, one, address); status != http.StatusServiceUnavailable {
		t.Errorf("the fourth: %d %v", status, err)
	}
	close(finish)
	for range 3 {
		if status := <-statuses; status != http.StatusOK {
			t.Errorf("one of the three: %d", status)
		}
	}
	if status, _, err := ask(t, one, address); status != http.StatusOK {
		t.Errorf("afterwards: %d %v", status, err)
	}
}

// TestSecurity66WhoReadsNothingOfALaterAnswerIsCut asks twice: the server forgets a deadline after every answer.
func TestSecurity66WhoReadsNothingOfALaterAnswerIsCut(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Stall = 50 * time.Millisecond
	failed := make(chan error, 1)
	address := serve(t, bounds, nil, func(w http.ResponseWriter, r *http.Request) {
		for r.URL.Path == "/big" {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				failed <- err
				return
			}
		}
	})
	c := dial(t, address)
	c.ask(t, "GET / HTTP/1.1", "")
	if !c.answered() {
		t.Fatal("the first was not answered")
	}
	c.ask(t, "GET /big HTTP/1.1", "")
	select {
	case <-failed:
	case <-time.After(patience):
		t.Error("who reads nothing is served for ever")
	}
}

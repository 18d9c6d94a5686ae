package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"greenroom/internal/platform/db"
)

// ports gives free ones of the kernel's choice and holds them until the test ends: a socket that is bound and does not
// listen keeps everybody away but who asks for this very port to listen on.
func ports(t *testing.T, n int) (all []int) {
	t.Helper()
	for range n {
		socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = syscall.Close(socket) })
		if err := syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
			t.Fatal(err)
		}
		bound, err := syscall.Getsockname(socket)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, bound.(*syscall.SockaddrInet4).Port)
	}
	return all
}

// selfSigned writes a certificate for this machine and its key.
func selfSigned(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	certificate, key = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}

// authority starts Pebble, Let's Encrypt's own server for tests, that asks this machine at the given ports.
func authority(t *testing.T, plain, secure int) (directory, roots, certificate string) {
	t.Helper()
	certificate, key := selfSigned(t)
	own := ports(t, 4)
	names, naming := "127.0.0.1:"+strconv.Itoa(own[2]), "127.0.0.1:"+strconv.Itoa(own[3])
	listen, manage := "127.0.0.1:"+strconv.Itoa(own[0]), "127.0.0.1:"+strconv.Itoa(own[1])
	text, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": listen, "managementListenAddress": manage, "certificate": certificate, "privateKey": key,
		"httpPort": plain, "tlsPort": secure, "keyAlgorithm": "ecdsa",
		"profiles": map[string]any{"default": map[string]any{"description": "usual", "validityPeriod": 7776000}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(t.TempDir(), "pebble.json")
	if err := os.WriteFile(settings, text, 0o600); err != nil {
		t.Fatal(err)
	}
	// Every name is this machine's.
	background(t, naming, "pebble-challtestsrv-2.10.1", "-dnsserver", names, "-management", naming, "-defaultIPv4", "127.0.0.1",
		"-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", "", "-doh", "")
	background(t, manage, "pebble-2.10.1", "-config", settings, "-dnsserver", names)
	return "https://" + listen + "/dir", "https://" + manage + "/roots/0", certificate
}

// background starts a program of bin/tools and waits until it listens.
func background(t *testing.T, address, name string, args ...string) {
	t.Helper()
	program, err := filepath.Abs("../../bin/tools/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatal(name + " is missing: make tools installs it")
	}
	c := exec.CommandContext(context.Background(), program, args...)
	c.Env = []string{"PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0"}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() { _ = c.Process.Kill() })
	for {
		if up, err := net.Dial("tcp", address); err == nil {
			_ = up.Close()
			return
		}
		select {
		case err := <-ended:
			t.Fatalf("%s ended: %v", name, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// trusting is a client that believes the given certificates and no others.
func trusting(t *testing.T, certificates []byte) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(certificates) {
		t.Fatalf("no certificate: %s", certificates)
	}
	return &http.Client{
		Transport:     &http.Transport{DialContext: toThisMachine, TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// toThisMachine goes by the port alone, because no resolver knows the name.
func toThisMachine(ctx context.Context, network, address string) (net.Conn, error) {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	return (&net.Dialer{}).DialContext(ctx, network, "127.0.0.1:"+port)
}

// fetched is an answer that was read to its end.
type fetched struct {
	status, proto int
	header        http.Header
	tls           *tls.ConnectionState
	text          string
}

func fetch(t *testing.T, client *http.Client, address string) fetched {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fetched{answer.StatusCode, answer.ProtoMajor, answer.Header, answer.TLS, string(text)}
}

// TestTheServerGetsItsOwnCertificate has it ask a real authority, which asks back.
func TestTheServerGetsItsOwnCertificate(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			own := ports(t, 2)
			plain, secure := strconv.Itoa(own[0]), strconv.Itoa(own[1])
			directory, roots, certificate := authority(t, own[0], own[1])
			p := newPlace(t, engine, "GREENROOM_TLS=auto", "GREENROOM_SITE_URL=https://courses.example.com:"+secure, "GREENROOM_LISTEN=127.0.0.1:"+secure,
				"GREENROOM_LISTEN_HTTP=127.0.0.1:"+plain, "GREENROOM_ACME_URL="+directory, "SSL_CERT_FILE="+certificate)
			server := p.serve(t)
			server.await(t, "certificate ready")

			believed, err := os.ReadFile(certificate)
			if err != nil {
				t.Fatal(err)
			}
			root := fetch(t, trusting(t, believed), roots).text
			client := trusting(t, []byte(root))
			home := fetch(t, client, "https://courses.example.com:"+secure+"/")
			if home.status != http.StatusOK || home.proto != 2 || !strings.Contains(home.text, "Greenroom") ||
				!strings.Contains(home.header.Get("Strict-Transport-Security"), "max-age") {
				t.Errorf("%d HTTP/%d %v", home.status, home.proto, home.header)
			}
			sent := fetch(t, client, "http://courses.example.com:"+plain+"/search?q=a%20b")
			if sent.status != http.StatusMovedPermanently || sent.header.Get("Location") != "https://courses.example.com:"+secure+"/search?q=a%20b" {
				t.Errorf("%d to %s", sent.status, sent.header.Get("Location"))
			}
			first := home.tls.PeerCertificates[0].SerialNumber
			server.stop(t)
			again := p.serve(t)
			again.await(t, "certificate ready")
			if home := fetch(t, trusting(t, []byte(root)), "https://courses.example.com:"+secure+"/"); home.tls.PeerCertificates[0].SerialNumber.Cmp(first) != 0 {
				t.Error("a second start asked for another certificate")
			}
			again.stop(t)
		})
	}
}

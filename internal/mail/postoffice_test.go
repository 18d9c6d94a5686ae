package mail

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// mailHost is the name of the mail server in these tests. It is not this machine's, so nothing may go to it in clear.
const mailHost = "mail.greenroom.test"

// postOffice is a real SMTP server on this machine whose conduct a test scripts.
type postOffice struct {
	address string

	mu       sync.Mutex
	accepted []delivery
	seen     int // letters whose DATA came in, accepted or not
	wire     bytes.Buffer
	script   script
}

// script is what the server does wrong. A nil step does nothing wrong.
type script struct {
	mail, rcpt func() error
	data       func(conn net.Conn) error
}

// delivery is a letter that the server took.
type delivery struct {
	From    string
	To      []string
	User    string
	TLS     bool
	Content string
}

// openPostOffice starts a server. Without a certificate it offers no encryption; implicit means from the first byte.
func openPostOffice(t *testing.T, certificate *tls.Config, implicit bool) *postOffice {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return servePostOffice(t, listener, certificate, implicit)
}

func servePostOffice(t *testing.T, listener net.Listener, certificate *tls.Config, implicit bool) *postOffice {
	t.Helper()
	p := &postOffice{address: listener.Addr().String()}
	served := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &visit{office: p, conn: c}, nil
	}))
	served.Domain = mailHost
	served.AllowInsecureAuth = true
	served.TLSConfig = certificate
	served.EnableSMTPUTF8 = true
	served.ErrorLog = log.New(io.Discard, "", 0)
	var on net.Listener = recorder{listener, p}
	if implicit {
		served.TLSConfig = nil
		on = tls.NewListener(on, certificate)
	}
	go func() { _ = served.Serve(on) }()
	t.Cleanup(func() { _ = served.Close() })
	return p
}

func (p *postOffice) follow(s script) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.script = s
}

func (p *postOffice) letters() []delivery {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]delivery(nil), p.accepted...)
}

// clear is everything that came over the wire as it is.
func (p *postOffice) clear() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wire.String()
}

// recorder keeps what clients send, before any decryption.
type recorder struct {
	net.Listener
	office *postOffice
}

func (r recorder) Accept() (net.Conn, error) {
	conn, err := r.Listener.Accept()
	return recorded{conn, r.office}, err
}

type recorded struct {
	net.Conn
	office *postOffice
}

func (r recorded) Read(into []byte) (int, error) {
	n, err := r.Conn.Read(into)
	r.office.mu.Lock()
	r.office.wire.Write(into[:n])
	r.office.mu.Unlock()
	return n, err
}

// visit is one client's session.
type visit struct {
	office *postOffice
	conn   *smtp.Conn
	letter delivery
	user   string
}

func (v *visit) step(pick func(script) func() error) error {
	v.office.mu.Lock()
	do := pick(v.office.script)
	v.office.mu.Unlock()
	if do == nil {
		return nil
	}
	return do()
}

func (v *visit) Reset()        { v.letter = delivery{} }
func (v *visit) Logout() error { return nil }

func (v *visit) AuthMechanisms() []string { return []string{sasl.Plain} }

func (v *visit) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != "postmaster" || password != "s3cret-password" {
			return smtp.ErrAuthFailed
		}
		v.user = user
		return nil
	}), nil
}

func (v *visit) Mail(from string, _ *smtp.MailOptions) error {
	v.letter.From = from
	return v.step(func(s script) func() error { return s.mail })
}

func (v *visit) Rcpt(to string, _ *smtp.RcptOptions) error {
	v.letter.To = append(v.letter.To, to)
	return v.step(func(s script) func() error { return s.rcpt })
}

func (v *visit) Data(from io.Reader) error {
	content, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	v.letter.Content, v.letter.User = string(content), v.user
	_, v.letter.TLS = v.conn.TLSConnectionState()
	v.office.mu.Lock()
	v.office.seen++
	do := v.office.script.data
	v.office.mu.Unlock()
	if do != nil {
		if err := do(v.conn.Conn()); errors.Is(err, errTaken) {
			v.take()
			return err
		} else if err != nil {
			return err
		}
	}
	v.take()
	return nil
}

// errTaken means that the server keeps the letter though its answer never arrives.
var errTaken = errors.New("taken")

func (v *visit) take() {
	v.office.mu.Lock()
	defer v.office.mu.Unlock()
	v.office.accepted = append(v.office.accepted, v.letter)
}

// authority makes certificates that the tests' clients trust.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pool        *x509.CertPool
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key := newKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(certificate)
	return &authority{certificate, key, pool}
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// issue makes a server's certificate for a name.
func (a *authority) issue(t *testing.T, name string, until time.Time) *tls.Config {
	t.Helper()
	key := newKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: until, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}}
}

func (a *authority) good(t *testing.T) *tls.Config {
	t.Helper()
	return a.issue(t, mailHost, time.Now().Add(time.Hour))
}

// towards makes an outbox's sender believe that the mail server's name leads to this address.
func (a *authority) towards(t *testing.T, o *Outbox, scheme string, address func() string) {
	t.Helper()
	made, err := newSMTP(scheme + "://postmaster:s3cret-password@" + mailHost)
	if err != nil {
		t.Fatal(err)
	}
	made.tls.RootCAs = a.pool
	made.dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, address())
	}
	o.sender = made
}

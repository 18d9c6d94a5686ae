package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"greenroom/internal/platform/safe"
)

// sendTime bounds each conversation with the server; the lease on a letter is longer.
const sendTime = 30 * time.Second

// server is an SMTP server. Letters go to it over verified TLS only; a server on this very machine may do without.
type server struct {
	host           string
	port           int
	user, password string
	implicit       bool
	local          bool
	timeout        time.Duration
	tls            *tls.Config
	dial           func(ctx context.Context, network, address string) (net.Conn, error)
}

func newSMTP(address string) (*server, error) {
	parsed, err := url.Parse(address)
	if err != nil || (parsed.Scheme != "smtp" && parsed.Scheme != "smtps") || parsed.Hostname() == "" {
		// The parser's own text quotes the address with its password.
		return nil, errors.New("GREENROOM_SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465")
	}
	s := &server{host: parsed.Hostname(), implicit: parsed.Scheme == "smtps", timeout: sendTime, dial: (&net.Dialer{}).DialContext}
	s.local = loopback(s.host)
	s.tls = &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}
	s.user = parsed.User.Username()
	s.password, _ = parsed.User.Password()
	switch port := parsed.Port(); {
	case port != "":
		if s.port, err = strconv.Atoi(port); err != nil || s.port < 1 || s.port > 65535 {
			return nil, errors.New("GREENROOM_SMTP_URL has a port that does not exist")
		}
	case s.implicit:
		s.port = 465
	default:
		s.port = 587
	}
	return s, nil
}

func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

func (s *server) describe() string {
	scheme := "smtp://"
	if s.implicit {
		scheme = "smtps://"
	}
	return scheme + net.JoinHostPort(s.host, strconv.Itoa(s.port))
}

// open connects, encrypts and signs in.
func (s *server) open(ctx context.Context) (session, error) {
	c := &conversation{server: s}
	options := []gomail.Option{
		gomail.WithPort(s.port), gomail.WithTimeout(s.timeout), gomail.WithTLSConfig(s.tls),
		gomail.WithTLSPolicy(gomail.TLSMandatory), gomail.WithDialContextFunc(c.dial),
	}
	if s.local {
		// Nothing leaves the machine; where encryption is offered it is used and checked all the same.
		options = append(options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	}
	if s.implicit {
		options = append(options, gomail.WithSSL())
	}
	if s.user != "" {
		options = append(options, gomail.WithUsername(s.user), gomail.WithPassword(s.password),
			gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthSCRAMSHA1, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin))
	}
	client, err := gomail.NewClient(s.host, options...)
	if err != nil {
		return nil, fmt.Errorf("the mail server cannot be used: %w", err)
	}
	c.client = client
	if c.smtp, err = client.DialToSMTPClientWithContext(ctx); err != nil {
		c.drop()
		return nil, errors.New("the mail server " + s.describe() + " cannot be used: " + reasonOf(err, s.password))
	}
	return c, nil
}

// conversation is one connection to the server.
type conversation struct {
	server *server
	client *gomail.Client
	smtp   *smtp.Client
	conn   net.Conn
}

// dial keeps the connection, because the library forgets to close it when the greeting fails.
func (c *conversation) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	conn, err := c.server.dial(ctx, network, net.JoinHostPort(c.server.host, strconv.Itoa(c.server.port)))
	if err != nil {
		return nil, err
	}
	c.conn = conn
	if !c.server.implicit {
		return conn, nil
	}
	encrypted := tls.Client(conn, c.server.tls)
	return encrypted, encrypted.HandshakeContext(ctx)
}

func (c *conversation) drop() {
	if c.conn != nil {
		_ = c.conn.Close()
	}
}

func (*conversation) many() int { return 1 }

func (c *conversation) probe() error { return c.smtp.Noop() }

func (c *conversation) close() {
	if err := c.client.CloseWithSMTPClient(c.smtp); err != nil {
		c.drop()
	}
}

// send hands one letter over. It is sent when the server has said so; when the line breaks before that, nobody
// knows, and the letter goes again with the same Message-ID.
func (c *conversation) send(ctx context.Context, m message) error {
	stop := context.AfterFunc(ctx, safe.Func(slog.Default(), c.drop))
	defer stop()
	err := c.client.SendWithSMTPClient(c.smtp, m.Msg)
	if err == nil || m.IsDelivered() {
		return nil
	}
	failed, ok := errors.AsType[*gomail.SendError](err)
	if !ok {
		return errors.New(reasonOf(err, append(m.secrets, c.server.password)...))
	}
	reason := reasonOf(errors.New(afterword.ReplaceAllString(failed.Error(), "")), append(m.secrets, c.server.password)...)
	if code := failed.ErrorCode(); code >= 500 {
		return &refusal{reason}
	}
	return errors.New(reason)
}

// afterword is what the library adds to the server's words: an address and an id that the row has anyway.
var afterword = regexp.MustCompile(`, affected (recipient\(s\)|message ID): .*$`)

// Reach connects to a mail server as for a letter, signs in, and leaves.
func Reach(ctx context.Context, address string) error {
	s, err := newSMTP(address)
	if err != nil {
		return err
	}
	open, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer open.close()
	return open.probe()
}

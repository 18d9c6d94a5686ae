package mail

import (
	"crypto/tls"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/mail/eml"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestLettersGoOverVerifiedTLSWithAPassword(t *testing.T) {
	t.Parallel()
	for _, scheme := range []string{"smtp", "smtps"} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				trusted := newAuthority(t)
				office := openPostOffice(t, trusted.good(t), scheme == "smtps")
				o := newOutbox(t, d, newBox(t), &journal{})
				trusted.towards(t, o, scheme, func() string { return office.address })
				if err := o.Check(t.Context()); err != nil {
					t.Fatal(err)
				}
				if len(office.letters()) != 0 {
					t.Fatal("the check sent a letter")
				}
				work(t, o)
				enqueue(t, o, reset)
				waitFor(t, o, Sent, 1)
				got := office.letters()[0]
				if !got.TLS || got.User != "postmaster" || got.From != "hello@greenroom.example" || fmt.Sprint(got.To) != "[ada@example.com]" {
					t.Fatalf("delivered %+v", got)
				}
				letter, err := eml.Parse(got.Content)
				if err != nil || letter.Link() != reset.Link || letter.Code() != reset.Code {
					t.Fatalf("read back %q, %q, %v", letter.Link(), letter.Code(), err)
				}
			})
		})
	}
}

// TestSecurity70NothingLeavesInClear: with any doubt about the server the letter waits, and the wire has seen neither it
// nor the password. When the doubt is gone, the letter leaves by itself.
func TestSecurity70NothingLeavesInClear(t *testing.T) {
	t.Parallel()
	old := func(c *tls.Config) *tls.Config {
		c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
		return c
	}
	for name, c := range map[string]struct {
		scheme string
		server func(t *testing.T, trusted *authority) *tls.Config
		reason string
	}{
		"no STARTTLS": {"smtp", func(*testing.T, *authority) *tls.Config { return nil }, "STARTTLS"},
		"certificate of another": {"smtp", func(t *testing.T, a *authority) *tls.Config {
			return a.issue(t, "evil.example", time.Now().Add(time.Hour))
		}, "certificate is valid for evil.example"},
		"certificate has expired": {"smtp", func(t *testing.T, a *authority) *tls.Config { return a.issue(t, mailHost, time.Now().Add(-time.Hour)) }, "expired"},
		"unknown authority":       {"smtp", func(t *testing.T, _ *authority) *tls.Config { return newAuthority(t).good(t) }, "unknown authority"},
		"old TLS":                 {"smtp", func(t *testing.T, a *authority) *tls.Config { return old(a.good(t)) }, "protocol version"},
		"smtps of another": {"smtps", func(t *testing.T, a *authority) *tls.Config {
			return a.issue(t, "evil.example", time.Now().Add(time.Hour))
		}, "certificate is valid for evil.example"},
		"smtps with no TLS at all":   {"smtps", func(*testing.T, *authority) *tls.Config { return nil }, "TLS handshake"},
		"smtps of unknown authority": {"smtps", func(t *testing.T, _ *authority) *tls.Config { return newAuthority(t).good(t) }, "unknown authority"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trusted := newAuthority(t)
			certificate := c.server(t, trusted)
			doubtful := openPostOffice(t, certificate, c.scheme == "smtps" && certificate != nil)
			mended := openPostOffice(t, trusted.good(t), c.scheme == "smtps")
			var address atomic.Pointer[string]
			address.Store(&doubtful.address)
			o := newOutbox(t, dbtest.Open(t, db.SQLite, clock.System{}), newBox(t), &journal{})
			trusted.towards(t, o, c.scheme, func() string { return *address.Load() })
			if err := o.Check(t.Context()); err == nil || !strings.Contains(err.Error(), c.reason) {
				t.Fatalf("the check says %v", err)
			}
			work(t, o)
			enqueue(t, o, reset)
			eventually(t, "the reason is shown", func() bool { return strings.Contains(only(t, o).LastError, c.reason) })
			if only(t, o).State != Waiting || len(doubtful.letters()) != 0 {
				t.Fatal("the letter did not wait")
			}
			for _, secret := range []string{"ada@example.com", "marked-secret", "s3cret-password", "AUTH"} {
				if strings.Contains(doubtful.clear(), secret) {
					t.Errorf("%q went over the wire in clear", secret)
				}
			}
			address.Store(&mended.address)
			waitFor(t, o, Sent, 1)
		})
	}
}

func TestServerOnThisMachineMayDoWithoutTLS(t *testing.T) {
	t.Parallel()
	office := openPostOffice(t, nil, false)
	o := newOutbox(t, dbtest.Open(t, db.SQLite, clock.System{}), newBox(t), &journal{})
	var err error
	if o.sender, err = newSMTP("smtp://" + office.address); err != nil {
		t.Fatal(err)
	}
	work(t, o)
	enqueue(t, o, reset)
	waitFor(t, o, Sent, 1)
}

package mail

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"greenroom/internal/mail/eml"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

var reset = Reset{To: "ada@example.com", Link: "https://greenroom.example/auth/v1/verify?token=marked-secret", Code: "482913"}

func TestServerThatPutsLettersOffGetsThemLater(t *testing.T) {
	t.Parallel()
	soon := &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "Greylisted, try again"}
	for name, broken := range map[string]script{
		"at MAIL": {mail: func() error { return soon }},
		"at RCPT": {rcpt: func() error { return soon }},
		"at DATA": {data: func(net.Conn) error { return soon }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				trusted := newAuthority(t)
				office := openPostOffice(t, trusted.good(t), false)
				office.follow(broken)
				o := newOutbox(t, d, newBox(t), &journal{})
				trusted.towards(t, o, "smtp", func() string { return office.address })
				work(t, o)
				enqueue(t, o, reset)
				eventually(t, "three tries", func() bool { return only(t, o).Attempts >= 3 })
				if e := only(t, o); e.State != Waiting && e.State != Sending || !strings.Contains(e.LastError, "Greylisted") {
					t.Fatalf("while it is put off: %+v", e)
				}
				office.follow(script{})
				waitFor(t, o, Sent, 1)
				if n := len(office.letters()); n != 1 {
					t.Fatalf("%d letters arrived", n)
				}
			})
		})
	}
}

func TestRefusedLetterIsParkedWithTheReasonAndSentOnDemand(t *testing.T) {
	t.Parallel()
	never := &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "No such mailbox; you sent " + reset.Link + " and 482913"}
	for name, broken := range map[string]script{
		"at MAIL": {mail: func() error { return never }},
		"at RCPT": {rcpt: func() error { return never }},
		"at DATA": {data: func(net.Conn) error { return never }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				trusted := newAuthority(t)
				office := openPostOffice(t, trusted.good(t), false)
				office.follow(broken)
				log := &journal{}
				o := newOutbox(t, d, newBox(t), log)
				trusted.towards(t, o, "smtp", func() string { return office.address })
				work(t, o)
				enqueue(t, o, reset)
				waitFor(t, o, Failed, 1)
				e := only(t, o)
				if e.Attempts != 1 || !strings.Contains(e.LastError, "550") || !strings.Contains(e.LastError, "5.1.1 No such mailbox") {
					t.Fatalf("parked as %+v", e)
				}
				for _, secret := range []string{"marked-secret", "482913"} {
					if strings.Contains(e.LastError+log.String(), secret) {
						t.Errorf("the server's answer brought %q into the reason or the log", secret)
					}
				}
				if strings.Contains(log.String(), "ada@example.com") {
					t.Error("the log names the recipient")
				}
				office.follow(script{})
				resend(t, o, e.ID)
				waitFor(t, o, Sent, 1)
			})
		})
	}
}

func TestSlowServerHoldsNothingUpForEver(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		trusted := newAuthority(t)
		office := openPostOffice(t, trusted.good(t), false)
		released := make(chan struct{})
		office.follow(script{rcpt: func() error { <-released; return errors.New("too late") }})
		o := newOutbox(t, d, newBox(t), &journal{})
		trusted.towards(t, o, "smtp", func() string { return office.address })
		o.sender.(*server).timeout = 500 * time.Millisecond
		stop := work(t, o)
		enqueue(t, o, reset)
		eventually(t, "the time-out is noted", func() bool { return strings.Contains(only(t, o).LastError, "timeout") })
		stop()
		office.follow(script{})
		close(released)
		o.sender.(*server).timeout = sendTime // a busy machine is no slow server
		work(t, o)
		waitFor(t, o, Sent, 1)
		if n := len(office.letters()); n != 1 {
			t.Fatalf("%d letters arrived", n)
		}
	})
}

func TestServerThatIsDownGetsEverythingWhenItIsBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		trusted := newAuthority(t)
		closed, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		nobody := closed.Addr().String()
		_ = closed.Close()
		var address atomic.Pointer[string]
		address.Store(&nobody)
		o := newOutbox(t, d, newBox(t), &journal{})
		trusted.towards(t, o, "smtp", func() string { return *address.Load() })
		work(t, o)
		for i := range 20 {
			enqueue(t, o, PasswordChanged{To: fmt.Sprintf("%d@example.com", i)})
		}
		eventually(t, "somebody says why", func() bool {
			entries, _, err := o.List(t.Context(), Filter{})
			return err == nil && strings.Contains(entries[len(entries)-1].LastError, "connection refused")
		})
		office := openPostOffice(t, trusted.good(t), false)
		address.Store(&office.address)
		waitFor(t, o, Sent, 20)
		once(t, office.letters(), 20)
	})
}

// TestCutAfterDataGivesAtMostOneDouble: the server took the letter and the line broke before it could say so.
func TestCutAfterDataGivesAtMostOneDouble(t *testing.T) {
	t.Parallel()
	for name, keeps := range map[string]bool{"the server kept it": true, "the server lost it": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				trusted := newAuthority(t)
				office := openPostOffice(t, trusted.good(t), false)
				var cut atomic.Bool
				office.follow(script{data: func(conn net.Conn) error {
					if !cut.CompareAndSwap(false, true) {
						return nil
					}
					_ = conn.Close()
					if keeps {
						return errTaken
					}
					return errors.New("lost")
				}})
				o := newOutbox(t, d, newBox(t), &journal{})
				trusted.towards(t, o, "smtp", func() string { return office.address })
				work(t, o)
				enqueue(t, o, reset)
				waitFor(t, o, Sent, 1)
				got, want := office.letters(), 1
				if keeps {
					want = 2
				}
				if len(got) != want {
					t.Fatalf("%d letters, want %d", len(got), want)
				}
				if first, last := messageID(t, got[0]), messageID(t, got[want-1]); first != last {
					t.Fatalf("Message-ID %s became %s", first, last)
				}
			})
		})
	}
}

func TestWrongPasswordLetsLettersWait(t *testing.T) {
	t.Parallel()
	trusted := newAuthority(t)
	office := openPostOffice(t, trusted.good(t), false)
	o := newOutbox(t, dbtest.Open(t, db.SQLite, clock.System{}), newBox(t), &journal{})
	trusted.towards(t, o, "smtp", func() string { return office.address })
	sender := o.sender.(*server)
	sender.password = "wrong-password"
	err := o.Check(t.Context())
	if err == nil || !strings.Contains(err.Error(), "535") || strings.Contains(err.Error(), "wrong-password") {
		t.Fatalf("the check says %v", err)
	}
	work(t, o)
	enqueue(t, o, reset)
	eventually(t, "the reason is shown", func() bool { return strings.Contains(only(t, o).LastError, "535") })
	if only(t, o).State != Waiting {
		t.Fatal("a wrong setting of ours cost a letter")
	}
}

func TestWrongAddressOfTheServerIsNamedWithoutThePassword(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"http://user:hidden@host", "smtp://", "smtp://user:hidden@:25", "smtp://user:hidden@host:99999",
		"host:25", "smtp://user:hidden@host:port", "smtp://us%zzer:hidden@host",
	} {
		_, err := New(Options{From: "a@example.com", SMTPURL: text})
		if err == nil || !strings.Contains(err.Error(), "GREENROOM_SMTP_URL") || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func messageID(t *testing.T, d delivery) string {
	t.Helper()
	letter, err := eml.Parse(d.Content)
	if err != nil {
		t.Fatal(err)
	}
	return letter.Header.Get("Message-Id")
}

// once checks that n different letters arrived, none twice.
func once(t *testing.T, got []delivery, n int) {
	t.Helper()
	seen := map[string]int{}
	for _, d := range got {
		seen[messageID(t, d)]++
	}
	for letter, times := range seen {
		if times != 1 {
			t.Errorf("%s arrived %d times", letter, times)
		}
	}
	if len(seen) != n {
		t.Errorf("%d letters arrived, want %d", len(seen), n)
	}
}

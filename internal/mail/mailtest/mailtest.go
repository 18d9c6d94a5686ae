// Package mailtest gives tests an outbox whose letters they can read. The letters go the real way: through the
// outbox and out as files.
package mailtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/internal/key"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
)

// Mailbox is an outbox and the folder that its letters arrive in.
type Mailbox struct {
	*mail.Outbox
	Folder string
}

// Open starts an outbox with its worker; both end with the test.
func Open(t testing.TB, d *db.DB) *Mailbox {
	t.Helper()
	box, err := key.OpenBox(filepath.Join(t.TempDir(), "secret"))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "mail")
	outbox, err := mail.New(mail.Options{
		DB: d, Box: box, From: "Greenroom <hello@greenroom.example>", Inbox: "inbox@greenroom.example",
		Support: "support@greenroom.example", Folder: folder, SiteURL: "https://greenroom.example",
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		outbox.Run(ctx)
		close(ended)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	return &Mailbox{Outbox: outbox, Folder: folder}
}

// Letter is a letter that arrived.
type Letter struct {
	Header  netmail.Header
	Subject string
	Text    string
	HTML    string
}

var links = regexp.MustCompile(`https?://\S+`)

// Link is the first web address in the letter's text.
func (l Letter) Link() string { return links.FindString(l.Text) }

var codes = regexp.MustCompile(`\b\d{6}\b`)

// Code is the six-digit code in the letter's text, links aside.
func (l Letter) Code() string { return codes.FindString(links.ReplaceAllString(l.Text, "")) }

// To waits until there are n letters to an address and gives them, oldest first.
func (m *Mailbox) To(t testing.TB, email string, n int) []Letter {
	t.Helper()
	var found []Letter
	for range 1000 {
		var err error
		if found, err = ReadFolder(m.Folder, email); err != nil {
			t.Fatal(err)
		}
		if len(found) >= n {
			return found
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%d letters to %s arrived, want %d", len(found), email, n)
	return nil
}

// ReadFolder reads the letters to an address out of a folder, oldest first. An empty address means all.
func ReadFolder(folder, email string) ([]Letter, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.eml"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var found []Letter
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		letter, err := Parse(string(content))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		to, err := letter.Header.AddressList("To")
		if err != nil || len(to) != 1 {
			return nil, fmt.Errorf("%s: recipients %v, %w", name, to, err)
		}
		if email == "" || strings.EqualFold(to[0].Address, email) {
			found = append(found, letter)
		}
	}
	return found, nil
}

// Parse reads a letter as a mail program does.
func Parse(content string) (Letter, error) {
	parsed, err := netmail.ReadMessage(strings.NewReader(content))
	if err != nil {
		return Letter{}, err
	}
	letter := Letter{Header: parsed.Header}
	if letter.Subject, err = new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject")); err != nil {
		return letter, err
	}
	kind, parameters, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		return letter, fmt.Errorf("content type %q: %w", kind, err)
	}
	parts := multipart.NewReader(parsed.Body, parameters["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return letter, nil
		}
		if err != nil {
			return letter, err
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			return letter, err
		}
		text := strings.ReplaceAll(string(body), "\r\n", "\n")
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			letter.HTML = text
		} else {
			letter.Text = text
		}
	}
}

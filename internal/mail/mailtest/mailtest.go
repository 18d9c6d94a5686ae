// Package mailtest gives tests an outbox whose letters they can read. The letters go the real way: through the
// outbox and out as files.
package mailtest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"greenroom/internal/key"
	"greenroom/internal/mail"
	"greenroom/internal/mail/eml"
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

// To waits until there are n letters to an address and gives them, oldest first.
func (m *Mailbox) To(t testing.TB, email string, n int) []eml.Letter {
	t.Helper()
	var found []eml.Letter
	for range 1000 {
		var err error
		if found, err = eml.ReadFolder(m.Folder, email); err != nil {
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

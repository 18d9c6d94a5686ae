package mail_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/internal/mail"
	"greenroom/internal/mail/eml"
	"greenroom/internal/mail/mailtest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
)

func TestLetterLeavesWhenItsTransactionCommits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		box := mailtest.Open(t, d)
		undone := errors.New("undone")
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return errors.Join(box.Enqueue(ctx, tx, mail.PasswordChanged{To: "never@example.com"}), undone)
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		link := "https://greenroom.example/auth/v1/verify?token=abc&type=recovery&redirect_to=https%3A%2F%2Fgreenroom.example%2F"
		err = d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return box.Enqueue(ctx, tx, mail.Reset{To: "ada@example.com", Link: link, Code: "123456"})
		})
		if err != nil {
			t.Fatal(err)
		}
		letter := box.To(t, "ada@example.com", 1)[0]
		if letter.Subject != "Reset your password" || letter.Link() != link || letter.Code() != "123456" {
			t.Fatalf("got %q, %q, %q", letter.Subject, letter.Link(), letter.Code())
		}
		if !strings.Contains(letter.HTML, `href="https://greenroom.example/auth/v1/verify?token=abc&amp;type=recovery&amp;redirect_to=https%3A%2F%2Fgreenroom.example%2F"`) {
			t.Error("the HTML part has no working link")
		}
		all, err := eml.ReadFolder(box.Folder, "")
		if err != nil || len(all) != 1 {
			t.Fatalf("%d letters, %v: one was rolled back", len(all), err)
		}
		names, _ := filepath.Glob(filepath.Join(box.Folder, "*"))
		for _, name := range names {
			if about, err := os.Stat(name); err != nil || about.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v, %v", name, about.Mode(), err)
			}
		}
	})
}

func TestLetterToNoAddressIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		box := mailtest.Open(t, d)
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return box.Enqueue(ctx, tx, mail.PasswordChanged{To: "ada@example.com\r\nBcc: eve@example.com"})
		})
		if !fault.Is(err, fault.Invalid) {
			t.Fatalf("got %v", err)
		}
	})
}

package mail

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	addresses "greenroom/internal/platform/email"
)

// written is whom a letter is about besides its recipient.
type written interface{ writtenFor() (user string) }

func (l Confirm) writtenFor() string        { return l.User }
func (l EmailChangeNew) writtenFor() string { return l.User }
func (l EmailChanged) writtenFor() string   { return l.User }
func (l Inquiry) writtenFor() string        { return l.User }

// people says whom a letter is about: the account that it names, else that of its recipient, and whoever an inquiry is
// from. An address at a workshop or in an inquiry may be anybody's, so it leads to no account.
func people(letter Letter, to string) (user, account, replyTo string) {
	if named, ok := letter.(written); ok {
		user = named.writtenFor()
	}
	switch l := letter.(type) {
	case WorkshopConfirmed, WorkshopWaiting, YourData:
	case Inquiry:
		replyTo = addresses.Key(l.Email)
	default:
		account = addresses.Key(to)
	}
	return user, account, replyTo
}

// About gives the letters for a person and to an address: that there were such letters, not what they said.
func (o *Outbox) About(ctx context.Context, tx *db.Tx, user, address string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select kind, subject, state, created_at, sent_at from outbox
		where user_id = $1 or lower(recipient) = $2 or reply_to = $2 order by created_at, id`, user, addresses.Key(address))
}

// forgetting are the ways in which a letter is a person's.
var forgetting = []string{"user_id = $1", "lower(recipient) = $1", "reply_to = $1"}

// Forget removes every letter for a person, to their address and from it, for the deletion of an account. address is
// empty unless it is known to be theirs. Letters that lie in the folder go at once after the commit.
func (o *Outbox) Forget(ctx context.Context, tx *db.Tx, user, address string) error {
	key := addresses.Key(address)
	for i, whose := range []string{user, key, key} {
		if whose == "" {
			continue
		}
		if _, err := tx.Exec(ctx, "delete from outbox where "+forgetting[i], whose); err != nil {
			return fmt.Errorf("forget letters: %w", err)
		}
	}
	o.forgotten(tx)
	return nil
}

// ofVisitor are the letters to and from an address that belong to no account.
var ofVisitor = []string{"lower(recipient) = $1 and user_id is null", "reply_to = $1 and user_id is null"}

// AboutVisitor gives the letters to and from an address that has no account: that there were such letters.
func (o *Outbox) AboutVisitor(ctx context.Context, tx *db.Tx, address string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select kind, subject, state, created_at, sent_at from outbox where (`+ofVisitor[0]+") or ("+ofVisitor[1]+`)
		order by created_at, id`, addresses.Key(address))
}

// ForgetVisitor is Forget for an address that has no account.
func (o *Outbox) ForgetVisitor(ctx context.Context, tx *db.Tx, address string) error {
	for _, whose := range ofVisitor {
		if _, err := tx.Exec(ctx, "delete from outbox where "+whose, addresses.Key(address)); err != nil {
			return fmt.Errorf("forget letters: %w", err)
		}
	}
	o.forgotten(tx)
	return nil
}

// forgotten has the letters in the folder looked through after the commit.
func (o *Outbox) forgotten(tx *db.Tx) {
	tx.AfterCommit(func() {
		select {
		case o.erased <- struct{}{}:
		default: // it was told already
		}
	})
}

var letterFile = regexp.MustCompile(`^\d{8}T\d{6}\.\d{6}Z-([0-9a-f-]{36})\.eml$`)

// oldDraft is when a half-written file is one that a crash left.
const oldDraft = time.Hour

// tidy removes the files of letters that the outbox no longer knows: those of erased people, and old ones. So a file
// goes whenever its row does, be it in a crash, on another instance, or while the letter was being written.
func (o *Outbox) tidy(ctx context.Context) error {
	files, err := os.ReadDir(o.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look into the folder for letters: %w", err)
	}
	names := map[string]string{}
	var drafts []string
	for _, file := range files {
		if m := letterFile.FindStringSubmatch(file.Name()); m != nil {
			names[m[1]] = file.Name()
		} else if info, err := file.Info(); err == nil && strings.HasPrefix(file.Name(), draftPrefix) && o.db.Clock.Now().Sub(info.ModTime()) > oldDraft {
			drafts = append(drafts, file.Name())
		}
	}
	if err := o.dropKnown(ctx, names); err != nil {
		return fmt.Errorf("compare the folder with the outbox: %w", err)
	}
	for _, name := range names {
		drafts = append(drafts, name)
	}
	for _, name := range drafts {
		if gone := os.Remove(filepath.Join(o.folder, name)); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// dropKnown leaves of the files by letter those whose letter is gone.
func (o *Outbox) dropKnown(ctx context.Context, names map[string]string) error {
	ids := make([]string, 0, len(names))
	for letter := range names {
		ids = append(ids, letter)
	}
	for some := range slices.Chunk(ids, 200) {
		args, marks := make([]any, len(some)), make([]string, len(some))
		for i, letter := range some {
			args[i], marks[i] = letter, "$"+strconv.Itoa(i+1)
		}
		err := o.db.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
			return db.Each(ctx, tx, "select id from outbox where id in ("+strings.Join(marks, ", ")+")", args, func(scan func(...any) error) error {
				var letter string
				err := scan(&letter)
				delete(names, letter)
				return err
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

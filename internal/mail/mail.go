// Package mail writes letters and sees to it that they leave. A verb puts a letter into the outbox inside its own
// transaction, so that the letter exists exactly when the change that it tells of does:
//
//	err := outbox.Enqueue(ctx, tx, mail.Reset{To: email, Link: link})
//
// The worker (Run) sends it after the commit, over SMTP or into a folder, and tries again until the server takes it
// or refuses it for good. A letter is typed data; how it looks and reads is decided here, in one layout, and text
// that people typed is only ever text. What the outbox holds of a letter is sealed, and gone once it is sent.
package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"strings"
	"sync/atomic"

	"greenroom/internal/key"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// Outbox takes letters and sends them.
type Outbox struct {
	db     *db.DB
	box    *key.Box
	house  house
	sender sender
	limits *limit.Limits
	proven func(b *db.Batch, address string, found func(name string))
	log    *slog.Logger
	pace   pace
	turn   atomic.Uint64 // whose turn it is, see rota
	failed atomic.Int64  // letters given up
	kicked chan struct{}
	folder string
	erased chan struct{}
}

// Options say how letters leave and who they come from.
type Options struct {
	DB  *db.DB
	Box *key.Box
	// From is the sender of every letter, Inbox the provider's own mailbox, Support what a reader may write to.
	// The latter two default to From.
	From, Inbox, Support string
	// SMTPURL is smtp://user:password@host:port (STARTTLS) or smtps://…; empty means files in Folder.
	SMTPURL string
	Folder  string
	SiteURL string
	// Limits bound what an address gets; nil bounds nothing.
	Limits *limit.Limits
	// Proven asks whether an address is known to be its account's; found hears the name that its owner gave. Without it none is.
	Proven func(b *db.Batch, address string, found func(name string))
	Log    *slog.Logger
}

// house is what every letter knows about its sender.
type house struct {
	From    *netmail.Address
	Inbox   string
	Support string
	Site    string
}

// New makes the outbox. Nothing is sent before Run.
func New(o Options) (*Outbox, error) {
	from, err := netmail.ParseAddress(o.From)
	if err != nil {
		return nil, fmt.Errorf("GREENROOM_MAIL_FROM is no e-mail address: %w", err)
	}
	if from.Name == "" {
		from.Name = "Greenroom"
	}
	made := &Outbox{
		db: o.DB, box: o.Box, limits: o.Limits, proven: o.Proven, log: o.Log, pace: steady, kicked: make(chan struct{}, 1),
		folder: o.Folder, erased: make(chan struct{}, 1),
		house: house{From: from, Inbox: from.Address, Support: from.Address, Site: strings.TrimRight(o.SiteURL, "/")},
	}
	for _, other := range []struct {
		name, text string
		into       *string
	}{{"GREENROOM_INBOX", o.Inbox, &made.house.Inbox}, {"GREENROOM_SUPPORT", o.Support, &made.house.Support}} {
		if other.text == "" {
			continue
		}
		parsed, err := netmail.ParseAddress(other.text)
		if err != nil {
			return nil, fmt.Errorf("%s is no e-mail address: %w", other.name, err)
		}
		*other.into = parsed.Address
	}
	if made.log == nil {
		made.log = slog.New(slog.DiscardHandler)
	}
	if o.SMTPURL == "" {
		made.sender = folder{path: o.Folder}
		return made, nil
	}
	made.sender, err = newSMTP(o.SMTPURL)
	return made, err
}

// Enqueue puts a letter into the outbox. It leaves when the transaction commits, and never if it does not. What its
// reader gets too many of is left out or becomes one, without an error.
func (o *Outbox) Enqueue(ctx context.Context, tx *db.Tx, letter Letter) error {
	return o.EnqueueIf(ctx, tx, letter, func(b db.Batch) error { return tx.Send(ctx, &b) })
}

// EnqueueIf is Enqueue for a letter that its writer may have too many of: take sends what is asked about the reader
// together with its own count, and its error is the answer.
func (o *Outbox) EnqueueIf(ctx context.Context, tx *db.Tx, letter Letter, take func(besides db.Batch) error) error {
	to := letter.recipient(o.house)
	if !validAddress(to) {
		return fault.New(fault.Invalid, "That is not an email address we can send to.")
	}
	name, proven, err := o.isProven(tx, to, take)
	if err != nil {
		return fmt.Errorf("ask whose address it is: %w", err)
	}
	if words, ok := letter.(worded); ok {
		letter = words.inWordsOf(name, proven)
	}
	content, err := json.Marshal(letter)
	if err != nil {
		return fmt.Errorf("write a letter: %w", err)
	}
	shown := letter.subject()
	if inquiry, ok := letter.(Inquiry); ok {
		shown = inquiry.form() // the writer's own words stay sealed
	}
	row := stored{Kind: letter.kind(), Recipient: to, Subject: oneLine(shown, maxSubject)}
	row.User, row.Account, row.ReplyTo = people(letter, to)
	if err := o.put(ctx, tx, letter, row, content, proven); err != nil {
		return fmt.Errorf("put a letter into the outbox: %w", err)
	}
	tx.AfterCommit(o.Kick)
	return nil
}

// put stores a letter, unless it is one too many or becomes one with another.
func (o *Outbox) put(ctx context.Context, tx *db.Tx, letter Letter, l stored, content []byte, proven bool) (err error) {
	kind, merged := kinds[l.Kind], false
	about := kind.about
	if confirmed, ok := letter.(WorkshopConfirmed); ok && confirmed.Promoted {
		about = byUs
	}
	if about == byEvent {
		if merged, l.Wait, err = o.merge(ctx, tx, l, content); err != nil || merged {
			return err
		}
	}
	written, err := o.restrain(ctx, tx, about, l.Recipient, proven)
	if err != nil {
		return err
	}
	if !written {
		o.log.Info("letter left out: its reader gets too many", "kind", l.Kind)
		return nil
	}
	l.ID, l.Class, l.Life = id.InOrder(), kind.class, kind.life
	_, domain, _ := strings.Cut(o.house.From.Address, "@")
	l.MessageID, l.Body = l.ID+"@"+domain, o.box.Seal(place(l.ID), content)
	return insertLetter(ctx, tx, l)
}

// place binds a sealed body to its row.
func place(letterID string) string { return "letter " + letterID }

// Kick makes the worker look for letters now.
func (o *Outbox) Kick() {
	select {
	case o.kicked <- struct{}{}:
	default: // it was told already
	}
}

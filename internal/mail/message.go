package mail

import (
	"fmt"
	netmail "net/mail"

	gomail "github.com/wneessen/go-mail"
)

// message is a letter ready to leave.
type message struct {
	*gomail.Msg
	// name is the same each time that the letter is written, for those who keep it as a file.
	name string
	// secrets must not stand in the reason of a failure.
	secrets []string
}

// compose opens what a row holds and writes the letter.
func (o *Outbox) compose(row stored) (message, error) {
	kind, known := kinds[row.Kind]
	if !known {
		return message{}, fmt.Errorf("this version of greenroom does not know emails of the kind %q", row.Kind)
	}
	content, err := o.box.Open(place(row.ID), row.Body)
	if err != nil {
		return message{}, err
	}
	letter, err := kind.read(content)
	if err != nil {
		return message{}, fmt.Errorf("the email cannot be read: %w", err)
	}
	return o.write(letter, row)
}

// write makes the message. Addresses go in parsed, and everything else is made one line first, so there is no text
// that could start a header of its own; the library folds and encodes.
func (o *Outbox) write(letter Letter, row stored) (message, error) {
	html, text, err := render(letter, o.house)
	if err != nil {
		return message{}, err
	}
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	m.FromMailAddress(o.house.From)
	m.ToMailAddress(&netmail.Address{Address: row.Recipient})
	if inquiry, ok := letter.(Inquiry); ok && inquiry.replyTo() != nil {
		m.ReplyToMailAddress(inquiry.replyTo())
	}
	m.Subject(oneLine(letter.subject(), maxSubject))
	m.SetMessageIDWithValue(row.MessageID)
	m.SetDateWithValue(row.CreatedAt.Time)
	// Nobody's holiday notice should answer a machine.
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetGenHeader(gomail.HeaderXAutoResponseSuppress, "All")
	if list, ok := letter.(leavable); ok && host(list.leave()) != "" {
		m.SetGenHeader(gomail.HeaderListUnsubscribe, "<"+list.leave()+">")
		m.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	m.SetBodyString(gomail.TypeTextPlain, text)
	m.AddAlternativeString(gomail.TypeTextHTML, html)
	name := row.CreatedAt.UTC().Format("20060102T150405.000000Z") + "-" + row.ID
	return message{Msg: m, name: name, secrets: letter.secrets()}, nil
}

package mail

import netmail "net/mail"

// Inquiry brings what somebody wrote on the site to the provider's inbox; an answer goes to the writer.
type Inquiry struct {
	// Form is help, contact, investor or sponsorship.
	Form                                          string
	Name, Email, Company, Phone, Subject, Message string
	// User is the account of who wrote, if they were signed in.
	User string `json:"-"`
}

const maxMessage = 10_000

var forms = map[string]string{
	"help":        "Help Center",
	"contact":     "Contact",
	"investor":    "Investor Relations",
	"sponsorship": "Corporate Sponsorships",
}

func (Inquiry) kind() string               { return "inquiry" }
func (l Inquiry) recipient(h house) string { return h.Inbox }
func (Inquiry) secrets() []string          { return nil }

func (l Inquiry) subject() string {
	about := oneLine(l.Subject, maxSubject)
	if about == "" {
		about = oneLine(l.Company, maxName)
	}
	if about == "" {
		about = oneLine(l.Name, maxName)
	}
	return l.form() + ": " + about
}

func (l Inquiry) form() string {
	if name, known := forms[l.Form]; known {
		return name
	}
	return "Message"
}

func (l Inquiry) page(house) page {
	p := page{
		Preview: oneLine(l.Message, maxSubject), Kicker: l.form(), Title: "You have a new message.",
		Quote: lines(l.Message, maxMessage),
		Notes: []string{"Reply to this email to answer the sender directly. The message is also in the admin panel under Inquiries."},
	}
	for _, f := range []fact{{"From", l.Name}, {"Email", l.Email}, {"Company", l.Company}, {"Phone", l.Phone}, {"Subject", l.Subject}} {
		if f.Value = oneLine(f.Value, maxSubject); f.Value != "" {
			p.Facts = append(p.Facts, f)
		}
	}
	return p
}

// replyTo is the writer, if what they gave is an address.
func (l Inquiry) replyTo() *netmail.Address {
	if !validAddress(l.Email) {
		return nil
	}
	return &netmail.Address{Name: oneLine(l.Name, maxName), Address: l.Email}
}

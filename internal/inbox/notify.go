package inbox

import (
	"context"
	"strings"

	"greenroom/internal/fn"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

// notice is what the forms send besides the row that they store.
type notice struct {
	FormType string `json:"formType"`
	Name     string `json:"name"`
	Email    string `json:"email"`
	Subject  string `json:"subject"`
	Company  string `json:"company"`
	Phone    string `json:"phone"`
	Message  string `json:"message"`
}

func (n *notice) trim() {
	for _, field := range []*string{&n.FormType, &n.Name, &n.Email, &n.Subject, &n.Company, &n.Phone, &n.Message} {
		*field = strings.TrimSpace(*field)
	}
}

// Bounds of the fields, in characters.
const (
	maxField        = 100
	maxPhone        = 50
	maxSubjectField = 200
)

// needed are the fields that a form cannot do without, by the form's type.
var needed = map[string][]string{
	help:        {"name", "email", "subject", "message"},
	contact:     {"name", "email", "message"},
	investor:    {"name", "email", "message"},
	sponsorship: {"name", "email", "company", "message"},
}

func (n *notice) check() error {
	fields, known := needed[n.FormType]
	if !known {
		return fault.New(fault.Invalid, "formType must be help, contact, investor or sponsorship.")
	}
	values := map[string]string{"name": n.Name, "email": n.Email, "subject": n.Subject, "company": n.Company, "message": n.Message}
	for _, name := range fields {
		if values[name] == "" {
			return fault.Newf(fault.Invalid, "The field %s is required.", name)
		}
	}
	for _, bound := range []struct {
		name, value string
		most        int
	}{
		{"name", n.Name, maxField},
		{"company", n.Company, maxField},
		{"phone", n.Phone, maxPhone},
		{"subject", n.Subject, maxSubjectField},
		{"message", n.Message, maxInquiryMessage},
	} {
		if long(bound.value, bound.most) {
			return fault.Newf(fault.Invalid, "The field %s can be at most %d characters long.", bound.name, bound.most)
		}
	}
	if !mail.Deliverable(n.Email) {
		return fault.New(fault.Invalid, "The field email must be a valid email address.")
	}
	return nil
}

// notify writes to the provider's own mailbox; the sender's address is only ever the Reply-To.
func (b *Inbox) notify(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var n notice
	if err := r.Decode(&n); err != nil {
		return fn.Answer{}, err
	}
	n.trim()
	if err := n.check(); err != nil {
		return fn.Answer{}, err
	}
	err := b.d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := b.limits.Take(ctx, tx, limit.NoticePerAddress.By(r.Actor.Address)); err != nil {
			return err
		}
		return b.post.Enqueue(ctx, tx, mail.Inquiry{
			Form: n.FormType, Name: n.Name, Email: n.Email, Company: n.Company, Phone: n.Phone, Subject: n.Subject, Message: n.Message, User: r.Actor.UserID,
		})
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]bool{"success": true}), nil
}

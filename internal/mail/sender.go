package mail

import (
	"context"
	"errors"
	"strings"
)

// sender opens the way out: an SMTP server or a folder.
type sender interface {
	// open connects. Its failure is no letter's fault: all of them wait.
	open(ctx context.Context) (session, error)
	// describe says where letters go, without the password.
	describe() string
}

// session sends letters, one after the other, until it fails once or is closed.
type session interface {
	send(ctx context.Context, m message) error
	// many is how many letters may be under way at once. What became of them is lost when the process dies, and all of them
	// go again: from a mail server their readers would get each a second time.
	many() int
	// probe tells whether a letter could be sent.
	probe() error
	close()
}

// refusal is the server's last word on a letter. Every other error means "try again".
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

// mail servers answer in many words; what an admin reads is one line of this length.
const maxReason = 300

// reasonOf is an error in one line without the secrets.
func reasonOf(err error, secrets ...string) string {
	text := err.Error()
	if refused, ok := errors.AsType[*refusal](err); ok {
		text = refused.reason
	}
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[removed]")
		}
	}
	return oneLine(text, maxReason)
}

package mail

import (
	"context"
	"strings"
)

// Check connects to the mail server as a letter would, encrypted and signed in, and sends nothing. Without a mail
// server it checks that letters can be written to the folder.
func (o *Outbox) Check(ctx context.Context) error {
	out, err := o.sender.open(ctx)
	if err != nil {
		return err
	}
	defer out.close()
	return out.probe()
}

// Deliverable tells whether a letter can be addressed to this text: one bare address whose domain has a dot.
func Deliverable(address string) bool {
	at := strings.LastIndexByte(address, '@')
	return validAddress(address) && strings.Contains(strings.Trim(address[at+1:], "."), ".")
}

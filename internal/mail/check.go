package mail

import "context"

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

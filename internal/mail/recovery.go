package mail

import "fmt"

// RecoveryCodesMade tells a user that there are new recovery codes.
type RecoveryCodesMade struct{ To string }

// RecoveryCodeUsed tells a user that a recovery code was used, and how many are left.
type RecoveryCodeUsed struct {
	To   string
	Left int
}

func (RecoveryCodesMade) kind() string             { return "recovery-codes-made" }
func (l RecoveryCodesMade) recipient(house) string { return l.To }
func (RecoveryCodesMade) subject() string          { return "New recovery codes for your account" }
func (RecoveryCodesMade) secrets() []string        { return nil }
func (l RecoveryCodesMade) page(h house) page {
	return notice(h, "You have new recovery codes.",
		"Recovery codes were made for your account. They let you sign in without your other two-step verification methods. Codes from before no longer work.")
}

func (RecoveryCodeUsed) kind() string             { return "recovery-code-used" }
func (l RecoveryCodeUsed) recipient(house) string { return l.To }
func (RecoveryCodeUsed) subject() string          { return "A recovery code was used" }
func (RecoveryCodeUsed) secrets() []string        { return nil }
func (l RecoveryCodeUsed) page(h house) page {
	left := fmt.Sprintf("You have %d left.", l.Left)
	if l.Left == 0 {
		left = "It was the last one."
	}
	return notice(h, "A recovery code was used.", "One of your recovery codes was used to sign in to your account, and works no more. "+left)
}

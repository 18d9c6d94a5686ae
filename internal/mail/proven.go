package mail

import (
	"fmt"
	"strings"
)

// AddressProven tells the owner of an address what went from the account with the first proof that it is theirs. It
// counts and names nothing: the names were a stranger's to choose.
type AddressProven struct {
	To                                    string
	Password                              bool
	Accounts, Passkeys, Factors, Sessions int
}

func (AddressProven) kind() string             { return "address-proven" }
func (l AddressProven) recipient(house) string { return l.To }
func (AddressProven) subject() string          { return "We secured your account" }
func (AddressProven) secrets() []string        { return nil }
func (l AddressProven) page(h house) page {
	p := notice(h, "This account is yours alone.",
		"You confirmed that this email address is yours. Before that, anyone could have signed up with it, so we removed every earlier way into the account: "+l.gone()+".")
	p.Lines = append(p.Lines, "If you set those up yourself, just add them again. To choose a new password, use “Forgot password?” on the sign-in page.")
	return p
}

// gone lists what went.
func (l AddressProven) gone() string {
	var all []string
	if l.Password {
		all = append(all, "the password")
	}
	for _, one := range []struct {
		n        int
		one, few string
	}{
		{l.Accounts, "a connected account", "connected accounts"},
		{l.Passkeys, "a passkey", "passkeys"},
		{l.Factors, "a two-step verification method", "two-step verification methods"},
		{l.Sessions, "a signed-in device", "signed-in devices"},
	} {
		switch {
		case one.n == 1:
			all = append(all, one.one)
		case one.n > 1:
			all = append(all, fmt.Sprintf("%d %s", one.n, one.few))
		}
	}
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

package mail

import (
	"fmt"
	"strings"
)

// AddressProven tells the owner of an address what went from the account with the first proof that it is theirs. It
// counts and names nothing: the names were a stranger's to choose.
type AddressProven struct {
	To                          string
	Password                    bool
	Accounts, Factors, Sessions int
}

func (AddressProven) kind() string             { return "address-proven" }
func (l AddressProven) recipient(house) string { return l.To }
func (AddressProven) subject() string          { return "Earlier ways into your account were removed" }
func (AddressProven) secrets() []string        { return nil }
func (l AddressProven) page(h house) page {
	p := notice(h, "This account is yours alone.",
		"You have shown that this address is yours. Until then anybody could have signed up with it, so what opened the account before is gone: "+l.gone()+".")
	p.Lines = append(p.Lines, "If it was you who set that up, just do so again. A new password you choose by ‘Forgot password?’ on the sign-in page.")
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
		{l.Factors, "a second step", "second steps"},
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

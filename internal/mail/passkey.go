package mail

import "fmt"

// PasskeyAdded tells a user that a passkey opens their account now. Passkey is its name.
type PasskeyAdded struct{ To, Passkey string }

// PasskeyRemoved tells a user that a passkey no longer opens their account.
type PasskeyRemoved struct{ To, Passkey string }

func (PasskeyAdded) kind() string             { return "passkey-added" }
func (l PasskeyAdded) recipient(house) string { return l.To }
func (PasskeyAdded) subject() string          { return "A passkey was added to your account" }
func (PasskeyAdded) secrets() []string        { return nil }
func (l PasskeyAdded) page(h house) page {
	p := notice(h, "You can sign in without a password.",
		fmt.Sprintf("%s was added to your account. Whoever can unlock it can sign in as you.", passkeyCalled(l.Passkey)))
	// A new password in Settings keeps passkeys; one after this link does not.
	p.Notes = []string{fmt.Sprintf("If this wasn’t you, choose “Forgot password?” on the sign-in page right away and set a new password. "+
		"That removes every passkey from your account. Then email %s.", h.Support)}
	return p
}

func (PasskeyRemoved) kind() string             { return "passkey-removed" }
func (l PasskeyRemoved) recipient(house) string { return l.To }
func (PasskeyRemoved) subject() string          { return "A passkey was removed from your account" }
func (PasskeyRemoved) secrets() []string        { return nil }
func (l PasskeyRemoved) page(h house) page {
	return notice(h, "A passkey was removed.",
		fmt.Sprintf("%s no longer opens your account, and the devices that it signed in were signed out.", passkeyCalled(l.Passkey)))
}

func passkeyCalled(name string) string {
	if name = oneLine(name, maxName); name != "" {
		return "The passkey “" + name + "”"
	}
	return "A passkey"
}

func (l PasskeyAdded) inWordsOf(_ string, proven bool) Letter {
	l.Passkey = own(l.Passkey, proven)
	return l
}

func (l PasskeyRemoved) inWordsOf(_ string, proven bool) Letter {
	l.Passkey = own(l.Passkey, proven)
	return l
}

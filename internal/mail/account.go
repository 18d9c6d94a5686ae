package mail

import "fmt"

// Confirm asks a new user to confirm the address. Again says that somebody signed up with it a moment before.
type Confirm struct {
	To, Link, Code string
	Again          bool
	// User is the account, where the address is not yet its own.
	User string `json:"-"`
}

// Reset lets a user choose a new password.
type Reset struct{ To, Link, Code string }

// MagicLink signs a user in without a password.
type MagicLink struct{ To, Link, Code string }

// Invite asks somebody to open the account that an admin made.
type Invite struct{ To, Link, Code string }

// EmailChangeOld asks the old address to agree to a change.
type EmailChangeOld struct{ To, NewEmail, Link, Code string }

// EmailChangeNew asks the new address to confirm itself.
type EmailChangeNew struct {
	To, OldEmail, Link, Code string
	User                     string `json:"-"`
}

// EmailChanged tells the old address that it is no longer the account's.
type EmailChanged struct {
	To, NewEmail string
	User         string `json:"-"`
}

// Reauthenticate carries the code that a change of the password asks for.
type Reauthenticate struct{ To, Code string }

// PasswordChanged tells a user that the password was changed.
type PasswordChanged struct{ To string }

// AlreadyRegistered tells the owner of an account that somebody tried to sign up with the address.
type AlreadyRegistered struct{ To string }

// FactorAdded tells a user that a second step was added to signing in. Factor is its name.
type FactorAdded struct{ To, Factor string }

// IdentityConnected tells a user that a provider's account opens theirs now.
type IdentityConnected struct{ To, Provider string }

// IdentityDisconnected tells a user that a way in is gone: a provider's account, or, as "email", the password.
type IdentityDisconnected struct{ To, Provider string }

// FactorRemoved tells a user that a second step was taken away.
type FactorRemoved struct{ To, Factor string }

const (
	linkLife = "The link works once, and for one hour."
	codeLife = "The code works once, and for ten minutes."
	notYou   = "If this was not you, you can ignore this letter: nothing happens without it."
)

// opening is a page whose one purpose is to open a link.
func opening(p page, link, code, text string) page {
	p.Button = button{text, link}
	p.Code = code
	p.Hello = "Hello,"
	p.Notes = append(p.Notes, linkLife)
	if code != "" {
		p.Notes = append(p.Notes, codeLife)
	}
	p.Notes = append(p.Notes, notYou)
	return p
}

func (Confirm) kind() string             { return "confirm" }
func (l Confirm) recipient(house) string { return l.To }
func (Confirm) subject() string          { return "Confirm your email" }
func (l Confirm) secrets() []string      { return []string{l.Link, l.Code} }
func (l Confirm) page(house) page {
	p := page{
		Preview: "One click, and your Greenroom account is open.",
		Kicker:  "Welcome", Title: "Come on in.",
		Lines: []string{"Thank you for joining Greenroom. Please confirm that this is your address, and your account is open."},
	}
	if l.Again {
		p.Notes = []string{"This address was signed up more than once. This link confirms the password that was chosen last: if you did not choose it, use ‘Forgot password?’ instead."}
	}
	return opening(p, l.Link, l.Code, "Confirm my email")
}

func (Reset) kind() string             { return "reset" }
func (l Reset) recipient(house) string { return l.To }
func (Reset) subject() string          { return "Reset your password" }
func (l Reset) secrets() []string      { return []string{l.Link, l.Code} }
func (l Reset) page(house) page {
	return opening(page{
		Preview: "Choose a new password for your Greenroom account.",
		Kicker:  "Your account", Title: "Choose a new password.",
		Lines: []string{"Somebody, hopefully you, asked for a new password for the Greenroom account with this address."},
	}, l.Link, l.Code, "Choose a new password")
}

func (MagicLink) kind() string             { return "magic-link" }
func (l MagicLink) recipient(house) string { return l.To }
func (MagicLink) subject() string          { return "Your sign-in link" }
func (l MagicLink) secrets() []string      { return []string{l.Link, l.Code} }
func (l MagicLink) page(house) page {
	return opening(page{
		Preview: "Sign in to Greenroom with one click.",
		Kicker:  "Your account", Title: "Here is your way in.",
		Lines: []string{"This link signs you in to Greenroom. No password needed."},
	}, l.Link, l.Code, "Sign in")
}

func (Invite) kind() string             { return "invite" }
func (l Invite) recipient(house) string { return l.To }
func (Invite) subject() string          { return "You are invited to Greenroom" }
func (l Invite) secrets() []string      { return []string{l.Link, l.Code} }
func (l Invite) page(house) page {
	return opening(page{
		Preview: "Your account is ready. Open it with one click.",
		Kicker:  "Invitation", Title: "There is a seat for you.",
		Lines: []string{"Greenroom is where performers and creators learn their craft. You have been invited to join, and your account is ready."},
	}, l.Link, l.Code, "Accept the invitation")
}

func (EmailChangeOld) kind() string             { return "email-change-old" }
func (l EmailChangeOld) recipient(house) string { return l.To }
func (EmailChangeOld) subject() string          { return "Approve your new email address" }
func (l EmailChangeOld) secrets() []string      { return []string{l.Link, l.Code} }
func (l EmailChangeOld) page(house) page {
	return opening(page{
		Preview: "Approve the change of your email address.",
		Kicker:  "Your account", Title: "A new address?",
		Lines: []string{fmt.Sprintf("You asked to use %s for your Greenroom account from now on. Please approve it from here, your present address.", oneLine(l.NewEmail, maxAddress))},
		Notes: []string{"A second letter went to the new address. The change is made when both are confirmed."},
	}, l.Link, l.Code, "Approve the change")
}

func (EmailChangeNew) kind() string             { return "email-change-new" }
func (l EmailChangeNew) recipient(house) string { return l.To }
func (EmailChangeNew) subject() string          { return "Confirm your new email address" }
func (l EmailChangeNew) secrets() []string      { return []string{l.Link, l.Code} }
func (l EmailChangeNew) page(house) page {
	return opening(page{
		Preview: "Confirm the new address of your Greenroom account.",
		Kicker:  "Your account", Title: "Is this you?",
		Lines: []string{fmt.Sprintf("The Greenroom account of %s is moving to this address. Please confirm that it is yours.", oneLine(l.OldEmail, maxAddress))},
		Notes: []string{"Confirm it only if that account is yours as well: whoever has it can sign in to it."},
	}, l.Link, l.Code, "Confirm this address")
}

func (EmailChanged) kind() string             { return "email-changed" }
func (l EmailChanged) recipient(house) string { return l.To }
func (EmailChanged) subject() string          { return "Your email address was changed" }
func (EmailChanged) secrets() []string        { return nil }
func (l EmailChanged) page(h house) page {
	p := notice(h, "Your email address was changed.",
		fmt.Sprintf("Your Greenroom account now belongs to %s. You sign in with that address from now on.", oneLine(l.NewEmail, maxAddress)))
	// This address can no longer reset the password, so a person has to help.
	p.Notes = []string{fmt.Sprintf("If this was not you, write to %s at once.", h.Support)}
	return p
}

func (Reauthenticate) kind() string             { return "reauthenticate" }
func (l Reauthenticate) recipient(house) string { return l.To }
func (Reauthenticate) subject() string          { return "Your confirmation code" }
func (l Reauthenticate) secrets() []string      { return []string{l.Code} }
func (l Reauthenticate) page(house) page {
	return page{
		Preview: "The code that confirms it is you.",
		Kicker:  "Your account", Title: "Confirm that it is you.", Hello: "Hello,",
		Lines: []string{"Please type this code where Greenroom asks for it:"},
		Code:  l.Code,
		Notes: []string{codeLife, "We never ask for it by mail or phone. If you did not try to change anything, please change your password."},
	}
}

func (PasswordChanged) kind() string             { return "password-changed" }
func (l PasswordChanged) recipient(house) string { return l.To }
func (PasswordChanged) subject() string          { return "Your password was changed" }
func (PasswordChanged) secrets() []string        { return nil }
func (l PasswordChanged) page(h house) page {
	return notice(h, "Your password was changed.",
		"The password of your Greenroom account is new, and every other device has been signed out.")
}

func (FactorAdded) kind() string             { return "factor-added" }
func (l FactorAdded) recipient(house) string { return l.To }
func (FactorAdded) subject() string          { return "A second step was added to your sign-in" }
func (FactorAdded) secrets() []string        { return nil }
func (l FactorAdded) page(h house) page {
	return notice(h, "Your account has a second lock.",
		fmt.Sprintf("%s now protects your sign-in as a second step.", named(l.Factor)))
}

func (FactorRemoved) kind() string             { return "factor-removed" }
func (l FactorRemoved) recipient(house) string { return l.To }
func (FactorRemoved) subject() string          { return "A second step was removed from your sign-in" }
func (FactorRemoved) secrets() []string        { return nil }
func (l FactorRemoved) page(h house) page {
	return notice(h, "A second step was removed.",
		fmt.Sprintf("%s no longer protects your sign-in.", named(l.Factor)))
}

func (IdentityConnected) kind() string             { return "identity-connected" }
func (l IdentityConnected) recipient(house) string { return l.To }
func (IdentityConnected) subject() string          { return "A way to sign in was added to your account" }
func (IdentityConnected) secrets() []string        { return nil }
func (l IdentityConnected) page(h house) page {
	return notice(h, "Your account has one more way in.",
		fmt.Sprintf("An account at %s now opens your Greenroom account.", provider(l.Provider)))
}

func (IdentityDisconnected) kind() string             { return "identity-disconnected" }
func (l IdentityDisconnected) recipient(house) string { return l.To }
func (IdentityDisconnected) subject() string          { return "A way to sign in was removed from your account" }
func (IdentityDisconnected) secrets() []string        { return nil }
func (l IdentityDisconnected) page(h house) page {
	if l.Provider == "email" {
		return notice(h, "Your password was removed.", "It no longer opens your Greenroom account. The accounts that you connected still do.")
	}
	return notice(h, "A way in was removed.",
		fmt.Sprintf("Your account at %s no longer opens your Greenroom account.", provider(l.Provider)))
}

// provider is a sign-in provider as people know it.
func provider(name string) string {
	if known := map[string]string{"google": "Google", "github": "GitHub"}[name]; known != "" {
		return known
	}
	return oneLine(name, maxName)
}

func (AlreadyRegistered) kind() string             { return "already-registered" }
func (l AlreadyRegistered) recipient(house) string { return l.To }
func (AlreadyRegistered) subject() string          { return "You already have an account" }
func (AlreadyRegistered) secrets() []string        { return nil }
func (l AlreadyRegistered) page(h house) page {
	return page{
		Preview: "Somebody tried to sign up with your address.",
		Kicker:  "Your account", Title: "You are already in.", Hello: "Hello,",
		Lines: []string{
			"Somebody tried to open a Greenroom account with this address. It has one already, so nothing was changed.",
			"If it was you, just sign in. If you no longer know your password, choose ‘Forgot password?’ there.",
		},
		Button: button{"Sign in", h.Site + "/auth"},
		Notes:  []string{"If it was not you, you need not do anything."},
	}
}

// notice tells a user what was done with the account, and what to do if it was somebody else.
func notice(h house, title, line string) page {
	return page{
		Preview: line, Kicker: "Your account", Title: title, Hello: "Hello,", Lines: []string{line},
		Button: button{"Open your account", h.Site + "/account"},
		Notes:  []string{fmt.Sprintf("If this was not you, reset your password at once and write to %s.", h.Support)},
	}
}

func named(factor string) string {
	if factor = oneLine(factor, maxName); factor != "" && !advertises(factor) {
		return "‘" + factor + "’"
	}
	return "An authenticator"
}

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

// PasswordChanged tells a user that the password was changed. Passkeys counts those that went with the old one.
type PasswordChanged struct {
	To       string
	Passkeys int
}

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
	linkLife = "The link works once and expires in one hour."
	codeLife = "The code works once and expires in ten minutes."
	notYou   = "If you didn’t ask for this, you can ignore this email. Nothing will change."
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
		Preview: "One click, and your Greenroom account is ready.",
		Kicker:  "Welcome", Title: "Come on in.",
		Lines: []string{"Thanks for joining Greenroom. Confirm that this is your email address, and your account is ready."},
	}
	if l.Again {
		p.Notes = []string{"Someone signed up with this address more than once. This link confirms the password that was chosen last. If you didn’t choose it, use “Forgot password?” instead."}
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
		Lines: []string{"Someone, hopefully you, asked to reset the password for the Greenroom account with this email address."},
	}, l.Link, l.Code, "Choose a new password")
}

func (MagicLink) kind() string             { return "magic-link" }
func (l MagicLink) recipient(house) string { return l.To }
func (MagicLink) subject() string          { return "Your sign-in code and link" }
func (l MagicLink) secrets() []string      { return []string{l.Link, l.Code} }
func (l MagicLink) page(house) page {
	return opening(page{
		Preview: "Sign in to Greenroom with a code or one click.",
		Kicker:  "Your account", Title: "Here’s your way in.",
		Lines: []string{"This link signs you in to Greenroom, and so does the code below. No password needed."},
	}, l.Link, l.Code, "Sign in")
}

func (Invite) kind() string             { return "invite" }
func (l Invite) recipient(house) string { return l.To }
func (Invite) subject() string          { return "You’re invited to Greenroom" }
func (l Invite) secrets() []string      { return []string{l.Link, l.Code} }
func (l Invite) page(house) page {
	return opening(page{
		Preview: "Your account is ready. One click and you’re in.",
		Kicker:  "Invitation", Title: "We saved you a seat.",
		Lines: []string{"Greenroom is where performers and creators learn their craft. You have been invited to join, and your account is ready."},
	}, l.Link, l.Code, "Accept the invitation")
}

func (EmailChangeOld) kind() string             { return "email-change-old" }
func (l EmailChangeOld) recipient(house) string { return l.To }
func (EmailChangeOld) subject() string          { return "Approve your new email address" }
func (l EmailChangeOld) secrets() []string      { return []string{l.Link, l.Code} }
func (l EmailChangeOld) page(house) page {
	return opening(page{
		Preview: "Approve the change to your email address.",
		Kicker:  "Your account", Title: "A new address?",
		Lines: []string{fmt.Sprintf("You asked to use %s for your Greenroom account from now on. Please approve the change from this address, your current one.", oneLine(l.NewEmail, maxAddress))},
		Notes: []string{"We sent a second email to the new address. The change takes effect once both are confirmed."},
	}, l.Link, l.Code, "Approve the change")
}

func (EmailChangeNew) kind() string             { return "email-change-new" }
func (l EmailChangeNew) recipient(house) string { return l.To }
func (EmailChangeNew) subject() string          { return "Confirm your new email address" }
func (l EmailChangeNew) secrets() []string      { return []string{l.Link, l.Code} }
func (l EmailChangeNew) page(house) page {
	return opening(page{
		Preview: "Confirm the new email address for your Greenroom account.",
		Kicker:  "Your account", Title: "Is this you?",
		Lines: []string{fmt.Sprintf("The Greenroom account for %s is moving to this address. Please confirm that it’s yours.", oneLine(l.OldEmail, maxAddress))},
		Notes: []string{"Confirm only if that account is yours, too. Whoever owns it will still be able to sign in."},
	}, l.Link, l.Code, "Confirm this address")
}

func (EmailChanged) kind() string             { return "email-changed" }
func (l EmailChanged) recipient(house) string { return l.To }
func (EmailChanged) subject() string          { return "Your email address was changed" }
func (EmailChanged) secrets() []string        { return nil }
func (l EmailChanged) page(h house) page {
	p := notice(h, "Your email address was changed.",
		fmt.Sprintf("The email address for your Greenroom account is now %s. Use it to sign in from now on.", oneLine(l.NewEmail, maxAddress)))
	// This address can no longer reset the password, so a person has to help.
	p.Notes = []string{fmt.Sprintf("If this wasn’t you, email %s right away.", h.Support)}
	return p
}

func (Reauthenticate) kind() string             { return "reauthenticate" }
func (l Reauthenticate) recipient(house) string { return l.To }
func (Reauthenticate) subject() string          { return "Your confirmation code" }
func (l Reauthenticate) secrets() []string      { return []string{l.Code} }
func (l Reauthenticate) page(house) page {
	return page{
		Preview: "Use this code to confirm it’s you.",
		Kicker:  "Your account", Title: "Confirm it’s you.", Hello: "Hello,",
		Lines: []string{"Enter this code when Greenroom asks for it:"},
		Code:  l.Code,
		Notes: []string{codeLife, "We’ll never ask you for it by email or phone. If you weren’t changing anything, please change your password."},
	}
}

func (PasswordChanged) kind() string             { return "password-changed" }
func (l PasswordChanged) recipient(house) string { return l.To }
func (PasswordChanged) subject() string          { return "Your password was changed" }
func (PasswordChanged) secrets() []string        { return nil }
func (l PasswordChanged) page(h house) page {
	line := "The password for your Greenroom account was changed, and every other device was signed out."
	switch {
	case l.Passkeys == 1:
		line += " The passkey on your account was removed, and no longer signs anyone in."
	case l.Passkeys > 1:
		line += fmt.Sprintf(" All %d passkeys on your account were removed, and no longer sign anyone in.", l.Passkeys)
	}
	return notice(h, "Your password was changed.", line)
}

func (FactorAdded) kind() string             { return "factor-added" }
func (l FactorAdded) recipient(house) string { return l.To }
func (FactorAdded) subject() string          { return "Two-step verification was added to your account" }
func (FactorAdded) secrets() []string        { return nil }
func (l FactorAdded) page(h house) page {
	return notice(h, "Your account has extra protection.",
		fmt.Sprintf("%s was added to your account for two-step verification.", named(l.Factor)))
}

func (FactorRemoved) kind() string             { return "factor-removed" }
func (l FactorRemoved) recipient(house) string { return l.To }
func (FactorRemoved) subject() string          { return "A two-step verification method was removed" }
func (FactorRemoved) secrets() []string        { return nil }
func (l FactorRemoved) page(h house) page {
	return notice(h, "A verification method was removed.",
		fmt.Sprintf("%s is no longer used to verify your sign-ins.", named(l.Factor)))
}

func (IdentityConnected) kind() string             { return "identity-connected" }
func (l IdentityConnected) recipient(house) string { return l.To }
func (IdentityConnected) subject() string          { return "A new way to sign in was added to your account" }
func (IdentityConnected) secrets() []string        { return nil }
func (l IdentityConnected) page(h house) page {
	p := notice(h, "There’s a new way to sign in.",
		fmt.Sprintf("You can now sign in to your Greenroom account with %s.", provider(l.Provider)))
	// A new password does not end this way in.
	p.Notes = []string{fmt.Sprintf("If this wasn’t you, reset your password right away, disconnect %s in Settings, and email %s.", provider(l.Provider), h.Support)}
	return p
}

func (IdentityDisconnected) kind() string             { return "identity-disconnected" }
func (l IdentityDisconnected) recipient(house) string { return l.To }
func (IdentityDisconnected) subject() string          { return "A way to sign in was removed from your account" }
func (IdentityDisconnected) secrets() []string        { return nil }
func (l IdentityDisconnected) page(h house) page {
	if l.Provider == "email" {
		return notice(h, "Your password was removed.", "You can no longer sign in to Greenroom with a password. Your connected accounts still work.")
	}
	return notice(h, "A way to sign in was removed.",
		fmt.Sprintf("You can no longer sign in to your Greenroom account with %s.", provider(l.Provider)))
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
		Preview: "Someone tried to sign up with your email address.",
		Kicker:  "Your account", Title: "You already have an account.", Hello: "Hello,",
		Lines: []string{
			"Someone tried to sign up for Greenroom with this email address. It already has an account, so nothing changed.",
			"If that was you, just sign in. If you don’t remember your password, choose “Forgot password?” there.",
		},
		Button: button{"Sign in", h.Site + "/auth"},
		Notes:  []string{"If it wasn’t you, there’s nothing you need to do."},
	}
}

// notice tells a user what was done with the account, and what to do if it was somebody else.
func notice(h house, title, line string) page {
	return page{
		Preview: line, Kicker: "Your account", Title: title, Hello: "Hello,", Lines: []string{line},
		Button: button{"Open your account", h.Site + "/account"},
		Notes:  []string{fmt.Sprintf("If this wasn’t you, reset your password right away and email %s.", h.Support)},
	}
}

func named(factor string) string {
	if factor = oneLine(factor, maxName); factor != "" {
		return "“" + factor + "”"
	}
	return "A verification method"
}

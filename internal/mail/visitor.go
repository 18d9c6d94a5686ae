package mail

// YourData lets somebody without an account see what is stored under their address, or have it erased.
type YourData struct{ To, Link string }

func (YourData) kind() string             { return "your-data" }
func (l YourData) recipient(house) string { return l.To }
func (YourData) subject() string          { return "Your data at Greenroom" }
func (l YourData) secrets() []string      { return []string{l.Link} }
func (l YourData) page(house) page {
	return page{
		Preview: "Download what we have stored under this address, or erase it.",
		Kicker:  "Your data", Title: "It’s your call.", Hello: "Hello,",
		Lines: []string{
			"Someone, hopefully you, asked what Greenroom has stored under this email address without an account: workshop registrations, messages, and a record of the emails we sent.",
			"Open the link to download a copy, or to have everything erased.",
		},
		Button: button{"See my options", l.Link},
		Notes:  []string{"The link expires in one hour. Each option works once.", notYou},
	}
}

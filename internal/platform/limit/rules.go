package limit

import (
	"net/netip"
	"strings"
	"time"

	"greenroom/internal/platform/email"
)

// Rule says how often one subject may do one thing: at most Times in any span of Per.
type Rule struct {
	Name  string
	Times int
	Per   time.Duration
	// Code is what the auth dialect calls the refusal.
	Code string

	subject func(string) string
}

// The limits of the product. The name is part of what is stored: a new name starts counting anew.
var (
	SignInPerAddress     = Rule{"sign-in per address", 30, 5 * time.Minute, requests, Address}
	SignInPerAccount     = Rule{"sign-in per account", 100, time.Hour, requests, account}
	SignInPerDevice      = Rule{"sign-in per device", 10, 180 * 24 * time.Hour, requests, exact}
	PasswordPerSession   = Rule{"password per session", 10, time.Hour, requests, exact}
	PasskeyPerAddress    = Rule{"passkey per address", 150, 5 * time.Minute, requests, Address}
	SignUpPerAddress     = Rule{"sign-up per address", 30, 5 * time.Minute, requests, Address}
	GuestPerAddress      = Rule{"guest per address", 30, time.Hour, requests, Address}
	RefreshPerAddress    = Rule{"refresh per address", 150, 5 * time.Minute, requests, Address}
	VerifyPerAddress     = Rule{"verify per address", 30, 5 * time.Minute, requests, Address}
	WrongCodePerAccount  = Rule{"wrong code per account and day", 20, 24 * time.Hour, requests, account}
	ChallengePerAccount  = Rule{"challenge per account", 15, time.Minute, requests, account}
	ChallengePerDevice   = Rule{"challenge per device", 15, time.Minute, requests, exact}
	FactorPerSession     = Rule{"factor per session", 10, time.Hour, requests, exact}
	FactorPerDevice      = Rule{"factor per device", 10, 180 * 24 * time.Hour, requests, exact}
	FactorPerAccount     = Rule{"factor per account", 15, time.Minute, requests, account}
	FactorPerAccountHour = Rule{"factor per account and hour", 60, time.Hour, requests, account}
	EnrolPerAccount      = Rule{"enrolment per account", 30, time.Hour, requests, account}
	DataPerAccount       = Rule{"change of data per account", 60, time.Minute, requests, account}
	MailPerAddress       = Rule{"mail per address", 30, time.Hour, letters, Address}
	MailPerRecipient     = Rule{"mail per recipient", 1, time.Minute, letters, account}
	InsertPerAddress     = Rule{"anonymous insert per address", 10, time.Minute, requests, Address}
	NoticePerAddress     = Rule{"notice per address", 10, time.Minute, requests, Address}
	LetterPerAccount     = Rule{"letter per account", 20, time.Hour, letters, account}
	ReceiptPerAddress    = Rule{"receipt per address", 30, time.Hour, letters, Address}
	// A stranger is an address that has proven nothing: anybody may have typed it.
	ReceiptPerStranger    = Rule{"receipt per stranger", 5, time.Hour, letters, mailbox}
	ReceiptPerStrangerDay = Rule{"receipt per stranger and day", 10, 24 * time.Hour, letters, mailbox}
	LetterPerStranger     = Rule{"letter per stranger and day", 20, 24 * time.Hour, letters, mailbox}
	// NoticePerReader counts notices of one kind to one address.
	NoticePerReader    = Rule{"notice per reader", 1, 5 * time.Minute, letters, account}
	FunctionPerAddress = Rule{"function per address", 60, time.Minute, requests, Address}
	// Whether a code is a certificate's.
	CertificatePerAddress = Rule{"certificate per address", 30, time.Minute, requests, Address}
	// What an account adds to a table, by rows.
	SavedPerAccount  = Rule{"saved course per account", 120, time.Minute, requests, account}
	WaitPerAccount   = Rule{"waitlist row per account", 60, time.Minute, requests, account}
	EnrollPerAccount = Rule{"enrollment per account", 60, time.Minute, requests, account}
	// Tries of quizzes, each of which is kept.
	QuizPerAccount   = Rule{"quiz attempt per account", 60, time.Hour, requests, account}
	LessonPerAccount = Rule{"section or lesson per account", 300, time.Minute, requests, account}
	NotePerAccount   = Rule{"note per account", 20, time.Minute, requests, account}
	// Changes of notes that are there, by rows.
	NoteChangePerAccount = Rule{"change of a note per account", 60, time.Minute, requests, account}
	// Questions and answers together.
	PostPerAccount = Rule{"question or answer per account", 30, time.Hour, requests, account}
	// Emails that tell somebody of answers, however many questions they asked.
	AnswerLetterPerAccount = Rule{"email of an answer per account", 10, 24 * time.Hour, requests, account}
	// What somebody says of courses, by rows.
	ReviewPerAccount = Rule{"review per account", 30, time.Hour, requests, account}
	ReportPerAccount = Rule{"report per account", 5, time.Hour, requests, account}
	// What a teacher changes in the studio, by calls.
	StudioPerAccount     = Rule{"change in the studio per account", 120, time.Minute, requests, account}
	CaptionPerAccount    = Rule{"captions per account", 30, time.Minute, requests, account}
	MessagePerAccount    = Rule{"message per account", 30, time.Minute, requests, account}
	MessagePerAccountDay = Rule{"message per account and day", 300, 24 * time.Hour, requests, account}
)

const (
	requests = "over_request_rate_limit"
	letters  = "over_email_send_rate_limit"
)

// Use is one thing done by one subject, once or several times at once.
type Use struct {
	rule    Rule
	subject string
	times   int
}

// By names the subject of a use: a client's address, a mail address or a user's id, as the rule's name says.
func (r Rule) By(subject string) Use { return Use{r, r.subject(subject), 1} }

// Times makes it so many uses at once: all of them are allowed, or none.
func (u Use) Times(n int) Use {
	u.times = n
	return u
}

// Address is what counts as one client: an IPv4 address, or the /64 that an IPv6 customer owns.
func Address(text string) string {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		text = withPort.Addr().String()
	}
	address, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		return text
	}
	address = address.Unmap().WithZone("")
	if address.Is4() {
		return address.String()
	}
	network, err := address.Prefix(64)
	if err != nil {
		return text
	}
	return network.String()
}

func account(text string) string { return email.Key(strings.TrimSpace(text)) }

// exact is for subjects of our own making.
func exact(text string) string { return text }

// mailbox is where letters to an address end: what follows a plus sign is the reader's own mark in one and the same box.
func mailbox(text string) string {
	local, domain, _ := strings.Cut(account(text), "@")
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + domain
}

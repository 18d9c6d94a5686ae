package mail

import (
	"fmt"
	"strconv"
)

// WorkshopConfirmed tells somebody which spot of a workshop is theirs.
type WorkshopConfirmed struct {
	To, Name             string
	Workshop, Host, When string
	Spot, Spots          int
	// Promoted says that the spot became free for somebody who was waiting.
	Promoted bool
}

// WorkshopWaiting tells somebody that all spots are taken and that they stand in line.
type WorkshopWaiting struct {
	To, Name             string
	Workshop, Host, When string
}

// WaitlistJoined confirms a place on a course's waitlist. Link is the course's page.
type WaitlistJoined struct{ To, Name, Course, Link string }

// CourseLaunched tells those who waited that a course has begun. Link is the course's page.
type CourseLaunched struct{ To, Name, Course, Instructor, Link string }

// CertificateReady tells somebody that they completed a course. Link is the page of their certificate, which Code names.
type CertificateReady struct{ To, Name, Course, Code, Link string }

// QuestionsAsked tells a teacher that learners have asked something; to nobody it goes to the house. Link is the studio.
type QuestionsAsked struct {
	To, Name, Course, Link string
	Many                   int
}

// QuestionAnswered tells somebody that the question they asked has answers. Question is what they called it, Teacher whether one of
// those who teach the course answered. Link is the question.
type QuestionAnswered struct {
	To, Name, Course, Question, Link string
	Many                             int
	Teacher                          bool
}

func (WorkshopConfirmed) kind() string             { return "workshop-confirmed" }
func (l WorkshopConfirmed) recipient(house) string { return l.To }
func (l WorkshopConfirmed) subject() string        { return "Your spot is confirmed: " + l.Workshop }
func (WorkshopConfirmed) secrets() []string        { return nil }
func (l WorkshopConfirmed) page(h house) page {
	first := fmt.Sprintf("You’re confirmed: you have a spot in %s.", title(l.Workshop))
	if l.Promoted {
		first = fmt.Sprintf("Good news: a spot opened up in %s, and it’s yours.", title(l.Workshop))
	}
	return page{
		Preview: fmt.Sprintf("Spot %d of %d is yours.", l.Spot, l.Spots),
		Kicker:  "Workshop", Title: "Your spot is confirmed.", Hello: greeting(l.Name),
		Lines:  []string{first, "Before the workshop, we’ll email you everything you need."},
		Facts:  append(workshop(l.Workshop, l.Host, l.When), fact{"Your spot", strconv.Itoa(l.Spot) + " of " + strconv.Itoa(l.Spots)}),
		Button: button{"Browse courses", h.Site},
		Notes:  []string{"Can’t make it? Email " + h.Support + ". Someone on the waitlist will thank you."},
	}
}

func (WorkshopWaiting) kind() string             { return "workshop-waiting" }
func (l WorkshopWaiting) recipient(house) string { return l.To }
func (l WorkshopWaiting) subject() string        { return "You’re on the waitlist: " + l.Workshop }
func (WorkshopWaiting) secrets() []string        { return nil }
func (l WorkshopWaiting) page(h house) page {
	return page{
		Preview: "All spots are taken. We’ll email you if one opens up.",
		Kicker:  "Workshop", Title: "You’re on the waitlist.", Hello: greeting(l.Name),
		Lines: []string{
			fmt.Sprintf("All spots in %s are taken right now, so we put you on the waitlist. Spots go to whoever signed up first.", title(l.Workshop)),
			"If a spot opens up and you’re next in line, it’s yours, and we’ll email you right away.",
		},
		Facts:  workshop(l.Workshop, l.Host, l.When),
		Button: button{"Browse courses", h.Site},
		Notes:  []string{"Changed your mind? Email " + h.Support + "."},
	}
}

func (WaitlistJoined) kind() string             { return "waitlist-joined" }
func (l WaitlistJoined) recipient(house) string { return l.To }
func (l WaitlistJoined) subject() string        { return "You’re on the waitlist: " + l.Course }
func (WaitlistJoined) secrets() []string        { return nil }
func (l WaitlistJoined) page(h house) page {
	return page{
		Preview: "We’ll email you when the course launches.",
		Kicker:  "Waitlist", Title: "We’ll save you a seat.", Hello: greeting(l.Name),
		Lines:  []string{fmt.Sprintf("You’re on the waitlist for %s. We’ll notify you when this course launches.", title(l.Course))},
		Button: button{"See the course", orSite(l.Link, h)},
		Notes:  []string{"You can see your waitlist, or leave it, anytime at " + h.Site + "/waitlist."},
	}
}

func (CourseLaunched) kind() string             { return "course-launched" }
func (l CourseLaunched) recipient(house) string { return l.To }
func (l CourseLaunched) subject() string        { return "Now open: " + l.Course }
func (CourseLaunched) secrets() []string        { return nil }
func (l CourseLaunched) page(h house) page {
	line := fmt.Sprintf("The wait is over: %s is open.", title(l.Course))
	if l.Instructor != "" {
		line = fmt.Sprintf("The wait is over: %s with %s is open.", title(l.Course), oneLine(l.Instructor, maxName))
	}
	return page{
		Preview: "The course you’ve been waiting for is open.",
		Kicker:  "Now open", Title: "Curtain up.", Hello: greeting(l.Name),
		Lines:  []string{line},
		Button: button{"Start the course", orSite(l.Link, h)},
		Notes:  []string{"You’re getting this email because you joined the waitlist for this course. See " + h.Site + "/waitlist."},
	}
}

func (CertificateReady) kind() string             { return "certificate-ready" }
func (l CertificateReady) recipient(house) string { return l.To }
func (l CertificateReady) subject() string        { return "Your certificate: " + l.Course }
func (CertificateReady) secrets() []string        { return nil }
func (l CertificateReady) page(h house) page {
	return page{
		Preview: "You completed the course. Your certificate is ready.",
		Kicker:  "Certificate", Title: "Take a bow.", Hello: greeting(l.Name),
		Lines: []string{
			fmt.Sprintf("You completed %s. Your certificate is ready to view, print, and share.", title(l.Course)),
		},
		Facts:  []fact{{"Certificate code", l.Code}},
		Button: button{"View certificate", orSite(l.Link, h)},
		Notes:  []string{"Anyone who has this link or code can see the certificate and verify it."},
	}
}

func (QuestionsAsked) kind() string { return "questions-asked" }
func (l QuestionsAsked) recipient(h house) string {
	if l.To == "" {
		return h.Inbox
	}
	return l.To
}
func (l QuestionsAsked) subject() string { return some(l.Many, "new question") + ": " + l.Course }
func (QuestionsAsked) secrets() []string { return nil }
func (l QuestionsAsked) page(h house) page {
	return page{
		Preview: "Your learners are waiting for an answer.",
		Kicker:  "Questions", Title: "A hand is up.", Hello: greeting(l.Name),
		Lines:  []string{fmt.Sprintf("Your learners asked %s in %s.", some(l.Many, "new question"), title(l.Course))},
		Button: button{"Answer in the studio", orSite(l.Link, h)},
		Notes:  []string{"You get this email at most once an hour for each course that you teach, and only when there is something new."},
	}
}

func (QuestionAnswered) kind() string             { return "question-answered" }
func (l QuestionAnswered) recipient(house) string { return l.To }
func (l QuestionAnswered) subject() string        { return "Your question was answered: " + l.Course }
func (QuestionAnswered) secrets() []string        { return nil }
func (l QuestionAnswered) page(h house) page {
	question := "Your question"
	if l.Question != "" {
		question += " " + title(l.Question)
	}
	by := ""
	if l.Teacher {
		by = ", from your teacher"
	}
	return page{
		Preview: "Somebody answered what you asked.",
		Kicker:  "Questions", Title: "You have an answer.", Hello: greeting(l.Name),
		Lines:  []string{fmt.Sprintf("%s in %s has %s%s.", question, title(l.Course), some(l.Many, "new answer"), by)},
		Button: button{"Read the answer", orSite(l.Link, h)},
		Notes:  []string{"You’re getting this email because you asked a question in this course."},
	}
}

// some counts things: "1 new answer", "3 new answers".
func some(many int, what string) string {
	if many == 1 {
		return "1 " + what
	}
	return strconv.Itoa(many) + " " + what + "s"
}

func workshop(name, host, when string) []fact {
	facts := []fact{{"Workshop", oneLine(name, maxSubject)}}
	if host != "" {
		facts = append(facts, fact{"With", oneLine(host, maxName)})
	}
	if when != "" {
		facts = append(facts, fact{"When", oneLine(when, maxSubject)})
	}
	return facts
}

// title sets a name apart inside a sentence.
func title(text string) string { return "“" + oneLine(text, maxSubject) + "”" }

func orSite(link string, h house) string {
	if host(link) == "" {
		return h.Site
	}
	return link
}

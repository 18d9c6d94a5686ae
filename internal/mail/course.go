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

func (WorkshopConfirmed) kind() string             { return "workshop-confirmed" }
func (l WorkshopConfirmed) recipient(house) string { return l.To }
func (l WorkshopConfirmed) subject() string        { return "Your spot is confirmed: " + l.Workshop }
func (WorkshopConfirmed) secrets() []string        { return nil }
func (l WorkshopConfirmed) page(h house) page {
	first := fmt.Sprintf("It is settled: you have a spot in %s.", title(l.Workshop))
	if l.Promoted {
		first = fmt.Sprintf("Good news: a spot in %s became free, and it is yours.", title(l.Workshop))
	}
	return page{
		Preview: fmt.Sprintf("Spot %d of %d is yours.", l.Spot, l.Spots),
		Kicker:  "Workshop", Title: "You are on the list.", Hello: greeting(l.Name),
		Lines:  []string{first, "We will write again with everything you need before the day."},
		Facts:  append(workshop(l.Workshop, l.Host, l.When), fact{"Your spot", strconv.Itoa(l.Spot) + " of " + strconv.Itoa(l.Spots)}),
		Button: button{"See what else is on", h.Site},
		Notes:  []string{"Cannot make it? Write to " + h.Support + ", and somebody who waits will be glad."},
	}
}

func (WorkshopWaiting) kind() string             { return "workshop-waiting" }
func (l WorkshopWaiting) recipient(house) string { return l.To }
func (l WorkshopWaiting) subject() string        { return "You are in line: " + l.Workshop }
func (WorkshopWaiting) secrets() []string        { return nil }
func (l WorkshopWaiting) page(h house) page {
	return page{
		Preview: "All spots are taken; you are next in line when one becomes free.",
		Kicker:  "Workshop", Title: "You are in line.", Hello: greeting(l.Name),
		Lines: []string{
			fmt.Sprintf("All spots in %s are taken right now. Your name is on the waiting list, in the order of arrival.", title(l.Workshop)),
			"When a spot becomes free, it goes to the next in line, and you hear from us at once.",
		},
		Facts:  workshop(l.Workshop, l.Host, l.When),
		Button: button{"Browse courses meanwhile", h.Site},
		Notes:  []string{"Changed your mind? Write to " + h.Support + "."},
	}
}

func (WaitlistJoined) kind() string             { return "waitlist-joined" }
func (l WaitlistJoined) recipient(house) string { return l.To }
func (l WaitlistJoined) subject() string        { return "You are on the waitlist: " + l.Course }
func (WaitlistJoined) secrets() []string        { return nil }
func (l WaitlistJoined) page(h house) page {
	return page{
		Preview: "We will write to you when the course launches.",
		Kicker:  "Waitlist", Title: "We will save you a seat.", Hello: greeting(l.Name),
		Lines:  []string{fmt.Sprintf("You are on the waitlist for %s. We will notify you when this course launches.", title(l.Course))},
		Button: button{"See the course", orSite(l.Link, h)},
		Notes:  []string{"Your waitlist is at " + h.Site + "/waitlist. You can leave it there at any time."},
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
		Preview: "The course that you waited for is open.",
		Kicker:  "Now open", Title: "Curtain up.", Hello: greeting(l.Name),
		Lines:  []string{line},
		Button: button{"Start the course", orSite(l.Link, h)},
		Notes:  []string{"You get this letter because you joined the waitlist for this course. See " + h.Site + "/waitlist."},
	}
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
func title(text string) string { return "‘" + oneLine(text, maxSubject) + "’" }

func orSite(link string, h house) string {
	if host(link) == "" {
		return h.Site
	}
	return link
}

package mail

import "fmt"

// leavable is a letter of a list: its reader can leave that by an address, which mail programs show as a button.
type leavable interface{ leave() string }

// LessonsOpened tells a learner which lessons opened, at most once a day. Link is the lesson, or My Learning; there may be more of
// them than are named. Leave is the address by which its reader gets no more of these.
type LessonsOpened struct {
	To, Name, Link, Leave string
	Count                 int
	Lessons               []OpenedLesson
}

// OpenedLesson is one of them.
type OpenedLesson struct{ Title, Course string }

func (LessonsOpened) kind() string             { return "lessons-opened" }
func (l LessonsOpened) recipient(house) string { return l.To }
func (l LessonsOpened) leave() string          { return l.Leave }
func (l LessonsOpened) secrets() []string      { return []string{l.Leave} }
func (l LessonsOpened) subject() string {
	if l.Count == 1 && len(l.Lessons) == 1 {
		return "Now open: " + l.Lessons[0].Title
	}
	return fmt.Sprintf("%d new lessons are open", l.Count)
}

func (l LessonsOpened) page(h house) page {
	p := page{
		Preview: "Pick up where you left off.",
		Kicker:  "Your courses", Title: "The next part is open.", Hello: greeting(l.Name),
		Lines:  []string{"These lessons are open to you now:"},
		Button: button{"Go to my courses", orSite(l.Link, h)},
		Notes: []string{
			"You get at most one of these emails a day. To get no more of them, unsubscribe: " + l.Leave,
		},
	}
	if l.Count == 1 {
		p.Lines, p.Button.Text = []string{"A lesson is open to you now:"}, "Open the lesson"
	}
	for _, one := range l.Lessons {
		p.Facts = append(p.Facts, fact{oneLine(one.Course, maxSubject), oneLine(one.Title, maxSubject)})
	}
	if more := l.Count - len(l.Lessons); more > 0 {
		p.Facts = append(p.Facts, fact{"And more", fmt.Sprintf("%d more", more)})
	}
	return p
}

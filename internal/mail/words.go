package mail

import (
	"greenroom/internal/platform/db"
)

// worded is a letter with words in it that a person typed. Anybody may type somebody else's address, known or not, and
// words for its reader to find under our name: so a reader gets only words of their own, and only where the address has
// been shown to be theirs.
type worded interface {
	// inWordsOf gives the letter for a reader who calls themselves so.
	inWordsOf(name string, proven bool) Letter
}

// isProven asks whose address it is, and at the same time for the moment by which the letter is due.
func (o *Outbox) isProven(tx *db.Tx, to string, send func(b db.Batch) error) (name string, proven bool, err error) {
	var b db.Batch
	if o.proven != nil {
		o.proven(&b, to, func(called string) { name, proven = called, true })
	}
	b.Moment(tx)
	err = send(b)
	return name, proven, err
}

func (l WorkshopConfirmed) inWordsOf(name string, _ bool) Letter { l.Name = name; return l }
func (l WorkshopWaiting) inWordsOf(name string, _ bool) Letter   { l.Name = name; return l }
func (l WaitlistJoined) inWordsOf(name string, _ bool) Letter    { l.Name = name; return l }
func (l CourseLaunched) inWordsOf(name string, _ bool) Letter    { l.Name = name; return l }
func (l CertificateReady) inWordsOf(name string, _ bool) Letter  { l.Name = name; return l }
func (l QuestionsAsked) inWordsOf(name string, _ bool) Letter    { l.Name = name; return l }
func (l QuestionAnswered) inWordsOf(name string, proven bool) Letter {
	l.Name, l.Question = name, own(l.Question, proven)
	return l
}

func (l LessonsOpened) inWordsOf(name string, _ bool) Letter { l.Name = name; return l }
func (l FactorAdded) inWordsOf(_ string, proven bool) Letter {
	l.Factor = own(l.Factor, proven)
	return l
}

func (l FactorRemoved) inWordsOf(_ string, proven bool) Letter {
	l.Factor = own(l.Factor, proven)
	return l
}

func own(words string, proven bool) string {
	if !proven {
		return ""
	}
	return words
}

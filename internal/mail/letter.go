package mail

import (
	"encoding/json"
	"strconv"
	"time"
)

// Letter is one kind of letter with its data. The kinds stand in account.go, course.go and inquiry.go.
type Letter interface {
	// kind is the name in the outbox. Once used it stays: rows in a database carry it.
	kind() string
	recipient(h house) string
	subject() string
	page(h house) page
	// secrets are what must never appear in an error or a log.
	secrets() []string
}

// class is which letters a letter stands in line with. Rows in a database carry it.
type class int

const (
	urgent   class = iota // codes and links: somebody sits and waits
	personal              // receipts and notices: somebody did something
	listed                // the same to many
)

func (c class) text() string { return strconv.Itoa(int(c)) }

// nature is what the outbox knows of a kind.
type nature struct {
	read  func(content []byte) (Letter, error)
	class class
	// life is how long its link or code works; a letter without one does not age.
	life time.Duration
	// about says what brings it about, where that is bounded here: see restraint.go.
	about occasion
}

var kinds = map[string]nature{
	Confirm{}.kind():              {read[Confirm], urgent, time.Hour, byRequest},
	Reset{}.kind():                {read[Reset], urgent, time.Hour, byRequest},
	MagicLink{}.kind():            {read[MagicLink], urgent, time.Hour, byRequest},
	Invite{}.kind():               {read[Invite], urgent, time.Hour, byRequest},
	EmailChangeOld{}.kind():       {read[EmailChangeOld], urgent, time.Hour, byRequest},
	EmailChangeNew{}.kind():       {read[EmailChangeNew], urgent, time.Hour, byRequest},
	Reauthenticate{}.kind():       {read[Reauthenticate], urgent, 10 * time.Minute, byRequest},
	EmailChanged{}.kind():         {read[EmailChanged], personal, 0, byEvent},
	PasswordChanged{}.kind():      {read[PasswordChanged], personal, 0, byEvent},
	AlreadyRegistered{}.kind():    {read[AlreadyRegistered], personal, 0, byEvent},
	AddressProven{}.kind():        {read[AddressProven], personal, 0, byEvent},
	FactorAdded{}.kind():          {read[FactorAdded], personal, 0, byEvent},
	FactorRemoved{}.kind():        {read[FactorRemoved], personal, 0, byEvent},
	IdentityConnected{}.kind():    {read[IdentityConnected], personal, 0, byEvent},
	IdentityDisconnected{}.kind(): {read[IdentityDisconnected], personal, 0, byEvent},
	PasskeyAdded{}.kind():         {read[PasskeyAdded], personal, 0, byEvent},
	PasskeyRemoved{}.kind():       {read[PasskeyRemoved], personal, 0, byEvent},
	RecoveryCodesMade{}.kind():    {read[RecoveryCodesMade], personal, 0, byEvent},
	RecoveryCodeUsed{}.kind():     {read[RecoveryCodeUsed], personal, 0, byUse},
	WorkshopConfirmed{}.kind():    {read[WorkshopConfirmed], personal, 0, byForm},
	WorkshopWaiting{}.kind():      {read[WorkshopWaiting], personal, 0, byForm},
	WaitlistJoined{}.kind():       {read[WaitlistJoined], personal, 0, byForm},
	YourData{}.kind():             {read[YourData], urgent, time.Hour, byRequest},
	Inquiry{}.kind():              {read[Inquiry], personal, 0, byUs},
	CourseLaunched{}.kind():       {read[CourseLaunched], listed, 0, byUs},
	CertificateReady{}.kind():     {read[CertificateReady], personal, 0, byUse},
	QuestionsAsked{}.kind():       {read[QuestionsAsked], personal, 0, byUs},
	QuestionAnswered{}.kind():     {read[QuestionAnswered], personal, 0, byForm},
	LessonsOpened{}.kind():        {read[LessonsOpened], listed, 0, byForm},
}

// read reads a letter back from the outbox.
func read[T Letter](content []byte) (Letter, error) {
	var letter T
	err := json.Unmarshal(content, &letter)
	return letter, err
}

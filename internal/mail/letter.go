package mail

import "encoding/json"

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

// kinds reads a letter back from the outbox.
var kinds = map[string]func(content []byte) (Letter, error){
	Confirm{}.kind():           read[Confirm],
	Reset{}.kind():             read[Reset],
	MagicLink{}.kind():         read[MagicLink],
	Invite{}.kind():            read[Invite],
	EmailChangeOld{}.kind():    read[EmailChangeOld],
	EmailChangeNew{}.kind():    read[EmailChangeNew],
	EmailChanged{}.kind():      read[EmailChanged],
	Reauthenticate{}.kind():    read[Reauthenticate],
	PasswordChanged{}.kind():   read[PasswordChanged],
	AlreadyRegistered{}.kind(): read[AlreadyRegistered],
	FactorAdded{}.kind():       read[FactorAdded],
	FactorRemoved{}.kind():     read[FactorRemoved],
	WorkshopConfirmed{}.kind(): read[WorkshopConfirmed],
	WorkshopWaiting{}.kind():   read[WorkshopWaiting],
	WaitlistJoined{}.kind():    read[WaitlistJoined],
	CourseLaunched{}.kind():    read[CourseLaunched],
	Inquiry{}.kind():           read[Inquiry],
}

func read[T Letter](content []byte) (Letter, error) {
	var letter T
	err := json.Unmarshal(content, &letter)
	return letter, err
}

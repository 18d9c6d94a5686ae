// Package quiz is about lessons that ask: questions with choices, of which one or several are right.
//
//	question.go   a question with its key, and as learners get it, which is another type: the key cannot slip in
//	draft.go      what is being written, saved whole and with a version, and its way to learners
//	take.go       the quiz as learners get it
//	answer.go     a try: judged, kept, and with 80 % the lesson is complete
//
// A key leaves the server for those who teach the course, and for those who have answered every question. Rights and publishing
// are package teach's, access and completion package learn's.
package quiz

import (
	"greenroom/internal/fn"
	"greenroom/internal/learn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/limit"
	"greenroom/internal/teach"
)

// Options are what the service stands on.
type Options struct {
	DB     *db.DB
	Limits *limit.Limits
	Learn  *learn.Service
	Studio *teach.Studio
}

// Service asks and judges.
type Service struct{ Options }

// New makes the service.
func New(o Options) *Service { return &Service{o} }

// Functions says what can be called by name.
func (s *Service) Functions() []fn.Function {
	return []fn.Function{
		{Name: "quiz", For: fn.Anyone, Call: s.take},
		{Name: "answer-quiz", For: fn.Users, Call: s.answer},
		{Name: "studio-quiz", For: fn.Users, Call: s.opened},
		{Name: "save-quiz", For: fn.Users, Call: s.save},
	}
}

// Package certificate is what completing a course leaves behind: a row that says who completed what and when, and a code by which
// anybody can ask whether that is so.
//
//	issue.go    the row and its letter, in the transaction that completes the course
//	code.go     the code: made, and read back however it was typed
//	name.go     the name of a holder who had none
//	verify.go   what a code stands for: valid, withdrawn, or nothing
//	page.go     the ways in: the page's address, and the PDF
//	pdf.go      the certificate on paper
//
// A row is a copy of what was true when it was issued; later changes of the course or of the holder's name do not rewrite it;
// only who had no name yet may add it, once.
package certificate

import (
	"context"
	"log/slog"
	"net/http"

	"greenroom/internal/fn"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/limit"
)

// Options are what the service stands on.
type Options struct {
	DB      *db.DB
	Limits  *limit.Limits
	Enqueue func(ctx context.Context, tx *db.Tx, letter mail.Letter) error
	// Changed tells those who keep pages, in the transaction, that a certificate is not what it was.
	Changed func(ctx context.Context, tx *db.Tx) error
	// Name reads what somebody calls themselves out of their account's metadata.
	Name func(metadata string) string
	// Address is where a request comes from.
	Address func(r *http.Request) string
	SiteURL string
	Log     *slog.Logger
}

// Service issues certificates and tells what they are.
type Service struct {
	Options
	drawing chan struct{} // who draws a PDF
}

// New makes the service.
func New(o Options) *Service { return &Service{Options: o, drawing: make(chan struct{}, mostDrawing)} }

// Functions says what can be called by name.
func (s *Service) Functions() []fn.Function {
	return []fn.Function{
		{Name: "certificate", For: fn.Anyone, Call: s.verify},
		{Name: "name-certificate", For: fn.Users, Call: s.name},
	}
}

// Link is the address of a certificate's page.
func (s *Service) Link(code string) string { return s.SiteURL + pages + code }

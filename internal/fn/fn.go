// Package fn answers /functions/v1/NAME: what a client does that is no row of a table, such as sending a letter or
// exporting a list. A domain declares its functions beside its own code:
//
//	func (b *Inbox) Functions() []fn.Function {
//		return []fn.Function{
//			{Name: "send-notification-email", For: fn.Anyone, Call: b.notify},
//			{Name: "export-inbox", For: fn.Admins, Methods: []string{http.MethodGet}, Call: b.export},
//		}
//	}
//
//	func (b *Inbox) notify(ctx context.Context, r fn.Request) (fn.Answer, error) {
//		var form struct{ FormType, Name, Email string }
//		if err := r.Decode(&form); err != nil {
//			return fn.Answer{}, err
//		}
//		...
//		return fn.JSON(map[string]bool{"success": true}), nil
//	}
//
// Errors are faults; the rest is ours and tells a client nothing.
package fn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
)

const maxBody = 1 << 20

// Audience says who may call a function. The zero Audience is nobody.
type Audience int

// The audiences of functions.
const (
	Nobody Audience = iota
	Anyone
	Users
	Admins
)

// Function is one function under its name.
type Function struct {
	Name    string
	For     Audience
	Methods []string // POST when empty
	Call    func(ctx context.Context, r Request) (Answer, error)
}

// Request is a call of a function.
type Request struct {
	Actor  who.Actor
	Method string
	Query  url.Values
	body   []byte
}

// Decode reads the JSON body. An empty body reads as an empty object.
func (r Request) Decode(into any) error {
	if len(bytes.TrimSpace(r.body)) == 0 {
		return nil
	}
	if web.StrictJSON(r.body) != nil || bytes.Contains(r.body, []byte(`\u0000`)) {
		return fault.New(fault.Invalid, "The request body is not valid JSON.")
	}
	decoder := json.NewDecoder(bytes.NewReader(r.body))
	err := decoder.Decode(into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return fault.Newf(fault.Invalid, "The field %s cannot be a %s.", wrong.Field, wrong.Value)
	}
	if _, more := decoder.Token(); err != nil || !errors.Is(more, io.EOF) {
		return fault.New(fault.Invalid, "The request body is not valid JSON.")
	}
	return nil
}

// Handler serves the functions under /functions/v1/. A name that is there twice is a mistake of the program.
func Handler(functions ...Function) http.Handler {
	byName, routes := map[string]Function{}, map[string]string{}
	for _, f := range functions {
		if _, twice := byName[f.Name]; twice || f.Name == "" || f.Call == nil {
			panic("fn: the function " + f.Name + " is declared twice, or not at all")
		}
		if len(f.Methods) == 0 {
			f.Methods = []string{http.MethodPost}
		}
		byName[f.Name], routes[f.Name] = f, "/functions/v1/"+f.Name
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/functions/v1"), "/")
		f, ok := byName[name]
		if !ok {
			WriteError(w, r, fault.Coded(fault.NotFound, "NOT_FOUND", "Requested function was not found"))
			return
		}
		r.Pattern = routes[name]
		if err := f.serve(w, r); err != nil {
			WriteError(w, r, err)
		}
	})
}

func (f Function) serve(w http.ResponseWriter, r *http.Request) error {
	if !slices.Contains(f.Methods, r.Method) {
		w.Header().Set("Allow", strings.Join(f.Methods, ", "))
		return notAllowed
	}
	actor := who.From(r.Context())
	if err := f.For.admits(actor); err != nil {
		return err
	}
	body, err := readBody(r)
	if err != nil {
		return err
	}
	answer, err := f.Call(r.Context(), Request{Actor: actor, Method: r.Method, Query: r.URL.Query(), body: body})
	if err != nil {
		return err
	}
	return answer.write(w)
}

// admits refuses callers outside the audience. The service key opens what admins may call, and a command, which is the service
// role with an admin's rights, also what an admin does as a user: it never comes from the network.
func (a Audience) admits(actor who.Actor) error {
	switch {
	case a == Anyone, actor.Role == who.Service && (a == Admins || a == Users && actor.Admin):
		return nil
	case a != Nobody && !actor.SignedIn():
		return fault.New(fault.Unauthenticated, "Missing authorization header")
	case a == Users, a == Admins && actor.Admin:
		return nil
	default:
		return fault.New(fault.Forbidden, "You may not call this function.")
	}
}

// readBody takes JSON alone: a browser asks before it sends that to another site.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	// The edge may hold the body to the same bound by itself.
	if _, cut := errors.AsType[*http.MaxBytesError](err); cut || len(body) > maxBody {
		return nil, fault.New(fault.TooLarge, "The request body is larger than 1 MB.")
	}
	if err != nil {
		return nil, fault.New(fault.Invalid, "The request body could not be read.")
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if len(body) > 0 && (err != nil || media != "application/json") {
		return nil, notJSON
	}
	return body, nil
}

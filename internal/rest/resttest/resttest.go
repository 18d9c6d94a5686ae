// Package resttest calls the data API in a test as any caller, and checks all callers against what the tables declare.
package resttest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"greenroom/internal/platform/who"
)

// Stranger is a caller without an account.
var Stranger = who.Actor{Role: who.Anonymous, Address: "192.0.2.1"}

// Signed is a caller with an account.
func Signed(userID, email string) who.Actor {
	return who.Actor{Role: who.User, UserID: userID, Email: email, Address: "192.0.2.2", AAL: "aal1"}
}

// Admin is a caller with an account and the admin role.
func Admin(userID, email string) who.Actor {
	a := Signed(userID, email)
	a.Admin = true
	return a
}

// Answer is what the API said.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Call makes one request, such as Call(t, api, actor, "POST", "/courses?select=*", `{…}`, "Prefer: return=representation").
func Call(t testing.TB, api http.Handler, as who.Actor, method, path, body string, headers ...string) Answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "/rest/v1"+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r.WithContext(who.With(r.Context(), as)))
	return Answer{Status: w.Code, Header: w.Header(), Body: w.Body.String()}
}

// Want fails the test unless the answer has this status and, for an error, this code.
func (a Answer) Want(t testing.TB, status int, code string) Answer {
	t.Helper()
	if a.Status != status || code != "" && a.Code() != code {
		t.Fatalf("answered %d %s, not %d %s", a.Status, a.Body, status, code)
	}
	return a
}

// Code is the code of an error answer.
func (a Answer) Code() string {
	var e struct {
		Code string `json:"code"`
	}
	_ = json.Unmarshal([]byte(a.Body), &e)
	return e.Code
}

// Message is the message of an error answer.
func (a Answer) Message() string {
	var e struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal([]byte(a.Body), &e)
	return e.Message
}

// Rows reads the answer's rows.
func (a Answer) Rows(t testing.TB) []map[string]any {
	t.Helper()
	var rows []map[string]any
	if err := json.Unmarshal([]byte(a.Body), &rows); err != nil {
		t.Fatalf("answered %d %q: %v", a.Status, a.Body, err)
	}
	return rows
}

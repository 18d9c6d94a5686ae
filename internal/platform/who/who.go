// Package who names the caller of a request. The edge puts an Actor into the context after checking the
// bearer token; everything behind it asks From and never looks at a header.
package who

import "context"

// Role is the caller's standing in a token.
type Role string

// The roles of the wire contract.
const (
	Anonymous Role = "anon"
	User      Role = "authenticated"
	Service   Role = "service_role"
)

// Actor is the caller. The zero Actor is a stranger who may do what anybody may.
type Actor struct {
	Role      Role
	UserID    string
	Email     string
	Name      string
	SessionID string
	AAL       string
	// Guest is signed in without having said who they are: they keep a list of their own, and are a visitor otherwise.
	Guest bool
	// Admin holds only when the role was granted and the session is as strong as admins must be.
	Admin bool
	// Address is the client's network address, for limits and the audit trail.
	Address string
}

// SignedIn tells whether the caller is a person with an account.
func (a Actor) SignedIn() bool { return a.Role == User && a.UserID != "" }

type key struct{}

// With puts the caller into the context.
func With(ctx context.Context, a Actor) context.Context { return context.WithValue(ctx, key{}, a) }

// From gives the caller; without one it is a stranger.
func From(ctx context.Context) Actor {
	if a, ok := ctx.Value(key{}).(Actor); ok {
		return a
	}
	return Actor{Role: Anonymous}
}

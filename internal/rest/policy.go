package rest

import (
	"slices"

	"greenroom/internal/platform/who"
)

// Policy says for which rows a caller may do something. It is a choice of alternatives, each a list of terms that
// must all hold; the zero Policy has no alternative and admits nobody.
type Policy struct{ any []alternative }

type alternative []term

type term struct {
	kind   termKind
	column string
	value  string
	asks   *Related
}

type termKind int

const (
	isAdmin termKind = iota
	isSignedIn
	isAnonymous
	isMember  // signed in, and no guest
	isOwner   // the column holds the caller's id
	isNull    // the column is null
	isEqual   // the column holds the value
	notEqual  // the column holds another value, or null
	notNull   // the column is not null
	isTrue    // the column is true
	isRelated // another table has such a row about what the column holds
)

// All admits everybody to every row.
func All() Policy { return Policy{[]alternative{{}}} }

// None admits nobody; it is the zero Policy, said aloud.
func None() Policy { return Policy{} }

// Admins admits administrators, and the holder of the service key, to every row.
func Admins() Policy { return one(term{kind: isAdmin}) }

// SignedIn admits everybody with an account to every row.
func SignedIn() Policy { return one(term{kind: isSignedIn}) }

// Members admits everybody with an account who has said who they are, guests not, to every row.
func Members() Policy { return one(term{kind: isMember}) }

// Anonymous admits callers without an account to every row.
func Anonymous() Policy { return one(term{kind: isAnonymous}) }

// Own admits the signed-in user whose id the column holds.
func Own(column string) Policy { return one(term{kind: isOwner, column: column}) }

// Null admits everybody to the rows in which the column is null.
func Null(column string) Policy { return one(term{kind: isNull, column: column}) }

// NotNull admits everybody to the rows in which the column is not null.
func NotNull(column string) Policy { return one(term{kind: notNull, column: column}) }

// True admits everybody to the rows in which the column (boolean) is true.
func True(column string) Policy { return one(term{kind: isTrue, column: column}) }

// Equal admits everybody to the rows in which the column (text or uuid) holds the value.
func Equal(column, value string) Policy {
	return one(term{kind: isEqual, column: column, value: value})
}

// NotEqual admits everybody to the rows in which the column (text or uuid) does not hold the value.
func NotEqual(column, value string) Policy {
	return one(term{kind: notEqual, column: column, value: value})
}

func one(t term) Policy { return Policy{[]alternative{{t}}} }

// Or admits whom either policy admits.
func (p Policy) Or(other Policy) Policy { return Policy{slices.Concat(p.any, other.any)} }

// OrAdmin also admits administrators.
func (p Policy) OrAdmin() Policy { return p.Or(Admins()) }

// And admits whom both policies admit.
func (p Policy) And(other Policy) Policy {
	var both Policy
	for _, a := range p.any {
		for _, b := range other.any {
			both.any = append(both.any, slices.Concat(a, b))
		}
	}
	return both
}

// Declared tells whether the policy admits anybody at all.
func (p Policy) Declared() bool { return len(p.any) > 0 }

// Admits tells whether the policy admits an actor to a row. What it asks of other tables is answered by their relation's
// name.
func (p Policy) Admits(a who.Actor, row Row, related func(name string) bool) bool {
	return slices.ContainsFunc(p.any, func(alt alternative) bool {
		return !slices.ContainsFunc(alt, func(t term) bool { return !t.holds(a, row, related) })
	})
}

func (t term) holds(a who.Actor, row Row, related func(name string) bool) bool {
	if met, known := t.ofActor(a); known {
		return met
	}
	if t.kind == isRelated {
		return related != nil && related(t.asks.Name)
	}
	held, _ := row.get(t.column).(string)
	switch t.kind {
	case isOwner:
		return held == a.UserID
	case isNull:
		return row.Null(t.column)
	case notNull:
		return !row.Null(t.column)
	case isTrue:
		return row.Bool(t.column)
	case isEqual:
		return held == t.value && !row.Null(t.column)
	default:
		return held != t.value || row.Null(t.column)
	}
}

// ofActor answers the terms that the caller alone decides.
func (t term) ofActor(a who.Actor) (met, known bool) {
	switch t.kind {
	case isAdmin:
		return a.Admin || a.Role == who.Service, true
	case isSignedIn:
		return a.SignedIn(), true
	case isAnonymous:
		return !a.SignedIn() && a.Role != who.Service, true
	case isMember:
		return a.SignedIn() && !a.Guest, true
	case isOwner:
		return false, !a.SignedIn()
	case isRelated:
		return false, t.asks.If.shut(a)
	default:
		return false, false
	}
}

// columns names the columns that the policy looks at.
func (p Policy) columns() []string {
	var names []string
	for _, alt := range p.any {
		for _, t := range alt {
			if t.column != "" && !slices.Contains(names, t.column) {
				names = append(names, t.column)
			}
		}
	}
	return names
}

// shut tells whether the caller can meet no alternative, whatever the rows hold.
func (p Policy) shut(a who.Actor) bool {
	return !slices.ContainsFunc(p.any, func(alt alternative) bool {
		return !slices.ContainsFunc(alt, func(t term) bool {
			met, known := t.ofActor(a)
			return known && !met
		})
	})
}

// accounts tells whether the policy may admit somebody who has an account and is no admin.
func (p Policy) accounts() bool { return !p.shut(who.Actor{Role: who.User, UserID: "somebody"}) }

// everybody tells whether the policy admits each caller to each row.
func (p Policy) everybody() bool {
	return slices.ContainsFunc(p.any, func(alt alternative) bool { return len(alt) == 0 })
}

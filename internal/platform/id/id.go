// Package id makes and reads identifiers, and the secrets that open things.
package id

import (
	"crypto/rand"
	"encoding/base64"

	"github.com/google/uuid"
)

// Nil is the all-zero id that stands for nobody.
const Nil = "00000000-0000-0000-0000-000000000000"

// New makes a random id, as uuid.NewString does for thrice the cost: every request has one.
func New() string {
	var random uuid.UUID
	_, _ = rand.Read(random[:]) // crypto/rand never fails: it ends the process instead
	random[6] = random[6]&0x0f | 0x40
	random[8] = random[8]&0x3f | 0x80
	return random.String()
}

// InOrder makes an id for a row of a table that grows: random, but for its beginning, which is the moment (UUID version 7).
// Rows that are added together then lie together in the table's key, and a commit writes a page of it instead of one for
// each. It tells when it was made: nothing for a secret, nor for what must not be told apart by age.
func InOrder() string { return uuid.Must(uuid.NewV7()).String() }

// Parse gives the canonical form of an id, and whether it is one.
func Parse(text string) (string, bool) {
	parsed, err := uuid.Parse(text)
	if err != nil {
		return "", false
	}
	return parsed.String(), true
}

// Named makes an id that is the same on every installation for the same name.
func Named(name string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("greenroom:"+name)).String()
}

// Secret makes a token of 192 random bits in 32 characters that are safe in a URL.
func Secret() string {
	var random [24]byte
	_, _ = rand.Read(random[:]) // crypto/rand never fails: it ends the process instead
	return base64.RawURLEncoding.EncodeToString(random[:])
}

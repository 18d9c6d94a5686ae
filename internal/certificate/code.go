package certificate

import (
	"crypto/rand"
	"strings"
)

// alphabet is Crockford's base32: no I, L, O or U, which are taken for other characters.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const (
	length = 12 // 60 bits: nobody guesses one
	group  = 4
)

// newCode makes a code, in its one spelling: XXXX-XXXX-XXXX.
func newCode() string {
	var random [length]byte
	_, _ = rand.Read(random[:]) // crypto/rand never fails: it ends the process instead
	for i, b := range random {
		random[i] = alphabet[b%byte(len(alphabet))]
	}
	return spell(string(random[:]))
}

// spell sets a code in groups.
func spell(plain string) string {
	return plain[:group] + "-" + plain[group:2*group] + "-" + plain[2*group:]
}

// Read gives the one spelling of a code that somebody typed, and whether it can be one. Case, spaces and hyphens do not matter,
// and letters that no code has are read as what they look like.
func Read(typed string) (string, bool) {
	if len(typed) > 4*length {
		return "", false
	}
	var b strings.Builder
	for _, r := range strings.ToUpper(typed) {
		switch r {
		case ' ', '-', '\u2010', '\u2011', '\u2013': // what programs make of a hyphen
			continue
		case 'I', 'L':
			r = '1'
		case 'O':
			r = '0'
		case 'U':
			r = 'V'
		}
		if !strings.ContainsRune(alphabet, r) {
			return "", false
		}
		b.WriteRune(r)
	}
	if b.Len() != length {
		return "", false
	}
	return spell(b.String()), true
}

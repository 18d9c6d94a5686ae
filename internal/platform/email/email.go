// Package email says when two mail addresses are the same. Whoever compares, counts or stores an address by itself asks
// here: where two places disagree, one person's address becomes another's.
package email

import "golang.org/x/text/unicode/norm"

// Key is the form by which an address is compared: its ASCII letters in lower case and nothing else changed. Unicode's
// lower case would make a plain k of the Kelvin sign, and so somebody else's address. SQL's lower() does the same as Key,
// on SQLite and on columns of the collation "C".
func Key(address string) string {
	key := []byte(address)
	for i, c := range key {
		if c >= 'A' && c <= 'Z' {
			key[i] = c + 'a' - 'A'
		}
	}
	return string(key)
}

// Composed tells whether an address is written in Unicode's one composed form (NFC). Any other spelling looks the same
// and is another address.
func Composed(address string) bool { return norm.NFC.IsNormalString(address) }

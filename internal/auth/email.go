package auth

import (
	"regexp"
	"strings"
)

// emailForm is what browsers take for an address, with a dot in its domain.
var emailForm = regexp.MustCompile("^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$")

// parseEmail gives the one form in which an address is stored and compared: lower case, no spaces around it.
func parseEmail(text string) (string, error) {
	email := asciiLower(strings.Trim(text, " "))
	if len(email) > 254 || !emailForm.MatchString(email) {
		return "", invalid("Unable to validate email address: invalid format")
	}
	local, _, _ := strings.Cut(email, "@")
	if strings.HasPrefix(local, ".") || strings.HasSuffix(local, ".") || strings.Contains(local, "..") {
		return "", invalid("Unable to validate email address: invalid format")
	}
	return email, nil
}

// asciiLower leaves other alphabets alone: Unicode's lower case of the Kelvin sign is a plain k.
func asciiLower(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' {
			return c + 'a' - 'A'
		}
		return c
	}, text)
}

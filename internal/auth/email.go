package auth

import (
	"regexp"
	"strings"

	"greenroom/internal/platform/email"
)

// emailForm is what browsers take for an address, with a dot in its domain.
var emailForm = regexp.MustCompile("^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$")

// parseEmail gives the one form in which an address is stored and compared: lower case, no spaces around it.
func parseEmail(text string) (string, error) {
	key := email.Key(strings.Trim(text, " "))
	if len(key) > 254 || !emailForm.MatchString(key) {
		return "", invalid("Unable to validate email address: invalid format")
	}
	local, _, _ := strings.Cut(key, "@")
	if strings.HasPrefix(local, ".") || strings.HasSuffix(local, ".") || strings.Contains(local, "..") {
		return "", invalid("Unable to validate email address: invalid format")
	}
	return key, nil
}

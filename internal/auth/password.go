package auth

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPassword is in characters. Hashing takes all of them.
const maxPassword = 128

// rules judge a password that somebody chooses.
type rules struct {
	min    int
	common commonList
	// site are the words that anybody would try here first.
	site []string
}

func newRules(o Options) (rules, error) {
	r := rules{min: o.PasswordMin, site: words(o.SiteName)}
	if r.min == 0 {
		r.min = 10
	}
	if site, err := url.Parse(o.SiteURL); err == nil && site.Hostname() != "localhost" {
		r.site = append(r.site, words(site.Hostname())...)
	}
	var err error
	r.common, err = openList(o.PasswordList)
	return r, err
}

// check gives nil, or what is wrong with the password. The person's own words (address, name) are theirs to give.
func (r rules) check(password string, own ...string) error {
	if err := storable(password); err != nil {
		return err
	}
	if w := r.weakness(password, own...); w != nil {
		return w.refusal()
	}
	return nil
}

// storable refuses what no password of ours can be, whatever its strength.
func storable(password string) error {
	switch {
	case password == "":
		return invalid("Password cannot be empty")
	case utf8.RuneCountInString(password) > maxPassword:
		return invalid(fmt.Sprintf("Password cannot be longer than %d characters", maxPassword))
	case strings.ContainsRune(password, 0) || !utf8.ValidString(password):
		return invalid("Password holds a character that cannot be used")
	}
	return nil
}

// weakPassword is what the contract says of a password below the rules.
type weakPassword struct {
	Message string   `json:"message"`
	Reasons []string `json:"reasons"`
}

func (w *weakPassword) refusal() error {
	return &failure{status: 422, code: "weak_password", message: w.Message, reasons: w.Reasons}
}

func (r rules) weakness(password string, own ...string) *weakPassword {
	if utf8.RuneCountInString(password) < r.min {
		return &weakPassword{fmt.Sprintf("Password should be at least %d characters.", r.min), []string{"length"}}
	}
	if r.common.has(password) {
		return &weakPassword{"Password is known to be weak and easy to guess, please choose a different one.", []string{"pwned"}}
	}
	known := r.site
	for _, text := range own {
		known = append(known[:len(known):len(known)], words(text)...)
	}
	if onlyOf(password, known) {
		return &weakPassword{"Password is made of the site's name, your name or your email address, please choose a different one.", []string{"pwned"}}
	}
	return nil
}

// words splits a name or an address into what somebody would build a password of.
func words(text string) []string {
	text = strings.ToLower(text)
	found := strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	local, _, _ := strings.Cut(text, "@")
	return append(found, local)
}

// onlyOf tells whether nothing is left of a password without the known words, digits and signs.
func onlyOf(password string, known []string) bool {
	rest, hit := strings.ToLower(password), false
	for _, word := range known {
		if utf8.RuneCountInString(word) < 3 || !strings.Contains(rest, word) {
			continue
		}
		// The gap stays, so that what stood left and right of a word does not become another.
		rest, hit = strings.ReplaceAll(rest, word, " "), true
	}
	return hit && strings.IndexFunc(rest, unicode.IsLetter) < 0
}

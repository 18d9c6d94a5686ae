package mail

import (
	netmail "net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"greenroom/internal/platform/email"
)

const (
	maxAddress = 254
	maxSubject = 150
	maxName    = 80
)

// validAddress tells whether a letter may go to this text: one bare address and nothing that a header or an SMTP
// command could take for its end, in the one spelling that Unicode composes.
func validAddress(text string) bool {
	if len(text) > maxAddress || !utf8.ValidString(text) || !email.Composed(text) || strings.ContainsFunc(text, func(r rune) bool { return hidden(r) || unicode.IsSpace(r) }) {
		return false
	}
	parsed, err := netmail.ParseAddress(text)
	// A display name, a comment or a quoted local part reads back as something else than what was given.
	return err == nil && parsed.Name == "" && parsed.Address == text
}

// Deliverable tells whether a letter can be addressed to this text: one bare address whose domain has a dot.
func Deliverable(address string) bool {
	at := strings.LastIndexByte(address, '@')
	return validAddress(address) && strings.Contains(strings.Trim(address[at+1:], "."), ".")
}

// hidden tells whether a character is not meant to be seen: controls, line separators, and the marks that turn
// the reading direction round.
func hidden(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// oneLine makes any text fit for a header or a sentence: valid, visible, on one line, at most limit characters.
func oneLine(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		if hidden(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	// What looks like an encoded word would be decoded by the reader's program.
	text = strings.ReplaceAll(text, "=?", "= ?")
	return shorten(strings.Join(strings.Fields(text), " "), limit)
}

// lines makes text of several lines fit for a body: the line ends stay, everything else hidden goes.
func lines(text string, limit int) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(strings.ToValidUTF8(text, "\ufffd"))
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && hidden(r) {
			return -1
		}
		return r
	}, text)
	return shorten(strings.TrimSpace(text), limit)
}

func shorten(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:limit-1])) + "…"
}

// greeting opens a letter. Whoever typed the name need not be whoever reads it, so only what can be nothing but a name
// stands there: no sentence, no address, no number to call.
func greeting(name string) string {
	name = oneLine(name, maxName)
	if !isName(name) {
		return "Hello,"
	}
	return "Hello " + name + ","
}

// isName tells whether a text is a few words of letters, as in "J. R. O'Neil-Ōkuma 3". A dot ends a word.
func isName(text string) bool {
	if text == "" || utf8.RuneCountInString(text) > 40 || strings.Count(text, " ") > 4 {
		return false
	}
	digits := 0
	for word := range strings.SplitSeq(text, " ") {
		for _, r := range strings.TrimSuffix(strings.TrimSuffix(word, ","), ".") {
			switch {
			case unicode.IsDigit(r):
				digits++
			case !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune("-'’", r):
				return false
			}
		}
	}
	return digits <= 4
}

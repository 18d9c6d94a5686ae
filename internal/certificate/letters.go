package certificate

import (
	"strings"
	"unicode"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"

	"greenroom/internal/site/card/fonts"
)

// family is one of the two faces of the paper, under the name that it has in the PDF.
type family struct {
	name string
	face *sfnt.Font
}

var (
	serif = family{"serif", parse(fonts.Serif)}
	sans  = family{"sans", parse(fonts.Sans)}
)

func parse(file []byte) *sfnt.Font {
	f, err := opentype.Parse(file)
	if err != nil {
		panic("an embedded font: " + err.Error()) // part of the binary
	}
	return f
}

// printable is the text as a face prints it, and whether it has every letter of it. Pictures such as emoji may go. Marks
// that have no letter of their own with their base are not printed: nothing here would put them in their place.
func (f family) printable(text string) (string, bool) {
	var buffer sfnt.Buffer
	var b strings.Builder
	for _, r := range norm.NFC.String(text) {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
			continue
		case r == '\'':
			r = '’' // at this size the typewriter's apostrophe is seen
		}
		index, err := f.face.GlyphIndex(&buffer, r)
		there := err == nil && index != 0 && r <= 0xffff
		switch {
		case unicode.IsMark(r) && r != '\ufe0f', !there && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsPunct(r)):
			return "", false
		case there:
			b.WriteRune(r)
		}
	}
	set := strings.Join(strings.Fields(b.String()), " ")
	return set, set != ""
}

// choose gives the first face that can print a text, or says something else.
func choose(text, instead string) (family, string) {
	for _, f := range []family{serif, sans} {
		if set, ok := f.printable(text); ok {
			return f, set
		}
	}
	return serif, instead
}

package card

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"sort"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"

	"greenroom/internal/site/card/fonts"
)

var (
	serif = parse(fonts.Serif)
	sans  = parse(fonts.Sans)
)

func parse(file []byte) *sfnt.Font {
	f, err := opentype.Parse(file)
	if err != nil {
		panic(fmt.Sprintf("an embedded font: %v", err)) // part of the binary
	}
	return f
}

// readable is the text without what the face cannot draw, and whether that is still the text: symbols and emoji may
// go, but of its letters nearly all must be there. A row of empty boxes says less than nothing.
func readable(f *sfnt.Font, text string) (string, bool) {
	var buffer sfnt.Buffer
	var b strings.Builder
	letters, lost := 0, 0
	for _, r := range norm.NFC.String(text) {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
			continue
		case r == '\'':
			r = '’' // at this size the typewriter's apostrophe is seen
		}
		index, err := f.GlyphIndex(&buffer, r)
		there := err == nil && index != 0 && unicode.IsGraphic(r)
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			letters++
			if !there {
				lost++
			}
		}
		if there {
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " "), letters > 0 && lost*10 <= letters
}

// face is a family at a size. A face draws for one goroutine alone, so every card makes its own.
func face(f *sfnt.Font, size float64) font.Face {
	made, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(fmt.Sprintf("a face of an embedded font: %v", err)) // the options above are good ones
	}
	return made
}

func width(f font.Face, text string) int { return font.MeasureString(f, text).Ceil() }

// write puts a line of text on its baseline and says where it ended.
func write(to draw.Image, f font.Face, c color.Color, x, y int, text string) int {
	d := font.Drawer{Dst: to, Src: image.NewUniform(c), Face: f, Dot: fixed.P(x, y)}
	d.DrawString(text)
	return d.Dot.X.Ceil()
}

// writeSpaced is write with room between the letters, as capitals need it.
func writeSpaced(to draw.Image, f font.Face, c color.Color, x, y, room int, text string) int {
	for _, r := range text {
		x = write(to, f, c, x, y, string(r)) + room
	}
	return x - room
}

// fitting is how many of the letters fit together with what comes after them. It halves its way there: to try one
// letter less each time took seconds for a word of hundreds.
func fitting(f font.Face, letters []rune, after string, within int) int {
	return sort.Search(len(letters), func(n int) bool { return width(f, string(letters[:n+1])+after) > within })
}

// clip is the text as far as it fits, with an ellipsis where it does not; it ends with a whole word where it has several.
func clip(f font.Face, text string, within int) string {
	if width(f, text) <= within {
		return text
	}
	letters := []rune(text)
	n := fitting(f, letters, "…", within)
	short := string(letters[:n])
	if end := strings.LastIndexByte(short, ' '); end > 0 && n < len(letters) && letters[n] != ' ' {
		short = short[:end]
	}
	return strings.TrimRight(short, " ,.:;–-") + "…"
}

// wrap breaks the text into lines of at most that width; a word that is wider than a line is broken too.
func wrap(f font.Face, text string, within int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		for width(f, word) > within {
			letters := []rune(word)
			n := max(1, fitting(f, letters, "-", within))
			if line != "" {
				lines = append(lines, line)
				line = ""
			}
			lines = append(lines, string(letters[:n])+"-")
			word = string(letters[n:])
		}
		joined := strings.TrimSpace(line + " " + word)
		if width(f, joined) > within {
			lines = append(lines, line)
			joined = word
		}
		line = joined
	}
	return append(lines, line)
}

// headline is a title in the largest size in which it fits.
type headline struct {
	lines   []string
	face    font.Face
	leading int
}

// fit sets the text as large as its width and height allow, its lines about equally long; what is too long for the
// smallest size ends with an ellipsis.
func fit(f *sfnt.Font, text string, sizes []float64, within, high int) headline {
	var h headline
	for _, size := range sizes {
		h.face, h.leading = face(f, size), int(size*1.02)
		if h.lines = wrap(h.face, text, within); len(h.lines)*h.leading <= high && !breaksWord(text, h.lines) {
			h.lines = balance(h.face, text, h.lines, within)
			return h
		}
	}
	if most := high / h.leading; len(h.lines) > most {
		rest := strings.Join(h.lines[most-1:], " ")
		h.lines = append(h.lines[:most-1:most-1], clip(h.face, rest, within))
	}
	return h
}

// breaksWord tells whether a word was broken: a smaller size may spare it that.
func breaksWord(text string, lines []string) bool {
	return len(strings.Fields(text)) != len(strings.Fields(strings.Join(lines, " ")))
}

// balance takes the narrowest measure that needs no more lines.
func balance(f font.Face, text string, lines []string, within int) []string {
	for narrower := within - 20; narrower > within/3; narrower -= 20 {
		tried := wrap(f, text, narrower)
		if len(tried) > len(lines) || breaksWord(text, tried) {
			break
		}
		lines = tried
	}
	return lines
}

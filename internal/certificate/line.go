package certificate

import (
	"fmt"
	"strings"
)

// line sets one line in the middle.
func (p sheet) line(f family, c ink, size, y float64, text string) {
	p.SetFont(f.name, "", size)
	p.color(c)
	p.Text(middle-p.GetStringWidth(text)/2, y, text)
}

// spaced is line with room between the letters, as capitals need it.
func (p sheet) spaced(c ink, size, y float64, text string) {
	const points = 1.9
	p.SetFont(sans.name, "", size)
	p.color(c)
	room := points * float64(len(text)-1) / p.GetConversionRatio()
	p.RawWriteStr(fmt.Sprintf("%.1f Tc\n", points))
	p.Text(middle-(p.GetStringWidth(text)+room)/2, y, text)
	p.RawWriteStr("0 Tc\n")
}

// fit sets a text under a place, in the first of the sizes in which it takes no more than so many lines, and gives where the last one
// stands. What is too long for the smallest is cut where the lines end.
func (p sheet) fit(f family, text string, sizes []float64, under float64, most int) float64 {
	if f == sans {
		sizes = sizes[2:] // wider and heavier at the same size
	}
	var lines []string
	var size float64
	for i, tried := range sizes {
		size = tried
		p.SetFont(f.name, "", size)
		// One line wins over a larger letter, until that would be small.
		allowed := most
		if i < len(sizes)/2 {
			allowed = 1
		}
		if lines = p.wrap(text, measure); len(lines) <= allowed {
			break
		}
	}
	if len(lines) > most {
		lines = lines[:most]
		letters := []rune(lines[most-1])
		lines[most-1] = string(letters[:len(letters)-1]) + "…"
	}
	leading := size * 1.14 / p.GetConversionRatio()
	y := under + size*1.02/p.GetConversionRatio()
	for i, line := range lines {
		p.line(f, black, size, y+float64(i)*leading, line)
	}
	return y + float64(len(lines)-1)*leading
}

// wrap breaks a text into lines; a word that is wider than a line is broken too.
func (p sheet) wrap(text string, within float64) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		joined := strings.TrimSpace(line + " " + word)
		if line != "" && p.GetStringWidth(joined) > within {
			lines = append(lines, line)
			joined = word
		}
		for letters := []rune(joined); p.GetStringWidth(joined) > within; letters = []rune(joined) {
			n := len(letters)
			for n > 1 && p.GetStringWidth(string(letters[:n])) > within {
				n--
			}
			lines = append(lines, string(letters[:n]))
			joined = string(letters[n:])
		}
		line = joined
	}
	return append(lines, line)
}

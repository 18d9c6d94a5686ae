package certificate

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"greenroom/internal/site/card/fonts"
)

// form is the number of the drawing itself: whoever changes how a certificate looks raises it.
const form = 1

// The sheet is A4 across; lengths are millimetres, sizes of letters points.
const (
	wide, high = 297.0, 210.0
	middle     = wide / 2
	margin     = 26.0
	measure    = wide - 2*margin
	qrSize     = 29.0
)

type ink struct{ r, g, b int }

// The app's colours, darkened where they are letters on paper.
var (
	black  = ink{0x14, 0x17, 0x1f}
	grey   = ink{0x5b, 0x62, 0x70}
	gold   = ink{0x8f, 0x66, 0x12}
	frame  = ink{0xc9, 0xa2, 0x4b}
	accent = ink{0xfc, 0x87, 0x31}
	cone   = ink{0xfd, 0xcf, 0xad}
	lamp   = ink{0xf0, 0xb0, 0x55}
)

// sheet is a certificate on its way to paper.
type sheet struct{ *fpdf.Fpdf }

// draw gives the PDF of a certificate whose page has that address.
func draw(c Certificate, link string) ([]byte, error) {
	p := sheet{fpdf.New("L", "mm", "A4", "")}
	p.SetAutoPageBreak(false, 0)
	p.AddUTF8FontFromBytes(serif.name, "", fonts.Serif)
	p.AddUTF8FontFromBytes(sans.name, "", fonts.Sans)
	p.SetTitle("Certificate of completion: "+c.Title, true)
	p.SetAuthor("Greenroom", true)
	p.SetSubject(link, true)
	p.SetLang("en-US")
	p.SetCatalogSort(true)
	p.SetCreationDate(c.Issued)
	p.SetModificationDate(c.Issued)
	p.AddPage()
	p.border()
	p.house()
	p.words(c)
	p.foot(c, link)
	if err := p.seal(link); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := p.Output(&b)
	return b.Bytes(), err
}

func (p sheet) color(c ink) {
	p.SetTextColor(c.r, c.g, c.b)
	p.SetFillColor(c.r, c.g, c.b)
	p.SetDrawColor(c.r, c.g, c.b)
}

func (p sheet) border() {
	p.color(frame)
	p.SetLineWidth(.7)
	p.Rect(9, 9, wide-18, high-18, "D")
	p.SetLineWidth(.2)
	p.Rect(11, 11, wide-22, high-22, "D")
}

// house draws the sign and the name of the house in the middle of the top.
func (p sheet) house() {
	const size, name, y = 11.0, 21.0, 22.0
	p.SetFont(serif.name, "", name)
	text := "Greenroom"
	x := middle - (size+2+p.GetStringWidth(text))/2
	unit := size / 32
	p.color(cone)
	p.Polygon([]fpdf.PointType{{X: x + 16*unit, Y: y + 4*unit}, {X: x + 27*unit, Y: y + 26*unit}, {X: x + 5*unit, Y: y + 26*unit}}, "F")
	p.color(accent)
	p.Ellipse(x+16*unit, y+26*unit, 11*unit, 2.6*unit, 0, "F")
	p.color(lamp)
	p.Circle(x+16*unit, y+5.5*unit, 2.6*unit, "F")
	p.color(black)
	p.Text(x+size+2, y+8.6, text)
}

// words is what the certificate says, line under line.
func (p sheet) words(c Certificate) {
	p.spaced(gold, 10.5, 53, "CERTIFICATE OF COMPLETION")
	p.line(sans, grey, 12, 69, "This certifies that")
	f, name := choose(c.Holder, "The holder named on the page below")
	y := p.fit(f, name, []float64{54, 48, 42, 36, 31, 27, 23, 19, 16}, 73, 2)
	p.line(sans, grey, 12, y+16, "completed the course")
	f, title := choose(c.Title, "The course named on the page below")
	y = p.fit(f, title, []float64{32, 29, 26, 23, 20, 17, 14}, y+20, 2)
	p.line(sans, grey, 11, y+13, strings.Join(c.details(), "  ·  "))
}

// details are what there is to say of the course: who teaches it, and how much of it there was.
func (c Certificate) details() []string {
	var parts []string
	if by, ok := sans.printable(c.Instructor); ok {
		if letters := []rune(by); len(letters) > 60 {
			by = string(letters[:60]) + "…"
		}
		parts = append(parts, "Taught by "+by)
	}
	if c.Lessons > 0 {
		parts = append(parts, counted(c.Lessons, "lesson"))
	}
	if minutes := c.Seconds / 60; minutes > 0 {
		parts = append(parts, spent(minutes))
	}
	return parts
}

// spent is a time in words.
func spent(minutes int) string {
	switch hours := minutes / 60; {
	case hours == 0:
		return counted(minutes, "minute")
	case minutes%60 == 0:
		return counted(hours, "hour")
	default:
		return counted(hours, "hour") + " " + counted(minutes%60, "minute")
	}
}

func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// day is a date as Americans write it. The server knows no other zone than UTC; so does the page.
func day(t time.Time) string { return t.UTC().Format("January 2, 2006") }

// foot says when, under which code, and where to ask whether it is true.
func (p sheet) foot(c Certificate, link string) {
	const y = high - 33
	label := func(x float64, name, value string) {
		p.SetFont(sans.name, "", 8.5)
		p.color(grey)
		p.Text(x, y, name)
		p.SetFont(sans.name, "", 12)
		p.color(black)
		p.Text(x, y+6.5, value)
	}
	label(margin, "Issued", day(c.Issued))
	label(margin+58, "Certificate code", c.Code)
	p.SetFont(sans.name, "", 8.5)
	p.color(grey)
	_, address, _ := strings.Cut(link, "://")
	p.Text(margin, y+14.5, "Verify at "+address)
	p.LinkString(margin, y+11.5, p.GetStringWidth("Verify at "+address), 4, link)
}

// seal draws the code that a phone reads, as shapes.
func (p sheet) seal(link string) error {
	rows, points, err := darkRuns(link)
	if err != nil {
		return err
	}
	p.color(black)
	unit, left, top := qrSize/float64(points), wide-margin-qrSize, high-20-qrSize
	for _, r := range rows {
		// A little more than a row each: readers of PDFs draw a hair between shapes that only touch.
		p.Rect(left+float64(r.x)*unit, top+float64(r.y)*unit, float64(r.long)*unit, unit*1.02, "F")
	}
	p.LinkString(left, top, qrSize, qrSize, link)
	return nil
}

// Package card draws the picture that a link to this site shows where it is posted: the still over the whole of it, and
// on its dark side the title, who teaches it and how it is rated, like the poster of a film. It draws from what it is
// given and reads nothing else.
package card

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"
	"strings"
)

// Width and Height are what the networks ask for.
const (
	Width  = 1200
	Height = 630
)

const (
	margin  = 64
	measure = 860 // the widest line of a title
	tallest = 280 // all of its lines: two large ones or more that are smaller
)

// Form is the number of the drawing itself. A card is kept for ever under the name of its content, so whoever changes
// how cards look raises it.
const Form = 1

// Card is what stands on a picture. Still may be nil, Rating 0 where there is none.
type Card struct {
	Still  image.Image `json:"-"`
	Gel    string      // the category's name in the style sheet
	Kicker string
	Title  string
	// Instead stands for a title in a script that our faces do not have.
	Instead string
	By      string
	Rating  float64
	Soon    bool
}

var titleSizes = []float64{112, 104, 96, 88, 80, 72, 66, 60, 54}

// Draw gives the card as a PNG.
func (c Card) Draw() ([]byte, error) {
	to := image.NewRGBA(image.Rect(0, 0, Width, Height))
	draw.Draw(to, to.Bounds(), image.NewUniform(background), image.Point{}, draw.Src)
	if c.Still != nil {
		cover(to, c.Still)
	}
	l := c.layOut()
	shade(to, l.top)
	c.drawHouse(to)
	c.drawText(to, l)
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := encoder.Encode(&b, to); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// drawHouse puts the name of the house at the top left and, where it is so, the note that the course is yet to come.
func (c Card) drawHouse(to draw.Image) {
	mark(to, margin-8, 46, 56)
	write(to, face(serif, 44), foreground, margin+58, 90, "Greenroom")
	if !c.Soon {
		return
	}
	const text = "Coming soon"
	f := face(sans, 24)
	box := image.Rect(Width-margin-width(f, text)-52, 52, Width-margin, 98)
	pill(to, faint(background, .82), box)
	write(to, f, gold, box.Min.X+26, box.Max.Y-15, text)
}

// layout is the text and where it stands: the title's last baseline, and the top of it all.
type layout struct {
	kicker, by string
	title      headline
	base, top  int
}

const (
	footSize, kickerSize = 30, 22
	footGap, kickerGap   = 66, 34
)

// layOut chooses the faces that have the letters, and the title's size.
func (c Card) layOut() layout {
	l := layout{kicker: c.Kicker, base: Height - margin}
	if by, ok := readable(sans, c.By); ok {
		l.by = by
	}
	if l.by != "" || c.Rating > 0 {
		l.base -= footGap
	}
	family, sizes := serif, titleSizes
	text, ok := readable(serif, c.Title)
	if !ok {
		if text, ok = readable(sans, c.Title); ok {
			family, sizes = sans, sizes[4:] // wider and heavier at the same size
		} else {
			text = c.Instead
		}
	}
	l.title = fit(family, text, sizes, measure, tallest)
	l.top = l.base - (len(l.title.lines)-1)*l.title.leading - l.title.face.Metrics().CapHeight.Ceil() - kickerGap - kickerSize
	return l
}

// drawText writes the kicker, the title and the line under it.
func (c Card) drawText(to draw.Image, l layout) {
	writeSpaced(to, face(sans, kickerSize), c.gel(), margin, l.top+kickerSize, 3, strings.ToUpper(l.kicker))
	for i, line := range l.title.lines {
		write(to, l.title.face, foreground, margin-2, l.base-(len(l.title.lines)-1-i)*l.title.leading, line)
	}
	f := face(sans, footSize)
	x, y := margin, Height-margin
	if c.Rating > 0 {
		star(to, gold, float64(x)+15, float64(y)-11, 16)
		x = write(to, f, foreground, x+42, y, strconv.FormatFloat(c.Rating, 'f', 1, 64))
	}
	if l.by == "" {
		return
	}
	if x > margin {
		x = write(to, f, muted, x+18, y, "·") + 18
	}
	write(to, f, soft, x, y, clip(f, l.by, Width-margin-x))
}

func (c Card) gel() color.Color {
	if gel, ok := gels[c.Gel]; ok {
		return gel
	}
	return gold
}

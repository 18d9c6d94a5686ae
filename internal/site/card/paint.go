package card

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/vector"
)

// The tokens of the app's style sheet as sRGB.
var (
	background = color.RGBA{0x0a, 0x0c, 0x11, 0xff}
	foreground = color.RGBA{0xf5, 0xf7, 0xfa, 0xff}
	soft       = color.RGBA{0xdc, 0xde, 0xe2, 0xff}
	muted      = color.RGBA{0xac, 0xb1, 0xbb, 0xff}
	gold       = color.RGBA{0xee, 0xbb, 0x58, 0xff}
	accent     = color.RGBA{0xfc, 0x87, 0x31, 0xff}
	lamp       = color.RGBA{0xff, 0xe6, 0xbf, 0xff}
)

// gels are the categories' colours where they are text.
var gels = map[string]color.RGBA{
	"acting-performance":  {0xf9, 0x77, 0x70, 0xff},
	"creator-economy":     {0xe5, 0xc0, 0x57, 0xff},
	"ai-tools":            {0x4e, 0xbd, 0xf7, 0xff},
	"content-creation":    {0xba, 0x93, 0xfb, 0xff},
	"business-networking": {0x47, 0xd0, 0x8f, 0xff},
	"marketing-growth":    {0xff, 0x8b, 0x55, 0xff},
}

// cover lays a picture over the whole card and cuts off what stands over. Our stills are a little larger than a card:
// cutting alone keeps them sharp and costs nothing.
func cover(to *image.RGBA, still image.Image) {
	from, whole := still.Bounds(), to.Bounds()
	if wide, high := from.Dx()-whole.Dx(), from.Dy()-whole.Dy(); wide >= 0 && high >= 0 && wide <= 100 && high <= 100 {
		draw.Draw(to, whole, still, from.Min.Add(image.Pt(wide/2, high/2)), draw.Src)
		return
	}
	if from.Dx()*whole.Dy() > from.Dy()*whole.Dx() {
		cut := from.Dx() - from.Dy()*whole.Dx()/whole.Dy()
		from.Min.X += cut / 2
		from.Max.X -= cut - cut/2
	} else {
		cut := from.Dy() - from.Dx()*whole.Dy()/whole.Dx()
		from.Min.Y += cut / 2
		from.Max.Y -= cut - cut/2
	}
	xdraw.ApproxBiLinear.Scale(to, whole, still, from, draw.Src, nil)
}

// shade darkens the ground of the text, which reaches up to that line, and leaves the rest of the picture its light: the
// left side, the floor, and the corner of the house's name.
func shade(to *image.RGBA, top int) {
	size := to.Bounds().Size()
	side, reach, corner := make([]float64, size.X), make([]float64, size.X), make([]float64, size.X)
	for x := range size.X {
		at := float64(x) / float64(size.X)
		side[x] = 1 - .8*fall(at, .02, .72)
		reach[x] = .4 + .48*fall(at, .5, 1)
		corner[x] = .55 * fall(at, .1, .5)
	}
	text := float64(size.Y-top) / float64(size.Y)
	for y := range size.Y {
		height := float64(y) / float64(size.Y)
		floor, sky := fall(1-height, text*.3, text+.18), fall(height, 0, .34)
		row := to.Pix[y*to.Stride : y*to.Stride+4*size.X]
		for x := range size.X {
			keep := side[x] * (1 - reach[x]*floor) * (1 - corner[x]*sky)
			pixel := row[4*x : 4*x+3 : 4*x+3]
			pixel[0] = mix(background.R, pixel[0], keep)
			pixel[1] = mix(background.G, pixel[1], keep)
			pixel[2] = mix(background.B, pixel[2], keep)
		}
	}
}

// fall is 1 up to one place, 0 from another on, and smooth between them.
func fall(at, from, to float64) float64 {
	t := min(max((at-from)/(to-from), 0), 1)
	return 1 - t*t*(3-2*t)
}

func mix(a, b uint8, share float64) uint8 {
	return uint8(float64(a) + (float64(b)-float64(a))*share + .5)
}

// shape is the outline of something to be filled.
type shape [][2]float64

// fill paints a shape. The rasteriser is as large as the shape and not as the card.
func fill(to draw.Image, c color.Color, s shape) {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, p := range s {
		for i := range p {
			low[i], high[i] = min(low[i], p[i]), max(high[i], p[i])
		}
	}
	box := image.Rect(int(low[0]), int(low[1]), int(high[0])+1, int(high[1])+1)
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	for i, p := range s {
		x, y := float32(p[0]-float64(box.Min.X)), float32(p[1]-float64(box.Min.Y))
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
	r.Draw(to, box, image.NewUniform(c), image.Point{})
}

func faint(c color.RGBA, share float64) color.NRGBA {
	return color.NRGBA{c.R, c.G, c.B, uint8(255 * share)}
}

// arc is a part of an ellipse as short lines, which at these sizes is what a curve becomes anyway. It goes round from
// one angle to another, in half turns.
func arc(x, y, rx, ry, from, to float64) shape {
	const steps = 48
	s := make(shape, steps+1)
	for i := range s {
		sin, cos := math.Sincos(math.Pi * (from + (to-from)*float64(i)/steps))
		s[i] = [2]float64{x + rx*cos, y + ry*sin}
	}
	return s
}

// mark draws the sign of the house, one light and what it falls on, in a square of that size.
func mark(to draw.Image, x, y, size float64) {
	unit := size / 32
	cone := shape{{16, 4}, {27, 26}, {5, 26}}
	for i, p := range cone {
		cone[i] = [2]float64{x + p[0]*unit, y + p[1]*unit}
	}
	fill(to, faint(accent, .38), cone)
	fill(to, accent, arc(x+16*unit, y+26*unit, 11*unit, 2.6*unit, 0, 2))
	fill(to, lamp, arc(x+16*unit, y+5.5*unit, 2.6*unit, 2.6*unit, 0, 2))
}

// star draws a star around a point.
func star(to draw.Image, c color.Color, x, y, radius float64) {
	s := make(shape, 10)
	for i := range s {
		reach := radius
		if i%2 == 1 {
			reach *= .46
		}
		sin, cos := math.Sincos(float64(i)*math.Pi/5 - math.Pi/2)
		s[i] = [2]float64{x + reach*cos, y + reach*sin}
	}
	fill(to, c, s)
}

// pill draws a bar with round ends.
func pill(to draw.Image, c color.Color, box image.Rectangle) {
	radius := float64(box.Dy()) / 2
	y := float64(box.Min.Y) + radius
	right := arc(float64(box.Max.X)-radius, y, radius, radius, -.5, .5)
	left := arc(float64(box.Min.X)+radius, y, radius, radius, .5, 1.5)
	fill(to, c, append(right, left...))
}

// Package picture makes pictures for pages out of those that people bring: turned upright, in the widths that our pages ask for,
// as JPEG, with nothing in them but what can be seen. What a camera wrote beside the picture (where it was taken, and by whom)
// is gone, because nothing of the file is kept.
//
// It reads JPEG, PNG, GIF (the first picture) and WebP, which is what Go decodes without C, and writes JPEG for the same reason.
package picture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	_ "image/gif" // these are what it reads
	"image/jpeg"
	_ "image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// Widths are those in which our pages ask for pictures.
var Widths = []int{1280, 640, 320}

// Bounds of what is decoded. A progressive JPEG takes twelve bytes a pixel while it is read.
const (
	MostPixels = 20_000_000
	LeastWidth = 640
	mostSide   = 16_000
	quality    = 82
)

// What is wrong with a picture, for whoever brought it.
var (
	ErrUnreadable = errors.New("We can't read this file as a picture. Use a JPEG, PNG, WebP or GIF.")         //nolint:staticcheck // a sentence for a person
	ErrTooLarge   = errors.New("This picture has more than 20 million pixels: please make it smaller first.") //nolint:staticcheck // the same
	ErrTooSmall   = errors.New("This picture is too small. Please choose one at least 640 pixels wide.")      //nolint:staticcheck // the same
)

// Sized is a picture in one width.
type Sized struct {
	Width int
	JPEG  []byte
}

// Open decodes a picture whose head says that it fits, and whose body does not make the work longer than that.
func Open(file []byte) (image.Image, error) {
	if _, err := check(file); err != nil {
		return nil, err
	}
	decoded, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, ErrUnreadable
	}
	return decoded, nil
}

// mostScans bounds how often a progressive JPEG goes over all of its pixels: cameras and programs write about ten scans, while a
// file of a few bytes a scan may ask for hundreds.
const mostScans = 30

// check reads the head of a picture: how much memory it takes is known before any of it is taken.
func check(file []byte) (image.Config, error) {
	about, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return about, ErrUnreadable
	}
	if about.Width <= 0 || about.Height <= 0 || about.Width > mostSide || about.Height > mostSide || about.Width*about.Height > MostPixels {
		return about, ErrTooLarge
	}
	if bytes.HasPrefix(file, []byte("\xff\xd8")) && bytes.Count(file, []byte("\xff\xda")) > mostScans {
		return about, ErrUnreadable
	}
	return about, nil
}

// Make gives a picture in each of the widths. One that is narrower than a width is not made larger.
func Make(file []byte) ([]Sized, error) {
	about, err := check(file)
	if err != nil {
		return nil, err
	}
	turn := orientation(file)
	if width := upright(about.Width, about.Height, turn).X; width < LeastWidth {
		return nil, ErrTooSmall
	}
	decoded, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, ErrUnreadable
	}
	var made []Sized
	from := decoded
	for _, width := range Widths {
		small := shrink(from, width, turn)
		if from == decoded {
			small, turn = turned(small, turn), 1
		}
		var out bytes.Buffer
		if err := jpeg.Encode(&out, small, &jpeg.Options{Quality: quality}); err != nil {
			return nil, err
		}
		made = append(made, Sized{width, out.Bytes()})
		from = small
	}
	return made, nil
}

// upright is the size of a picture that is turned.
func upright(width, height, turn int) image.Point {
	if turn >= 5 {
		return image.Pt(height, width)
	}
	return image.Pt(width, height)
}

// ground shows through where a picture is transparent: the dark of the page.
var ground = image.NewUniform(color.RGBA{0x14, 0x12, 0x10, 0xff})

// shrink scales a picture so that it has the width once it is turned.
func shrink(from image.Image, width, turn int) *image.RGBA {
	size := from.Bounds().Size()
	shown := upright(size.X, size.Y, turn)
	width = min(width, shown.X)
	height := max(1, (shown.Y*width+shown.X/2)/shown.X)
	small := image.NewRGBA(image.Rectangle{Max: upright(width, height, turn)})
	draw.Draw(small, small.Bounds(), ground, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(small, small.Bounds(), from, from.Bounds(), draw.Over, nil)
	return small
}

// turned stands a picture upright, as its camera says that it was held.
func turned(from *image.RGBA, turn int) *image.RGBA {
	if turn == 1 {
		return from
	}
	size := from.Bounds().Size()
	to := image.NewRGBA(image.Rectangle{Max: upright(size.X, size.Y, turn)})
	for y := range size.Y {
		for x := range size.X {
			at := place(x, y, size.X-1, size.Y-1, turn)
			to.SetRGBA(at.X, at.Y, from.RGBAAt(x, y))
		}
	}
	return to
}

// place is where a point comes to stand; right and low are the last column and line.
func place(x, y, right, low, turn int) image.Point {
	switch turn {
	case 2:
		return image.Pt(right-x, y)
	case 3:
		return image.Pt(right-x, low-y)
	case 4:
		return image.Pt(x, low-y)
	case 5:
		return image.Pt(y, x)
	case 6:
		return image.Pt(low-y, x)
	case 7:
		return image.Pt(low-y, right-x)
	case 8:
		return image.Pt(y, right-x)
	}
	return image.Pt(x, y)
}

package card

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/webp"
)

func still(t testing.TB) image.Image {
	t.Helper()
	file, err := os.Open("../../../web/public/art/the-working-actors-toolkit.webp")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := webp.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

var course = Card{
	Gel: "acting-performance", Kicker: "Acting & Performance", Title: "The Working Actor's Toolkit", Instead: "A course on Greenroom",
	By: "Rosalind Mbeki", Rating: 4.8,
}

func with(change func(*Card)) Card {
	c := course
	change(&c)
	return c
}

func drawn(t testing.TB, c Card) *image.RGBA {
	t.Helper()
	file, err := c.Draw()
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size != image.Pt(1200, 630) {
		t.Fatalf("the card is %v", size)
	}
	plain := image.NewRGBA(picture.Bounds())
	draw.Draw(plain, plain.Bounds(), picture, image.Point{}, draw.Src)
	return plain
}

func bright(c color.RGBA) bool { return max(c.R, c.G, c.B) > 60 }

// Text of any length and any script stays inside the margins, and there is always some.
func TestTextNeverLeavesTheCard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]Card{
		"a course": course,
		"one word": with(func(c *Card) { c.Title = "Voice" }),
		"a very long one": with(func(c *Card) {
			c.Title, c.By = strings.Repeat("Everything about acting ", 30), strings.Repeat("Ana ", 200)
		}),
		"an endless word": with(func(c *Card) { c.Title, c.By = strings.Repeat("Wm", 300), strings.Repeat("Wm", 300) }),
		"other letters": with(func(c *Card) {
			c.Title, c.By = "Как снять короткий фильм", "Анна Петрова"
		}),
		"Chinese":          with(func(c *Card) { c.Title, c.By = "電影製作入門", "王小明" }),
		"right to left":    with(func(c *Card) { c.Title, c.By = "مقدمة في التمثيل", "دانا" }),
		"signs alone":      with(func(c *Card) { c.Title, c.By = "🎬🎬🎬", "\u202e\x00" }),
		"marks on letters": with(func(c *Card) { c.Title = strings.Repeat("e\u0301\u0323", 40) }),
		"nothing":          {Instead: "A course on Greenroom"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			picture := drawn(t, c)
			lit := 0
			for y := range Height {
				for x := range Width {
					if !bright(picture.RGBAAt(x, y)) {
						continue
					}
					lit++
					if x < margin-12 || x > Width-margin+4 || y < 40 || y > Height-margin+40 {
						t.Fatalf("text at %d, %d", x, y)
					}
				}
			}
			if title := count(picture, image.Rect(margin, 130, margin+measure, Height-margin-30)); title < 500 {
				t.Errorf("%d bright points where the title should be", title)
			}
		})
	}
}

func count(picture *image.RGBA, box image.Rectangle) int {
	lit := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if bright(picture.RGBAAt(x, y)) {
				lit++
			}
		}
	}
	return lit
}

func TestTextIsOnlyWhatAFaceCanDraw(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		face       *sfnt.Font
		text, want string
		ok         bool
	}{
		{serif, "Scene Study", "Scene Study", true},
		{serif, "  An  actor's\tway ", "An actor’s way", true},
		{serif, "Filmmaking 🎬 now!", "Filmmaking now!", true},
		{serif, "Cafe\u0301", "Café", true},
		{serif, "Фильм", "", false},
		{sans, "Фильм", "Фильм", true},
		{sans, "電影 AI", "AI", false},
		{sans, "🎬", "", false},
		{sans, "", "", false},
	} {
		if got, ok := readable(c.face, c.text); got != c.want || ok != c.ok {
			t.Errorf("%q: %q, %v", c.text, got, ok)
		}
	}
}

func TestLinesAreBalancedAndWordsWhole(t *testing.T) {
	t.Parallel()
	h := fit(serif, "Networking for Introverts in Film and Media", titleSizes, measure, tallest)
	if got := strings.Join(h.lines, " / "); got != "Networking for Introverts / in Film and Media" {
		t.Error(got)
	}
	long := fit(serif, strings.Repeat("Everything about acting ", 30), titleSizes, measure, tallest)
	if last := long.lines[len(long.lines)-1]; !strings.HasSuffix(last, "…") || strings.Contains(strings.Join(long.lines, " "), "act…") {
		t.Errorf("%q", long.lines)
	}
}

// What the card says is on it: each part changes the picture where it stands.
func TestEveryPartShows(t *testing.T) {
	t.Parallel()
	plain := drawn(t, course)
	for name, c := range map[string]struct {
		card Card
		box  image.Rectangle
	}{
		"the picture": {with(func(c *Card) { c.Still = still(t) }), image.Rect(800, 100, 1200, 400)},
		"coming soon": {with(func(c *Card) { c.Soon = true }), image.Rect(900, 50, 1140, 100)},
		"the rating":  {with(func(c *Card) { c.Rating = 0 }), image.Rect(margin, 540, 160, 570)},
		"the name":    {with(func(c *Card) { c.By = "" }), image.Rect(190, 540, 420, 570)},
		"the title":   {with(func(c *Card) { c.Title = "Voice" }), image.Rect(margin, 280, 700, 500)},
		"the gel":     {with(func(c *Card) { c.Gel = "ai-tools" }), image.Rect(margin, 240, 420, 290)},
	} {
		other := drawn(t, c.card)
		changed := 0
		for y := c.box.Min.Y; y < c.box.Max.Y; y++ {
			for x := c.box.Min.X; x < c.box.Max.X; x++ {
				if plain.RGBAAt(x, y) != other.RGBAAt(x, y) {
					changed++
				}
			}
		}
		if changed < 100 {
			t.Errorf("%s: %d points changed", name, changed)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	c := with(func(c *Card) { c.Still = still(b) })
	for b.Loop() {
		file, err := c.Draw()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(file)), "bytes")
	}
}

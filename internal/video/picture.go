package video

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // the frames that we let the tool write
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Bounds of the pictures that are made of a video.
const (
	posterWide   = 1280
	posterBytes  = 8 << 20
	tilesAcross  = 10
	tilesASheet  = tilesAcross * tilesAcross
	tileLong     = 160
	anHour       = 3600
	pictureBytes = 64 << 20
)

// posterAt are the places that are looked at, as parts of the whole.
var posterAt = []float64{0.05, 0.11, 0.17, 0.23, 0.30}

func posterFile(in string, i int) string { return filepath.Join(in, fmt.Sprintf("poster-%d.jpg", i)) }

// poster gives the sharpest of five frames from the beginning of a video: the very first is often black, or blurred.
func (t Tools) poster(ctx context.Context, media, into string, f Facts) (string, error) {
	c := t.encoder(f, pictureBytes)
	c.args = append(c.args, "-loglevel", "error")
	for _, at := range posterAt { // one run with five places in the file, each found by its index
		c.args = append(append(c.args, "-ss", strconv.FormatFloat(at*f.Seconds, 'f', 3, 64)), input(media)...)
	}
	for i := range posterAt {
		c.args = append(c.args, "-map", strconv.Itoa(i)+":v:0", "-frames:v", "1", "-vf", fmt.Sprintf("scale='min(%d,iw)':-2", posterWide),
			"-q:v", "3", "-f", "image2", "-update", "1", posterFile(into, i))
	}
	if _, err := c.run(ctx); err != nil {
		return "", err
	}
	best, sharpest := "", -1.0
	for i := range posterAt {
		path := posterFile(into, i)
		found, err := sharpness(path)
		if errors.Is(err, os.ErrNotExist) {
			continue // a short video may end before
		}
		if err != nil {
			return "", err
		}
		if found > sharpest {
			best, sharpest = path, found
		}
	}
	if best == "" {
		return "", errors.New("there is no frame for a poster")
	}
	return best, nil
}

// sharpness is how much neighbors differ, on the whole: of blurred and of empty pictures little.
func sharpness(path string) (float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	if len(text) > posterBytes {
		return 0, errors.New("the poster is too large")
	}
	picture, _, err := image.Decode(bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	gray := func(x, y int) float64 {
		r, g, b, _ := picture.At(x, y).RGBA()
		return (299*float64(r) + 587*float64(g) + 114*float64(b)) / 1000 / 257
	}
	bounds, sum, n := picture.Bounds(), 0.0, 0
	const every = 2 // a quarter of all is enough to tell
	for y := bounds.Min.Y + 1; y < bounds.Max.Y-1; y += every {
		for x := bounds.Min.X + 1; x < bounds.Max.X-1; x += every {
			d := 4*gray(x, y) - gray(x-1, y) - gray(x+1, y) - gray(x, y-1) - gray(x, y+1)
			sum, n = sum+d*d, n+1
		}
	}
	if n == 0 {
		return 0, nil
	}
	return sum / float64(n), nil
}

// sprite is small pictures of a video side by side, for whoever looks for a place in it.
type sprite struct {
	sheets        []string
	every         int // seconds that one picture stands for
	width, height int
	tiles         int
}

// tilesOf says how many pictures of which size a video gets.
func tilesOf(f Facts) sprite {
	s := sprite{every: 5}
	if f.Seconds > anHour {
		s.every = 10
	}
	s.tiles = max(1, int(math.Ceil(f.Seconds/float64(s.every))))
	scale := float64(tileLong) / float64(max(f.Width, f.Height))
	s.width, s.height = even(float64(f.Width)*scale), even(float64(f.Height)*scale)
	return s
}

// sprite makes the sheets of the key frames alone: our own sizes have one every two seconds, so that each tile finds its own.
func (t Tools) sprite(ctx context.Context, media, into string, f Facts) (sprite, error) {
	s := tilesOf(f)
	c := t.encoder(f, pictureBytes)
	c.args = append(c.args, "-loglevel", "error", "-skip_frame", "nokey")
	c.args = append(c.args, input(media)...)
	// The first key frame of each so many seconds.
	chosen := fmt.Sprintf("select='isnan(prev_selected_t)+gt(floor(t/%d),floor(prev_selected_t/%d))'", s.every, s.every)
	c.args = append(c.args, "-an", "-vf", fmt.Sprintf("%s,scale=%d:%d,tile=%dx%d", chosen, s.width, s.height, tilesAcross, tilesAcross),
		"-vsync", "passthrough", "-q:v", "5", "-f", "image2", filepath.Join(into, "sprite-%03d.jpg"))
	if _, err := c.run(ctx); err != nil {
		return s, err
	}
	found, err := filepath.Glob(filepath.Join(into, "sprite-*.jpg"))
	slices.Sort(found)
	s.sheets = found
	if want := (s.tiles + tilesASheet - 1) / tilesASheet; err == nil && (len(found) == 0 || len(found) > want) {
		err = fmt.Errorf("%d sheets of pictures where %d should be", len(found), want)
	}
	return s, err
}

// index is the WebVTT that leads from a moment to its picture; the sheets are known by names of ours.
func (s sprite) index(f Facts, names []string) []byte {
	var b bytes.Buffer
	b.WriteString("WEBVTT\n")
	for i := range min(s.tiles, len(names)*tilesASheet) {
		from, to := float64(i*s.every), min(float64((i+1)*s.every), f.Seconds)
		place := i % tilesASheet
		fmt.Fprintf(&b, "\n%s --> %s\n%s#xywh=%d,%d,%d,%d\n", stamp(from), stamp(to), names[i/tilesASheet],
			place%tilesAcross*s.width, place/tilesAcross*s.height, s.width, s.height)
	}
	return b.Bytes()
}

// stamp writes a moment as WebVTT does.
func stamp(seconds float64) string {
	ms := int64(math.Round(seconds * 1000))
	return fmt.Sprintf("%02d:%02d:%02d.%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, ms%1000)
}

package certificate

import (
	"fmt"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// drawing is a QR code as the path of an SVG, in points of one unit.
type drawing struct {
	Size int    `json:"size"`
	Path string `json:"path"`
}

func drawQR(link string) (*drawing, error) {
	rows, size, err := darkRuns(link)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", r.x, r.y, r.long, r.long)
	}
	return &drawing{size, b.String()}, nil
}

// run is dark points side by side.
type run struct{ x, y, long int }

func darkRuns(link string) (all []run, size int, err error) {
	code, err := qr.Encode(link, qr.M, qr.Auto)
	if err != nil {
		return nil, 0, fmt.Errorf("draw a QR code: %w", err)
	}
	size = code.Bounds().Dx()
	for y := range size {
		from := -1
		for x := range size + 1 {
			dark := false
			if x < size {
				r, _, _, _ := code.At(x, y).RGBA()
				dark = r == 0
			}
			switch {
			case dark && from < 0:
				from = x
			case !dark && from >= 0:
				all = append(all, run{from, y, x - from})
				from = -1
			}
		}
	}
	return all, size, nil
}

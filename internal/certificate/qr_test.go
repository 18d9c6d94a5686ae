package certificate

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/boombuler/barcode/qr"
)

// The drawing is dark where the code is, point by point.
func TestTheDrawnCodeIsTheCode(t *testing.T) {
	t.Parallel()
	const link = "https://greenroom.example/certificate/7K2M-9QXR-4T0B"
	drawn, err := drawQR(link)
	if err != nil {
		t.Fatal(err)
	}
	dark := map[[2]int]bool{}
	for _, found := range regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-(\d+)z`).FindAllStringSubmatch(drawn.Path, -1) {
		var x, y, long, back int
		if _, err := fmt.Sscan(found[1], &x); err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Sscan(found[2]+" "+found[3]+" "+found[4], &y, &long, &back)
		if long != back {
			t.Errorf("%s is not closed", found[0])
		}
		for i := range long {
			dark[[2]int{x + i, y}] = true
		}
	}
	code, err := qr.Encode(link, qr.M, qr.Auto)
	if err != nil || code.Bounds().Dx() != drawn.Size {
		t.Fatal(err, drawn.Size)
	}
	for y := range drawn.Size {
		for x := range drawn.Size {
			if r, _, _, _ := code.At(x, y).RGBA(); (r == 0) != dark[[2]int{x, y}] {
				t.Fatalf("at %d, %d", x, y)
			}
		}
	}
}

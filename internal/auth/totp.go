package auth

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"image/color"
	"net/url"
	"strings"
	"time"

	"github.com/boombuler/barcode/qr"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
)

const (
	totpPeriod = 30
	// totpSkew is how many steps a phone's clock may be off, either way.
	totpSkew = 1
	// totpSecret is in bytes: 160 bits, which are 32 characters of base32.
	totpSecret = 20
)

var base32Text = base32.StdEncoding.WithPadding(base32.NoPadding)

func newTOTPSecret() string {
	var random [totpSecret]byte
	_, _ = rand.Read(random[:]) // crypto/rand never fails: it ends the process instead
	return base32Text.EncodeToString(random[:])
}

// totpAddress is what an authenticator app reads out of the picture.
func totpAddress(issuer, account, secret string) string {
	q := "algorithm=SHA1&digits=6&issuer=" + url.PathEscape(issuer) + "&period=30&secret=" + secret
	return "otpauth://totp/" + url.PathEscape(issuer) + ":" + url.PathEscape(account) + "?" + q
}

// totpStep finds the time step that a code is for. Every step of the window is tried, whichever fits.
func totpStep(secret, code string, now time.Time) (step int64, ok bool, err error) {
	current := now.Unix() / totpPeriod
	for try := current - totpSkew; try <= current+totpSkew; try++ {
		right, err := hotp.GenerateCodeCustom(secret, uint64(try), hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
		if err != nil {
			return 0, false, fmt.Errorf("make the code of a step: %w", err)
		}
		if subtle.ConstantTimeCompare([]byte(right), []byte(code)) == 1 {
			step, ok = try, true
		}
	}
	return step, ok, nil
}

// qrPicture draws a text as an SVG. Colours are words: the client puts the picture into a data address as it is, where
// a # would end it.
func qrPicture(text string) (string, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", fmt.Errorf("draw a QR code: %w", err)
	}
	const quiet = 4
	size := code.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		for x := range size {
			if color.GrayModel.Convert(code.At(x, y)).(color.Gray).Y < 128 {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x+quiet, y+quiet)
			}
		}
	}
	whole := size + 2*quiet
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d" width="%[2]d" height="%[2]d" shape-rendering="crispEdges">`+
		`<rect width="%[1]d" height="%[1]d" fill="white"/><path fill="black" d="%[3]s"/></svg>`, whole, whole*6, path.String()), nil
}

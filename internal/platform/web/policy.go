package web

import (
	"crypto/sha256"
	"encoding/base64"
)

// PolicyHash names an inlined script or stylesheet in a Content-Security-Policy.
func PolicyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

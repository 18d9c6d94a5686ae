package storage

import (
	"bytes"
	"net/http"
	"strings"
)

// sniffBytes is how much of an object is looked at.
const sniffBytes = 1024

// sniff says what the first bytes of an object are, whatever its sender says.
func sniff(head []byte) string {
	if kind := boxed(head); kind != "" {
		return kind
	}
	if kind := markup(head); kind != "" {
		return kind
	}
	return bare(http.DetectContentType(head))
}

// boxed knows the files of the ISO family, of which Go knows but one.
func boxed(head []byte) string {
	if len(head) < 12 || string(head[4:8]) != "ftyp" {
		return ""
	}
	switch string(head[8:12]) {
	case "avif", "avis":
		return "image/avif"
	case "heic", "heix", "mif1":
		return "image/heic"
	case "qt  ":
		return "video/quicktime"
	case "M4A ", "M4B ":
		return "audio/mp4"
	}
	return "video/mp4"
}

// markup finds what a browser would take for a document with scripts, behind whatever may stand before it.
func markup(head []byte) string {
	text := strings.ToLower(string(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))))
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		text = strings.ReplaceAll(text[2:], "\x00", "")
	}
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n\f"), "<") {
		return ""
	}
	switch {
	case strings.Contains(text, "<svg"):
		return "image/svg+xml"
	case strings.Contains(text, "<html") || strings.Contains(text, "<!doctype html") || strings.Contains(text, "<script") || strings.Contains(text, "<body"):
		return "text/html"
	case strings.HasPrefix(strings.TrimLeft(text, " \t\r\n\f"), "<?xml"):
		return "text/xml"
	}
	return ""
}

// family are the stated types that share their first bytes.
var family = map[string]string{
	"video/x-m4v": "video/mp4", "audio/x-m4a": "video/mp4", "audio/mp4": "video/mp4", "video/quicktime": "video/mp4", "audio/webm": "video/webm",
	"video/x-matroska": "video/webm", "audio/wave": "audio/wav", "audio/x-wav": "audio/wav", "audio/ogg": "application/ogg", "video/ogg": "application/ogg",
	"image/jpg": "image/jpeg", "image/x-icon": "image/vnd.microsoft.icon",
}

func kin(kind string) string {
	if other, ok := family[kind]; ok {
		return other
	}
	return kind
}

// known are the types that the first bytes tell for sure.
var known = map[string]bool{
	"image/avif": true, "image/gif": true, "image/jpeg": true, "image/png": true, "image/webp": true, "image/heic": true, "image/bmp": true,
	"video/mp4": true, "video/webm": true, "application/ogg": true, "application/pdf": true, "audio/wav": true,
	"application/zip": true, "application/x-gzip": true,
}

// agrees tells whether bytes may be what their sender says. What Go cannot tell apart is believed, but never where it can,
// nor where a browser would run it.
func agrees(stated, sniffed string) bool {
	stated, sniffed = kin(bare(stated)), kin(sniffed)
	switch {
	case stated == sniffed:
		return true
	case known[stated] || active(sniffed):
		return false
	case strings.HasPrefix(stated, "text/"):
		return strings.HasPrefix(sniffed, "text/") || sniffed == "application/octet-stream" && stated != "text/html"
	case strings.HasPrefix(stated, "image/"), strings.HasPrefix(stated, "video/"), strings.HasPrefix(stated, "audio/"):
		return !known[sniffed] && !strings.HasPrefix(sniffed, "text/")
	}
	return true
}

// active tells whether a browser may run what has this type, or show it as a document with parts of its own.
func active(kind string) bool {
	return kind == "text/html" || strings.Contains(kind, "xml") || strings.Contains(kind, "svg") || loaded(kind) ||
		strings.HasPrefix(kind, "multipart/") || strings.HasPrefix(kind, "message/") || kind == "text/xsl"
}

// loaded tells whether a page may take this for a script or a style of its own: our pages trust our origin.
func loaded(kind string) bool {
	for _, part := range []string{"javascript", "ecmascript", "jscript", "livescript", "css", "wasm", "manifest"} {
		if strings.Contains(kind, part) {
			return true
		}
	}
	return false
}

// safely says how an object goes out: with which type, and whether the browser must not show or run it.
func (o object) safely() (kind string, sandbox, attachment bool) {
	stated := bare(o.Type)
	switch {
	case stated == "text/html" || loaded(stated):
		return "text/plain; charset=utf-8", true, false
	case active(stated) || active(o.Sniffed):
		return o.Type, true, true
	}
	return o.Type, false, false
}

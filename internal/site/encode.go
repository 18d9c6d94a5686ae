package site

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"greenroom/internal/platform/web"
)

// body is an answer's content and its tag: a name of the plain bytes, without quotes.
type body struct {
	web.Packed
	tag string
}

// compress makes the body of a page, without its plain text: hardly any client asks for that.
func compress(plain []byte) body { return body{web.Pack(plain), tagOf(plain)} }

func plainBody(text []byte) body { return body{web.Packed{Plain: text}, tagOf(text)} }

// tagOf names content; 132 bits of its digest are plenty.
func tagOf(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.RawURLEncoding.EncodeToString(sum[:])[:22]
}

// write answers with the best encoding that the client takes, or 304 when it has the content already.
func (b body) write(w http.ResponseWriter, r *http.Request, status int) {
	content, encoding := b.Pick(r.Header.Get("Accept-Encoding"))
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	tag := b.tag
	if encoding != "" {
		tag += "-" + encoding
	}
	h.Set("ETag", `"`+tag+`"`)
	if status == http.StatusOK && matches(r.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(content) //nolint:gosec // a page of ours, escaped where it was made
	}
}

// matches tells whether an If-None-Match header names the tag; it compares weakly, as the rule for that header is.
func matches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "W/")
		if part == "*" || part == `"`+tag+`"` {
			return true
		}
	}
	return false
}

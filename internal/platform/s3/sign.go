package s3

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// empty is the hash of nothing.
const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// sign puts a signature on a request (AWS Signature Version 4). Its path and query are already in the form that is signed.
func (b *Bucket) sign(r *http.Request, sum string) {
	moment := b.clock.Now().UTC().Format("20060102T150405Z")
	r.Header.Set("X-Amz-Date", moment)
	r.Header.Set("X-Amz-Content-Sha256", sum)
	scope := moment[:8] + "/" + b.region + "/s3/aws4_request"
	names := []string{"host"}
	lines := map[string]string{"host": r.URL.Host}
	for name := range r.Header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-amz-") {
			names, lines[name] = append(names, name), r.Header.Get(name)
		}
	}
	slices.Sort(names)
	signed, headers := strings.Join(names, ";"), ""
	for _, name := range names {
		headers += name + ":" + lines[name] + "\n"
	}
	canonical := strings.Join([]string{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, headers, signed, sum}, "\n")
	hashed := sha256.Sum256([]byte(canonical))
	key := []byte("AWS4" + b.secret)
	for _, part := range []string{moment[:8], b.region, "s3", "aws4_request"} {
		key = mac(key, part)
	}
	signature := mac(key, "AWS4-HMAC-SHA256\n"+moment+"\n"+scope+"\n"+hex.EncodeToString(hashed[:]))
	r.Header.Set("Authorization", fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/%s,SignedHeaders=%s,Signature=%x", b.key, scope, signed, signature))
}

func mac(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

// escaped writes a path as signatures want it: everything but letters, digits and -._~/ by its bytes.
func escaped(path string) string {
	var out strings.Builder
	for _, c := range []byte(path) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-._~/", rune(c)) {
			out.WriteByte(c)
		} else {
			fmt.Fprintf(&out, "%%%02X", c)
		}
	}
	return out.String()
}

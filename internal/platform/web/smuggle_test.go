package web_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestSecurity65NoRequestHidesInAnother sends what two servers in a row could read in two ways: it is refused, the
// connection ends, and what follows on it is never answered.
func TestSecurity65NoRequestHidesInAnother(t *testing.T) {
	t.Parallel()
	address := serve(t, roomy, nil, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, r.URL.Path+" "+string(body))
	})
	const next = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
	for name, sent := range map[string]string{
		"length and chunks":           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + next,
		"two lengths":                 "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 36\r\n\r\n" + next,
		"a list of lengths":           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0, 36\r\n\r\n" + next,
		"an unknown coding":           "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + next,
		"two codings":                 "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + next,
		"a coding in two words":       "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked x\r\n\r\n0\r\n\r\n" + next,
		"a space before the colon":    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 36\r\n\r\n" + next,
		"a negative length":           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n" + next,
		"a length with a sign":        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +36\r\n\r\n" + next,
		"a hexadecimal length":        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x24\r\n\r\n" + next,
		"a length that is too long":   "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n" + next,
		"a chunk of hexadecimal sign": "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n" + next,
		"a negative chunk":            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n" + next,
		"a chunk without its end":     "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n0\r\n\r\n" + next,
		"an endless chunk extension":  "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0;" + strings.Repeat("x", 1<<20) + "\r\n\r\n" + next,
		"no host":                     "GET / HTTP/1.1\r\n\r\n" + next,
		"two hosts":                   "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + next,
		"a name with a space":         "GET / HTTP/1.1\r\nHost: a\r\nX Y: 1\r\n\r\n" + next,
		"a header without a name":     "GET / HTTP/1.1\r\nHost: a\r\n: 1\r\n\r\n" + next,
		"a lone carriage return":      "GET / HTTP/1.1\r\nHost: a\r\nX: 1\rY: 2\r\n\r\n" + next,
		"a zero byte":                 "GET / HTTP/1.1\r\nHost: a\r\nX: 1\x00\r\n\r\n" + next,
		"a version of its own":        "GET / HTTP/9.9\r\nHost: a\r\n\r\n" + next,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.Close() })
			_ = conn.SetDeadline(time.Now().Add(generous))
			_, _ = io.WriteString(conn, sent) // it may be cut before it has read everything
			in := bufio.NewReader(conn)
			answer, err := http.ReadResponse(in, nil)
			if err != nil {
				return // cut without a word
			}
			body, _ := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			rest, _ := io.ReadAll(in)
			if strings.Contains(string(rest), "hidden") {
				t.Errorf("%d %q, and then: %q", answer.StatusCode, body, rest)
			}
			refusedInTheHead := !strings.Contains(name, "chunk") || name == "length and chunks"
			if refusedInTheHead && (answer.StatusCode < 400 || answer.StatusCode == 404) {
				t.Errorf("answered %d %q", answer.StatusCode, body)
			}
		})
	}
}

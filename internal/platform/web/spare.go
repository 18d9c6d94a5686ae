package web

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"greenroom/internal/platform/clock"
)

// Spare is the cheapest refusal there is: a crowd that is turned away costs a read and a write each, and the cores are left to
// those who are served. It is for HTTP/1.1 without TLS; other requests are turned away by whoever serves them.
type Spare struct {
	// Late tells whether a request comes too late to be served.
	Late func() bool
	// Answer sees the head of one, as it came from the network, and gives what turns it away, or nil to have it served.
	Answer func(head []byte) []byte
}

// wholeBuffer is how much the server reads at once where nothing of a request was read before.
const wholeBuffer = 4 << 10

// Read gives the server what a client sends, but for the requests that are turned away.
func (c *conn) Read(into []byte) (int, error) {
	for {
		n, err := c.Conn.Read(into)
		if n == 0 || !c.fresh.Load() {
			return n, err
		}
		if len(into) == wholeBuffer && err == nil && c.gate.bounds.Spare.turnsAway(c, into[:n]) {
			continue
		}
		c.fresh.Store(false)
		return n, err
	}
}

// turnsAway answers a request that stands in text as a whole, and tells whether it did. It goes only by what leaves no doubt where
// the request ends, since nobody else will see it: whatever is unusual is left to the server.
func (s Spare) turnsAway(c *conn, text []byte) bool {
	if s.Late == nil || !s.Late() {
		return false
	}
	head, ok := whole(text)
	if !ok {
		return false
	}
	answer := s.Answer(head)
	if answer == nil {
		return false
	}
	if _, err := c.Write(answer); err != nil {
		return false // who takes no answer is the server's to cut
	}
	// The server gave this request its time, and will not know that another is waited for.
	return c.SetReadDeadline(clock.System{}.Now().Add(c.gate.bounds.Idle)) == nil
}

var (
	spared  = [][]byte{[]byte("GET /"), []byte("POST /"), []byte("PATCH /"), []byte("DELETE /")}
	endLine = []byte("\r\n")
	// unusual are headers that change where a request ends, what its answer must be, or for whom.
	unusual = [][]byte{[]byte("transfer-encoding"), []byte("connection"), []byte("expect"), []byte("upgrade"), []byte("te"), []byte("trailer"), []byte("http2-settings")}
)

// whole gives the head of a text that is one request and no more: its body, if it has one, is as long as the head says.
func whole(text []byte) (head []byte, ok bool) {
	if !slices.ContainsFunc(spared, func(begin []byte) bool { return bytes.HasPrefix(text, begin) }) {
		return nil, false
	}
	end := bytes.Index(text, []byte("\r\n\r\n"))
	if end < 0 {
		return nil, false
	}
	head, body := text[:end+2], text[end+4:]
	first, rest, _ := bytes.Cut(head, endLine)
	if !bytes.HasSuffix(first, []byte(" HTTP/1.1")) || bytes.Count(first, []byte(" ")) != 2 {
		return nil, false
	}
	length, lengths := 0, 0
	var host, origin []byte
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, endLine)
		name, value, found := bytes.Cut(line, []byte(":"))
		if !found || len(name) == 0 || bytes.ContainsAny(name, " \t") || bytes.ContainsAny(line, "\r\n\x00") {
			return nil, false
		}
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("content-length")):
			n, err := strconv.ParseUint(string(value), 10, 31)
			if err != nil || lengths > 0 {
				return nil, false
			}
			length, lengths = int(n), lengths+1
		case bytes.EqualFold(name, []byte("host")):
			if host != nil {
				return nil, false
			}
			host = value
		case bytes.EqualFold(name, []byte("origin")):
			origin = value
		case bytes.EqualFold(name, []byte("connection")) && bytes.EqualFold(value, []byte("keep-alive")):
		case slices.ContainsFunc(unusual, func(other []byte) bool { return bytes.EqualFold(name, other) }):
			return nil, false
		}
	}
	// Another site's page may only read an answer that names it.
	if origin != nil && !bytes.Equal(origin, append([]byte("http://"), host...)) && !bytes.Equal(origin, append([]byte("https://"), host...)) {
		return nil, false
	}
	return head, len(host) > 0 && len(body) == length
}

// HeadValue is a header's value in a head that Spare was given.
func HeadValue(head []byte, name string) string {
	for line := range bytes.SplitSeq(head, endLine) {
		if n, value, found := bytes.Cut(line, []byte(":")); found && bytes.EqualFold(n, []byte(name)) {
			return string(bytes.TrimSpace(value))
		}
	}
	return ""
}

// Canned is an answer of a handler as it goes over the network, to be given again and again.
func Canned(handler http.Handler, r *http.Request) []byte {
	answer := &canned{header: http.Header{}}
	handler.ServeHTTP(answer, r)
	var text bytes.Buffer
	text.WriteString("HTTP/1.1 " + strconv.Itoa(answer.status) + " " + http.StatusText(answer.status) + "\r\n")
	answer.header.Set("Content-Length", strconv.Itoa(answer.body.Len()))
	_ = answer.header.Write(&text) // into memory
	text.Write(endLine)
	text.Write(answer.body.Bytes())
	return text.Bytes()
}

type canned struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *canned) Header() http.Header { return c.header }

func (c *canned) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
}

func (c *canned) Write(text []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	return c.body.Write(text)
}

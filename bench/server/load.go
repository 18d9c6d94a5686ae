package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// connections is how many clients ask at once, each over a connection of its own that stays open.
const connections = 32

// script is what a client says to one system, and what it expects to hear.
type script struct {
	// request is the nth of a client's requests, counted over all rounds; nil when there is nothing left to ask.
	request func(client, n int) []byte
	status  int
	// answered hears the answer, where the next request depends on it.
	answered func(client, n int, body []byte) error
	// said counts what each client has asked so far: what was inserted once cannot be again.
	said [connections]int
}

// counted stands for either status of a counted page: 206 where there is more than the page shows.
const counted = -1

func (s *script) expects(status int) bool {
	return status == s.status || s.status == counted && (status == http.StatusOK || status == http.StatusPartialContent)
}

// clients are the connections to one system with one script.
type clients struct {
	script *script
	all    [connections]*client
	// every is how often each of them asks; zero is as often as it is answered.
	every time.Duration
}

type client struct {
	conn   net.Conn
	from   *bufio.Reader
	got    answer // the last one
	waited []time.Duration
	// refused is how often the server was too busy.
	refused int
}

// dial opens the connections.
func dial(address string, s *script) (*clients, error) { return dialSome(address, s, 0, connections) }

// dialSome opens only those of some of the clients.
func dialSome(address string, s *script, from, count int) (*clients, error) {
	c := &clients{script: s}
	for i := from; i < from+count; i++ {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			c.close()
			return nil, err
		}
		c.all[i] = &client{conn: conn, from: bufio.NewReaderSize(conn, 64<<10)}
	}
	return c, nil
}

func (c *clients) close() {
	for _, one := range c.all {
		if one != nil {
			_ = one.conn.Close()
		}
	}
}

// heard is what a round of asking gave.
type heard struct {
	requests, refused int
	// waited are the times until the answers, shortest first.
	waited []time.Duration
}

// ask lets all clients ask for a while, each its next question when the last is answered.
func (c *clients) ask(lasting time.Duration) (heard, error) {
	var wait sync.WaitGroup
	failed := make([]error, connections)
	end := time.Now().Add(lasting)
	for i, one := range c.all {
		if one == nil {
			continue
		}
		wait.Go(func() {
			one.waited, one.refused = one.waited[:0], 0
			time.Sleep(c.every * time.Duration(i) / connections) // not all at once
			for failed[i] == nil && time.Now().Before(end) {
				next := time.Now().Add(c.every)
				failed[i] = c.askOnce(i, one)
				time.Sleep(time.Until(next))
			}
		})
	}
	wait.Wait()
	var all heard
	for _, one := range c.all {
		if one == nil {
			continue
		}
		all.waited = append(all.waited, one.waited...)
		all.refused += one.refused
	}
	slices.Sort(all.waited)
	all.requests = len(all.waited)
	return all, errors.Join(slices.DeleteFunc(failed, func(err error) bool { return errors.Is(err, errDone) })...)
}

// errDone ends a client's round before its time.
var errDone = errors.New("there is nothing left to ask")

func (c *clients) askOnce(i int, one *client) error {
	n := c.script.said[i]
	c.script.said[i]++
	request := c.script.request(i, n)
	if request == nil {
		return errDone
	}
	began := time.Now()
	if err := one.conn.SetDeadline(began.Add(20 * time.Second)); err != nil {
		return err
	}
	got, err := exchange(one, request)
	if err != nil {
		return fmt.Errorf("%s: %w", firstLine(request), err)
	}
	if got.Status == http.StatusServiceUnavailable {
		// A server that says so on a crowded machine does its duty. What the refusal took still counts against it.
		one.refused++
		time.Sleep(100 * time.Millisecond)
		return nil
	}
	if !c.script.expects(got.Status) {
		return fmt.Errorf("%s answered %d: %.300s", firstLine(request), got.Status, got.Body)
	}
	one.got = got
	one.waited = append(one.waited, time.Since(began))
	if c.script.answered != nil {
		return c.script.answered(i, n, got.Body)
	}
	return nil
}

func exchange(one *client, request []byte) (answer, error) {
	if _, err := one.conn.Write(request); err != nil {
		return answer{}, err
	}
	response, err := http.ReadResponse(one.from, nil)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, body}, err
}

// quantile is one of the sorted times.
func (h heard) quantile(q float64) time.Duration {
	if len(h.waited) == 0 {
		return 0
	}
	return h.waited[min(int(float64(len(h.waited))*q), len(h.waited)-1)]
}

// raw writes a request as it goes over the wire.
func raw(method, path, body string, headers ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n", method, path)
	for i := 0; i+1 < len(headers); i += 2 {
		fmt.Fprintf(&b, "%s: %s\r\n", headers[i], headers[i+1])
	}
	if body != "" {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n" + body)
	return b.Bytes()
}

func firstLine(request []byte) string {
	line, _, _ := bytes.Cut(request, []byte("\r\n"))
	return string(line)
}

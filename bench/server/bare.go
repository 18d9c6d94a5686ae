package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
)

// answer is one that was recorded from ours, for the bare handler to give again.
type answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// record asks a system for one answer of each work.
func record(from *system) (map[string]answer, error) {
	all := map[string]answer{}
	for name, s := range from.scripts {
		one, err := dial(from.address, s)
		if err != nil {
			return nil, err
		}
		err = one.askOnce(0, one.all[0])
		one.close()
		if err != nil {
			return nil, err
		}
		all[name] = one.all[0].got
	}
	return all, nil
}

// startBare starts the limit of what Go's server can do: a process of its own that gives the recorded answers, byte by
// byte and with the same headers, from memory.
func startBare(answers map[string]answer, like *system, within string) (*system, error) {
	text, err := json.Marshal(answers)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(within, "answers.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	address, err := freePort()
	if err != nil {
		return nil, err
	}
	s, err := launch(within, address, "/ready", nil, self, "-bare", file, "-listen", address)
	if err != nil {
		return nil, err
	}
	s.name = "bare"
	for name, a := range answers {
		// The same request with the same headers, but for the path, which names the answer.
		head := like.scripts[name].request(0, 1)
		s.scripts[name] = same(a.Status, renamed(head, "/"+name))
	}
	return s, nil
}

// serveBare is the bare process.
func serveBare(file, listen string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var answers map[string]answer
	if err := json.Unmarshal(text, &answers); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/ready", func(http.ResponseWriter, *http.Request) {})
	for name, a := range answers {
		a.Header.Del("Date") // the server writes its own
		mux.HandleFunc("/"+name, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			header := w.Header()
			for name, values := range a.Header {
				header[name] = slices.Clip(values)
			}
			w.WriteHeader(a.Status)
			_, _ = w.Write(a.Body)
		})
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	return http.Serve(listener, mux)
}

// renamed is a request with another path.
func renamed(request []byte, path string) []byte {
	line, rest, _ := bytes.Cut(request, []byte("\r\n"))
	method, _, _ := bytes.Cut(line, []byte(" "))
	return slices.Concat(method, []byte(" "+path+" HTTP/1.1\r\n"), rest)
}

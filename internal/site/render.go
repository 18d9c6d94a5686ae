package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"greenroom/internal/platform/who"
)

// need is a data call that a page cannot do without.
type need struct {
	Key   string `json:"key"`
	URL   string `json:"url"`
	Count bool   `json:"count"`
	// Body, when set, is what a function is called with.
	Body json.RawMessage `json:"body"`
}

// fact is what the data API said to a need.
type fact struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
	Total  *int64          `json:"total"`
}

// input is what the app's script renders from.
type input struct {
	Settings Settings        `json:"settings"`
	Origin   string          `json:"origin"`
	Answers  json.RawMessage `json:"answers"`
}

// data is the block of the page that the app in the browser starts from.
type data struct {
	Settings Settings        `json:"settings"`
	State    json.RawMessage `json:"state"`
}

const (
	// A second round asks for what follows from the first, such as the courses of a course's category.
	mostRounds = 3
	mostNeeds  = 24
	// An answer of six or twelve courses is some ten kilobytes.
	largestAnswer = 1 << 20
)

// make renders a page: it asks the script what data it needs, the data API for that, and the script for the markup.
func (s *Site) make(ctx context.Context, rt route, f *flight) (*page, error) {
	answers, err := s.gather(ctx, rt.path)
	if err != nil {
		return nil, err
	}
	f.know(answers)
	in, err := json.Marshal(input{Settings: s.settings, Origin: s.siteURL, Answers: answers})
	if err != nil {
		return nil, err
	}
	within := s.engine.limits.time
	if rt.isLesson() {
		within = s.lessonWithin
	}
	text, err := s.engine.renderWithin(ctx, within, rt.path, string(in))
	if err != nil {
		return nil, err
	}
	var r rendered
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return nil, fmt.Errorf("the render's answer: %w", err)
	}
	if r.Status != http.StatusOK && r.Status != http.StatusNotFound {
		return nil, fmt.Errorf("the render answered status %d", r.Status)
	}
	own := r.Status == http.StatusOK && strings.TrimPrefix(r.Canonical, s.siteURL) == rt.path
	if rt.kind == gated {
		// What such a page shows depends on who looks.
		r.HTML, r.State, r.LD, r.Robots = "", nil, nil, "noindex"
	}
	if r.Status == http.StatusNotFound {
		r.Canonical, r.Robots = "", "noindex"
	}
	if err := s.dateCard(ctx, &r); err != nil {
		return nil, err
	}
	head, err := r.head(s.siteURL)
	if err != nil {
		return nil, err
	}
	content, err := s.template.fill(head, r.Page, r.HTML, data{Settings: s.settings, State: r.State})
	if err != nil {
		return nil, err
	}
	return &page{status: r.Status, content: compress(content), own: own || rt.path == nowhere || rt.path == noCourse || rt.path == noCertificate || rt.kind == gated}, nil
}

// gather asks the data API for everything that the page needs, as JSON by key.
func (s *Site) gather(ctx context.Context, path string) (json.RawMessage, error) {
	facts := map[string]fact{}
	known := ""
	for range mostRounds {
		text, err := s.engine.plan(ctx, path, known)
		if err != nil {
			return nil, err
		}
		var needs []need
		if err := json.Unmarshal([]byte(text), &needs); err != nil {
			return nil, fmt.Errorf("the plan's answer: %w", err)
		}
		fresh := false
		for _, n := range needs {
			if _, ok := facts[n.Key]; ok {
				continue
			}
			if len(facts) == mostNeeds {
				return nil, fmt.Errorf("the plan of %s asks for more than %d things", path, mostNeeds)
			}
			if facts[n.Key], err = s.ask(ctx, n); err != nil {
				return nil, err
			}
			fresh = true
		}
		all, err := json.Marshal(facts)
		if err != nil {
			return nil, err
		}
		known = string(all)
		if !fresh {
			break
		}
	}
	return json.RawMessage(known), nil
}

// ask puts one question to the data API, as a stranger and without the network.
func (s *Site) ask(ctx context.Context, n need) (fact, error) {
	// Errors go to the log, where no search text belongs: they name the path alone.
	place, _, _ := strings.Cut(n.URL, "?")
	called := slices.Contains(calledByPages, place)
	if !called && !strings.HasPrefix(place, "/rest/v1/") {
		return fact{}, fmt.Errorf("the plan asks for %q, which is not a data call", place)
	}
	address, err := url.ParseRequestURI(n.URL)
	if err != nil {
		return fact{}, fmt.Errorf("the plan's question to %q is no address", place)
	}
	header := http.Header{}
	if n.Count {
		header.Set("Prefer", "count=exact")
	}
	var rec *recorder
	if called {
		rec, err = s.call(ctx, place, n.Body)
	} else {
		rec, err = s.fetch(ctx, address, header)
	}
	if err != nil {
		return fact{}, fmt.Errorf("%s: %w", place, err)
	}
	// A page that shows a passing failure must not be kept, so it is not made at all; the browser will ask again.
	if rec.status >= http.StatusInternalServerError || rec.status == http.StatusTooManyRequests {
		return fact{}, fmt.Errorf("%s: the data API answered %d", place, rec.status)
	}
	if !json.Valid(rec.body.Bytes()) {
		return fact{}, fmt.Errorf("%s: the data API did not answer JSON", place)
	}
	return fact{Status: rec.status, Body: rec.body.Bytes(), Total: totalOf(rec.header.Get("Content-Range"))}, nil
}

func (s *Site) fetch(ctx context.Context, address *url.URL, header http.Header) (*recorder, error) {
	return s.serve(ctx, s.data, http.MethodGet, address, header, nil)
}

// calledByPages are the functions that tell strangers what no table shows them: a lesson, and what a code stands for.
var calledByPages = []string{"/functions/v1/lesson", certificates}

const certificates = "/functions/v1/certificate"

// call asks a function, as a stranger and without the network.
func (s *Site) call(ctx context.Context, place string, body []byte) (*recorder, error) {
	return s.serve(ctx, s.calls, http.MethodPost, &url.URL{Path: place}, http.Header{"Content-Type": {"application/json"}}, body)
}

func (s *Site) serve(ctx context.Context, by http.Handler, method string, address *url.URL, header http.Header, body []byte) (*recorder, error) {
	ctx = who.With(ctx, who.Actor{Role: who.Anonymous})
	req, err := http.NewRequestWithContext(ctx, method, address.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header = header
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Apikey", s.settings.APIKey)
	req.RequestURI = address.String()
	req.RemoteAddr = "127.0.0.1:0"
	rec := &recorder{header: http.Header{}, status: http.StatusOK}
	by.ServeHTTP(rec, req)
	if rec.overflow {
		return nil, errors.New("the answer is too large for a page")
	}
	return rec, nil
}

// totalOf reads the number of all rows out of "0-5/28".
func totalOf(contentRange string) *int64 {
	_, total, ok := strings.Cut(contentRange, "/")
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(total, 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

// recorder takes the answer of a handler that is called without a network.
type recorder struct {
	header   http.Header
	status   int
	started  bool
	body     bytes.Buffer
	overflow bool
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if !r.started {
		r.status, r.started = status, true
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.started = true
	if r.body.Len()+len(p) > largestAnswer {
		r.overflow = true
		return 0, errors.New("too large")
	}
	return r.body.Write(p)
}

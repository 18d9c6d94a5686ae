package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// outcome is what the client of a write knows of it.
type outcome int

const (
	unknown      outcome = iota // the answer was lost, or said that nobody knows
	acknowledged                // it must be there, once
	refused                     // it must not be there
)

// history is what many clients wrote, each write once and under a name of its own. One final read judges it.
type history struct {
	mu       sync.Mutex
	outcomes map[string]outcome
}

func newHistory() *history { return &history{outcomes: map[string]outcome{}} }

func (h *history) note(name string, o outcome) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.outcomes[name] = o
}

func (h *history) count(of outcome) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, o := range h.outcomes {
		if o == of {
			n++
		}
	}
	return n
}

// register writes one row with its email, as a visitor does, and notes how it went.
func (h *history) register(ctx context.Context, url, name string) outcome {
	h.note(name, unknown)
	body := fmt.Sprintf(`{"course_title":"Screen Acting and Professional Preparation Workshop","name":"N","email":"%s@example.com"}`, name)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/rest/v1/course_waitlist", strings.NewReader(body))
	if err != nil {
		return unknown
	}
	request.Header.Set("apikey", "sb_publishable_of_the_tests")
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return unknown
	}
	defer answer.Body.Close()
	o := unknown
	switch {
	case answer.StatusCode < 300:
		o = acknowledged
	case answer.StatusCode < 500:
		o = refused
	}
	h.note(name, o)
	return o
}

// judge reads everything once, and fails for each fault.
func (h *history) judge(t *testing.T, at db.Options) {
	t.Helper()
	for _, fault := range h.faults(t, at) {
		t.Error(fault)
	}
	t.Logf("%d acknowledged, %d refused, %d unknown", h.count(acknowledged), h.count(refused), h.count(unknown))
}

// faults compares: what is acknowledged and missing is lost, what is there and was never sent is invented, and what
// belongs together agrees.
func (h *history) faults(t *testing.T, at db.Options) (found []string) {
	t.Helper()
	d := dbtest.Reopen(t, at, clock.System{})
	say := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if d.Engine == db.SQLite {
		if err := d.Check(t.Context()); err != nil {
			say("the file is damaged: %v", err)
		}
	}
	there, mailed := names(t, d, "select email from course_waitlist"), names(t, d, "select recipient from outbox")
	for name, n := range there {
		if o, sent := h.outcomes[name]; !sent || n != 1 || o == refused {
			say("%s is there %d times; sent: %v, refused: %v", name, n, sent, o == refused)
		}
		if mailed[name] == 0 {
			say("%s has no email", name)
		}
	}
	for name, o := range h.outcomes {
		if o == acknowledged && there[name] == 0 {
			say("%s was acknowledged and is lost", name)
		}
	}
	var left, spots, taken int
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select spots_left, spots, (select count(*) from course_waitlist where spot is not null) from workshops").Scan(&left, &spots, &taken)
	})
	if err != nil || left+taken != spots || taken > 12 {
		say("%d spots, %d left, %d taken: %v", spots, left, taken, err)
	}
	return found
}

// names counts the people of a column of addresses.
func names(t *testing.T, d *db.DB, query string) map[string]int {
	t.Helper()
	all := map[string]int{}
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, query, nil, func(scan func(...any) error) error {
			var email string
			err := scan(&email)
			all[strings.TrimSuffix(email, "@example.com")]++
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// location is where a place keeps its rows.
func (p place) location() db.Options {
	if url := p.value("GREENROOM_DATABASE_URL"); url != "" {
		return db.Options{URL: url}
	}
	return db.Options{Path: filepath.Join(p.value("GREENROOM_DATA"), "greenroom.db")}
}

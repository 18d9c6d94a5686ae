package site

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
)

func TestACardIsDrawnOnceForAllWhoWant(t *testing.T) {
	t.Parallel()
	c := newCards()
	gate := make(chan struct{})
	times := 0 // only one draws at a time
	draw := func(context.Context) ([]byte, error) {
		<-gate
		if times++; times > 1 {
			return nil, errors.New("drawn again")
		}
		return []byte("card"), nil
	}
	var all sync.WaitGroup
	for range cardsAhead {
		all.Go(func() {
			if content, err := c.find(t.Context(), "tag", draw); err != nil || string(content) != "card" {
				t.Errorf("%s, %v", content, err)
			}
		})
	}
	for len(c.queue) < cardsAhead {
	}
	if _, err := c.find(t.Context(), "another", draw); !errors.Is(err, errTooMany) {
		t.Errorf("one more than may wait: %v", err)
	}
	close(gate)
	all.Wait()
	if times != 1 {
		t.Errorf("drawn %d times", times)
	}
}

func TestNobodyDrawsForAVisitorWhoLeft(t *testing.T) {
	t.Parallel()
	c := newCards()
	c.turn <- struct{}{}
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := c.find(gone, "tag", func(context.Context) ([]byte, error) { t.Error("drawn"); return nil, nil })
	if !errors.Is(err, context.Canceled) || len(c.queue) != 0 {
		t.Errorf("%v, %d wait", err, len(c.queue))
	}
}

func TestACardThatCannotBeDrawnIsNotKept(t *testing.T) {
	t.Parallel()
	c := newCards()
	broken := errors.New("broken")
	if _, err := c.find(t.Context(), "tag", func(context.Context) ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	if content, err := c.find(t.Context(), "tag", func(context.Context) ([]byte, error) { return []byte("card"), nil }); err != nil || string(content) != "card" {
		t.Errorf("%s, %v", content, err)
	}
}

func TestCardsThatAreKeptHaveABound(t *testing.T) {
	t.Parallel()
	c := newCards()
	large := make([]byte, cardBytes/4)
	for _, tag := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		if _, err := c.find(t.Context(), tag, func(context.Context) ([]byte, error) { return large, nil }); err != nil {
			t.Fatal(err)
		}
	}
	if c.kept.held > cardBytes || c.get("h") == nil || c.get("a") != nil {
		t.Errorf("%d bytes are kept", c.kept.held)
	}
}

// A broken picture is the installation's fault and not the visitor's: it says so and can be tried again.
func TestAStillThatCannotBeReadAnswers503(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	f.assets["/art/ai-tools.webp"] = f.assets["/art/a.webp"] // no picture
	f.data.category.Store("AI Tools")
	w := f.get("GET", "/course/"+courseID+"/card.png")
	if w.Code != 503 || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != cacheNever {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	if !strings.Contains(f.log.String(), "share card not drawn") {
		t.Error("the log says nothing")
	}
}

package main

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestTheDemoSaysWhereToLook goes where the command sends people, on a server that was running all the while.
func TestTheDemoSaysWhereToLook(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		if _, complained, ok := p.run(t, "demo", "now"); ok || !strings.Contains(complained, "usage: greenroom demo") {
			t.Error(complained)
		}
		s := p.serve(t)
		p.env = append(p.env, "GREENROOM_SITE_URL="+s.url)
		said := p.must(t, "demo")
		if !strings.HasPrefix(said, "The Self-Tape Lab has 9 lessons now, two of them films.\n") {
			t.Error(said)
		}
		addresses := regexp.MustCompile(`(?m)^  (http.*)$`).FindAllStringSubmatch(said, -1)
		if len(addresses) != 3 {
			t.Fatal(said)
		}
		for _, found := range addresses {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, found[1], nil)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			if answer.Body.Close(); answer.StatusCode != http.StatusOK {
				t.Error(found[1], answer.StatusCode)
			}
		}
		if again := p.must(t, "demo"); !strings.HasPrefix(again, "The Self-Tape Lab has its sample lessons already. Nothing was changed.\n") {
			t.Error(again)
		}
	})
}

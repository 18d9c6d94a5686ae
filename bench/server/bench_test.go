package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestHeapsFitTheSchema(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, one := range heaps {
			if err := one.fill(d, 20); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestWordsAroundTheTablesStay(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "document.md")
	const text = "before\n<!-- bench:table -->\nold\n<!-- /bench:table -->\nafter\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := replace(file, "table", "new\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if want := strings.Replace(text, "old", "new", 1); err != nil || string(got) != want {
		t.Errorf("the document is %q, %v", got, err)
	}
	if err := replace(file, "growth", "new\n"); err == nil {
		t.Error("a document without the markers was written")
	}
}

func TestTheDocumentHasAPlaceForEachPart(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"table", "facts", "growth", "instances"} {
		_, after, ok := strings.Cut(string(text), "<!-- bench:"+part+" -->\n")
		if !ok || !strings.Contains(after, "<!-- /bench:"+part+" -->") {
			t.Errorf("docs/performance.md has no markers of %s", part)
		}
	}
}

func TestThePictureIsWellFormed(t *testing.T) {
	t.Parallel()
	g := &grown{engine: "sqlite"}
	for _, size := range sizes {
		one := step{group(size), map[string]figure{}}
		for i, w := range growthWorks() {
			one.figures[w.name] = figure{micros: float64(30 * (i + 1)), p50: time.Millisecond}
		}
		g.steps = append(g.steps, one)
	}
	drawn := picture([]*grown{g, g})
	for reader := xml.NewDecoder(strings.NewReader(drawn)); ; {
		if _, err := reader.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range growthWorks() {
		if short(w) == "" || strings.Count(drawn, ">"+short(w)+"<") != 2 {
			t.Errorf("%s is not named once in each half", w.name)
		}
	}
}

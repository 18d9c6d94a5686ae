// Package catalogtest makes catalogues of any size for tests and benchmarks. The same number always gives the same
// courses.
package catalogtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"strings"
	"time"

	"greenroom/internal/catalog"
	"greenroom/internal/platform/id"
)

// Courses makes n courses of about 280 characters each. Their words fall off as those of a language do: a few are in
// nearly every course, most are rare.
func Courses(n int) iter.Seq[catalog.Course] {
	return func(yield func(catalog.Course) bool) {
		w := newWords()
		begin := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
		for i := range n {
			course := catalog.Course{
				ID:          id.Named(fmt.Sprintf("generated course %d", i)),
				Title:       w.title(2 + w.chance.IntN(4)),
				Instructor:  w.title(2),
				Duration:    fmt.Sprintf("%d weeks", 2+w.chance.IntN(11)),
				Category:    catalog.Categories[w.chance.IntN(len(catalog.Categories))],
				Thumbnail:   "/art/the-self-tape-lab.webp",
				Description: w.sentences(32 + w.chance.IntN(12)),
				Lessons:     int64(8 + w.chance.IntN(60)),
				Level:       catalog.Levels[w.chance.IntN(len(catalog.Levels))],
				Rating:      float64(30+w.chance.IntN(21)) / 10,
				ComingSoon:  i%50 == 0,
				CreatedAt:   begin.Add(time.Duration(i) * time.Minute),
			}
			if !yield(course) {
				return
			}
		}
	}
}

type words struct {
	chance *rand.Rand
	list   []string
	rank   *rand.Zipf
}

var (
	common = strings.Fields(`the and you to of a with your in for how from course what on learn is it that will build into
		work by week lessons one each an every first at without as make write video film audience people who acting camera
		scene story light sound edit brand music voice money list plan`)
	onsets = strings.Fields("b br c ch cl cr d dr f fl fr g gl gr h j k l m n p ph pl pr qu r s sc sh sk sl sm sn sp st str t th tr v w z")
	vowels = strings.Fields("a e i o u ai ea ee ie oo ou")
	codas  = []string{"", "", "", "n", "r", "s", "t", "l", "m", "nd", "st", "ng", "ck", "x"}
)

func newWords() *words {
	chance := rand.New(rand.NewPCG(28, 12)) //nolint:gosec // the same courses each time is the point
	w := &words{chance: chance, list: common}
	for len(w.list) < 20000 {
		var word strings.Builder
		for range 1 + chance.IntN(3) {
			word.WriteString(onsets[chance.IntN(len(onsets))] + vowels[chance.IntN(len(vowels))] + codas[chance.IntN(len(codas))])
		}
		w.list = append(w.list, word.String())
	}
	w.rank = rand.NewZipf(chance, 1.15, 6, uint64(len(w.list)-1))
	return w
}

func (w *words) word() string { return w.list[w.rank.Uint64()] }

func (w *words) title(n int) string {
	parts := make([]string, n)
	for i := range parts {
		word := w.word()
		parts[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(parts, " ")
}

func (w *words) sentences(n int) string {
	var text strings.Builder
	for i := range n {
		word := w.word()
		if i%11 == 0 {
			if i > 0 {
				text.WriteString(". ")
			}
			word = strings.ToUpper(word[:1]) + word[1:]
		} else {
			text.WriteByte(' ')
		}
		text.WriteString(word)
	}
	return text.String() + "."
}

// Write writes courses as a file that `catalog import` takes.
func Write(to io.Writer, courses iter.Seq[catalog.Course]) error {
	out := bufio.NewWriter(to)
	lines := json.NewEncoder(out)
	for course := range courses {
		if err := lines.Encode(course); err != nil {
			return err
		}
	}
	return out.Flush()
}

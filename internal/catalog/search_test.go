package catalog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"greenroom/internal/platform/id"
	"greenroom/internal/platform/safe"
)

// shelf is a catalogue whose every course can be looked at.
type shelf struct {
	list   []Course
	folded [][4]string
}

func shelved(list []Course) shelf {
	s := shelf{list: list}
	for _, c := range list {
		s.folded = append(s.folded, [4]string{folded(c.Title), folded(c.Instructor), folded(c.Category), folded(c.Description)})
	}
	return s
}

// plain is what a search must find, found by looking at every course.
func (s shelf) plain(text, category string, by order) []string {
	var found []Course
	for i := range s.list {
		if category != "" && s.list[i].Category != category {
			continue
		}
		if slices.ContainsFunc(s.folded[i][:], func(field string) bool { return strings.Contains(field, text) }) {
			found = append(found, s.list[i])
		}
	}
	slices.SortFunc(found, func(a, b Course) int {
		p, q := placeOf(&a), placeOf(&b)
		if by == byNewest {
			return p.newer(&q)
		}
		return p.compare(&q)
	})
	ids := make([]string, len(found))
	for i, c := range found {
		ids[i] = c.ID
	}
	return ids
}

func indexed(list []Course) *snapshot {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Course) int {
		p, q := placeOf(&a), placeOf(&b)
		return p.compare(&q)
	})
	var b builder
	for i := range list {
		b.add(&list[i])
	}
	return b.snapshot(1)
}

func texts(list []Course, n int) []string {
	chance := rand.New(rand.NewPCG(1, 2))
	some := []string{"", "a", "z", "e ", "th", "the", ". ", "&", "ai tools", "zzz", "xq", "é", "日本", "0", "\u212a", "'", "the and", "creator economy"}
	for range n {
		c := list[chance.IntN(len(list))]
		field := []rune(folded([]string{c.Title, c.Instructor, c.Category, c.Description}[chance.IntN(4)]))
		from := chance.IntN(len(field))
		some = append(some, string(field[from:min(len(field), from+1+chance.IntN(12))]))
	}
	return some
}

func checkSearch(t *testing.T, s *snapshot, on shelf, text string) {
	t.Helper()
	for _, in := range []string{"", "AI Tools", "ai tools"} {
		checkWithin(t, s, on, text, in)
	}
}

func checkWithin(t *testing.T, s *snapshot, on shelf, text, category string) {
	t.Helper()
	for _, by := range []order{byRating, byNewest} {
		want := on.plain(text, category, by)
		for _, offset := range []int{0, 24, len(want) / 2, max(0, len(want)-3), len(want), len(want) + 9} {
			ids, total := s.search(wanted{[]byte(text), category}, by, 24, offset)
			if total != len(want) {
				t.Fatalf("%q: %d found, not %d", text, total, len(want))
			}
			page := want[min(offset, len(want)):min(offset+24, len(want))]
			if len(ids) != len(page) {
				t.Fatalf("%q from %d: a page of %d, not %d", text, offset, len(ids), len(page))
			}
			for i := range page {
				if uuid.UUID(ids[i]).String() != page[i] {
					t.Fatalf("%q from %d in order %d: place %d is wrong", text, offset, by, i)
				}
			}
		}
	}
}

func foreign() []Course {
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	return []Course{
		{ID: id.New(), Title: "CAFÉ Über 日本語", Instructor: "ŁUKASZ", Category: "x", Description: "ends in é", Rating: 4, CreatedAt: at},
		{ID: id.New(), Title: "a", Instructor: "b", Category: "c", Description: "d", Rating: 4, CreatedAt: at},
		{ID: id.New(), Title: "100% off_now \\ *", Instructor: "0\u212a", Category: "q", Description: "z", Rating: 4, CreatedAt: at},
	}
}

func TestSearchFindsWhatLookingAtEveryCourseFinds(t *testing.T) {
	t.Parallel()
	list := append(slices.Collect(generated(3000)), foreign()...)
	s, on := indexed(list), shelved(list)
	for _, text := range texts(list, 150) {
		checkSearch(t, s, on, text)
	}
	for _, text := range []string{"ab", "bc", "% off_", "\\", "日", "語", "łu", "é"} {
		checkSearch(t, s, on, strings.ToLower(text))
	}
}

func TestSearchOverManySegmentsKeepsTheOrder(t *testing.T) {
	t.Parallel()
	list := slices.Collect(generated(segmentDocs + 3000))
	s := indexed(list)
	if len(s.segments) != 2 {
		t.Fatalf("%d segments", len(s.segments))
	}
	on := shelved(list)
	for _, text := range texts(list, 4) {
		checkSearch(t, s, on, text)
	}
}

func TestSearchSeesChangesOnTopOfTheSegments(t *testing.T) {
	t.Parallel()
	list := slices.Collect(generated(3000))
	s := indexed(list[:2500])
	now := slices.Clone(list[:2500])
	chance := rand.New(rand.NewPCG(3, 4))
	for round := range 20 {
		changed := map[[16]byte]bool{}
		var fresh []Course
		for i := range 10 {
			at := chance.IntN(len(now))
			gone := now[at]
			changed[placeOf(&gone).id] = true
			now = slices.Delete(now, at, at+1)
			switch i % 3 {
			case 0: // changed
				gone.Title = fmt.Sprintf("Changed in round %d", round)
				gone.Rating = float64(chance.IntN(51)) / 10
				fresh = append(fresh, gone)
			case 1: // deleted, and another added
				added := list[2500+round*10+i]
				changed[placeOf(&added).id] = true
				fresh = append(fresh, added)
			}
		}
		var entries []entry
		for i := range fresh {
			entries = append(entries, entryOf(&fresh[i]))
		}
		now = append(now, fresh...)
		s = s.with(int64(round+2), changed, entries)
		on := shelved(now)
		for _, text := range append(texts(now, 10), "changed in") {
			checkSearch(t, s, on, text)
		}
	}
}

func TestSearchOfAnEmptyCatalogueFindsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "a", "ab", "abc"} {
		checkSearch(t, indexed(nil), shelf{}, text)
	}
}

func TestOnlyPlainPatternsAreTakenForTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, text string
		ok            bool
	}{
		{"%Go%", "go", true},
		{"%%", "", true},
		{"%Self-Tape%", "self tape", true},
		{"%self-%", "self ", true},
		{"%-%", "", false},
		{"% - %", "", false},
		{`%100\% \_ \\%`, `100% _ \`, true},
		{"%a%b%", "", false},
		{"%a_b%", "", false},
		{"a%", "", false},
		{"%a", "", false},
		{"%", "", false},
		{"%a\x00b%", "", false},
		{"", "", false},
		{`%a\%`, "", false},
	} {
		text, ok := literal(c.pattern)
		if ok != c.ok || ok && text != c.text {
			t.Errorf("%q is %q, %v", c.pattern, text, ok)
		}
	}
}

func TestPanicInOnePartOfASearchIsTheSearchersAlone(t *testing.T) {
	t.Parallel()
	err := safe.Try(func() error {
		inParallel(8, func(i int) {
			if i == 5 {
				panic("a broken segment")
			}
		})
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "a broken segment") {
		t.Errorf("the searcher was told %v", err)
	}
}

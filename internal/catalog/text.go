package catalog

import (
	"strings"

	"github.com/google/uuid"
)

// folded is a text as a search compares it: in lower case, and with a space for each hyphen, because people write
// "self tape" and "self-tape" for the same thing.
func folded(text string) string {
	return strings.ReplaceAll(strings.ToLower(text), "-", " ")
}

// searchable is the text that a search looks into: the four fields folded, each followed by a zero byte, which no
// text of the database can hold, so that no match spans two fields. The last has one more, so that each letter of a
// field begins a gram.
func searchable(c *Course) []byte {
	text := make([]byte, 0, len(c.Title)+len(c.Instructor)+len(c.Category)+len(c.Description)+8)
	for _, field := range []string{c.Title, c.Instructor, c.Category, c.Description} {
		text = append(text, folded(field)...)
		text = append(text, 0)
	}
	return append(text, 0)
}

func placeOf(c *Course) place {
	// The zero id of a malformed one is never met: the database holds uuids only.
	key, _ := uuid.Parse(c.ID)
	return place{rating: c.Rating, created: c.CreatedAt.UnixMicro(), id: key}
}

func entryOf(c *Course) entry {
	return entry{place: placeOf(c), category: c.Category, text: searchable(c)}
}

// literal reads a pattern of the form %text% with no other wildcard, and gives its text folded. Hyphens without a
// word are looked for as they are, which the index cannot do.
func literal(pattern string) (text string, ok bool) {
	inner, opened := strings.CutPrefix(pattern, "%")
	if !opened {
		return "", false
	}
	var plain strings.Builder
	for i := 0; i < len(inner); i++ {
		switch inner[i] {
		case '%':
			found := plain.String()
			return folded(found), i == len(inner)-1 && (!strings.Contains(found, "-") || strings.Trim(found, "- ") != "")
		case '_', 0:
			return "", false
		case '\\':
			if i++; i == len(inner) {
				return "", false
			}
		}
		plain.WriteByte(inner[i])
	}
	return "", false
}

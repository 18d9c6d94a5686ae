package catalog

import (
	"strings"

	"github.com/google/uuid"
)

// searchable is the text that a search looks into: the four fields in lower case, each followed by a zero byte,
// which no text of the database can hold, so that no match spans two fields. The last has one more, so that each
// letter of a field begins a gram.
func searchable(c *Course) []byte {
	text := make([]byte, 0, len(c.Title)+len(c.Instructor)+len(c.Category)+len(c.Description)+8)
	for _, field := range []string{c.Title, c.Instructor, c.Category, c.Description} {
		text = append(text, strings.ToLower(field)...)
		text = append(text, 0)
	}
	return append(text, 0)
}

func placeOf(c *Course) place {
	// The zero id of a malformed one is never met: the database holds uuids only.
	key, _ := uuid.Parse(c.ID)
	return place{rating: c.Rating, created: c.CreatedAt.UnixMicro(), id: key}
}

// literal reads a pattern of the form %text% with no other wildcard, and gives its text in lower case.
func literal(pattern string) (text string, ok bool) {
	inner, opened := strings.CutPrefix(pattern, "%")
	if !opened {
		return "", false
	}
	var plain strings.Builder
	for i := 0; i < len(inner); i++ {
		switch inner[i] {
		case '%':
			return strings.ToLower(plain.String()), i == len(inner)-1
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

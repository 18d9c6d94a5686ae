package main

import (
	"math/rand/v2"
	"net/url"
	"strings"

	"greenroom/internal/catalog"
)

// searchWork is what somebody who types into the search field makes the server do, with the number of all that is found.
var searchWork = work{name: "search", title: "search, with an exact count"}

// searchFor asks for pieces of the courses' own texts, from one letter up, and for words that nobody says.
func searchFor(s *scene, list []catalog.Course) *script {
	chance := rand.New(rand.NewPCG(5, 6))
	texts := []string{"a", "e", "the", "and", "course", "learn", "acting", "of the", "zzz", "nobody says this", "in", "ing"}
	for len(texts) < 300 {
		c := list[chance.IntN(len(list))]
		field := []rune([]string{c.Title, c.Instructor, c.Category, c.Description, c.Description}[chance.IntN(5)])
		from := chance.IntN(len(field))
		if text := strings.TrimSpace(string(field[from:min(len(field), from+1+chance.IntN(16))])); text != "" {
			texts = append(texts, text)
		}
	}
	requests := make([][]byte, len(texts))
	for i, text := range texts {
		requests[i] = raw("GET", searchPath(text), "", s.stranger("Prefer", "count=exact")...)
	}
	return &script{status: counted, request: func(client, n int) []byte { return requests[(client*11+n)%len(requests)] }}
}

// searchPath is the question as the app writes it.
func searchPath(text string) string {
	literal := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `\*`).Replace(text)
	quoted := `"*` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(literal) + `*"`
	parts := []string{}
	for _, column := range []string{"title", "instructor", "category", "description"} {
		parts = append(parts, column+".ilike."+quoted)
	}
	return "/rest/v1/courses?select=*&order=rating.desc,created_at.desc,id.asc&limit=24&or=" + url.QueryEscape("("+strings.Join(parts, ",")+")")
}

package rest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func FuzzHeaders(f *testing.F) {
	f.Add("count=exact, return=representation, handling=strict, max-affected=1", "text/csv;q=0.9, application/vnd.pgrst.object+json;nulls=stripped")
	f.Fuzz(func(t *testing.T, prefer, accept string) {
		p, err := parsePrefer([]string{prefer})
		if applied := p.applied("POST"); err == nil && strings.ContainsAny(applied, "\r\n\x00") {
			t.Fatalf("%q is echoed as %q", prefer, applied)
		}
		chosen, err := negotiate([]string{accept})
		known := []string{mediaJSON, mediaObject, mediaArray, mediaCSV}
		if media, _, _ := strings.Cut(chosen.media, ";"); err == nil && !slices.Contains(known, media) {
			t.Fatalf("%q chose %q", accept, chosen.media)
		}
	})
}

func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{"title":"a","lessons":1,"rating":1.5e2,"coming_soon":null}`, `[{"a":{"b":[1,2,{}]}},{}]`, `{"t":"\ud83d\ude00\n\u00e4\\"}`,
		`{"a":1,"a":2}`, `"\u0000"`, `[-0,0.0,1E+5]`, "\ufeff{}", `{"a":01}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := parseJSON(data)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("accepted %q", data)
		}
		var standard any
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		if err := decoder.Decode(&standard); err != nil || !same(v, standard) {
			t.Fatalf("%q is read as %v, not as %v: %v", data, v, standard, err)
		}
		for _, kind := range []Type{Text, UUID, Int, Float, Bool, Timestamp} {
			value, err := coerce(kind, v)
			if err != nil {
				continue
			}
			if written, fits := appendJSON(nil, kind, value); !fits || !json.Valid(written) {
				t.Fatalf("%q as %s is written as %s", data, kind, written)
			}
		}
	})
}

// same compares our reading of a document with the standard library's.
func same(v jsonValue, standard any) bool {
	switch s := standard.(type) {
	case nil:
		return v.kind == jsonNull
	case bool:
		return v.kind == jsonTrue && s || v.kind == jsonFalse && !s
	case json.Number:
		return v.kind == jsonNumber && v.text == s.String()
	case string:
		return v.kind == jsonString && v.text == s
	case []any:
		return v.kind == jsonArray && slices.EqualFunc(v.items, s, same)
	case map[string]any:
		for _, f := range v.fields {
			if inner, ok := s[f.name]; !ok || !same(f.value, inner) {
				return false
			}
		}
		return v.kind == jsonObject && len(v.fields) == len(s)
	}
	return false
}

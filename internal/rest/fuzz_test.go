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
		rows, err := parseRows(data, maxRows, func(string) *Error { return nil })
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("accepted %q", data)
		}
		var standard []map[string]any
		document := data
		if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("[")) {
			document = slices.Concat([]byte("["), data, []byte("]"))
		}
		decoder := json.NewDecoder(bytes.NewReader(document))
		decoder.UseNumber()
		if err := decoder.Decode(&standard); err != nil || !slices.EqualFunc(rows, standard, sameRow) {
			t.Fatalf("%q is read as %v, not as %v: %v", data, rows, standard, err)
		}
		for _, row := range rows {
			for _, f := range row {
				fitsWhereTaken(t, f.value)
			}
		}
	})
}

// fitsWhereTaken writes a value as each type that takes it.
func fitsWhereTaken(t *testing.T, v jsonValue) {
	t.Helper()
	for _, kind := range []Type{Text, UUID, Int, Float, Bool, Timestamp} {
		value, err := coerce(kind, v)
		if err != nil {
			continue
		}
		if written, fits := appendJSON(nil, kind, value); !fits || !json.Valid(written) {
			t.Fatalf("%v as %s is written as %s", v, kind, written)
		}
	}
}

// sameRow compares our reading of a row with the standard library's.
func sameRow(row jsonRow, standard map[string]any) bool {
	for _, f := range row {
		if inner, ok := standard[f.name]; !ok || !same(f.value, inner) {
			return false
		}
	}
	return len(row) == len(standard)
}

// same compares our reading of a value with the standard library's; what is inside of one we do not keep.
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
		return v.kind == jsonArray
	case map[string]any:
		return v.kind == jsonObject
	}
	return false
}

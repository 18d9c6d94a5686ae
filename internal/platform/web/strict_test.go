package web_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"greenroom/internal/platform/web"
)

func TestSecurity60StrictJSONRefusesWhatWouldBeAltered(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"{\"a\":\"\xff\"}", `{"a":"\ud800"}`, `{"a":"\udc00\ud800"}`, `{"a":"\ud83dx"}`, `{"a":"\ud83d\u0041"}`, `{"\ud800":1}`,
		`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"a":1,"A":2}`, "{\"token\":1,\"to\u212aen\":2}", "{\"s\":1,\"\u017f\":2}",
		`{"a":{"b":1,"b":2}}`, `{"a":[{"b":1,"c":2,"b":3}]}`, `{"a":[1,{"b":[]}],"a":1}`, `{"a":`, `{"a":}`,
		strings.Repeat("[", 65) + strings.Repeat("]", 65),
	} {
		if web.StrictJSON([]byte(text)) == nil {
			t.Errorf("%q was taken", text)
		}
	}
	for _, text := range []string{
		`{}`, `{"a":"\ud83d\ude00","b":"\\ud800","c":"\\\\","d":null}`, `{"data":{"a":1,"A":2},"a":["a","a",{"a":1},{"a":1}]}`, `{"a":"a","b":"a"}`, `[]`, `"a"`,
		strings.Repeat("[", 64) + strings.Repeat("]", 64),
	} {
		if err := web.StrictJSON([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzStrictJSON: what is taken comes out of the decoder as it went in, letter by letter.
func FuzzStrictJSON(f *testing.F) {
	for _, text := range []string{`{"a":"\ud83d\ude00"}`, `{"a":"\ud800"}`, `{"a":[{"b":1}]}`, "\xff", `\u`, `{"a":"\u00`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if web.StrictJSON(text) != nil {
			return
		}
		var value any
		if json.Unmarshal(text, &value) != nil {
			return
		}
		// The replacement character comes out only where it went in.
		again, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		given := strings.Count(string(text), string(utf8.RuneError)) + strings.Count(strings.ToLower(string(text)), `\ufffd`)
		if strings.Count(string(again), string(utf8.RuneError)) > given {
			t.Fatalf("%q became %q", text, again)
		}
	})
}

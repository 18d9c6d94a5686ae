package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mostNesting is deeper than any body of ours.
const mostNesting = 64

var errAltered = errors.New("the JSON cannot be read as it was sent")

// StrictJSON refuses JSON that encoding/json would alter as it reads: invalid UTF-8 and half surrogates, which it turns
// into replacement characters, and names that come twice, of which it takes the last. Two passwords that differ only in
// such bytes would be one. It finds fields in any case, so at the top a name in another case is the same name.
func StrictJSON(text []byte) error {
	if !utf8.Valid(text) || halfSurrogate(text) {
		return errAltered
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var open []level
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && len(open) == 0 {
			return nil
		}
		if err != nil {
			return errAltered
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			enter(open)
			if open = append(open, level{names: names(token), top: len(open) == 0}); len(open) > mostNesting {
				return errAltered
			}
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		default:
			if len(open) > 0 && open[len(open)-1].again(token) {
				return errAltered
			}
		}
	}
}

// level is an object or an array that is being read.
type level struct {
	// names are those of an object, nil for an array.
	names map[string]bool
	// value tells that a name was read and its value comes next.
	value, top bool
}

func names(open json.Token) map[string]bool {
	if open == json.Delim('[') {
		return nil
	}
	return map[string]bool{}
}

// enter notes that the value of the innermost name begins.
func enter(open []level) {
	if len(open) > 0 {
		open[len(open)-1].value = false
	}
}

// again takes a name or a plain value, and tells whether it is a name that was there before.
func (l *level) again(token json.Token) bool {
	if l.names == nil {
		return false
	}
	if l.value {
		l.value = false
		return false
	}
	name, _ := token.(string)
	if l.top {
		// Upper case first: it alone knows of the long s, lower case alone of the Kelvin sign.
		name = strings.ToLower(strings.ToUpper(name))
	}
	twice := l.names[name]
	l.names[name], l.value = true, true
	return twice
}

// halfSurrogate finds an escape that stands for half a character. Outside of strings valid JSON has no backslash.
func halfSurrogate(text []byte) bool {
	for {
		at := bytes.IndexByte(text, '\\')
		if at < 0 || at+1 == len(text) {
			return false
		}
		unit, escaped := escape(text[at:])
		if !escaped {
			text = text[at+2:]
			continue
		}
		text = text[at+6:]
		if !utf16.IsSurrogate(unit) {
			continue
		}
		second, escaped := escape(text)
		if !escaped || utf16.DecodeRune(unit, second) == utf8.RuneError {
			return true
		}
		text = text[6:]
	}
}

// escape reads \uXXXX at the start of a text.
func escape(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(unit), err == nil
}

package rest

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonKind is the kind of a JSON value; its text is the string's content or the number's digits.
type jsonKind byte

const (
	jsonNull jsonKind = iota
	jsonTrue
	jsonFalse
	jsonNumber
	jsonString
	jsonObject
	jsonArray
)

// jsonValue is one value of a row. Of an object or an array only the kind is kept: no column holds one.
type jsonValue struct {
	kind jsonKind
	text string
}

type jsonField struct {
	name  string
	value jsonValue
}

// jsonRow is one object of a body.
type jsonRow []jsonField

// jsonReader reads the rows of a body as strictly as JSON's standard: no duplicate names, no trailing data, valid
// UTF-8, no lone surrogates. What is read is bounded as it is read, for nobody has asked yet who sends it.
type jsonReader struct {
	data []byte
	pos  int
	// known judges each name of a row before its value is read.
	known   func(name string) *Error
	maxRows int
}

var invalidJSON = badBody("Empty or invalid json")

// parseRows reads one object, or an array of them.
func parseRows(data []byte, maxRows int, known func(name string) *Error) ([]jsonRow, *Error) {
	if !utf8.Valid(data) {
		return nil, invalidJSON
	}
	r := &jsonReader{data: data, known: known, maxRows: maxRows}
	list, err := r.rows()
	if err != nil {
		return nil, err
	}
	if r.spaces(); r.pos != len(data) {
		return nil, invalidJSON
	}
	return list, nil
}

func (r *jsonReader) rows() ([]jsonRow, *Error) {
	if r.peek() == '{' {
		row, err := r.object(1, r.known)
		return []jsonRow{row}, err
	}
	if !r.take('[') {
		return nil, invalidJSON
	}
	var list []jsonRow
	if r.take(']') {
		return list, nil
	}
	for {
		if r.peek() != '{' {
			return nil, invalidJSON
		}
		if len(list) == r.maxRows {
			return nil, tooComplex("A request writes at most " + strconv.Itoa(r.maxRows) + " rows.")
		}
		row, err := r.object(2, r.known)
		if err != nil {
			return nil, err
		}
		list = append(list, row)
		if r.take(']') {
			return list, nil
		}
		if !r.take(',') {
			return nil, invalidJSON
		}
	}
}

func (r *jsonReader) spaces() {
	for r.pos < len(r.data) && strings.IndexByte(" \t\r\n", r.data[r.pos]) >= 0 {
		r.pos++
	}
}

func (r *jsonReader) peek() byte {
	if r.spaces(); r.pos < len(r.data) {
		return r.data[r.pos]
	}
	return 0
}

func (r *jsonReader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.pos++
	return true
}

func (r *jsonReader) value(depth int) (jsonValue, *Error) {
	if depth > maxNesting {
		return jsonValue{}, invalidJSON
	}
	switch c := r.peek(); c {
	case '{':
		_, err := r.object(depth, nil)
		return jsonValue{kind: jsonObject}, err
	case '[':
		return jsonValue{kind: jsonArray}, r.skipArray(depth)
	case '"':
		text, err := r.text()
		return jsonValue{kind: jsonString, text: text}, err
	case 't':
		return r.word("true", jsonTrue)
	case 'f':
		return r.word("false", jsonFalse)
	case 'n':
		return r.word("null", jsonNull)
	default:
		return r.number()
	}
}

func (r *jsonReader) word(word string, kind jsonKind) (jsonValue, *Error) {
	if !bytes.HasPrefix(r.data[r.pos:], []byte(word)) {
		return jsonValue{}, invalidJSON
	}
	r.pos += len(word)
	return jsonValue{kind: kind, text: word}, nil
}

// object reads names and values. The names of a row must be known; the other objects are read for their form alone.
func (r *jsonReader) object(depth int, known func(name string) *Error) (jsonRow, *Error) {
	r.pos++
	if r.take('}') {
		return nil, nil
	}
	var fields jsonRow
	for {
		if r.peek() != '"' {
			return nil, invalidJSON
		}
		name, err := r.text()
		if err != nil {
			return nil, err
		}
		if known != nil {
			if err := known(name); err != nil {
				return nil, err
			}
		}
		if !r.take(':') || slices.ContainsFunc(fields, func(f jsonField) bool { return f.name == name }) {
			return nil, invalidJSON
		}
		if len(fields) == maxFields {
			return nil, tooComplex("An object holds at most " + strconv.Itoa(maxFields) + " names.")
		}
		inner, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, jsonField{name, inner})
		if r.take('}') {
			return fields, nil
		}
		if !r.take(',') {
			return nil, invalidJSON
		}
	}
}

func (r *jsonReader) skipArray(depth int) *Error {
	r.pos++
	if r.take(']') {
		return nil
	}
	for {
		if _, err := r.value(depth + 1); err != nil {
			return err
		}
		if r.take(']') {
			return nil
		}
		if !r.take(',') {
			return invalidJSON
		}
	}
}

// number takes the standard's form: -12, 1.5, 2e10; neither 01 nor +1 nor .5.
func (r *jsonReader) number() (jsonValue, *Error) {
	from := r.pos
	digits := func() bool {
		start := r.pos
		for r.pos < len(r.data) && r.data[r.pos] >= '0' && r.data[r.pos] <= '9' {
			r.pos++
		}
		return r.pos > start
	}
	next := func(set string) bool {
		if r.pos < len(r.data) && strings.IndexByte(set, r.data[r.pos]) >= 0 {
			r.pos++
			return true
		}
		return false
	}
	next("-")
	ok := next("0") || digits()
	if ok && next(".") {
		ok = digits()
	}
	if ok && next("eE") {
		next("+-")
		ok = digits()
	}
	if !ok {
		return jsonValue{}, invalidJSON
	}
	return jsonValue{kind: jsonNumber, text: string(r.data[from:r.pos])}, nil
}

// text reads a string at its opening quote.
func (r *jsonReader) text() (string, *Error) {
	r.pos++
	from := r.pos
	for ; r.pos < len(r.data); r.pos++ {
		switch c := r.data[r.pos]; {
		case c == '"':
			r.pos++
			return string(r.data[from : r.pos-1]), nil
		case c == '\\':
			return r.escapedText(from)
		case c < ' ':
			return "", invalidJSON
		}
	}
	return "", invalidJSON
}

func (r *jsonReader) escapedText(from int) (string, *Error) {
	out := append([]byte(nil), r.data[from:r.pos]...)
	for r.pos < len(r.data) {
		c := r.data[r.pos]
		r.pos++
		switch {
		case c == '"':
			return string(out), nil
		case c < ' ':
			return "", invalidJSON
		case c != '\\':
			out = append(out, c)
		default:
			decoded, err := r.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, decoded)
		}
	}
	return "", invalidJSON
}

// escape reads what follows a backslash.
func (r *jsonReader) escape() (rune, *Error) {
	if r.pos == len(r.data) {
		return 0, invalidJSON
	}
	c := r.data[r.pos]
	r.pos++
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), nil
	}
	if c != 'u' {
		return 0, invalidJSON
	}
	first, ok := r.hex4()
	if ok && utf16.IsSurrogate(first) {
		if !bytes.HasPrefix(r.data[r.pos:], []byte(`\u`)) {
			return 0, invalidJSON
		}
		r.pos += 2
		var second rune
		second, ok = r.hex4()
		first = utf16.DecodeRune(first, second)
		ok = ok && first != utf8.RuneError
	}
	switch {
	case !ok:
		return 0, invalidJSON
	case first == 0:
		return 0, refuse(http.StatusBadRequest, "22P05", "unsupported Unicode escape sequence").
			details(`\u0000 cannot be converted to text.`)
	}
	return first, nil
}

func (r *jsonReader) hex4() (rune, bool) {
	if len(r.data)-r.pos < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(r.data[r.pos:r.pos+4]), 16, 16)
	r.pos += 4
	return rune(n), err == nil
}

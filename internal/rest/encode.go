package rest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// cell takes a driver's value as it comes; it is written before the next row is read.
type cell struct{ value any }

// Scan keeps what the driver gives.
func (c *cell) Scan(from any) error {
	if raw, ok := from.([]byte); ok {
		from = string(raw)
	}
	c.value = from
	return nil
}

// normal gives a driver's value the one Go type of its column, whichever engine it came from.
func normal(t Type, value any) (any, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case int64:
		switch t {
		case Int:
			return value, nil
		case Bool:
			return v != 0, nil
		case Float:
			return float64(v), nil
		case Timestamp:
			return time.UnixMicro(v).UTC(), nil
		default:
		}
	case float64:
		if t == Float {
			return value, nil
		}
	case bool:
		if t == Bool {
			return value, nil
		}
	case time.Time:
		if t == Timestamp {
			return v.UTC(), nil
		}
	case string:
		switch t {
		case Text, UUID:
			return value, nil
		case Float:
			return strconv.ParseFloat(v, 64)
		default:
		}
	}
	return nil, unfit(t, value)
}

// appendJSON writes a column's value as the driver gave it, or a normal one. It tells whether the two fit.
func appendJSON(out []byte, t Type, value any) ([]byte, bool) {
	switch v := value.(type) {
	case nil:
		return append(out, "null"...), true
	case string:
		switch t {
		case Text, UUID:
			return appendString(out, v), true
		case Float: // PostgreSQL's numeric comes as text
			return append(out, v...), true
		default:
		}
	case int64:
		switch t {
		case Int, Float:
			return strconv.AppendInt(out, v, 10), true
		case Bool:
			return strconv.AppendBool(out, v != 0), true
		case Timestamp:
			return appendMoment(out, time.UnixMicro(v)), true
		default:
		}
	case float64:
		return appendFloat(out, v), t == Float
	case bool:
		return strconv.AppendBool(out, v), t == Bool
	case time.Time:
		return appendMoment(out, v), t == Timestamp
	}
	return out, false
}

func appendMoment(out []byte, moment time.Time) []byte {
	out = append(out, '"')
	out = moment.UTC().AppendFormat(out, inJSON)
	return append(out, '"')
}

func appendFloat(out []byte, f float64) []byte {
	if math.Abs(f) < 1e15 {
		return strconv.AppendFloat(out, f, 'f', -1, 64)
	}
	return strconv.AppendFloat(out, f, 'e', -1, 64)
}

// How PostgreSQL writes a moment in UTC, in JSON and as text: up to six digits of a fraction, without trailing zeros.
const inJSON, asText = "2006-01-02T15:04:05.999999+00:00", "2006-01-02 15:04:05.999999+00"

const hexDigits = "0123456789abcdef"

// appendString writes a JSON string; what needs no escape is copied in runs.
func appendString(out []byte, text string) []byte {
	out = append(out, '"')
	from := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		out = append(out, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\n':
			out = append(out, '\\', 'n')
		case '\r':
			out = append(out, '\\', 'r')
		case '\t':
			out = append(out, '\\', 't')
		default:
			out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	out = append(out, text[from:]...)
	return append(out, '"')
}

// body writes rows in one of the forms.
type body struct {
	form  form
	shown []shown
	out   []byte
	rows  int
	err   error // a value that its column's declared type does not fit, or an answer that has become too large
}

func newBody(out []byte, f form, list []shown) *body {
	b := &body{form: f, shown: list, out: out}
	if !f.csv && !f.single {
		b.out = append(b.out, '[')
	}
	return b
}

// add writes one row; value gives the value of the i-th shown column.
func (b *body) add(value func(i int) any) {
	b.rows++
	if b.form.csv {
		b.addCSV(value)
	} else {
		b.addJSON(value)
	}
	if len(b.out) > maxAnswer {
		b.err = tooLarge()
	}
}

func (b *body) addJSON(value func(i int) any) {
	if b.rows > 1 {
		b.out = append(b.out, ',', '\n', ' ')
	}
	b.out = append(b.out, '{')
	first := true
	for i := range b.shown {
		v := value(i)
		if v == nil && b.form.strip {
			continue
		}
		if !first {
			b.out = append(b.out, ',')
		}
		first = false
		b.out = append(b.out, b.shown[i].key...)
		b.value(i, v)
	}
	b.out = append(b.out, '}')
}

func (b *body) value(i int, value any) {
	var fits bool
	if b.out, fits = appendJSON(b.out, b.shown[i].kind, value); !fits {
		b.err = unfit(b.shown[i].kind, value)
	}
}

func unfit(t Type, value any) error { return fmt.Errorf("a column of type %s holds a %T", t, value) }

func (b *body) addCSV(value func(i int) any) {
	if b.rows == 1 {
		for i, s := range b.shown {
			if i > 0 {
				b.out = append(b.out, ',')
			}
			b.out = appendCSV(b.out, s.name)
		}
	}
	b.out = append(b.out, '\n')
	for i := range b.shown {
		if i > 0 {
			b.out = append(b.out, ',')
		}
		v, err := normal(b.shown[i].kind, value(i))
		if err != nil {
			b.err = err
		}
		switch v := v.(type) {
		case nil:
		case string:
			b.out = appendCSV(b.out, v)
		case bool:
			b.out = append(b.out, "ft"[bit(v)])
		case time.Time:
			b.out = v.UTC().AppendFormat(b.out, asText)
		default:
			b.value(i, v)
		}
	}
}

// appendCSV quotes what would not read back as it is; an empty text is quoted so that it differs from null.
func appendCSV(out []byte, text string) []byte {
	if text != "" && !strings.ContainsAny(text, "\",\r\n") && text[0] != ' ' && text[len(text)-1] != ' ' {
		return append(out, text...)
	}
	out = append(out, '"')
	out = append(out, strings.ReplaceAll(text, `"`, `""`)...)
	return append(out, '"')
}

// finish closes the body.
func (b *body) finish() []byte {
	if !b.form.csv && !b.form.single {
		b.out = append(b.out, ']')
	}
	return b.out
}

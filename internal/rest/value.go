package rest

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// parseValue reads a text as a value of the type, by PostgreSQL's rules and with its complaints.
func parseValue(t Type, text string) (any, *Error) {
	switch t {
	case Text:
		return text, nil
	case UUID:
		if canonical, ok := parseUUID(text); ok {
			return canonical, nil
		}
	case Int:
		return parseInt(text)
	case Float:
		return parseFloat(text)
	case Bool:
		if b, ok := parseBool(text); ok {
			return b, nil
		}
	case Timestamp:
		return parseTime(text)
	}
	return nil, badValue(t, text)
}

func parseInt(text string) (any, *Error) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
	if err == nil {
		return n, nil
	}
	if isRange(err) {
		return nil, outOfRange("22003", `value "`+text+`" is out of range for type integer`)
	}
	return nil, badValue(Int, text)
}

func parseFloat(text string) (any, *Error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || strings.Trim(trimmed, "+-.0123456789eE") != "" {
		return nil, badValue(Float, text)
	}
	f, err := strconv.ParseFloat(trimmed, 64)
	if isRange(err) || math.IsInf(f, 0) {
		return nil, outOfRange("22003", `"`+text+`" is out of range for type double precision`)
	}
	if err != nil {
		return nil, badValue(Float, text)
	}
	return f, nil
}

func outOfRange(code, message string) *Error { return refuse(http.StatusBadRequest, code, message) }

func isRange(err error) bool { return errors.Is(err, strconv.ErrRange) }

// parseBool takes PostgreSQL's spellings: unique beginnings of true, false, yes, no, on and off, and the digits.
func parseBool(text string) (value, ok bool) {
	word := strings.ToLower(strings.TrimSpace(text))
	switch word {
	case "1", "on":
		return true, true
	case "0", "of", "off":
		return false, true
	case "", "o":
		return false, false
	}
	for full, meaning := range map[string]bool{"true": true, "yes": true, "false": false, "no": false} {
		if _, begins := strings.CutPrefix(full, word); begins {
			return meaning, true
		}
	}
	return false, false
}

// parseUUID takes the 32 digits with or without their hyphens and braces, and gives the canonical form.
func parseUUID(text string) (string, bool) {
	if len(text) > 2 && text[0] == '{' && text[len(text)-1] == '}' {
		text = text[1 : len(text)-1]
	}
	hyphens := len(text) == 36
	if !hyphens && len(text) != 32 {
		return "", false
	}
	var out [36]byte
	for i, from := 0, 0; i < len(out); i++ {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if out[i] = '-'; !hyphens {
				continue
			}
			if text[from] != '-' {
				return "", false
			}
			from++
			continue
		}
		c := text[from]
		if 'A' <= c && c <= 'F' {
			c += 'a' - 'A'
		}
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", false
		}
		out[i] = c
		from++
	}
	if string(out[:]) == text {
		return text, true
	}
	return string(out[:]), true
}

// zones are the ways to write an offset; without one a moment is in UTC.
var zones = []string{"Z07:00", "Z07", "Z0700", ""}

// parseTime reads a date with or without a time of day, a fraction and an offset.
func parseTime(text string) (any, *Error) {
	trimmed := strings.TrimSpace(text)
	day, clock, timed := strings.Cut(strings.Replace(trimmed, "T", " ", 1), " ")
	layouts := []string{""}
	if timed {
		layouts = layouts[:0]
		for _, zone := range zones {
			layouts = append(layouts, " 15:04:05.999999999"+zone, " 15:04"+zone)
		}
		day += " " + clock
	}
	for _, layout := range layouts {
		moment, err := time.Parse("2006-01-02"+layout, day)
		if err == nil {
			return moment.UTC().Round(time.Microsecond), nil
		}
		if strings.HasSuffix(err.Error(), "out of range") {
			return nil, outOfRange("22008", `date/time field value out of range: "`+text+`"`)
		}
	}
	return nil, badValue(Timestamp, text)
}

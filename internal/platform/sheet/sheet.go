// Package sheet writes the cells of CSV files (RFC 4180) so that no spreadsheet runs what people typed.
package sheet

import (
	"strings"
	"time"
	"unicode/utf8"
)

// formulas are the characters that make a spreadsheet take a cell for a formula, the full-width ones among them.
const formulas = "=+-@\t\r\n＝＋－＠"

// Text adds a quoted text. One that a spreadsheet would run gets an apostrophe before it.
func Text(out []byte, v string) []byte {
	out = append(out, '"')
	if first, _ := utf8.DecodeRuneInString(v); v != "" && strings.ContainsRune(formulas, first) {
		out = append(out, '\'')
	}
	for {
		quote := strings.IndexByte(v, '"')
		if quote < 0 {
			break
		}
		out = append(out, v[:quote+1]...)
		out = append(out, '"')
		v = v[quote+1:]
	}
	out = append(out, v...)
	return append(out, '"')
}

// Moment adds a quoted moment; none is an empty cell.
func Moment(out []byte, at *time.Time) []byte {
	if at == nil {
		return out
	}
	return append(at.UTC().AppendFormat(append(out, '"'), time.RFC3339Nano), '"')
}

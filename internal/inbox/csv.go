package inbox

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"greenroom/internal/platform/db"
)

// appendRow writes one line by RFC 4180: texts and moments quoted, nulls empty, lines ended by CR LF.
func appendRow(out []byte, columns []column, cells []any) ([]byte, error) {
	var err error
	for i, c := range columns {
		if i > 0 {
			out = append(out, ',')
		}
		if cells[i] == nil {
			continue
		}
		if out, err = appendCell(out, c.form, cells[i]); err != nil {
			return out, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return append(out, "\r\n"...), nil
}

func appendCell(out []byte, f form, cell any) ([]byte, error) {
	switch f {
	case moment:
		var at db.Time
		if err := at.Scan(cell); err != nil {
			return out, err
		}
		return append(at.UTC().AppendFormat(append(out, '"'), time.RFC3339Nano), '"'), nil
	case truth:
		return strconv.AppendBool(out, cell == true || cell == int64(1)), nil
	case number, text:
	}
	switch v := cell.(type) {
	case string:
		return appendText(out, v), nil
	case []byte:
		return appendText(out, string(v)), nil
	case int64:
		return strconv.AppendInt(out, v, 10), nil
	case float64:
		return strconv.AppendFloat(out, v, 'f', -1, 64), nil
	default:
		return out, fmt.Errorf("a cell cannot be made of %T", cell)
	}
}

// formulas are the characters that make a spreadsheet take a cell for a formula, the full-width ones among them.
const formulas = "=+-@\t\r\n＝＋－＠"

// appendText quotes a text. One that a spreadsheet would run gets an apostrophe before it.
func appendText(out []byte, v string) []byte {
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

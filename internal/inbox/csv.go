package inbox

import (
	"fmt"
	"strconv"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/sheet"
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
		return sheet.Moment(out, &at.Time), nil
	case truth:
		return strconv.AppendBool(out, cell == true || cell == int64(1)), nil
	case number, text:
	}
	switch v := cell.(type) {
	case string:
		return sheet.Text(out, v), nil
	case []byte:
		return sheet.Text(out, string(v)), nil
	case int64:
		return strconv.AppendInt(out, v, 10), nil
	case float64:
		return strconv.AppendFloat(out, v, 'f', -1, 64), nil
	default:
		return out, fmt.Errorf("a cell cannot be made of %T", cell)
	}
}

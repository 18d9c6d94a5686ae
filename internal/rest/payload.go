package rest

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// payload is a write's body: rows of checked values, and the columns that the client names in each of them.
type payload struct {
	rows    []Row
	columns []int
}

// payload reads the body of an insert or update.
func (q *request) payload(how Writable) (payload, error) {
	if err := checkMedia(q.http.Header.Get("Content-Type")); err != nil {
		return payload{}, err
	}
	data, err := io.ReadAll(io.LimitReader(q.http.Body, maxBody+1))
	// The edge may hold the body to the same bound by itself.
	if _, cut := errors.AsType[*http.MaxBytesError](err); cut || len(data) > maxBody {
		return payload{}, refuse(http.StatusRequestEntityTooLarge, "54000", "The request body is larger than 1 MB")
	}
	if err != nil {
		return payload{}, badBody("The request body could not be read")
	}
	objects, failed := parseRows(data, q.mostRows(), func(name string) *Error { return q.known(name, how) })
	if failed != nil {
		return payload{}, failed
	}
	return q.rows(objects, how)
}

// known refuses a name that no column has, before anything of it is kept. With columns= other names are read over.
func (q *request) known(name string, how Writable) *Error {
	if q.query.columns == nil && q.table.writable(name, how) < 0 {
		return unknownField(q.table.Name, name)
	}
	return nil
}

// checkMedia takes JSON alone. A browser asks before it sends that to another site, so no simple request writes.
func checkMedia(header string) error {
	media, params, err := mime.ParseMediaType(header)
	if charset := params["charset"]; err != nil || media != mediaJSON || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return badBody("Content-Type not acceptable: " + header)
	}
	return nil
}

// rows checks the objects' names and values.
func (q *request) rows(objects []jsonRow, how Writable) (payload, error) {
	names, err := q.named(objects)
	if err != nil {
		return payload{}, err
	}
	var p payload
	for _, name := range names {
		column := q.table.writable(name, how)
		if column < 0 {
			return p, unknownField(q.table.Name, name)
		}
		p.columns = append(p.columns, column)
	}
	for _, column := range p.columns {
		if c := q.table.Columns[column]; c.Write&how == 0 {
			return p, q.noPrivilege().hint("The column " + c.Name + " cannot be written.")
		}
	}
	for _, object := range objects {
		row := newRow(q.table)
		for i, name := range names {
			value, given := object.field(name)
			if !given && q.prefs.missing == "default" {
				continue
			}
			checked, err := coerce(q.table.Columns[p.columns[i]].Type, value)
			if err != nil {
				return p, err
			}
			row.set(p.columns[i], checked)
		}
		p.rows = append(p.rows, row)
	}
	return p, nil
}

// named gives the columns that are written: those of columns=, else the keys, which all objects must share.
func (q *request) named(objects []jsonRow) ([]string, error) {
	if q.query.columns != nil || len(objects) == 0 {
		return q.query.columns, nil
	}
	names := make([]string, 0, len(objects[0]))
	for _, f := range objects[0] {
		names = append(names, f.name)
	}
	for _, object := range objects[1:] {
		same := len(object) == len(names)
		for i := 0; same && i < len(names); i++ {
			_, same = object.field(names[i])
		}
		if !same {
			return nil, badBody("All object keys must match")
		}
	}
	return names, nil
}

func (row jsonRow) field(name string) (jsonValue, bool) {
	for _, f := range row {
		if f.name == name {
			return f.value, true
		}
	}
	return jsonValue{}, false
}

// coerce makes a column's value of a JSON value, as PostgreSQL does: by way of its text.
func coerce(t Type, v jsonValue) (any, error) {
	switch v.kind {
	case jsonNull:
		return nil, nil
	case jsonObject:
		return nil, badValue(t, "{…}")
	case jsonArray:
		return nil, badValue(t, "[…]")
	default:
		value, err := parseValue(t, v.text)
		if err != nil {
			return nil, err
		}
		return value, nil
	}
}

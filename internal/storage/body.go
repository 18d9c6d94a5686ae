package storage

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"greenroom/internal/platform/web"
)

// fields is a body of JSON, of which each route takes what it knows.
type fields map[string]json.RawMessage

// body reads the JSON of a request. None at all is an empty object.
func (c *call) body() (fields, error) { return c.bodyUpTo(mostJSON) }

func (c *call) bodyUpTo(most int64) (fields, error) {
	if c.ContentLength > most {
		return nil, errTooLarge
	}
	text, err := io.ReadAll(http.MaxBytesReader(c.w, c.Body, most))
	if err != nil {
		return nil, err
	}
	if len(text) == 0 {
		return fields{}, nil
	}
	kind, _, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return nil, refuse(415, "Error", "Unsupported Media Type: "+shown(kind), "InvalidRequest")
	}
	var found fields
	if web.StrictJSON(text) != nil || json.Unmarshal(text, &found) != nil {
		return nil, errNotJSON
	}
	return found, nil
}

func (f fields) has(name string) bool {
	text, given := f[name]
	return given && string(text) != "null"
}

// text, flag, number and texts read a field; a value of another kind is refused as the reference's schemas do.
func (f fields) text(name string, required bool) (string, error) {
	var value string
	if !f.has(name) {
		if required {
			return "", invalid("body must have required property '" + name + "'")
		}
		return "", nil
	}
	if json.Unmarshal(f[name], &value) != nil || strings.ContainsRune(value, 0) {
		return "", invalid("body/" + name + " must be string")
	}
	return value, nil
}

func (f fields) flag(name string, otherwise bool) (bool, error) {
	if !f.has(name) {
		return otherwise, nil
	}
	var value bool
	if json.Unmarshal(f[name], &value) != nil {
		return false, invalid("body/" + name + " must be boolean")
	}
	return value, nil
}

func (f fields) number(name string, otherwise, least int) (int, error) {
	if !f.has(name) {
		return otherwise, nil
	}
	var value int
	if json.Unmarshal(f[name], &value) != nil {
		return 0, invalid("body/" + name + " must be integer")
	}
	if value < least {
		return 0, invalid("body/" + name + " must be >= " + map[bool]string{true: "1", false: "0"}[least == 1])
	}
	return value, nil
}

func (f fields) texts(name string) ([]string, error) {
	var values []string
	switch {
	case f[name] == nil:
		return nil, invalid("body must have required property '" + name + "'")
	case json.Unmarshal(f[name], &values) != nil:
		return nil, invalid("body/" + name + " must be an array of strings")
	case len(values) == 0:
		return nil, invalid("body/" + name + " must NOT have fewer than 1 items")
	case len(values) > mostNames:
		return nil, invalid("body/" + name + " must NOT have more than 1000 items")
	}
	return values, nil
}

// none refuses what we leave out, instead of leaving it unheard.
func (f fields) none(names ...string) error {
	for _, name := range names {
		if f.has(name) {
			return invalid(name + " is not supported")
		}
	}
	return nil
}

// plain refuses an address that asks for an older version: there is none.
func (c *call) plain() error {
	if c.URL.Query().Has("versionId") {
		return invalid("versionId is not supported")
	}
	return nil
}

// cut tells whether a body ended before its time, which is the client's doing.
func cut(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, http.ErrBodyReadAfterClose)
}

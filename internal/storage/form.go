package storage

import (
	"errors"
	"io"
	"mime/multipart"
	"strings"
)

// Bounds of a form beside its file.
const (
	mostForm   = 1 << 20
	mostFields = 10
)

var errNoContent = invalid("No content provided")

// form is a body of multipart/form-data with one file in it. Browsers give the file part no name, which Go's own reading of
// forms leaves out; fields may stand before and behind it.
type form struct {
	parts  *multipart.Reader
	part   *multipart.Part
	fields int
	kind   string // as a field says it
}

func openForm(c *call) (*form, error) {
	parts, err := c.MultipartReader()
	if err != nil {
		return nil, errNoContent
	}
	return &form{parts: parts}, nil
}

// file goes on to the file.
func (f *form) file(a *about) error {
	a.cache = "no-cache"
	for {
		part, err := f.parts.NextPart()
		if errors.Is(err, io.EOF) {
			return errNoContent
		}
		if err != nil {
			return unreadable(err)
		}
		if !isFile(part) {
			if err := f.field(part, a); err != nil {
				return err
			}
			continue
		}
		f.part, a.stated = part, part.Header.Get("Content-Type")
		if f.kind != "" {
			a.stated = f.kind
		}
		if a.stated == "" {
			a.stated = "application/octet-stream"
		}
		return nil
	}
}

// isFile tells by the file name, which may be empty.
func isFile(part *multipart.Part) bool {
	return strings.Contains(strings.ToLower(part.Header.Get("Content-Disposition")), "filename")
}

// rest reads the fields behind the file.
func (f *form) rest(a *about) error {
	for {
		part, err := f.parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return unreadable(err)
		}
		if isFile(part) {
			return invalid("A form has one file")
		}
		if err := f.field(part, a); err != nil {
			return err
		}
	}
}

// field takes a text field that we know, and passes by others.
func (f *form) field(part *multipart.Part, a *about) error {
	if f.fields++; f.fields > mostFields {
		return invalid("reach fields limit")
	}
	text, err := io.ReadAll(io.LimitReader(part, mostForm+1))
	if err != nil {
		return unreadable(err)
	}
	if len(text) > mostForm {
		return errTooLarge
	}
	switch part.FormName() {
	case "cacheControl":
		if seconds := string(text); seconds != "" && len(seconds) <= 10 && strings.Trim(seconds, "0123456789") == "" {
			a.cache = "max-age=" + seconds
		}
	case "contentType":
		if f.kind = string(text); f.part == nil {
			return nil
		}
		return invalid("contentType must stand before the file")
	case "contentEncoding":
		return invalid("contentEncoding is not supported")
	case "metadata":
		return a.say(text)
	}
	return nil
}

// unreadable is a form that breaks off or is none.
func unreadable(err error) error {
	if cut(err) || strings.HasPrefix(err.Error(), "multipart:") || strings.HasPrefix(err.Error(), "mime") || strings.HasPrefix(err.Error(), "malformed") {
		return invalid("The form cannot be read")
	}
	return err
}

package supabase

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// unquoted is what a dump writes without quotes.
var unquoted = regexp.MustCompile(`(?i)^(null|default|true|false|-?[0-9.]+(e[-+]?[0-9]+)?)$`)

// inserted reads the rows of an INSERT, of which there may be any number over any number of lines.
func (d *dump) inserted(wanted bool, names []string, to hear) error {
	for {
		one, err := d.values(names)
		if err != nil {
			return &Unread{Line: one.line, Why: fmt.Errorf("an INSERT that cannot be read: %w", err)}
		}
		if wanted {
			if err := to(one, nil); err != nil {
				return err
			}
		}
		switch c, err := d.skipSpace(); {
		case errors.Is(err, io.ErrUnexpectedEOF), c == ';', c == 'O': // the end, or ON CONFLICT
			return nil
		case err != nil:
			return err
		case c != ',':
			return &Unread{Line: one.line, Why: fmt.Errorf("an INSERT that cannot be read: a row is followed by %q", c)}
		}
	}
}

// values reads one row.
func (d *dump) values(names []string) (row, error) {
	c, err := d.skipSpace()
	if err == nil && c != '(' {
		err = fmt.Errorf("a row begins with %q", c)
	}
	one := row{line: d.line, cells: map[string]string{}}
	for i := 0; err == nil && c != ')'; i++ {
		var value string
		var null bool
		if value, null, err = d.value(); err == nil {
			c, err = d.skipSpace()
		}
		switch {
		case err != nil:
		case c != ',' && c != ')':
			err = fmt.Errorf("a value is followed by %q", c)
		case i >= len(names):
			err = errors.New("more values than columns")
		case !null:
			one.cells[names[i]] = value
		}
	}
	return one, err
}

// read gives the next byte, over the ends of lines.
func (d *dump) read() (byte, error) {
	if d.rest == nil {
		text, err := d.next()
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
		d.rest = text
	}
	if len(d.rest) == 0 {
		d.rest = nil
		return '\n', nil
	}
	c := d.rest[0]
	d.rest = d.rest[1:]
	return c, nil
}

func (d *dump) skipSpace() (c byte, err error) {
	for c = ' '; err == nil && (c == ' ' || c == '\n' || c == '\t'); {
		c, err = d.read()
	}
	return c, err
}

// value reads one value: a text, a number, a truth or null.
func (d *dump) value() (text string, null bool, err error) {
	c, err := d.skipSpace()
	if err != nil {
		return "", false, err
	}
	if c == 'E' && len(d.rest) > 0 && d.rest[0] == '\'' {
		d.rest = d.rest[1:]
		text, err = d.quoted(true)
		return unescape(text), false, err
	}
	if c == '\'' {
		text, err = d.quoted(false)
		return text, false, err
	}
	end := bytes.IndexAny(d.rest, ",)")
	if end < 0 {
		end = len(d.rest)
	}
	plain := strings.TrimSpace(string(c) + string(d.rest[:end]))
	d.rest = d.rest[end:]
	if !unquoted.MatchString(plain) {
		return "", false, errors.New("a text without quotes")
	}
	return plain, strings.EqualFold(plain, "null"), nil
}

// quoted reads a text to its closing quote; two of them are one in the text. escaped says that a backslash takes the next
// character along.
func (d *dump) quoted(escaped bool) (string, error) {
	var out strings.Builder
	for {
		c, err := d.read()
		if err != nil {
			return "", err
		}
		if c == '\'' {
			if len(d.rest) == 0 || d.rest[0] != '\'' {
				return out.String(), nil
			}
			d.rest = d.rest[1:]
		}
		out.WriteByte(c)
		if c == '\\' && escaped {
			if c, err = d.read(); err != nil {
				return "", err
			}
			out.WriteByte(c)
		}
		if out.Len() > mostLine {
			return "", errors.New("the text is too long")
		}
	}
}

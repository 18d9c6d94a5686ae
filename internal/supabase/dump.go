package supabase

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"
)

// row is a line of a table: its columns by name, less those that are null.
type row struct {
	line  int
	cells map[string]string
}

// mostLine bounds one row of a dump.
const mostLine = 16 << 20

// name is an identifier as pg_dump writes it, with quotes or without.
const name = `(?:"[^"]+"|[a-z_][a-z0-9_]*)`

var (
	copies  = regexp.MustCompile(`^COPY (` + name + `\.` + name + `) \(([^)]*)\) FROM stdin;`)
	inserts = regexp.MustCompile(`^INSERT INTO (` + name + `\.` + name + `) \(([^)]*)\)(?: OVERRIDING SYSTEM VALUE)? VALUES\s?`)
	bodies  = regexp.MustCompile(`\$[A-Za-z_]*\$`)
)

// rows reads one table out of a dump in plain SQL, whatever stands around it. An error names its line; after one that
// concerns a row alone the next row follows.
func rows(from io.Reader, table string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		d := &dump{in: bufio.NewReaderSize(from, 1<<16)}
		for {
			text, err := d.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(row{line: d.line}, err)
				return
			}
			more := true
			if found := copies.FindSubmatch(text); found != nil {
				more = d.copied(bare(found[1]) == table, columns(found[2]), yield)
			} else if found := inserts.FindSubmatch(text); found != nil {
				d.rest = bytes.Clone(text[len(found[0]):])
				to := yield
				if bare(found[1]) != table { // it is read all the same: a text in it may look like anything
					to = func(row, error) bool { return true }
				}
				more = d.inserted(columns(found[2]), to) || bare(found[1]) != table
				d.rest = nil
			} else {
				err = d.skipBody(text)
			}
			if err != nil && !errors.Is(err, io.EOF) {
				more = yield(row{line: d.line}, err)
			}
			if !more {
				return
			}
		}
	}
}

func bare(name []byte) string { return strings.ReplaceAll(string(name), `"`, "") }

func columns(list []byte) []string {
	all := strings.Split(bare(list), ",")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// dump is a file under way.
type dump struct {
	in   *bufio.Reader
	line int
	rest []byte // of a line that was read
}

// next is the next line, without its end.
func (d *dump) next() ([]byte, error) {
	d.line++
	var text []byte
	for {
		part, err := d.in.ReadSlice('\n')
		text = append(text, part...)
		if err == nil || errors.Is(err, io.EOF) && len(text) > 0 {
			return bytes.TrimRight(text, "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		if len(text) > mostLine {
			return nil, errors.New("the line is too long for a dump's")
		}
	}
}

// skipBody passes over the body of a function that begins on this line: what stands in it looks like any other line.
func (d *dump) skipBody(text []byte) error {
	marks := bodies.FindAll(text, -1)
	if len(marks)%2 == 0 {
		return nil
	}
	end := marks[len(marks)-1]
	for {
		text, err := d.next()
		if err != nil || bytes.Contains(text, end) {
			return err
		}
	}
}

// copied reads the rows of a COPY to its end.
func (d *dump) copied(wanted bool, names []string, yield func(row, error) bool) bool {
	for {
		text, err := d.next()
		if err != nil {
			return yield(row{line: d.line}, errors.New("the dump ends in the middle of a table"))
		}
		if string(text) == `\.` {
			return true
		}
		if !wanted {
			continue
		}
		fields := strings.Split(string(text), "\t")
		if len(fields) != len(names) {
			err = fmt.Errorf("%d values for %d columns", len(fields), len(names))
		}
		one := row{line: d.line, cells: map[string]string{}}
		for i, field := range fields {
			if err == nil && field != `\N` {
				one.cells[names[i]] = unescape(field)
			}
		}
		if !yield(one, err) {
			return false
		}
	}
}

var escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// unescape reads the text format of COPY, which is also that of E'…'.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out.WriteByte(text[i])
			continue
		}
		i++
		digits := len(text[i:]) - len(strings.TrimLeft(text[i:min(len(text), i+3)], "01234567")+text[min(len(text), i+3):])
		plain, known := escapes[text[i]]
		switch {
		case known:
			out.WriteByte(plain)
		case digits > 0:
			code, _ := strconv.ParseUint(text[i:i+digits], 8, 16)
			out.WriteByte(byte(code))
			i += digits - 1
		default:
			out.WriteByte(text[i])
		}
	}
	return out.String()
}

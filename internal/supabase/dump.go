package supabase

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
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
	begins  = regexp.MustCompile(`(?i)^\s*(COPY|INSERT)\s`)
	bodies  = regexp.MustCompile(`\$[A-Za-z_]*\$`)
)

// Unread says that a dump cannot be understood any further: where the next row begins is not known.
type Unread struct {
	Line int
	Why  error
}

func (u *Unread) Error() string { return fmt.Sprintf("not read beyond line %d: %s", u.Line, u.Why) }
func (u *Unread) Unwrap() error { return u.Why }

// errEnough ends a reading whose listener has left.
var errEnough = errors.New("enough")

// rows reads one table out of a dump in plain SQL, whatever stands around it. After an error that concerns a row alone the
// next row follows; an Unread is the last.
func rows(from io.Reader, table string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		d := &dump{in: bufio.NewReaderSize(from, 1<<16), table: table}
		err := d.all(func(one row, err error) error {
			if !yield(one, err) {
				return errEnough
			}
			return nil
		})
		if err == nil || errors.Is(err, errEnough) {
			return
		}
		unread, told := errors.AsType[*Unread](err)
		if !told {
			unread = &Unread{Line: d.line, Why: err}
		}
		yield(row{line: unread.Line}, unread)
	}
}

// readable tells whether a dump can be read to its end.
func readable(from io.Reader) error {
	for _, err := range rows(from, "") {
		return err // of no table are no rows
	}
	return nil
}

// hear takes a row of the table, or what is wrong with it.
type hear func(one row, err error) error

// all reads every table, though one is wanted: a text in another may look like anything.
func (d *dump) all(to hear) error {
	for {
		text, err := d.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if found := copies.FindSubmatch(text); found != nil {
			err = d.copied(bare(found[1]) == d.table, columns(found[2]), to)
		} else if found := inserts.FindSubmatch(text); found != nil {
			d.rest = bytes.Clone(text[len(found[0]):])
			err = d.inserted(bare(found[1]) == d.table, columns(found[2]), to)
			d.rest = nil
		} else if begins.Match(text) {
			// Its rows would be read as statements, and in them stands what anybody wrote.
			err = errors.New("this way of writing rows is not known; make the dump with pg_dump, with --column-inserts if not by COPY")
		} else {
			err = d.skipBody(text)
		}
		if err != nil {
			return err
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
	in    *bufio.Reader
	table string // that is wanted
	line  int
	rest  []byte // of a line that was read
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
	end, begun := marks[len(marks)-1], d.line
	for {
		text, err := d.next()
		if errors.Is(err, io.EOF) {
			return &Unread{Line: begun, Why: fmt.Errorf("what begins with %s has no end", end)}
		}
		if err != nil || bytes.Contains(text, end) {
			return err
		}
	}
}

// copied reads the rows of a COPY to its end.
func (d *dump) copied(wanted bool, names []string, to hear) error {
	for {
		text, err := d.next()
		if errors.Is(err, io.EOF) {
			return errors.New("the dump ends in the middle of a table")
		}
		if err != nil || string(text) == `\.` {
			return err
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
		if err := to(one, err); err != nil {
			return err
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
	out.Grow(len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out.WriteByte(text[i])
			continue
		}
		i++
		plain, known := escapes[text[i]]
		code, end := 0, i
		for ; end < min(len(text), i+3) && text[end] >= '0' && text[end] <= '7'; end++ {
			code = code<<3 | int(text[end]-'0')
		}
		switch {
		case known:
			out.WriteByte(plain)
		case end > i:
			out.WriteByte(byte(code))
			i = end - 1
		default:
			out.WriteByte(text[i])
		}
	}
	return out.String()
}

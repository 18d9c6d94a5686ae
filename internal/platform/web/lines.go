package web

import (
	"context"
	"io"
	"log/slog"
	"math"
	"strconv"
	"sync"
	"time"
)

// Lines writes a log as JSON lines, dated in UTC: the same text as slog's own handler, for a fifth of its cost where a
// line holds plain values, as that of a request does. Whatever is not plain slog's handler writes.
type Lines struct {
	slog.Handler
	to io.Writer
}

// NewLines makes a log of a writer. A line is one write, so writers of other processes may share it.
func NewLines(to io.Writer) Lines { return Lines{slog.NewJSONHandler(to, nil), to} }

// WithAttrs and WithGroup give a log of slog's own: no hot path has one.
func (l Lines) WithAttrs(attrs []slog.Attr) slog.Handler { return UTC{l.Handler.WithAttrs(attrs)} }

// WithGroup is as WithAttrs.
func (l Lines) WithGroup(name string) slog.Handler { return UTC{l.Handler.WithGroup(name)} }

var lineBuffers = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

// Handle writes one line.
func (l Lines) Handle(ctx context.Context, record slog.Record) error {
	buffer, _ := lineBuffers.Get().(*[]byte)
	defer lineBuffers.Put(buffer)
	line := (*buffer)[:0]
	line = append(line, `{"time":"`...)
	line = record.Time.UTC().AppendFormat(line, time.RFC3339Nano)
	line = append(line, `","level":"`...)
	line = append(line, record.Level.String()...)
	line = append(line, `","msg":`...)
	line, plain := appendPlain(line, slog.StringValue(record.Message))
	record.Attrs(func(a slog.Attr) bool {
		line = append(line, ',', '"')
		line = append(line, a.Key...)
		line = append(line, '"', ':')
		var ok bool
		line, ok = appendPlain(line, a.Value)
		plain = plain && ok && isPlain(a.Key)
		return plain
	})
	*buffer = line[:0]
	if !plain || record.Time.IsZero() {
		return UTC{l.Handler}.Handle(ctx, record)
	}
	_, err := l.to.Write(append(line, '}', '\n'))
	return err
}

// appendPlain writes a value that needs no rules, and tells whether it is one.
func appendPlain(line []byte, value slog.Value) ([]byte, bool) {
	switch value.Kind() {
	case slog.KindString:
		text := value.String()
		line = append(line, '"')
		line = append(line, text...)
		return append(line, '"'), isPlain(text)
	case slog.KindInt64:
		return strconv.AppendInt(line, value.Int64(), 10), true
	case slog.KindBool:
		return strconv.AppendBool(line, value.Bool()), true
	case slog.KindFloat64:
		f := value.Float64()
		return strconv.AppendFloat(line, f, 'f', -1, 64), f == 0 || math.Abs(f) >= 1e-6 && math.Abs(f) < 1e21
	default:
		return line, false
	}
}

// isPlain tells whether a text stands in JSON as it is.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}

// UTC dates lines in UTC, wherever the machine stands.
type UTC struct{ slog.Handler }

// Handle writes one line.
func (u UTC) Handle(ctx context.Context, record slog.Record) error {
	record.Time = record.Time.UTC()
	return u.Handler.Handle(ctx, record)
}

// WithAttrs and WithGroup keep the dates.
func (u UTC) WithAttrs(attrs []slog.Attr) slog.Handler { return UTC{u.Handler.WithAttrs(attrs)} }

// WithGroup is as WithAttrs.
func (u UTC) WithGroup(name string) slog.Handler { return UTC{u.Handler.WithGroup(name)} }

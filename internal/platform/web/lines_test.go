package web_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/web"
)

func TestLinesAreThoseOfSlog(t *testing.T) {
	t.Parallel()
	var ours, theirs bytes.Buffer
	fast, slow := web.NewLines(&ours), web.UTC{Handler: slog.NewJSONHandler(&theirs, nil)}
	at := time.Date(2026, 1, 2, 3, 4, 5, 600, time.FixedZone("", 3600))
	for _, attrs := range [][]slog.Attr{
		nil,
		{slog.String("path", "/rest/v1/courses"), slog.Int("status", 200), slog.Float64("ms", 0.25), slog.Bool("ok", true)},
		{slog.Float64("ms", 0), slog.Float64("ms", 1e-9), slog.Float64("ms", 1e21), slog.Float64("ms", -12.5)},
		{slog.String("path", `/"<script>&\`), slog.String("text", "line\nbreak\x00\x7f"), slog.String("name", "Ärger\u2028")},
		{slog.Any("error", errors.New("broken")), slog.Duration("took", time.Second), slog.Time("at", at.UTC()), slog.Any("list", []int{1})},
		{slog.Group("of", slog.Int("n", 1))},
		{slog.String(`a"key`, "x")},
	} {
		for _, level := range []slog.Level{slog.LevelInfo, slog.LevelError, slog.LevelWarn + 1} {
			record := slog.NewRecord(at, level, "request", 0)
			record.AddAttrs(attrs...)
			if err := errors.Join(fast.Handle(context.Background(), record.Clone()), slow.Handle(context.Background(), record)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, log := range []slog.Handler{fast, slow} {
		slog.New(log).With("part", "mail").WithGroup("g").Info("sent", "n", 2)
	}
	cut := func(text string) string { // the last line is dated by the clock
		before, last, _ := strings.Cut(text, `"msg":"sent"`)
		return before[:strings.LastIndex(before, "\n")] + last
	}
	if cut(ours.String()) != cut(theirs.String()) {
		t.Errorf("ours:\n%s\nslog's:\n%s", ours.String(), theirs.String())
	}
}

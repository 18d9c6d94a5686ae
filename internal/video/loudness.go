package video

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Loudness is how loud a sound is, measured over its whole length.
type Loudness struct {
	Integrated float64 `json:"i"`
	Peak       float64 `json:"tp"`
	Range      float64 `json:"lra"`
	Threshold  float64 `json:"thresh"`
	Offset     float64 `json:"offset"`
}

// level is what all videos are brought to.
const level = "loudnorm=I=-16:TP=-1.5:LRA=11"

// measure listens to the sound. A silent one has no loudness, and no error.
func (t Tools) measure(ctx context.Context, path string, f Facts) (*Loudness, error) {
	if f.Sound < 0 {
		return nil, nil //nolint:nilnil // nothing to hear is nothing to level
	}
	c := t.encoder(f, 0)
	c.args = append(c.args, "-loglevel", "info")
	c.args = append(c.args, input(path)...)
	c.args = append(c.args, "-map", "0:"+strconv.Itoa(f.Sound), "-af", level+":print_format=json", "-f", "null", "-")
	said, err := c.run(ctx)
	if err != nil {
		return nil, damagedBy(ctx, err)
	}
	return heard(said)
}

// heard reads the measurement at the end of what the tool said.
func heard(said string) (*Loudness, error) {
	begin := strings.LastIndex(said, "{")
	if begin < 0 {
		return nil, fmt.Errorf("the loudness was not told")
	}
	text, _, _ := strings.Cut(said[begin:], "}")
	var told struct {
		I      string `json:"input_i"`
		TP     string `json:"input_tp"`
		LRA    string `json:"input_lra"`
		Thresh string `json:"input_thresh"`
		Offset string `json:"target_offset"`
	}
	if err := json.Unmarshal([]byte(text+"}"), &told); err != nil {
		return nil, fmt.Errorf("the loudness was not told: %w", err)
	}
	var l Loudness
	for text, into := range map[*string]*float64{&told.I: &l.Integrated, &told.TP: &l.Peak, &told.LRA: &l.Range, &told.Thresh: &l.Threshold, &told.Offset: &l.Offset} {
		n, err := strconv.ParseFloat(*text, 64)
		if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
			return nil, nil //nolint:nilnil,nilerr // silence is endlessly low
		}
		*into = n
	}
	const inaudible = -70
	if l.Integrated <= inaudible {
		return nil, nil //nolint:nilnil // noise that nobody hears should not become one that they do
	}
	return &l, nil
}

// filter brings a sound to our level; the filter leaves 192 kHz, which no player expects.
func (l *Loudness) filter() string {
	if l == nil {
		return "aresample=48000"
	}
	bound := func(n, least, most float64) float64 { return max(least, min(n, most)) }
	return fmt.Sprintf("%s:measured_I=%.2f:measured_TP=%.2f:measured_LRA=%.2f:measured_thresh=%.2f:offset=%.2f:linear=true,aresample=48000", level,
		bound(l.Integrated, -99, 0), bound(l.Peak, -99, 99), bound(l.Range, 0, 99), bound(l.Threshold, -99, 0), bound(l.Offset, -99, 99))
}

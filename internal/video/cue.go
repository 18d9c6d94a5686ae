package video

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"greenroom/internal/platform/fault"
)

// cue is one piece of text and when it is shown. Its lines are clean: text with the tags that we know, all of them closed.
type cue struct {
	from, to float64
	place    string // settings of WebVTT that we know
	lines    []string
}

// Bounds of a file with captions.
const (
	captionBytes = 1 << 20
	mostCues     = 20_000
	mostLines    = 8
	mostLine     = 1000
)

func badCaptions(why string) error {
	return fault.New(fault.Invalid, "These captions cannot be read: "+why+" WebVTT (.vtt) and SubRip (.srt) work.")
}

// timing is a line that both formats have; SubRip writes its thousandths after a comma, and hours always.
var timing = regexp.MustCompile(`^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})(?:\s+(.*))?$`)

// readCues reads WebVTT or SubRip. What is neither a cue nor part of one (styles, notes, regions) is left out.
func readCues(text []byte) ([]cue, error) {
	if len(text) > captionBytes {
		return nil, badCaptions("the file is larger than 1 MB.")
	}
	plain, ok := decoded(text)
	if !ok {
		return nil, badCaptions("the file is not text in UTF-8.")
	}
	var all []cue
	var now *cue
	for line := range strings.Lines(plain) {
		line = strings.TrimRight(line, "\n")
		if found := timing.FindStringSubmatch(line); found != nil {
			c := cue{from: moment(found[1:5]), to: moment(found[5:9]), place: placed(found[9])}
			if all = append(all, c); len(all) > mostCues {
				return nil, badCaptions("there are too many of them.")
			}
			now = &all[len(all)-1]
			continue
		}
		switch {
		case strings.TrimSpace(line) == "":
			now = nil // whatever comes before the next time belongs to nobody
		case now != nil && len(now.lines) < mostLines:
			if cleaned := clean(cutTo(line, mostLine)); strings.TrimSpace(cleaned) != "" {
				now.lines = append(now.lines, cleaned)
			}
		}
	}
	all = shownOnly(all)
	if len(all) == 0 {
		return nil, badCaptions("there is no text with a time in the file.")
	}
	return all, nil
}

// decoded gives the text as UTF-8 with plain line ends. Editors on Windows write UTF-16 with a mark.
func decoded(text []byte) (string, bool) {
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")):
		text = wide(text[2:], func(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 })
	case bytes.HasPrefix(text, []byte("\xfe\xff")):
		text = wide(text[2:], func(b []byte) uint16 { return uint16(b[1]) | uint16(b[0])<<8 })
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return "", false
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text)), true
}

func wide(text []byte, unit func([]byte) uint16) []byte {
	units := make([]uint16, 0, len(text)/2)
	for ; len(text) >= 2; text = text[2:] {
		units = append(units, unit(text))
	}
	return []byte(string(utf16.Decode(units)))
}

func moment(parts []string) float64 {
	hours, _ := strconv.Atoi("0" + parts[0])
	minutes, _ := strconv.Atoi(parts[1])
	seconds, _ := strconv.Atoi(parts[2])
	thousandths, _ := strconv.Atoi((parts[3] + "00")[:3])
	return float64(hours*3600+minutes*60+seconds) + float64(thousandths)/1000
}

// setting are the places on the picture that we know: a number in percent, or a word.
var setting = regexp.MustCompile(`^(?:line:-?\d{1,3}%?|position:\d{1,3}%|size:\d{1,3}%|align:(?:start|center|end|left|right))$`)

func placed(text string) string {
	var kept []string
	for one := range strings.FieldsSeq(text) {
		if setting.MatchString(one) && len(kept) < 4 {
			kept = append(kept, one)
		}
	}
	return strings.Join(kept, " ")
}

// shownOnly leaves out what is never seen: without text, or ended before it begins.
func shownOnly(all []cue) (kept []cue) {
	for _, c := range all {
		if len(c.lines) > 0 && c.to > c.from {
			kept = append(kept, c)
		}
	}
	return kept
}

func cutTo(line string, most int) string {
	if len(line) <= most {
		return line
	}
	for most > 0 && !utf8.RuneStart(line[most]) {
		most--
	}
	return line[:most]
}

// writeCues writes WebVTT.
func writeCues(all []cue) []byte {
	var b bytes.Buffer
	b.WriteString("WEBVTT\n")
	for _, c := range all {
		fmt.Fprintf(&b, "\n%s --> %s", stamp(c.from), stamp(math.Min(c.to, 999*3600)))
		if c.place != "" {
			b.WriteString(" " + c.place)
		}
		b.WriteString("\n" + strings.Join(c.lines, "\n") + "\n")
	}
	return b.Bytes()
}

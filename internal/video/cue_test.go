package video

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCaptionsAreCleanedAndWrittenAgain(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ name, text, want string }{
		{"SubRip", "1\r\n00:00:01,000 --> 00:00:02,500\r\nHello\r\nthere\r\n\r\n2\r\n01:00:03,5 --> 01:00:04,000\r\n{\\an8}Above\r\n", "00:00:01.000 --> 00:00:02.500\nHello\nthere\n\n01:00:03.500 --> 01:00:04.000\nAbove\n"},
		{"WebVTT with a mark", "\xef\xbb\xbfWEBVTT\n\n01.000", ""},
		{"WebVTT", "WEBVTT - title\n\nSTYLE\n::cue { background: url(http://x/) }\n\nNOTE secret --\n\nintro\n00:01.000 --> 00:02.000 align:start line:90% region:x\n<v Ada>Hi</v>\n", "00:00:01.000 --> 00:00:02.000 align:start line:90%\n<v Ada>Hi</v>\n"},
		{"tags", "00:01.000 --> 00:02.000\n<b>bold <i>both</b> <script>alert(1)</script><font color=red>x</font> <c.loud onclick=1>y</c> a < b & c --> d &amp; &lt;b&gt;", "00:00:01.000 --> 00:00:02.000\n<b>bold <i>both</i></b> alert(1)x <c.loud>y</c> a &lt; b &amp; c --&gt; d &amp; &lt;b&gt;\n"},
		{"an arrow in disguise", "00:01.000 --> 00:02.000\n00:03.000 --&gt; 00:04.000\n", "00:00:01.000 --> 00:00:02.000\n00:03.000 --&gt; 00:04.000\n"},
		{"backwards and empty", "00:02.000 --> 00:01.000\nx\n\n00:03.000 --> 00:04.000\n\n00:05.000 --> 00:06.000\ny\n", "00:00:05.000 --> 00:00:06.000\ny\n"},
		{"UTF-16", "\xff\xfe" + wideText("00:01.000 --> 00:02.000\nÄ\n"), "00:00:01.000 --> 00:00:02.000\nÄ\n"},
		{"neither", "just text", ""},
		{"binary", "00:01.000 --> 00:02.000\n\x00x", ""},
		{"not UTF-8", "00:01.000 --> 00:02.000\n\xe4", ""},
		{"large", "00:01.000 --> 00:02.000\nx" + strings.Repeat(" ", captionBytes), ""},
	} {
		cues, err := readCues([]byte(one.text))
		if one.want == "" {
			if err == nil {
				t.Errorf("%s is taken", one.name)
			}
			continue
		}
		if got := string(writeCues(cues)); err != nil || got != "WEBVTT\n\n"+one.want {
			t.Errorf("%s: %q %v", one.name, got, err)
		}
	}
}

func wideText(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteByte(byte(r))
		b.WriteByte(byte(r >> 8))
	}
	return b.String()
}

// ourTags is all the markup that what we write may have.
var ourTags = regexp.MustCompile(`</?(?:b|i|u|v|c|lang)(?:\.[a-zA-Z0-9_-]+)*(?: [^<>\n]*)?>`)

func FuzzCaptions(f *testing.F) {
	for _, text := range []string{"1\n00:00:01,000 --> 00:00:02,500\nHello <b>x</b>", "WEBVTT\n\n00:01.000 --> 00:02.000 line:1%\n<v A>x &lt; y", "\xff\xfe0\x00"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		cues, err := readCues(text)
		if err != nil {
			return
		}
		written := writeCues(cues)
		if !utf8.Valid(written) {
			t.Fatalf("%q", written)
		}
		for _, c := range cues {
			for _, line := range c.lines {
				rest := ourTags.ReplaceAllString(line, "")
				if strings.ContainsAny(rest, "<>\n\r\x00") || strings.Contains(line, "-->") {
					t.Fatalf("%q", line)
				}
			}
		}
		again, err := readCues(written)
		if err != nil && len(written) <= captionBytes {
			t.Fatalf("what we wrote we cannot read: %v %q", err, written)
		}
		if err == nil && !bytes.Equal(writeCues(again), written) {
			t.Fatalf("%q becomes %q", written, writeCues(again))
		}
	})
}

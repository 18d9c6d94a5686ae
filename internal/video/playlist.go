package video

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// list is a playlist of one size: its segments are ranges of one file.
type list struct {
	// head are the bytes before the first segment.
	head  [2]int64 // length, from
	parts []part
}

type part struct {
	seconds      float64
	length, from int64
}

const mostList = 8 << 20

// readList reads the playlist that ffmpeg wrote. What it does not know is not taken over: what we serve we have written.
func readList(path string) (l list, err error) {
	file, err := os.Open(path)
	if err != nil {
		return l, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostList))
	if err != nil {
		return l, err
	}
	var next part
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch name {
		case "#EXT-X-MAP":
			_, after, _ := strings.Cut(value, `BYTERANGE="`)
			within, _, _ := strings.Cut(after, `"`)
			l.head[0], l.head[1], err = byteRange(within)
		case "#EXTINF":
			next.seconds, err = strconv.ParseFloat(strings.TrimSuffix(value, ","), 64)
		case "#EXT-X-BYTERANGE":
			next.length, next.from, err = byteRange(value)
			l.parts = append(l.parts, next)
		}
		if err != nil {
			return l, fmt.Errorf("a line of the playlist: %w", err)
		}
	}
	if len(l.parts) == 0 || l.head[0] == 0 {
		return l, errors.New("the playlist names nothing")
	}
	return l, nil
}

// byteRange reads length@from.
func byteRange(text string) (length, from int64, err error) {
	before, after, ok := strings.Cut(text, "@")
	if !ok {
		return 0, 0, fmt.Errorf("%q is no range", text)
	}
	if length, err = strconv.ParseInt(before, 10, 64); err == nil {
		from, err = strconv.ParseInt(after, 10, 64)
	}
	return length, from, err
}

// within tells whether a file has all that the list names.
func (l list) within(media string) error {
	info, err := os.Stat(media)
	if err != nil {
		return err
	}
	for _, p := range l.parts {
		if p.from < 0 || p.length <= 0 || p.length > info.Size() || p.from > info.Size()-p.length {
			return fmt.Errorf("the playlist names bytes from %d to %d of %d", p.from, p.from+p.length, info.Size())
		}
	}
	return nil
}

func (l list) seconds() (all float64) {
	for _, p := range l.parts {
		all += p.seconds
	}
	return all
}

// bits are what the heaviest segment and all of them together take in a second.
func (l list) bits() (peak, mean int64) {
	var bytes int64
	var seconds float64
	for _, p := range l.parts {
		bytes, seconds = bytes+p.length, seconds+p.seconds
		// The last one may be a few pictures long, and says nothing of what a player needs.
		if p.seconds >= 1 || len(l.parts) == 1 {
			peak = max(peak, int64(float64(p.length)*8/p.seconds))
		}
	}
	if seconds > 0 {
		mean = int64(float64(bytes) * 8 / seconds)
	}
	return max(peak, mean), mean
}

// write writes the playlist again, for a file of another name.
func (l list) write(name string) []byte {
	var longest float64
	for _, p := range l.parts {
		longest = max(longest, p.seconds)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:%d\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-INDEPENDENT-SEGMENTS\n", int(longest+0.5))
	fmt.Fprintf(&b, "#EXT-X-MAP:URI=\"%s\",BYTERANGE=\"%d@%d\"\n", name, l.head[0], l.head[1])
	for _, p := range l.parts {
		fmt.Fprintf(&b, "#EXTINF:%.6f,\n#EXT-X-BYTERANGE:%d@%d\n%s\n", p.seconds, p.length, p.from, name)
	}
	b.WriteString("#EXT-X-ENDLIST\n")
	return b.Bytes()
}

// master is the playlist of playlists. The lowest size stands first: players begin with it.
func master(all []offer) []byte {
	var b bytes.Buffer
	b.WriteString("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n")
	for _, o := range all {
		fmt.Fprintf(&b, "#EXT-X-STREAM-INF:BANDWIDTH=%d,AVERAGE-BANDWIDTH=%d,RESOLUTION=%dx%d,FRAME-RATE=%.3f,CODECS=\"%s\",CLOSED-CAPTIONS=NONE\n%s\n",
			o.Peak, o.Mean, o.Width, o.Height, o.Rate, o.Codecs, o.name)
	}
	return b.Bytes()
}

// offer is a size under the name of its playlist.
type offer struct {
	Made
	name string
}

// codecs reads from the beginning of a file which H.264 it is. The sound is always ours.
func codecs(path string, sound bool) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	const far = 64 << 10
	text, err := io.ReadAll(io.LimitReader(file, far))
	if err != nil {
		return "", err
	}
	_, after, found := bytes.Cut(text, []byte("avcC"))
	const said = 4 // version, profile, what it keeps to, level
	if !found || len(after) < said {
		return "", errors.New("what was made does not say which H.264 it is")
	}
	name := fmt.Sprintf("avc1.%02x%02x%02x", after[1], after[2], after[3])
	if sound {
		name += ",mp4a.40.2"
	}
	return name, nil
}

package video

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"greenroom/internal/platform/fault"
)

// Facts are what the probe found in an upload.
type Facts struct {
	Seconds float64 `json:"seconds"`
	// Width and Height are as it is shown: turned upright, with square pixels.
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Rate   float64 `json:"rate"`
	Codec  string  `json:"codec"`
	Pixels string  `json:"pixels"`
	Level  int     `json:"level"`
	Bits   int64   `json:"bits"` // a second, of everything
	// Picture and Sound are the streams that count; Sound is -1 where there is none.
	Picture int `json:"picture"`
	Sound   int `json:"sound"`
	// Plain is a picture that is upright, progressive, of a steady rate and with square pixels.
	Plain      bool `json:"plain"`
	Interlaced bool `json:"interlaced"`
	Uneven     bool `json:"uneven"` // its rate varies
	HDR        bool `json:"hdr"`
	// Gap is the longest time between key frames; 0 where nobody looked.
	Gap float64 `json:"gap"`
	// Loud is how loud it is; nil where it is silent, or not known yet.
	Loud *Loudness `json:"loud,omitempty"`
}

// stream and answer are ffprobe's words.
type stream struct {
	Index       int    `json:"index"`
	Kind        string `json:"codec_type"`
	Codec       string `json:"codec_name"`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	Pixels      string `json:"pix_fmt"`
	Level       int    `json:"level"`
	Average     string `json:"avg_frame_rate"`
	Real        string `json:"r_frame_rate"`
	Aspect      string `json:"sample_aspect_ratio"`
	Fields      string `json:"field_order"`
	Transfer    string `json:"color_transfer"`
	Duration    string `json:"duration"`
	Disposition struct {
		Attached int `json:"attached_pic"`
	} `json:"disposition"`
	Side []struct {
		Rotation float64 `json:"rotation"`
	} `json:"side_data_list"`
}

type answer struct {
	Streams []stream `json:"streams"`
	Format  struct {
		Duration string `json:"duration"`
		Bits     string `json:"bit_rate"`
	} `json:"format"`
}

// wanted is all that we ask: what people write into a file is nobody's business here.
const wanted = "stream=index,codec_type,codec_name,width,height,pix_fmt,level,avg_frame_rate,r_frame_rate,sample_aspect_ratio,field_order,color_transfer,duration" +
	":stream_disposition=attached_pic:stream_side_data=rotation:format=duration,bit_rate"

// Bounds of looking into a file.
const (
	probeTime   = 10 * time.Second
	packetTime  = 2 * time.Minute
	answerBytes = 1 << 20
)

// unreadable is the refusal of what is no video, whatever its name says.
func unreadable() *fault.Error {
	return fault.New(fault.Invalid, "This file is not a video that we can read. MP4, MOV, MKV, WebM and AVI work.")
}

// probe looks into a file and refuses what is hostile, broken or too much, in a sentence.
func (t Tools) probe(ctx context.Context, path string) (Facts, error) {
	var text bytes.Buffer
	c := child{program: t.ffprobe, limits: t.limits(probeTime, 0), most: probeTime}
	c.args = append([]string{"-v", "error", "-hide_banner", "-print_format", "json", "-show_entries", wanted}, input(path)...)
	c.line = func(line []byte) {
		if text.Len()+len(line) < answerBytes {
			text.Write(line)
			text.WriteByte('\n')
		}
	}
	said, err := c.run(ctx)
	if ctx.Err() != nil {
		return Facts{}, ctx.Err()
	}
	if err != nil {
		return Facts{}, refusedBy(err, said)
	}
	var a answer
	if err := json.Unmarshal(text.Bytes(), &a); err != nil {
		return Facts{}, unreadable().Because(err)
	}
	facts, err := a.facts()
	if err != nil {
		return facts, err
	}
	if facts.Seconds == 0 || facts.mayCopy() {
		if err := t.walk(ctx, path, &facts); err != nil {
			return facts, err
		}
	}
	return facts, facts.check()
}

// refusedBy words what the probe ended with: the file's doing, unless the tool was not there to be run.
func refusedBy(err error, said string) error {
	const notRun = 127 // by our own helper
	if code, ok := exitCode(err); !ok && !errors.Is(err, errSlow) && !errors.Is(err, errStuck) || code == notRun {
		return err
	}
	return unreadable().Because(fmt.Errorf("%w: %s", err, said))
}

// facts takes from the answer what counts.
func (a answer) facts() (Facts, error) {
	const mostStreams = 16
	if len(a.Streams) > mostStreams {
		return Facts{}, fault.Newf(fault.Invalid, "This video has %d tracks. We take %d at most.", len(a.Streams), mostStreams)
	}
	var picture, sound *stream
	pictures := 0
	for i, s := range a.Streams {
		switch {
		case s.Kind == "video" && s.Disposition.Attached == 0:
			picture, pictures = &a.Streams[i], pictures+1
		case s.Kind == "audio" && sound == nil:
			sound = &a.Streams[i]
		}
	}
	if pictures == 0 {
		return Facts{}, fault.New(fault.Invalid, "There is no picture in this file.")
	}
	if pictures > 1 {
		return Facts{}, fault.Newf(fault.Invalid, "This file has %d pictures at once. We take one.", pictures)
	}
	f := picture.facts()
	f.Seconds = number(picture.Duration)
	if f.Seconds == 0 {
		f.Seconds = number(a.Format.Duration)
	}
	f.Bits = int64(number(a.Format.Bits))
	f.Sound = -1
	if sound != nil {
		f.Sound = sound.Index
	}
	return f, errors.Join(picture.known(), sound.known())
}

func (s *stream) facts() Facts {
	f := Facts{
		Width: s.Width, Height: s.Height, Rate: fraction(s.Average), Codec: s.Codec, Pixels: s.Pixels, Level: s.Level, Picture: s.Index,
		HDR: s.Transfer == "smpte2084" || s.Transfer == "arib-std-b67",
	}
	f.Interlaced = s.Fields != "" && s.Fields != "progressive" && s.Fields != "unknown"
	real := fraction(s.Real)
	f.Uneven = math.Abs(real-f.Rate) > f.Rate/100
	if f.Rate == 0 {
		f.Rate = min(real, usualRate)
	}
	f.Plain = !f.Interlaced && !f.Uneven && !f.HDR
	if aspect := fraction(strings.Replace(s.Aspect, ":", "/", 1)); aspect > 0 && aspect != 1 && !math.IsInf(aspect, 0) {
		f.Width, f.Plain = int(math.Round(float64(f.Width)*aspect)), false
	}
	for _, side := range s.Side {
		if side.Rotation != 0 {
			f.Plain = false
		}
		if quarter := int(math.Round(side.Rotation/90)) % 2; quarter != 0 {
			f.Width, f.Height = f.Height, f.Width
		}
	}
	return f
}

// usualRate is what we take the rate of a video for that does not tell.
const usualRate = 30

// walk goes through all packets of the picture, for what no header tells: how long it is, and how far its key frames are apart.
func (t Tools) walk(ctx context.Context, path string, f *Facts) error {
	var last, key float64
	c := child{program: t.ffprobe, limits: t.limits(packetTime, 0), quiet: probeTime, most: packetTime}
	c.args = append([]string{
		"-v", "error", "-hide_banner", "-select_streams", strconv.Itoa(f.Picture), "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0",
	}, input(path)...)
	c.line = func(text []byte) {
		at, flags, _ := strings.Cut(string(text), ",")
		moment, err := strconv.ParseFloat(at, 64)
		if err != nil {
			return
		}
		last = max(last, moment)
		if strings.HasPrefix(flags, "K") {
			f.Gap, key = max(f.Gap, moment-key), moment
		}
	}
	said, err := c.run(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return refusedBy(err, said)
	}
	f.Gap = max(f.Gap, last-key)
	if f.Seconds == 0 {
		f.Seconds = last
	}
	return nil
}

// number reads a number that may be missing.
func number(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) || n < 0 {
		return 0
	}
	return n
}

// fraction reads 30000/1001.
func fraction(text string) float64 {
	above, below, ok := strings.Cut(text, "/")
	if !ok || number(below) == 0 {
		return 0
	}
	return number(above) / number(below)
}

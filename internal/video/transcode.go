package video

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"greenroom/internal/platform/fault"
)

// Bounds of a run that encodes.
const (
	stillTime  = time.Minute
	leastTime  = 10 * time.Minute
	timesLong  = 15 // how many times its length a video may take
	segment    = 4  // seconds
	keyEvery   = 2  // seconds
	soundBits  = 128_000
	spareBytes = 64 << 20
)

// damaged is the refusal of a file that cannot be read to its end.
func damaged() *fault.Error {
	return fault.New(fault.Invalid, "This video is damaged: it cannot be read to its end. Export it again, or upload it again.")
}

// damagedBy words what an encoder ended with. An exit code of its own is the file's doing; a signal may be the machine's.
func damagedBy(ctx context.Context, err error) error {
	const notRun = 127
	if f, ok := errors.AsType[*failure](err); ok && full(f.said) != nil {
		return err
	}
	if code, exited := exitCode(err); ctx.Err() == nil && exited && code != notRun {
		return damaged().Because(err)
	}
	return err
}

// full tells whether the tool found no room on our disk. It may say so and end well, with half of a film.
func full(said string) error {
	if strings.Contains(said, syscall.ENOSPC.Error()) || strings.Contains(said, "No space left on device") {
		return fmt.Errorf("the scratch folder: %w", syscall.ENOSPC)
	}
	return nil
}

// exitCode is the code that a child ended with by itself.
func exitCode(err error) (int, bool) {
	ended, ok := errors.AsType[*exec.ExitError](err)
	if !ok || ended.ExitCode() < 0 {
		return 0, false
	}
	return ended.ExitCode(), true
}

// encoder is a run of ffmpeg over a video, without its arguments.
func (t Tools) encoder(f Facts, file int64) child {
	most := max(leastTime, time.Duration(timesLong*f.Seconds*float64(time.Second)))
	return child{
		program: t.ffmpeg, args: []string{"-hide_banner", "-nostdin", "-y", "-nostats", "-progress", "pipe:1", "-threads", strconv.Itoa(max(t.threads, 1))},
		limits: t.limits(most, file), quiet: stillTime, most: most,
	}
}

// Made is a size that was made: the file with its ranges, and what a player should know of it.
type Made struct {
	Lines  int     `json:"lines"`
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Rate   float64 `json:"rate"`
	Codecs string  `json:"codecs"`
	Peak   int64   `json:"peak"` // bits of its heaviest segment, a second
	Mean   int64   `json:"mean"`
	// media and list are the files in the scratch folder.
	media string
	list  list
}

// transcode makes sizes of a video, all from one reading, into a folder. Told hears how far it is, from 0 to 1.
func (t Tools) transcode(ctx context.Context, path, into string, f Facts, rungs []rung, told func(float64)) ([]Made, error) {
	const slack = 2 // over what the caps allow
	c := t.encoder(f, spareBytes+int64(slack*f.Seconds*float64(most(rungs)*1000+soundBits)/8))
	c.args = append(c.args, "-loglevel", "warning")
	c.args = append(c.args, input(path)...)
	c.args = append(c.args, f.graph(rungs)...)
	for i, r := range rungs {
		c.args = append(c.args, f.output(i, r, into, t.threads)...)
	}
	c.line = progress(f.Seconds, told)
	said, err := c.run(ctx)
	if err != nil {
		return nil, damagedBy(ctx, err)
	}
	if err := full(said); err != nil {
		return nil, err
	}
	return f.collect(into, rungs)
}

// asItIs makes the largest size of the picture that is there, with the sound levelled.
func (t Tools) asItIs(ctx context.Context, path, into string, f Facts, r rung, told func(float64)) ([]Made, error) {
	c := t.encoder(f, spareBytes+2*int64(f.Seconds*float64(f.Bits+soundBits)/8))
	c.args = append(c.args, "-loglevel", "warning")
	c.args = append(c.args, input(path)...)
	c.args = append(c.args, "-map", "0:"+strconv.Itoa(f.Picture), "-c:v", "copy")
	if f.Sound >= 0 {
		c.args = append(c.args, "-map", "0:"+strconv.Itoa(f.Sound), "-af", f.Loud.filter())
	}
	c.args = append(c.args, f.form(r, into)...)
	c.line = progress(f.Seconds, told)
	said, err := c.run(ctx)
	if err != nil {
		return nil, damagedBy(ctx, err)
	}
	if err := full(said); err != nil {
		return nil, err
	}
	r.Width, r.Height = f.Width, f.Height
	return f.collect(into, []rung{r})
}

func most(rungs []rung) (kilobits int) {
	for _, r := range rungs {
		kilobits = max(kilobits, r.kilobits)
	}
	return kilobits
}

// graph splits what is read once into as many pictures and sounds as there are sizes.
func (f Facts) graph(rungs []rung) []string {
	var g strings.Builder
	fmt.Fprintf(&g, "[0:%d]%ssplit=%d", f.Picture, f.upright(), len(rungs))
	for i := range rungs {
		fmt.Fprintf(&g, "[p%d]", i)
	}
	for i, r := range rungs {
		fmt.Fprintf(&g, ";[p%d]scale=%d:%d,setsar=1,format=yuv420p[v%d]", i, r.Width, r.Height, i)
	}
	if f.Sound >= 0 {
		fmt.Fprintf(&g, ";[0:%d]%s,asplit=%d", f.Sound, f.Loud.filter(), len(rungs))
		for i := range rungs {
			fmt.Fprintf(&g, "[a%d]", i)
		}
	}
	return []string{"-filter_complex_threads", "1", "-filter_complex", g.String()}
}

// upright are the filters that make a plain picture of one that is not.
func (f Facts) upright() string {
	var filters string
	if f.Interlaced {
		filters += "bwdif=mode=send_frame," // and not one for each field: players are told the rate that was filmed
	}
	if f.HDR {
		// Many files tell how bright their colors are and not which ones they are; it is always these.
		filters += "setparams=color_primaries=bt2020:colorspace=bt2020nc,zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable,zscale=t=bt709:m=bt709:r=tv,"
	}
	const fastest = 60
	if f.Uneven || f.Rate > fastest {
		filters += "fps=" + strconv.FormatFloat(f.rate(), 'f', -1, 64) + ","
	}
	return filters
}

// rate is how many pictures a second are shown.
func (f Facts) rate() float64 {
	const fastest = 60
	if f.Uneven || f.Rate > fastest {
		return min(max(math.Round(f.Rate), 1), fastest)
	}
	return f.Rate
}

// output are the arguments of one size.
func (f Facts) output(i int, r rung, into string, threads int) []string {
	args := []string{
		"-map", fmt.Sprintf("[v%d]", i), "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high",
		"-crf", strconv.Itoa(r.quality), "-maxrate", fmt.Sprintf("%dk", r.kilobits), "-bufsize", fmt.Sprintf("%dk", 2*r.kilobits),
		"-sc_threshold", "0", "-force_key_frames", fmt.Sprintf("expr:gte(t,n_forced*%d)", keyEvery), "-threads:v", strconv.Itoa(max(threads, 1)),
	}
	if f.Sound >= 0 {
		args = append(args, "-map", fmt.Sprintf("[a%d]", i))
	}
	return append(args, f.form(r, into)...)
}

// form are the arguments that all sizes share: one file with ranges, and nothing of what a phone writes into its files.
func (f Facts) form(r rung, into string) []string {
	args := []string{"-map_metadata", "-1", "-map_chapters", "-1", "-dn", "-sn"}
	if f.Sound >= 0 {
		args = append(args, "-c:a", "aac", "-b:a", strconv.Itoa(soundBits), "-ac", "2", "-ar", "48000")
	}
	return append(args, "-f", "hls", "-hls_time", strconv.Itoa(segment), "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4",
		"-hls_flags", "independent_segments+single_file", "-hls_segment_filename", r.file(into, ".mp4"), r.file(into, ".m3u8"))
}

func (r rung) file(in, ending string) string {
	return filepath.Join(in, strconv.Itoa(r.Lines)+ending)
}

// collect looks at what was made, and holds its length against what the probe promised: the tool ends a file that was cut off
// without an error.
func (f Facts) collect(in string, rungs []rung) (all []Made, err error) {
	for _, r := range rungs {
		m := Made{Lines: r.Lines, Width: r.Width, Height: r.Height, Rate: f.rate(), media: r.file(in, ".mp4")}
		if m.list, err = readList(r.file(in, ".m3u8")); err != nil {
			return nil, err
		}
		if off := math.Abs(m.list.seconds() - f.Seconds); off > max(1, f.Seconds/100) {
			return nil, damaged().Because(fmt.Errorf("%.1f of %.1f seconds", m.list.seconds(), f.Seconds))
		}
		if err := m.list.within(m.media); err != nil {
			return nil, err
		}
		if m.Codecs, err = codecs(m.media, f.Sound >= 0); err != nil {
			return nil, err
		}
		m.Peak, m.Mean = m.list.bits()
		all = append(all, m)
	}
	return all, nil
}

// progress reads what ffmpeg says of itself.
func progress(seconds float64, told func(float64)) func([]byte) {
	return func(text []byte) {
		name, value, _ := strings.Cut(string(text), "=")
		if name != "out_time_us" || told == nil {
			return
		}
		if at := number(value) / 1e6; at > 0 {
			told(min(1, at/seconds))
		}
	}
}

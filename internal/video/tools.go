package video

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Tools are the programs beside ours that read and write video. The zero Tools are none.
type Tools struct {
	ffmpeg, ffprobe string
	// threads is how many each may use: half of the cores, for the pages need the others.
	threads int
}

// Missing is what a machine without the tools tells its operator.
const Missing = "ffmpeg is not on this machine: uploaded videos play as they are, without other sizes, pictures and level sound. Install it (apt-get install ffmpeg; for containers, deploy/Dockerfile has the target work) and start again; what was uploaded is then prepared."

// FindTools looks for the programs.
func FindTools() Tools {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		return Tools{}
	}
	ffprobe, err := exec.LookPath("ffprobe")
	if err != nil {
		return Tools{}
	}
	var missing error
	for _, path := range []*string{&ffmpeg, &ffprobe} {
		whole, err := filepath.Abs(*path)
		*path, missing = whole, errors.Join(missing, err)
	}
	if missing != nil {
		return Tools{}
	}
	return Tools{ffmpeg: ffmpeg, ffprobe: ffprobe, threads: max(1, runtime.NumCPU()/2)}
}

// There tells whether the programs were found.
func (t Tools) There() bool { return t.ffmpeg != "" }

// Version tries the program within its limits and gives the first line of what it says; shut tells whether it had no network.
func (t Tools) Version(ctx context.Context) (said string, shut bool, err error) {
	c := child{program: t.ffmpeg, args: []string{"-version"}, limits: t.limits(probeTime, 0), most: probeTime}
	c.line = func(text []byte) {
		if said == "" {
			said = string(text)
		}
	}
	_, err = c.run(ctx)
	said, _, _ = strings.Cut(said, " Copyright")
	return said, !noNamespaces.Load(), err
}

const (
	gibibyte = int64(1) << 30
	openMost = 64
	niceness = 10
)

// limits are those of a run that may take so long and write files of so many bytes.
func (t Tools) limits(most time.Duration, file int64) limits {
	threads := int64(max(t.threads, 1))
	return limits{
		Memory: 2*gibibyte + (threads-1)*gibibyte/2, Seconds: int64(most.Seconds()) * (threads + 1), File: file, Open: openMost, Nice: niceness,
	}
}

// locally are the two lists without which a file could make the tools read other files, or hosts.
var locally = []string{"-protocol_whitelist", "file", "-format_whitelist", "mov,matroska,mpegts,avi"}

// mostPixels is what the tools may decode in one picture. A header may claim anything.
const mostPixels = "9500000"

// input are the arguments that name a file to read.
func input(path string) []string {
	return append(append([]string{}, locally...), "-max_pixels", mostPixels, "-i", "file:"+path)
}

package video

import "math"

// rung is one size that a video is offered in.
type rung struct {
	Lines         int
	Width, Height int
	quality       int // x264's CRF
	kilobits      int // a second at most
}

// fullLines is the size that is made last: half of all work, and nobody waits for it.
const fullLines = 1080

// Sizes and what they may cost, measured: see docs/decisions/032.
var ladder = []rung{
	{Lines: 480, quality: 24, kilobits: 1200},
	{Lines: 720, quality: 23, kilobits: 2800},
	{Lines: fullLines, quality: 22, kilobits: 5000},
}

// lines is the shorter side: a phone held upright films 1080 lines as well.
func (f Facts) lines() int { return min(f.Width, f.Height) }

// rungs are the sizes of a video, lowest first, never above its own. A very small one is offered as it is.
func (f Facts) rungs() (all []rung) {
	for _, r := range ladder {
		if r.Lines <= f.lines() {
			all = append(all, f.fit(r))
		}
	}
	if len(all) == 0 {
		small := ladder[0]
		small.Lines = f.lines() &^ 1
		all = append(all, f.fit(small))
	}
	return all
}

// first are the sizes with which it can be played, last those that come after.
func (f Facts) first() []rung { return f.some(func(r rung) bool { return r.Lines < fullLines }) }
func (f Facts) last() []rung  { return f.some(func(r rung) bool { return r.Lines >= fullLines }) }

func (f Facts) some(keep func(rung) bool) (some []rung) {
	for _, r := range f.rungs() {
		if keep(r) {
			some = append(some, r)
		}
	}
	return some
}

// fit gives a rung the proportions of the video.
func (f Facts) fit(r rung) rung {
	scale := float64(r.Lines) / float64(f.lines())
	r.Width, r.Height = even(float64(f.Width)*scale), even(float64(f.Height)*scale)
	return r
}

// even rounds to what a codec with halved colors can have.
func even(n float64) int { return max(2, int(math.Round(n/2))*2) }

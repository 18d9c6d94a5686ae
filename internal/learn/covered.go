package learn

import (
	"bytes"
	"encoding/base64"
	"math/bits"

	"greenroom/internal/platform/fault"
)

// covered has a bit for every five seconds of a video that were played: bit n, the lowest first, is of the seconds from 5n on.
type covered []byte

const (
	stepSeconds = 5
	// mostCovered is the text's longest, mostSteps what it has bits for: eight and a half hours, and no video is longer than six.
	mostCovered = 1024
	mostSteps   = mostCovered / 4 * 3 * 8
	// completeAt is how much of a video makes it watched, in percent of its steps.
	completeAt = 90
)

func readCovered(text string) (covered, error) {
	wrong := fault.Newf(fault.Invalid, "The field covered must be base64 of at most %d characters.", mostCovered)
	if len(text) > mostCovered {
		return nil, wrong
	}
	read, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, wrong
	}
	return covered(read), nil
}

// String is the one form in which covered is stored: without what is empty at its end.
func (c covered) String() string {
	return base64.StdEncoding.EncodeToString(bytes.TrimRight(c, "\x00"))
}

// stepsOf tells how many steps a video of this length has.
func stepsOf(seconds int) int {
	return min((max(0, seconds)+stepSeconds-1)/stepSeconds, mostSteps)
}

// first gives the first steps.
func (c covered) first(steps int) covered {
	kept := bytes.Clone(c[:min(len(c), (steps+7)/8)])
	if last := steps / 8; last < len(kept) {
		kept[last] &= 1<<(steps%8) - 1
	}
	return kept
}

// or gives what is in either, and whether that is more than c.
func (c covered) or(other covered) (both covered, more bool) {
	both = make(covered, max(len(c), len(other)))
	copy(both, c)
	for i, b := range other {
		more = more || b&^both[i] != 0
		both[i] |= b
	}
	return both, more
}

func (c covered) count() (steps int) {
	for _, b := range c {
		steps += bits.OnesCount8(b)
	}
	return steps
}

// watched tells whether enough of so many steps is covered.
func (c covered) watched(steps int) bool {
	return steps > 0 && c.first(steps).count()*100 >= steps*completeAt
}

// within gives as much of other, the first first, as makes at most so many steps together with c. What c has is never too much.
func (c covered) within(other covered, most int) covered {
	room := most - c.count()
	kept := bytes.Clone(other)
	for i := range kept {
		for bit := byte(1); bit != 0; bit <<= 1 {
			if kept[i]&bit == 0 || i < len(c) && c[i]&bit != 0 {
				continue
			}
			if room--; room < 0 {
				kept[i] &^= bit
			}
		}
	}
	return kept
}

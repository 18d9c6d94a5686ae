package learn_test

import (
	"fmt"
	"testing"
)

// While nobody knows how long a video is, whatever is told of it is kept; what was beyond its end goes when that is known.
func TestBitsBeyondTheEndGoWhenTheEndIsKnown(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		lesson := s.lesson(t, course, "video", 0)
		s.enroll(t, ada, course).Want(t, 201, "")
		far := append(upTo(5), 19, 20, 21, 900)
		got := s.save(t, ada, lesson, fmt.Sprintf(`,"covered":%q,"position_seconds":4500`, bitmap(far...)))
		if got.Covered != bitmap(far...) || got.Position != 4500 || got.Completed != nil {
			t.Fatalf("%+v", got)
		}
		s.write(t, "update lessons set seconds = 99 where id = $1", lesson)
		want := append(upTo(5), 19)
		// A report that is older than the last, and has nothing new.
		if got = s.save(t, ada, lesson, `,"at":"2020-01-01T00:00:00Z"`); got.Covered != bitmap(want...) || got.Position != 99 || got.Completed != nil {
			t.Errorf("%+v", got)
		}
		if n := s.count(t, "select count(*) from lesson_progress where covered = $1 and position_seconds = 99", bitmap(want...)); n != 1 {
			t.Error("it was told, and not stored")
		}
	})
}

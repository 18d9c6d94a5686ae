package review_test

import (
	"strings"
	"testing"

	"greenroom/internal/platform/id"
	"greenroom/internal/rest/resttest"
)

func TestSamplesSaySoAndRateNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		for _, want := range []int{4, 0} {
			if n, err := s.reviews.Sample(t.Context(), course); err != nil || n != want {
				t.Errorf("%d %v", n, err)
			}
			s.shows(t, course, 4, 0, -1)
		}
		s.many(t, course, 2, 2, 2, 2)
		s.shows(t, course, 4, 4, -1)
		s.many(t, course, 2)
		s.shows(t, course, 2, 5, 4) // theirs alone
		got := resttest.Call(t, s.data, resttest.Stranger, "GET", "/course_reviews?select=author_name,mine", "").Want(t, 200, "").Body
		if strings.Count(got, `(sample)","mine":false`) != 4 {
			t.Error(got)
		}
		if _, err := s.reviews.Sample(t.Context(), id.New()); err == nil {
			t.Error("a course that is not there has samples")
		}
	})
}

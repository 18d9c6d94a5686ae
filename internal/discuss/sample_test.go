package discuss_test

import (
	"strings"
	"testing"
)

func TestSamplesAreNobodysAndComeOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		if n, err := s.talk.Sample(t.Context(), s.course); n != 0 || err != nil {
			t.Fatalf("%d in a course without their lessons: %v", n, err)
		}
		s.write(t, "update lessons set title = 'The first seven seconds' where id = $1", s.lesson)
		for _, want := range []int{3, 0} {
			if n, err := s.talk.Sample(t.Context(), s.course); n != want || err != nil {
				t.Fatalf("%d rows, not %d: %v", n, want, err)
			}
		}
		got := s.rows(t, s.ada, "lesson_questions")
		if len(got) != 1 || got[0]["answers"] != 2.0 || got[0]["answered"] != true || got[0]["mine"] != false {
			t.Errorf("%v", got)
		}
		for _, one := range append(got, s.rows(t, s.ada, "lesson_answers")...) {
			if !strings.HasSuffix(one["author_name"].(string), " (sample)") {
				t.Errorf("%v does not say what it is", one)
			}
		}
		if q, a := s.tell(t, asked), s.tell(t, answered); q+a != 0 {
			t.Errorf("%d emails about samples", q+a)
		}
	})
}

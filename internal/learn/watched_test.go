package learn_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"greenroom/internal/learn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// Where people stop only descends, and what they leave out shows; who is out of the course is not counted, and who does not teach it
// does not ask.
func TestWherePeopleStopInAVideo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		film, text := s.lesson(t, course, "video", 20), s.lesson(t, course, "text", 0)
		tea, admin := s.person(t, "tea"), s.admin(t)
		s.teach(t, tea, course)
		watch := func(name string, steps ...int) who.Actor {
			t.Helper()
			one := s.person(t, name)
			s.enroll(t, one, course).Want(t, 201, "")
			s.save(t, one, film, fmt.Sprintf(`,"covered":%q`, bitmap(steps...)))
			return one
		}
		all := watch("all", 0, 1, 2, 3)
		watch("half", 0, 1)
		watch("end", 3)
		watch("opened")
		s.revoke(t, watch("out", 0, 1, 2, 3), course)
		type audience struct {
			Watchers int
			More     bool
			Parts    []struct {
				From          int `json:"from_seconds"`
				To            int `json:"to_seconds"`
				Reached, Seen int
			}
		}
		asked := fmt.Sprintf(`{"lesson":%q}`, film)
		for _, as := range []who.Actor{tea, admin} {
			var got audience
			s.call(t, as, "watched", asked).read(t, &got)
			var counted [][4]int
			for _, p := range got.Parts {
				counted = append(counted, [4]int{p.From, p.To, p.Reached, p.Seen})
			}
			want := [][4]int{{0, 5, 3, 2}, {5, 10, 3, 2}, {10, 15, 2, 1}, {15, 20, 2, 2}}
			if got.Watchers != 3 || got.More || !reflect.DeepEqual(counted, want) {
				t.Errorf("%+v", got)
			}
		}
		s.call(t, all, "watched", asked).want(t, 403, "")
		s.call(t, s.person(t, "eve"), "watched", asked).want(t, 403, "")
		s.call(t, tea, "watched", fmt.Sprintf(`{"lesson":%q}`, text)).want(t, 400, "no video")
		s.call(t, tea, "watched", `{"lesson":"x"}`).want(t, 404, "")

		// A long one is cut into twenty parts, which leave nothing out; what was counted stands for a minute.
		s.write(t, "update lessons set seconds = 3601 where id = $1", film)
		var got audience
		s.call(t, tea, "watched", asked).read(t, &got)
		if len(got.Parts) != 4 {
			t.Errorf("counted anew at once: %+v", got)
		}
		s.hands.Advance(2 * time.Minute)
		s.call(t, tea, "watched", asked).read(t, &got)
		end := 0
		for i, p := range got.Parts {
			if p.From != end || p.To <= p.From || i > 0 && p.Reached > got.Parts[i-1].Reached {
				t.Errorf("%+v", got.Parts)
			}
			end = p.To
		}
		if len(got.Parts) != 20 || end != 3601 {
			t.Errorf("%d parts to %d", len(got.Parts), end)
		}
	})
}

// In a strict course nobody has watched more than time allows: at double speed, and a minute more. What came too early is taken when it
// is said again; late and doubled reports, in whatever order, change nothing about it, and nothing is ever taken back.
func TestAStrictCourseBelievesWhatTimeAllows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		film, other := s.lesson(t, course, "video", 1000), s.lesson(t, course, "video", 1000)
		s.write(t, "update course_offers set strict = $1", true)
		s.enroll(t, ada, course).Want(t, 201, "")
		say := func(lesson string, steps ...int) saved {
			t.Helper()
			return s.save(t, ada, lesson, fmt.Sprintf(`,"covered":%q`, bitmap(steps...)))
		}
		// A hundred reports at once are believed no more than one.
		for range 5 {
			if got := say(film, upTo(200)...); got.Covered != bitmap(upTo(24)...) || got.Completed != nil {
				t.Fatalf("%+v", got)
			}
		}
		// A minute without a network: all that was watched meanwhile counts, the later part first.
		s.hands.Advance(60 * time.Second)
		later := []int{}
		for step := 36; step < 48; step++ {
			later = append(later, step)
		}
		if got := say(film, later...); got.Covered != bitmap(append(upTo(24), later...)...) {
			t.Errorf("what came first: %+v", got)
		}
		if got := say(film, upTo(36)...); got.Covered != bitmap(upTo(48)...) {
			t.Errorf("what came late: %+v", got)
		}
		if got := say(film, upTo(3)...); got.Covered != bitmap(upTo(48)...) {
			t.Errorf("it shrank: %+v", got)
		}
		s.hands.Advance(400 * time.Second)
		if got := say(film, upTo(200)...); got.Completed == nil || got.Covered != bitmap(upTo(200)...) {
			t.Errorf("watched at double speed: %+v", got)
		}
		// Elsewhere people are believed.
		s.write(t, "update course_offers set strict = $1", false)
		if got := say(other, upTo(200)...); got.Completed == nil {
			t.Errorf("%+v", got)
		}
	})
}

// What is believed before its time completes no video, however short, and is given once in a course, however many lessons it has.
func TestAStrictCourseIsNotKnownBeforeItsTime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		s.write(t, "update course_offers set strict = $1", true)
		s.enroll(t, ada, course).Want(t, 201, "")
		films := []string{s.lesson(t, course, "video", 5), s.lesson(t, course, "video", 12), s.lesson(t, course, "video", 100), s.lesson(t, course, "video", 125)}
		for range 5 {
			films = append(films, s.lesson(t, course, "video", 3600))
		}
		known := func(want bool) {
			t.Helper()
			err := s.d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				got, err := learn.Known(ctx, tx, ada.UserID, course)
				if got != want {
					t.Errorf("known: %v", got)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		say := func(films []string) (complete int) {
			t.Helper()
			for _, film := range films {
				if got := s.save(t, ada, film, fmt.Sprintf(`,"covered":%q`, bitmap(upTo(720)...))); got.Completed != nil {
					complete++
				}
			}
			return complete
		}
		if n := say(films); n != 0 {
			t.Errorf("%d videos are complete at once", n)
		}
		known(false)
		s.hands.Advance(239 * time.Second) // ten minutes less two, at double speed
		known(false)
		s.hands.Advance(time.Second)
		known(true)
		if n := say(films); n != 4 {
			t.Errorf("%d of the short ones are complete after their time", n)
		}
	})
}

package learn_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// bitmap is what a player would send for these steps.
func bitmap(steps ...int) string {
	var bits []byte
	for _, n := range steps {
		for len(bits) <= n/8 {
			bits = append(bits, 0)
		}
		bits[n/8] |= 1 << (n % 8)
	}
	return base64.StdEncoding.EncodeToString(bits)
}

// steps reads a bitmap.
func steps(t testing.TB, text string) map[int]bool {
	t.Helper()
	bits, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	set := map[int]bool{}
	for i, b := range bits {
		for n := range 8 {
			if b&(1<<n) != 0 {
				set[8*i+n] = true
			}
		}
	}
	return set
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// Two tabs on two instances send what they covered, each report once or more, in any order. A plain set is the oracle: every
// answer has all that its tab was answered for before, and in the end there is exactly what was sent.
func TestCoverageIsWhatWasSentWhateverTheOrder(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		const length = 200
		lesson := s.lesson(t, course, "video", length*5-3)
		s.lesson(t, course, "text", 0)
		s.enroll(t, ada, course).Want(t, 201, "")
		tabs := []*stage{s, s.other(t)}
		tabs = append(tabs, tabs...)
		var mu sync.Mutex
		oracle := map[int]bool{}
		var all sync.WaitGroup
		for i, tab := range tabs {
			random := rand.New(rand.NewPCG(uint64(i), 7))
			all.Go(func() {
				mine := map[int]bool{}
				for range 25 {
					sent := make([]int, 1+random.IntN(12))
					for n := range sent {
						sent[n] = random.IntN(length + 40) // some beyond the end
					}
					body := fmt.Sprintf(`,"covered":%q,"position_seconds":%d,"at":%q`, bitmap(sent...), random.IntN(2000)-100,
						begin.Add(time.Duration(random.IntN(100)-50)*time.Hour).Format(time.RFC3339Nano))
					for _, n := range sent {
						if n < length {
							mine[n] = true
						}
					}
					for range 1 + random.IntN(2) { // a retry is the same again
						got := tab.save(t, ada, lesson, body)
						held := steps(t, got.Covered)
						for n := range mine {
							if !held[n] {
								t.Errorf("step %d was answered for and is gone", n)
							}
						}
						if got.Done > got.Of || got.Of != 2 || got.Position < 0 || got.Position > length*5-3 {
							t.Errorf("%+v", got)
						}
					}
				}
				mu.Lock()
				defer mu.Unlock()
				for n := range mine {
					oracle[n] = true
				}
			})
		}
		all.Wait()
		held := steps(t, s.save(t, ada, lesson, "").Covered)
		if len(held) != len(oracle) {
			t.Errorf("%d steps are held, %d were sent", len(held), len(oracle))
		}
		for n := range oracle {
			if !held[n] {
				t.Errorf("step %d is lost", n)
			}
		}
		if n := s.count(t, "select count(*) from lesson_progress"); n != 1 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestNinetyPercentCompleteAVideo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		lesson := s.lesson(t, course, "video", 99) // twenty steps, the last of four seconds
		other := s.lesson(t, course, "video", 100)
		s.enroll(t, ada, course).Want(t, 201, "")
		beyond := append(upTo(17), 20, 21, 22, 23, 800)
		got := s.save(t, ada, lesson, fmt.Sprintf(`,"covered":%q`, bitmap(beyond...)))
		if got.Completed != nil || got.Covered != bitmap(upTo(17)...) || got.Done != 0 || got.Of != 2 {
			t.Fatalf("85 %%: %+v", got)
		}
		got = s.save(t, ada, lesson, fmt.Sprintf(`,"covered":%q`, bitmap(19)))
		if got.Completed == nil || !got.Completed.Equal(begin) || got.Done != 1 || got.Course != nil {
			t.Fatalf("90 %%: %+v", got)
		}
		s.hands.Advance(time.Minute)
		if got = s.save(t, ada, lesson, fmt.Sprintf(`,"covered":%q`, bitmap(upTo(200)...))); !got.Completed.Equal(begin) || got.Done != 1 {
			t.Errorf("watched again: %+v", got)
		}
		got = s.save(t, ada, other, `,"complete":true`)
		if got.Done != 2 || got.Of != 2 || got.Course == nil || !got.Course.Equal(begin.Add(time.Minute)) {
			t.Errorf("the last lesson: %+v", got)
		}
		// What comes later takes nothing back.
		s.hands.Advance(time.Minute)
		more := s.lesson(t, course, "text", 0)
		got = s.save(t, ada, other, `,"complete":false`)
		if got.Done != 1 || got.Of != 3 || got.Completed != nil || got.Course == nil || !got.Course.Equal(begin.Add(time.Minute)) {
			t.Errorf("undone: %+v", got)
		}
		s.save(t, ada, more, `,"complete":true`)
		if got = s.save(t, ada, other, `,"complete":true`); got.Done != 3 || !got.Course.Equal(begin.Add(time.Minute)) {
			t.Errorf("completed once more: %+v", got)
		}
	})
}

// Who takes completion back has it so, until they watch what they had not.
func TestUndoneStaysUndone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		lesson := s.lesson(t, course, "video", 100)
		s.enroll(t, ada, course).Want(t, 201, "")
		most := fmt.Sprintf(`,"covered":%q`, bitmap(upTo(19)...))
		if got := s.save(t, ada, lesson, most); got.Completed == nil || got.Course == nil {
			t.Fatalf("%+v", got)
		}
		if got := s.save(t, ada, lesson, `,"complete":false`); got.Completed != nil || got.Covered != bitmap(upTo(19)...) {
			t.Fatalf("%+v", got)
		}
		if got := s.save(t, ada, lesson, most+`,"position_seconds":12`); got.Completed != nil {
			t.Errorf("a retry completed it: %+v", got)
		}
		if got := s.save(t, ada, lesson, fmt.Sprintf(`,"covered":%q`, bitmap(19))); got.Completed == nil {
			t.Errorf("watched to the end: %+v", got)
		}
	})
}

func TestAStrictCourseCountsWhatWasWatched(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		film, text := s.lesson(t, course, "video", 100), s.lesson(t, course, "text", 0)
		s.write(t, "update course_offers set strict = $1", true)
		s.enroll(t, ada, course).Want(t, 201, "")
		complete := func(lesson string) told {
			return s.call(t, ada, "save-progress", fmt.Sprintf(`{"lesson":%q,"complete":true}`, lesson))
		}
		complete(film).want(t, 403, "Watch 90 % of this video to complete it.")
		if n := s.count(t, "select count(*) from lesson_progress"); n != 0 {
			t.Errorf("%d rows of what was refused", n)
		}
		complete(text).want(t, 200, `"done":1`)
		s.save(t, ada, film, "")
		s.hands.Advance(time.Minute)
		s.save(t, ada, film, fmt.Sprintf(`,"covered":%q`, bitmap(upTo(18)...)))
		s.save(t, ada, film, `,"complete":false`)
		complete(film).want(t, 200, `"done":2`) // it was watched, after all
	})
}

func TestReportsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		lesson := s.lesson(t, course, "video", 100)
		s.enroll(t, ada, course).Want(t, 201, "")
		for more, part := range map[string]string{
			`,"covered":"%%%"`: "base64",
			`,"covered":"QQ"`:  "base64",
			`,"covered":"` + strings.Repeat("A", 1028) + `"`: "1024",
			`,"covered":7`:            "covered",
			`,"at":"yesterday"`:       "moment",
			`,"at":7`:                 "at",
			`,"position_seconds":"7"`: "position_seconds",
			`,"speed":24`:             "25 to 400",
			`,"speed":401`:            "25 to 400",
			`,"speed":1.5`:            "speed",
			`,"captions":"` + strings.Repeat("a", 36) + `"`:     "language",
			`,"captions":"<b>"`:                                 "language",
			`,"complete":"yes"`:                                 "complete",
			`,"position_seconds":1e999`:                         "position_seconds",
			`,"covered":"` + strings.Repeat("/", 1024) + `",`:   "JSON",
			`,"covered":"` + strings.Repeat("=", 1024) + `"`:    "base64",
			`,"covered":"` + strings.Repeat("\\n", 1026) + `"`:  "1024",
			`,"covered":"\u0000"`:                               "JSON",
			`,"position_seconds":null,"covered":"AA==","at":{}`: "at",
		} {
			s.call(t, ada, "save-progress", fmt.Sprintf(`{"lesson":%q%s}`, lesson, more)).want(t, 400, part)
		}
		if n := s.count(t, "select count(*) from lesson_progress"); n != 0 {
			t.Errorf("%d rows of what was refused", n)
		}
		// The longest that is taken, and the strangest places.
		got := s.save(t, ada, lesson, `,"covered":"`+strings.Repeat("/", 1024)+`","position_seconds":1e300`)
		if got.Position != 100 || got.Covered != bitmap(upTo(20)...) {
			t.Errorf("%+v", got)
		}
		if got = s.save(t, ada, lesson, `,"position_seconds":-4.2`); got.Position != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestTheNewestMomentHasThePosition(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		lesson := s.lesson(t, course, "video", 1000)
		s.enroll(t, ada, course).Want(t, 201, "")
		at := func(position int, moment string) int {
			t.Helper()
			return s.save(t, ada, lesson, fmt.Sprintf(`,"position_seconds":%d.9,"at":%q`, position, moment)).Position
		}
		for _, c := range []struct {
			position int
			moment   string
			want     int
		}{
			{7, "0001-01-01T00:00:00Z", 7}, // the first there is, from a clock that was never set
			{9, "1815-12-10T00:00:00Z", 9},
			{10, "2026-11-16T13:00:00Z", 10},
			{11, "2026-11-16T12:59:59.999999Z", 10},
			{12, "2026-11-16T14:00:00.5+01:00", 12}, // half a second later, told elsewhere
			{13, "9999-12-31T23:59:59Z", 13},        // as if it were now
			{14, "2026-11-16T13:29:59Z", 13},
			{15, "", 15},
			{16, "2200-01-01T00:00:00Z", 16}, // nobody is locked out by a clock that is ahead
			{17, "2026-11-16T13:30:00Z", 17},
		} {
			if got := at(c.position, c.moment); got != c.want {
				t.Errorf("%d at %s: it is %d", c.position, c.moment, got)
			}
		}
	})
}

// The last two lessons are completed at once, on two instances: the course is complete, at one moment.
func TestTheCourseIsCompleteWhoeverCompletesItsLastLesson(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		other := s.other(t)
		for round := range 8 {
			ada, course := s.person(t, fmt.Sprintf("ada%d", round)), s.course(t)
			var lessons []string
			for range 4 {
				lessons = append(lessons, s.lesson(t, course, "text", 0))
			}
			s.enroll(t, ada, course).Want(t, 201, "")
			var all sync.WaitGroup
			for i, lesson := range lessons {
				all.Go(func() { []*stage{s, other}[i%2].save(t, ada, lesson, `,"complete":true`) })
			}
			all.Wait()
			if n := s.count(t, "select count(*) from enrollments where user_id = $1 and completed_at is not null and started_at is not null", ada.UserID); n != 1 {
				t.Error("nobody noticed that it was the last")
			}
		}
	})
}

// What is left when a lesson is taken out of a course may be complete.
func TestACourseThatShrankIsCompletedByTheNextReport(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		one, two := s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0)
		s.enroll(t, ada, course).Want(t, 201, "")
		if got := s.save(t, ada, one, `,"complete":true`); got.Course != nil {
			t.Fatalf("%+v", got)
		}
		s.write(t, "update lessons set state = 'draft' where id = $1", two)
		if got := s.save(t, ada, one, ""); got.Course == nil || got.Done != 1 || got.Of != 1 {
			t.Errorf("%+v", got)
		}
	})
}

func TestOnlyWhoTakesTheCourseSaves(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, eve, bob, admin, course := s.person(t, "ada"), s.person(t, "eve"), s.person(t, "bob"), s.admin(t), s.course(t)
		lesson, draft, gone, later := s.lesson(t, course, "video", 100), s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0)
		s.write(t, "update lessons set preview = $2 where id = $1", lesson, true)
		s.write(t, "update lessons set release_days = 3 where id = $1", later)
		s.enroll(t, ada, course).Want(t, 201, "")
		s.teach(t, bob, course)
		guest := eve
		guest.Guest = true
		report := func(as who.Actor, lesson string) told {
			t.Helper()
			return s.call(t, as, "save-progress", fmt.Sprintf(`{"lesson":%q,"complete":true}`, lesson))
		}
		report(who.Actor{Role: who.Anonymous}, lesson).want(t, 401, "")
		for _, as := range []who.Actor{eve, guest, bob, admin} {
			report(as, lesson).want(t, 403, "This lesson is for enrolled learners")
		}
		report(ada, later).want(t, 403, "This lesson opens at 2026-11-19T13:30:00Z.")
		report(ada, course).want(t, 404, "That lesson does not exist.")
		s.write(t, "update lessons set state = 'draft' where id = $1", draft)
		report(ada, draft).want(t, 404, "That lesson does not exist.")
		report(eve, draft).want(t, 404, "That lesson does not exist.")
		s.write(t, "delete from lessons where id = $1", gone)
		report(ada, gone).want(t, 404, "That lesson does not exist.")
		report(ada, lesson).want(t, 200, `"done":1,"of":2`)
		s.revoke(t, ada, course)
		report(ada, lesson).want(t, 403, "This lesson is for enrolled learners")
	})
}

// Somebody is put out of a course while their report is on its way: it counts or it does not, and the course is not completed.
func TestRevokedMeanwhile(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		for i := range 10 {
			ada, course := s.person(t, fmt.Sprintf("ada%d", i)), s.course(t)
			lesson := s.lesson(t, course, "text", 0)
			s.enroll(t, ada, course).Want(t, 201, "")
			var got told
			var all sync.WaitGroup
			all.Go(func() { got = s.call(t, ada, "save-progress", fmt.Sprintf(`{"lesson":%q,"complete":true}`, lesson)) })
			all.Go(func() { s.revoke(t, ada, course) })
			all.Wait()
			completed := s.count(t, "select count(*) from enrollments where user_id = $1 and completed_at is not null", ada.UserID)
			if (got.status == 200) != (completed == 1) || got.status != 200 && got.status != 403 {
				t.Errorf("%d %s, completed %d", got.status, got.body, completed)
			}
		}
	})
}

func TestHowSomebodyLikesToWatchIsKept(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		lesson := s.lesson(t, course, "video", 100)
		s.enroll(t, ada, course).Want(t, 201, "")
		type likes struct {
			Settings *struct {
				Speed    int
				Captions string
			}
		}
		liked := func() (got likes) {
			s.call(t, ada, "lesson", fmt.Sprintf(`{"lesson":%q}`, lesson)).read(t, &got)
			return got
		}
		if got := liked(); got.Settings != nil {
			t.Errorf("%+v", got)
		}
		s.save(t, ada, lesson, `,"speed":125`)
		s.save(t, ada, lesson, `,"captions":"pt-BR"`)
		s.save(t, ada, lesson, "")
		if got := liked(); got.Settings == nil || got.Settings.Speed != 125 || got.Settings.Captions != "pt-BR" {
			t.Errorf("%+v", got)
		}
		s.save(t, ada, lesson, `,"captions":""`)
		if got := liked(); got.Settings.Speed != 125 || got.Settings.Captions != "" {
			t.Errorf("%+v", got)
		}
	})
}

// A report that says nothing new writes nothing.
func TestNothingNewIsNotWritten(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		lesson := s.lesson(t, course, "video", 100)
		s.enroll(t, ada, course).Want(t, 201, "")
		body := fmt.Sprintf(`,"covered":%q,"position_seconds":9,"at":"2026-11-16T13:00:00Z"`, bitmap(1))
		s.save(t, ada, lesson, body)
		s.hands.Advance(time.Hour)
		s.save(t, ada, lesson, body)
		var updated db.Time
		err := s.d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return tx.QueryRow(ctx, "select updated_at from lesson_progress").Scan(&updated)
		})
		if err != nil || !updated.Equal(begin) {
			t.Error(updated, err)
		}
	})
}

// A course is completed at one moment: what its learner undoes and does again does not move it.
func TestACourseIsCompletedOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		lesson := s.lesson(t, course, "text", 0)
		s.enroll(t, ada, course).Want(t, 201, "")
		first := s.save(t, ada, lesson, `,"complete":true`).Course
		s.hands.Advance(time.Hour)
		s.save(t, ada, lesson, `,"complete":false`)
		again := s.save(t, ada, lesson, `,"complete":true`).Course
		if first == nil || again == nil || !first.Equal(*again) {
			t.Errorf("completed at %v, then at %v", first, again)
		}
		if n := s.count(t, "select count(*) from enrollments where completed_at = $1", db1(begin)); n != 1 {
			t.Error("it is stored as completed later")
		}
	})
}

// What was completed and then taken back counts neither as done nor for the course.
func TestWhatWasTakenBackCompletesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		gone, left := s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0)
		s.enroll(t, ada, course).Want(t, 201, "")
		s.save(t, ada, gone, `,"complete":true`)
		s.write(t, "update lessons set state = 'draft' where id = $1", gone)
		if got := s.save(t, ada, left, `,"position_seconds":1`); got.Done != 0 || got.Of != 1 || got.Course != nil {
			t.Errorf("%+v", got)
		}
		if n := s.count(t, "select count(*) from enrollments where completed_at is not null"); n != 0 {
			t.Error("a course is complete of which nothing is done")
		}
	})
}

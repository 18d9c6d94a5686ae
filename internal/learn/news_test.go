package learn_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
)

func (s *stage) tell(t *testing.T) {
	t.Helper()
	if err := s.learn.TellOpened(t.Context()); err != nil {
		t.Fatal(err)
	}
}

const newsWritten = "select count(*) from outbox where kind = 'lessons-opened'"

// drip makes a lesson open so many days after enrolling.
func (s *stage) drip(t *testing.T, course string, days int) string {
	t.Helper()
	lesson := s.lesson(t, course, "text", 0)
	s.write(t, "update lessons set release_days = $2 where id = $1", lesson, days)
	return lesson
}

func TestWhatOpensIsToldOnceADay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		s.lesson(t, course, "text", 0)
		s.drip(t, course, 1)
		s.drip(t, course, 1)
		second := s.drip(t, course, 2)
		dated := s.lesson(t, course, "text", 0)
		s.write(t, "update lessons set release_at = $2 where id = $1", dated, db.At(begin.Add(36*time.Hour)))
		s.tell(t) // the beginning
		ada := s.person(t, "ada")
		s.enroll(t, ada, course)
		want := func(letters int) {
			t.Helper()
			for range 2 {
				s.tell(t)
			}
			if got := s.count(t, newsWritten); got != letters {
				t.Fatalf("%d emails by %s, not %d", got, s.hands.Now(), letters)
			}
		}
		want(0)
		s.hands.Advance(25 * time.Hour)
		want(1)
		s.hands.Advance(12 * time.Hour) // the dated one opened, and it is the same day
		want(1)
		s.hands.Advance(12*time.Hour + time.Minute)
		want(2)
		s.hands.Advance(48 * time.Hour)
		want(2)
		got := s.letters.To(t, "ada@example.com", 2)
		if got[0].Subject != "2 new lessons are open" || got[1].Subject != "2 new lessons are open" {
			t.Errorf("%s, %s", got[0].Subject, got[1].Subject)
		}
		for _, lesson := range []string{second, dated} {
			var title string
			_ = s.d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				return tx.QueryRow(ctx, "select title from lessons where id = $1", lesson).Scan(&title)
			})
			if strings.Contains(got[0].Text, title) || !strings.Contains(got[1].Text, title) {
				t.Errorf("%s: %s\n%s", title, got[0].Text, got[1].Text)
			}
		}
		leave := "https://greenroom.example/unsubscribe/" + ada.UserID
		head := got[0].Header
		if !strings.Contains(got[0].Text, leave) || head.Get("List-Unsubscribe") != "<"+leave+">" || head.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
			t.Errorf("%v\n%s", head, got[0].Text)
		}
	})
}

// Who left the list, was put out of the course, has everything open, or has done the lesson hears nothing.
func TestWhoHasNothingToHearGetsNoEmail(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		lesson := s.drip(t, course, 1)
		late := s.lesson(t, course, "text", 0)
		s.write(t, "update lessons set release_at = $2 where id = $1", late, db.At(begin.Add(-time.Hour)))
		s.tell(t)
		left, out, all, done, hears := s.person(t, "left"), s.person(t, "out"), s.person(t, "all"), s.person(t, "done"), s.person(t, "hears")
		s.enroll(t, left, course)
		s.enroll(t, out, course)
		s.enroll(t, all, course)
		s.enroll(t, done, course)
		s.enroll(t, hears, course)
		s.write(t, "insert into lists_left (user_id, list, created_at) values ($1, 'lessons', $2)", left.UserID, s.now())
		s.write(t, "update enrollments set opened_all = $2 where user_id = $1", all.UserID, true)
		s.revoke(t, out, course)
		s.hands.Advance(25 * time.Hour)
		s.save(t, done, lesson, `,"complete":true`)
		s.tell(t)
		if got := s.letters.To(t, "hears@example.com", 1); got[0].Subject != "Now open: Lesson 1" || s.count(t, newsWritten) != 1 {
			t.Errorf("%s, %d emails", got[0].Subject, s.count(t, newsWritten))
		}
	})
}

// Many look at once, over two instances, and some of them end before they are done: each learner gets one email.
func TestEachIsToldOnceWhoeverLooks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		other := s.other(t)
		course := s.course(t)
		s.drip(t, course, 1)
		s.tell(t)
		const learners = 40
		for i := range learners {
			s.enroll(t, s.person(t, fmt.Sprintf("p%d", i)), course)
		}
		s.hands.Advance(25 * time.Hour)
		enqueue, n := s.learn.Enqueue, 0
		s.learn.Enqueue = func(ctx context.Context, tx *db.Tx, l mail.Letter) error {
			if n++; n == 7 {
				return errors.New("the power went")
			}
			return enqueue(ctx, tx, l)
		}
		if err := s.learn.TellOpened(t.Context()); err == nil || s.count(t, newsWritten) != 6 {
			t.Fatalf("%v, %d emails", err, s.count(t, newsWritten))
		}
		s.learn.Enqueue = enqueue
		var all sync.WaitGroup
		for i := range 6 {
			by := []*stage{s, other}[i%2]
			all.Go(func() {
				if err := by.learn.TellOpened(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if got := s.count(t, newsWritten); got != learners {
			t.Errorf("%d emails to %d learners", got, learners)
		}
		if got := s.count(t, "select count(distinct recipient) from outbox where kind = 'lessons-opened'"); got != learners {
			t.Errorf("%d learners were told", got)
		}
	})
}

package discuss_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"greenroom/internal/key"
	"greenroom/internal/mail"
	"greenroom/internal/mail/mailtest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

const (
	asked    = "questions-asked"
	answered = "question-answered"
)

func TestTeachersAreToldOfAQuestionOnceAndAtMostHourly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.ask(t, s.ada, "First?")
		if n := s.tell(t, asked); n != 1 {
			t.Fatalf("%d emails", n)
		}
		s.ask(t, s.ada, "Second?")
		s.ask(t, s.bob, "Third?")
		s.ask(t, s.tea, "A teacher's own?")
		if n := s.tell(t, asked); n != 1 {
			t.Errorf("%d emails within the hour", n)
		}
		s.anHour(t)
		if n := s.tell(t, asked); n != 2 {
			t.Errorf("%d emails after an hour", n)
		}
		s.anHour(t)
		if n := s.tell(t, asked); n != 2 {
			t.Errorf("%d emails with nothing new", n)
		}
		all := s.post.To(t, s.tea.Email, 2)
		if all[0].Subject != "1 new question: The Self-Tape Lab" || all[1].Subject != "2 new questions: The Self-Tape Lab" ||
			!strings.Contains(all[0].Text, site+"/teach/"+s.course+"?tab=questions") {
			t.Errorf("%q, %q, %s", all[0].Subject, all[1].Subject, all[0].Text)
		}
		for _, words := range []string{"Ada", "First?", "Second?"} {
			if strings.Contains(all[0].Text+all[1].Text, words) {
				t.Errorf("the email has %s in it", words)
			}
		}
	})
}

func TestWhereNobodyTeachesTheHouseIsTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.write(t, "delete from course_teachers")
		s.ask(t, s.ada, "Anybody?")
		s.tell(t, asked)
		s.post.To(t, "inbox@greenroom.example", 1)
	})
}

func TestAskersAreToldOfAnswersOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.write(t, "update users set email_proven_at = $1", s.now())
		question := s.ask(t, s.ada, "Which lens?")
		s.answer(t, s.ada, question, "I mean for faces.")
		if n := s.tell(t, answered); n != 0 {
			t.Fatalf("%d emails about one's own", n)
		}
		s.answer(t, s.bob, question, "Long.")
		s.tell(t, answered)
		s.answer(t, s.tea, question, "The 85.")
		hidden := s.answer(t, s.bob, question, "Buy mine.")
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"answer","id":%q,"reason":"An ad."}`, hidden), 200, "")
		if n := s.tell(t, answered); n != 1 {
			t.Errorf("%d emails within the hour", n)
		}
		s.anHour(t)
		if n := s.tell(t, answered); n != 2 {
			t.Errorf("%d emails", n)
		}
		all := s.post.To(t, s.ada.Email, 2)
		if !strings.Contains(all[1].Text, "1 new answer, from your teacher") || strings.Contains(all[0].Text, "from your teacher") ||
			!strings.Contains(all[0].Text, site+"/learn/"+s.course+"/"+s.lesson+"?question="+question) || strings.Contains(all[0].Text+all[1].Text, "Bob") {
			t.Errorf("%s\n%s", all[0].Text, all[1].Text)
		}
		s.write(t, "update enrollments set revoked_at = $2 where user_id = $1", s.ada.UserID, s.now())
		s.answer(t, s.bob, question, "Still there?")
		s.anHour(t)
		if n := s.tell(t, answered); n != 2 {
			t.Error("who was put out of the course is called back to it")
		}
	})
}

func TestAskersGetTenEmailsADay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.write(t, "update users set email_proven_at = $1", s.now())
		for i := range 14 {
			s.answer(t, s.bob, s.ask(t, s.ada, fmt.Sprint(i)), "So.")
		}
		if n := s.tell(t, answered); n != 10 {
			t.Errorf("%d emails, not 10", n)
		}
		if n := s.count(t, "select count(*) from lesson_answers where told_at is null"); n != 0 {
			t.Errorf("%d answers wait to be told of", n)
		}
		s.hands.Advance(24 * time.Hour)
		s.answer(t, s.bob, s.ask(t, s.ada, "Another day"), "So.")
		if n := s.tell(t, answered); n != 11 {
			t.Errorf("%d emails, not 11", n)
		}
	})
}

func TestTwoInstancesTellOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		question, other := s.ask(t, s.ada, "Which lens?"), s.other(t)
		s.answer(t, s.bob, question, "Long.")
		var all sync.WaitGroup
		for i := range 8 {
			at := []*stage{s, other}[i%2]
			all.Go(func() {
				if err := at.talk.Tell(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if q, a := s.tell(t, asked), s.tell(t, answered); q != 1 || a != 1 {
			t.Errorf("%d and %d emails", q, a)
		}
	})
}

// The process that is killed gets these.
const killedPath, killedURL, killedAt = "KILLED_PATH", "KILLED_URL", "KILLED_AT"

// TestAKillWhileTheyAreToldDoublesAndLosesNothing tells in a process that kills itself before its first trip to the database, then in
// one that does before its second, and so on, until one lives to its end.
func TestAKillWhileTheyAreToldDoublesAndLosesNothing(t *testing.T) {
	t.Parallel()
	if at := os.Getenv(killedAt); at != "" {
		tellAndDie(t, at)
		return
	}
	each(t, func(t *testing.T, s *stage) {
		question := s.ask(t, s.ada, "Which lens?")
		s.answer(t, s.bob, question, "Long.")
		killed := 0
		for ; killed < 100; killed++ {
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+strings.Split(t.Name(), "/")[0]+"$")
			child.Env = append(os.Environ(), killedPath+"="+s.at.Path, killedURL+"="+s.at.URL, killedAt+"="+strconv.Itoa(killed+1))
			var out bytes.Buffer
			child.Stdout, child.Stderr = &out, &out
			err := child.Run()
			if err == nil {
				break // it lived to its end
			}
			if status, ok := child.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
				t.Fatalf("it ended by itself: %v\n%s", err, out.String())
			}
		}
		q, a := s.count(t, "select count(*) from outbox where kind = $1", asked), s.count(t, "select count(*) from outbox where kind = $1", answered)
		if q != 1 || a != 1 || killed < 8 || killed == 100 {
			t.Errorf("killed %d times: %d and %d emails", killed, q, a)
		}
	})
}

func tellAndDie(t *testing.T, at string) {
	t.Helper()
	last, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	var counting atomic.Bool
	var trips atomic.Int64
	s := &stage{hands: clock.NewManual(begin), at: db.Options{Path: os.Getenv(killedPath), URL: os.Getenv(killedURL)}}
	s.at.Asked = func(string) {
		if counting.Load() && trips.Add(1) == last {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // nothing happens after a kill
		}
	}
	s.d = dbtest.Reopen(t, s.at, s.hands)
	s.post = silent(t, s.d)
	s.wire()
	counting.Store(true)
	if err := s.talk.Tell(context.Background()); err != nil {
		t.Fatal(err)
	}
	counting.Store(false)
}

// silent is an outbox from which nothing leaves.
func silent(t *testing.T, d *db.DB) *mailtest.Mailbox {
	t.Helper()
	box, err := key.OpenBox(filepath.Join(t.TempDir(), "secret"))
	if err != nil {
		t.Fatal(err)
	}
	outbox, err := mail.New(mail.Options{DB: d, Box: box, From: "hello@greenroom.example", SiteURL: site})
	if err != nil {
		t.Fatal(err)
	}
	return &mailtest.Mailbox{Outbox: outbox}
}

package demo_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	content "greenroom/demo"
	"greenroom/internal/app/apptest"
	"greenroom/internal/demo"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// noWork leaves films as they are: how they are prepared is tested where they are.
var noWork = map[string]string{"GREENROOM_VIDEO_WORK": "off"}

var course = id.Named("course the-self-tape-lab")

// state is all that a run could change, in a word.
func state(t *testing.T, d *db.DB) (found string) {
	t.Helper()
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		var parts []string
		for _, query := range []string{
			"select count(*) from course_sections", "select count(*) from lessons where state = 'published'", "select coalesce(sum(version), 0) from lessons",
			"select coalesce(sum(draft_version), 0) from lesson_contents", "select count(*) from videos", "select count(*) from storage_objects",
			"select count(*) from lesson_files", "select count(*) from video_captions", "select count(*) from course_offers where trailer_id is not null",
			"select count(*) from lessons where preview", "select count(*) from lessons where release_days > 0", "select count(*) from audit_entries",
		} {
			var n string
			if err := tx.QueryRow(ctx, "select cast(("+query+") as text)").Scan(&n); err != nil {
				return err
			}
			parts = append(parts, n)
		}
		found = strings.Join(parts, " ")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func install(t *testing.T, s *apptest.Server) demo.Done {
	t.Helper()
	done, err := demo.Install(t.Context(), content.Files, s.Inside())
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func read(t *testing.T, answer apptest.Answer, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(answer.Body), into); err != nil || answer.Status != http.StatusOK {
		t.Fatalf("%d %v %.300s", answer.Status, err, answer.Body)
	}
}

// opened is what the function lesson tells of one.
type opened struct {
	Access string
	Body   string
	Video  *struct {
		File     string
		Captions []struct{ Label, URL string }
	}
	Files []struct{ Name, URL string }
}

func TestAStrangerSeesTheOutlineAndThePreview(t *testing.T) {
	t.Parallel()
	apptest.Each(t, noWork, func(t *testing.T, s *apptest.Server) {
		done := install(t, s)
		if done.Course != course || done.Title != "The Self-Tape Lab" || done.Lessons != 9 || done.Changes == 0 {
			t.Error(done)
		}
		var lessons []struct {
			ID, Title, Kind string
			Preview         bool
			ReleaseDays     *int `json:"release_days"`
		}
		read(t, s.Do(t, "GET", "/rest/v1/lessons?order=position&course_id=eq."+course, "", ""), &lessons)
		if len(lessons) != 9 || lessons[0].ID != done.First || !lessons[0].Preview || lessons[0].Kind != "video" || lessons[1].Preview || lessons[8].ReleaseDays != nil {
			t.Fatalf("%+v", lessons)
		}
		var sections []struct{ Title string }
		read(t, s.Do(t, "GET", "/rest/v1/course_sections?order=position&course_id=eq."+course, "", ""), &sections)
		if len(sections) != 3 || sections[0].Title != "The corner" {
			t.Error(sections)
		}
		var free, other opened
		read(t, s.Do(t, "POST", "/functions/v1/lesson", "", `{"lesson":"`+lessons[0].ID+`"}`), &free)
		if free.Access != "open" || !strings.Contains(free.Body, "## What happens at the other end") || free.Video == nil || len(free.Video.Captions) != 1 {
			t.Fatalf("%.300v", free)
		}
		film := s.Do(t, "GET", free.Video.File, "", "", "Range", "bytes=0-99")
		if film.Status != http.StatusPartialContent || !strings.Contains(film.Body, "ftyp") {
			t.Error(film.Status)
		}
		if said := s.Do(t, "GET", free.Video.Captions[0].URL, "", ""); said.Status != http.StatusOK || !strings.Contains(said.Body, "It is nine in the evening.") {
			t.Error(said)
		}
		read(t, s.Do(t, "POST", "/functions/v1/lesson", "", `{"lesson":"`+lessons[1].ID+`"}`), &other)
		if other.Access != "enroll" || other.Body != "" || other.Video != nil {
			t.Errorf("%.300v", other)
		}
	})
}

func TestWhoEnrollsGetsTheWorksheetAndCanGetToTheEnd(t *testing.T) {
	t.Parallel()
	apptest.Each(t, noWork, func(t *testing.T, s *apptest.Server) {
		install(t, s)
		person, token := s.Person(t, "ada@example.com")
		if joined := s.Do(t, "POST", "/rest/v1/enrollments", token, `{"user_id":"`+person.ID+`","course_id":"`+course+`"}`); joined.Status != http.StatusCreated {
			t.Fatal(joined)
		}
		var lessons []struct{ ID string }
		read(t, s.Do(t, "GET", "/rest/v1/lessons?order=position&course_id=eq."+course, "", ""), &lessons)
		var third, last opened
		read(t, s.Do(t, "POST", "/functions/v1/lesson", token, `{"lesson":"`+lessons[2].ID+`"}`), &third)
		if len(third.Files) != 1 || third.Files[0].Name != "Self-tape worksheet.txt" {
			t.Fatalf("%.300v", third)
		}
		if sheet := s.Do(t, "GET", third.Files[0].URL, "", ""); sheet.Status != http.StatusOK || !strings.Contains(sheet.Body, "NIGHT DESK") {
			t.Error(sheet.Status)
		}
		read(t, s.Do(t, "POST", "/functions/v1/lesson", token, `{"lesson":"`+lessons[8].ID+`"}`), &last)
		if last.Access != "open" || last.Body == "" {
			t.Errorf("%.300v", last)
		}
	})
}

func TestTheSampleAsksFiveQuestions(t *testing.T) {
	t.Parallel()
	apptest.Each(t, noWork, func(t *testing.T, s *apptest.Server) {
		install(t, s)
		person, token := s.Person(t, "ada@example.com")
		if joined := s.Do(t, "POST", "/rest/v1/enrollments", token, `{"user_id":"`+person.ID+`","course_id":"`+course+`"}`); joined.Status != http.StatusCreated {
			t.Fatal(joined)
		}
		var lessons []struct{ ID string }
		read(t, s.Do(t, "GET", "/rest/v1/lessons?kind=eq.quiz&course_id=eq."+course, "", ""), &lessons)
		var quiz struct{ Questions []struct{ Prompt string } }
		read(t, s.Do(t, "POST", "/functions/v1/quiz", token, `{"lesson":"`+lessons[0].ID+`"}`), &quiz)
		if len(lessons) != 1 || len(quiz.Questions) != 5 || !strings.HasPrefix(quiz.Questions[0].Prompt, "What do the first seven seconds") {
			t.Errorf("%+v %+v", lessons, quiz)
		}
	})
}

func TestASecondRunChangesNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, noWork, func(t *testing.T, s *apptest.Server) {
		install(t, s)
		before := state(t, s.DB())
		if again := install(t, s); again.Changes != 0 || again.Lessons != 9 {
			t.Error(again)
		}
		if after := state(t, s.DB()); after != before {
			t.Errorf("%s, and then %s", before, after)
		}
	})
}

// cut is an API that breaks off after one change. An upload that nothing names is none yet.
type cut struct {
	http.Handler

	changed bool
}

func (c *cut) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && !strings.HasPrefix(r.URL.Path, "/functions/v1/studio-") && !strings.HasPrefix(r.URL.Path, "/storage/") {
		if c.changed {
			http.Error(w, "gone", http.StatusServiceUnavailable)
			return
		}
		c.changed = true
	}
	c.Handler.ServeHTTP(w, r)
}

// TestARunThatWasCutShortIsFinishedByTheNext cuts every run after its first change. In the end it comes to the same as one that
// nothing cut.
func TestARunThatWasCutShortIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	apptest.Each(t, noWork, func(t *testing.T, s *apptest.Server) {
		runs := 1
		for api := s.Inside(); ; runs++ {
			_, err := demo.Install(t.Context(), content.Files, &cut{Handler: api})
			if err == nil {
				break
			}
			if !strings.Contains(err.Error(), "gone") || runs > 100 {
				t.Fatal(runs, err)
			}
		}
		if got, want := strings.Fields(state(t, s.DB())), "3 9 18 17 3 4 1 2 1 1 0"; runs < 30 || strings.Join(got[:11], " ") != want {
			t.Errorf("after %d runs %v, not %s", runs, got, want)
		}
		if again := install(t, s); again.Changes != 0 {
			t.Error(again)
		}
	})
}

func TestACourseWithLessonsOfItsOwnIsLeftAlone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, noWork, func(t *testing.T, s *apptest.Server) {
		_, token := s.Admin(t, "ada@example.com")
		if made := s.Do(t, "POST", "/rest/v1/course_sections", token, `{"course_id":"`+course+`","title":"Mine"}`); made.Status != http.StatusCreated {
			t.Fatal(made)
		}
		before := state(t, s.DB())
		_, err := demo.Install(t.Context(), content.Files, s.Inside())
		if err == nil || !strings.HasPrefix(err.Error(), `The Self-Tape Lab has a curriculum of its own ("Mine"), and nothing was changed.`) {
			t.Error(err)
		}
		if after := state(t, s.DB()); after != before {
			t.Errorf("%s, and then %s", before, after)
		}
	})
}

func TestWithoutItsCourseThereIsNoSample(t *testing.T) {
	t.Parallel()
	apptest.Each(t, noWork, func(t *testing.T, s *apptest.Server) {
		_, token := s.Admin(t, "ada@example.com")
		if gone := s.Do(t, "DELETE", "/rest/v1/courses?id=eq."+course, token, ""); gone.Status != http.StatusNoContent {
			t.Fatal(gone)
		}
		if _, err := demo.Install(t.Context(), content.Files, s.Inside()); err == nil || !strings.Contains(err.Error(), "not in this installation any more") {
			t.Error(err)
		}
	})
}

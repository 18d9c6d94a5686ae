package teach_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/teach"
	"greenroom/internal/video"
)

func TestALessonsVideoComesAndGoes(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.lesson(s.section("One"), "film", "video")
		first := s.upload(s.admin, s.course+"/"+lesson+"/first.mp4", "video/mp4", aFilm)
		next := s.upload(s.admin, s.course+"/"+lesson+"/next.mp4", "video/mp4", aFilm+"!")
		s.call(s.ed, "caption-lesson", ask{"lesson": lesson, "language": "en", "label": "English", "text": "x"}, http.StatusConflict)
		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": first}, http.StatusOK)
		s.call(s.ed, "caption-lesson", ask{"lesson": lesson, "language": "en", "label": "English", "text": "WEBVTT\n\n00:00.000 --> 00:01.000\nHi"}, http.StatusNoContent)
		s.call(s.ed, "cancel-lesson-video", ask{"lesson": lesson}, http.StatusNoContent)
		s.call(s.ed, "cancel-lesson-video", ask{"lesson": lesson}, http.StatusConflict)
		var open struct {
			Video    *struct{ ID, Job, State string }
			Captions []struct{ Language, Text string }
		}
		if err := json.Unmarshal([]byte(s.call(s.ann, "studio-lesson", ask{"lesson": lesson}, http.StatusOK)), &open); err != nil {
			t.Fatal(err)
		}
		if open.Video == nil || open.Video.Job != "cancelled" || open.Video.State != "waiting" || len(open.Captions) != 1 || open.Captions[0].Text != "" {
			t.Errorf("%+v", open)
		}
		if said := s.call(s.ann, "lesson-captions", ask{"lesson": lesson, "language": open.Captions[0].Language}, http.StatusOK); !strings.Contains(said, "WEBVTT") {
			t.Error(said)
		}
		s.call(s.ann, "lesson-captions", ask{"lesson": lesson, "language": "xx"}, http.StatusNotFound)
		for _, token := range []string{s.bo, s.eve} {
			s.call(token, "lesson-captions", ask{"lesson": lesson, "language": "en"}, http.StatusForbidden)
		}
		s.call(s.ed, "retry-lesson-video", ask{"lesson": lesson}, http.StatusNoContent)
		s.call(s.ed, "publish-lesson", ask{"lesson": lesson}, http.StatusOK)

		// What the worker finds is what the lesson and its course show.
		studio := teach.New(teach.Options{Changed: s.Catalog().Changed, Videos: &video.Service{}})
		err := s.DB().Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return studio.Probed(ctx, tx, open.Video.ID, 61.6) })
		if err != nil {
			t.Fatal(err)
		}
		s.wants("select seconds from lessons", "62", "select seconds from course_offers", "62")

		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": nil}, http.StatusConflict)
		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": next}, http.StatusOK)
		s.wants("select name from storage_objects where bucket_id = 'lessons'", next, "select seconds from lessons", "0", "select seconds from course_offers", "0")
		// The same video as a trailer keeps it when the lesson goes.
		s.call(s.ed, "set-trailer", ask{"course": s.course, "path": next}, http.StatusOK)
		s.rest(s.ed, "DELETE", "lessons?id=eq."+lesson, "", http.StatusOK)
		s.wants("select name from storage_objects where bucket_id = 'lessons'", next)
		s.call(s.ed, "set-trailer", ask{"course": s.course, "path": nil}, http.StatusOK)
		s.wants("select count(*) from storage_objects where bucket_id = 'lessons'", "0", "select count(*) from course_offers where trailer_id is null", "1")
	})
}

// Captions are long. They are read before anybody has to wait for whoever sent them.
func TestCaptionsAreReadBeforeTheyAreWritten(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.lesson(s.section("One"), "film", "video")
		path := s.upload(s.admin, s.course+"/"+lesson+"/first.mp4", "video/mp4", aFilm)
		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": path}, http.StatusOK)
		err := s.DB().Write(t.Context(), func(context.Context, *db.Tx) error { // where there is one writer, it is we
			answered := make(chan int, 1)
			body := `{"lesson":"` + lesson + `","language":"en","label":"English","text":"x"}`
			go func() { answered <- s.Do(t, "POST", "/functions/v1/caption-lesson", s.ed, body).Status }()
			select {
			case status := <-answered:
				if status != http.StatusBadRequest {
					t.Error(status)
				}
			case <-time.After(time.Minute): // only so that the run ends
				t.Error("captions that cannot be read wait for the writer")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestFilesComeAndGo(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		section := s.section("One")
		lesson, other := s.lesson(section, "a", "text"), s.lesson(section, "b", "text")
		path := s.upload(s.admin, s.course+"/"+lesson+"/notes.txt", "text/plain", "notes")
		var added, again struct{ ID string }
		_ = json.Unmarshal([]byte(s.call(s.ed, "add-lesson-file", ask{"lesson": lesson, "path": path, "name": " Notes.txt "}, http.StatusOK)), &added)
		_ = json.Unmarshal([]byte(s.call(s.ed, "add-lesson-file", ask{"lesson": other, "path": path, "name": "Notes.txt"}, http.StatusOK)), &again)
		for _, name := range []string{"", " ", "a\nb"} {
			s.call(s.ed, "add-lesson-file", ask{"lesson": lesson, "path": path, "name": name}, http.StatusBadRequest)
		}
		var open struct {
			Files []struct {
				ID, Name, Mimetype string
				Size               int
			}
		}
		_ = json.Unmarshal([]byte(s.call(s.ann, "studio-lesson", ask{"lesson": lesson}, http.StatusOK)), &open)
		if len(open.Files) != 1 || open.Files[0].ID != added.ID || open.Files[0].Name != "Notes.txt" || open.Files[0].Size != 5 || open.Files[0].Mimetype != "text/plain" {
			t.Errorf("%+v", open)
		}
		s.call(s.ed, "remove-lesson-file", ask{"file": added.ID}, http.StatusNoContent)
		s.call(s.ed, "remove-lesson-file", ask{"file": added.ID}, http.StatusNotFound)
		s.wants("select name from storage_objects where bucket_id = 'lessons'", path)
		s.rest(s.ed, "DELETE", "lessons?id=eq."+other, "", http.StatusOK)
		s.wants("select count(*) from storage_objects where bucket_id = 'lessons'", "0")
	})
}

// An upload that two lessons show stays until both are gone.
func TestAFilmOfTwoLessonsStaysForTheOther(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		section := s.section("One")
		one, two := s.lesson(section, "one", "video"), s.lesson(section, "two", "video")
		path := s.upload(s.admin, s.course+"/"+one+"/film.mp4", "video/mp4", aFilm)
		for _, lesson := range []string{one, two} {
			s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": path}, http.StatusOK)
		}
		s.call(s.ed, "set-lesson-video", ask{"lesson": one, "path": nil}, http.StatusOK)
		s.wants("select name from storage_objects where bucket_id = 'lessons'", path, "select count(*) from lesson_contents where video_id is not null", "1")
		s.rest(s.ed, "DELETE", "lessons?id=eq."+two, "", http.StatusOK)
		s.wants("select count(*) from storage_objects where bucket_id = 'lessons'", "0")
	})
}

// What a video shows before it plays is a frame of its own until somebody chooses, stays with the lesson when its video is
// replaced, and goes with the last that shows it.
func TestAPosterIsChosenKeptAndTakenBack(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.lesson(s.section("One"), "film", "video")
		picture := func() string {
			t.Helper()
			answer := s.Do(t, "POST", "/storage/v1/picture/lessons?folder="+s.course+"/"+lesson, s.ed, aPhoto(t), "Content-Type", "image/png")
			var told struct{ Key string }
			if err := json.Unmarshal([]byte(answer.Body), &told); err != nil || answer.Status != http.StatusOK {
				t.Fatal(answer.Status, answer.Body, err)
			}
			return strings.TrimPrefix(told.Key, "lessons/")
		}
		poster := func() string {
			t.Helper()
			var open struct {
				Play struct{ Poster string }
				Own  bool `json:"own_poster"`
			}
			if err := json.Unmarshal([]byte(s.call(s.ann, "studio-lesson", ask{"lesson": lesson}, http.StatusOK)), &open); err != nil {
				t.Fatal(err)
			}
			if open.Own != strings.HasSuffix(open.Play.Poster, "-chosen.jpg") {
				t.Errorf("%+v", open)
			}
			return open.Play.Poster
		}
		first := picture()
		s.call(s.ed, "set-lesson-poster", ask{"lesson": lesson, "path": first}, http.StatusConflict) // there is no video
		film := s.upload(s.ed, s.course+"/"+lesson+"/first.mp4", "video/mp4", aFilm)
		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": film}, http.StatusOK)
		if got := poster(); got != "" {
			t.Error(got)
		}
		for path, status := range map[string]int{
			film: http.StatusBadRequest, s.other + "/x.jpg": http.StatusNotFound, s.course + "/x.jpg": http.StatusNotFound,
		} {
			s.call(s.ed, "set-lesson-poster", ask{"lesson": lesson, "path": path}, status)
		}
		s.call(s.ed, "set-lesson-poster", ask{"lesson": lesson, "path": first}, http.StatusNoContent)
		got := s.Do(t, "GET", poster(), "", "")
		if got.Status != http.StatusOK || got.Header.Get("Content-Type") != "image/jpeg" || !strings.HasPrefix(got.Body, "\xff\xd8") {
			t.Error(got.Status, got.Header)
		}

		// Another picture takes the place of the first, which goes; with another video it stays.
		second := picture()
		s.call(s.ed, "set-lesson-poster", ask{"lesson": lesson, "path": second}, http.StatusNoContent)
		next := s.upload(s.ed, s.course+"/"+lesson+"/next.mp4", "video/mp4", aFilm+"!")
		s.call(s.ed, "set-lesson-video", ask{"lesson": lesson, "path": next}, http.StatusOK)
		s.wants("select count(*) from storage_objects where bucket_id = 'lessons'", "2")
		if poster() == "" {
			t.Error("the poster went with the video")
		}
		s.call(s.ed, "set-lesson-poster", ask{"lesson": lesson, "path": nil}, http.StatusNoContent)
		s.wants("select name from storage_objects where bucket_id = 'lessons'", next)
		if got := poster(); got != "" {
			t.Error(got)
		}
		s.call(s.ed, "set-lesson-poster", ask{"lesson": lesson, "path": picture()}, http.StatusNoContent)
		s.rest(s.ed, "DELETE", "lessons?id=eq."+lesson, "", http.StatusOK)
		s.wants("select count(*) from storage_objects where bucket_id = 'lessons'", "0")
	})
}

func aPhoto(t *testing.T) string {
	t.Helper()
	var photo bytes.Buffer
	if err := png.Encode(&photo, image.NewRGBA(image.Rect(0, 0, 800, 450))); err != nil {
		t.Fatal(err)
	}
	return photo.String()
}

package teach

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strings"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/video"
)

// Bucket is where the files of lessons are stored, each below a folder with the id of its course.
const Bucket = "lessons"

var errNoFile = fault.New(fault.NotFound, "That file does not exist, or is not one of this course.")

// stored finds an upload of a course by its name.
func stored(ctx context.Context, tx *db.Tx, course, path string) (object string, err error) {
	if !strings.HasPrefix(path, course+"/") {
		return "", errNoFile
	}
	err = tx.QueryRow(ctx, "select id from storage_objects where bucket_id = $1 and name = $2", Bucket, path).Scan(&object)
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoFile
	}
	return object, err
}

// setVideo gives a lesson a video of an upload, or takes it away.
func (s *Studio) setVideo(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Lesson string  `json:"lesson"`
		Path   *string `json:"path"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	var video any
	err := s.editing(ctx, r, ask.Lesson, func(ctx context.Context, tx *db.Tx, l lesson) error {
		if l.Kind != "video" {
			return fault.New(fault.Invalid, "This lesson is a text.")
		}
		if ask.Path == nil && l.State == published {
			return fault.New(fault.Conflict, "Unpublish this lesson before you remove its video.")
		}
		next, seconds, err := s.film(ctx, tx, l.Course, ask.Path)
		if err != nil {
			return err
		}
		if video = next; next == "" {
			video = nil
		}
		if next == l.video {
			return nil
		}
		if _, err := tx.Exec(ctx, "update lesson_contents set video_id = $2 where lesson_id = $1", l.ID, video); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "update lessons set seconds = $2 where id = $1", l.ID, seconds); err != nil {
			return err
		}
		if err := s.leave(ctx, tx, l.video, next); err != nil {
			return err
		}
		if l.State == published {
			if err := s.recount(ctx, tx, l.Course); err != nil {
				return err
			}
		}
		return note(ctx, tx, r.Actor, "lesson.change", l.Title+" ("+l.ID+")")
	})
	if err == nil {
		err = s.believe(ctx, video)
	}
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]any{"video": video}), nil
}

// believe takes what a video says of its length until a worker has looked, which may be never where there are no tools. It is read
// outside of any transaction, for its bytes may be far away.
func (s *Studio) believe(ctx context.Context, video any) error {
	key, ok := video.(string)
	if !ok {
		return nil
	}
	seconds, err := s.Videos.Told(ctx, key)
	if fault.Is(err, fault.NotFound) || err == nil && whole(seconds) == 0 {
		return nil // it is gone already, or says nothing
	}
	if err != nil {
		return err
	}
	return s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		status, err := s.Videos.Status(ctx, tx, key)
		if err != nil || status.Seconds > 0 {
			return err
		}
		return s.Probed(ctx, tx, key, seconds)
	})
}

// setTrailer gives a course a video that anybody may watch, or takes it away.
func (s *Studio) setTrailer(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Course string  `json:"course"`
		Path   *string `json:"path"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	var video any
	err := s.onCourse(ctx, r, ask.Course, func(ctx context.Context, tx *db.Tx, course string) error {
		next, _, err := s.film(ctx, tx, course, ask.Path)
		if err != nil {
			return err
		}
		if video = next; next == "" {
			video = nil
		}
		var last sql.NullString
		if err := tx.QueryRow(ctx, "select trailer_id from course_offers where course_id = $1", course).Scan(&last); err != nil || next == last.String {
			return err
		}
		if _, err := tx.Exec(ctx, "update course_offers set trailer_id = $2 where course_id = $1", course, video); err != nil {
			return err
		}
		if err := s.leave(ctx, tx, last.String, next); err != nil {
			return err
		}
		if err := s.Changed(ctx, tx, course); err != nil {
			return err
		}
		return note(ctx, tx, r.Actor, "offer.change", course)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]any{"video": video}), nil
}

// film makes a video of an upload, and tells how long it is, where that is known; without a path there is none.
func (s *Studio) film(ctx context.Context, tx *db.Tx, course string, path *string) (video string, seconds int, err error) {
	if path == nil {
		return "", 0, nil
	}
	object, err := stored(ctx, tx, course, *path)
	if err != nil {
		return "", 0, err
	}
	if video, err = s.Videos.Add(ctx, tx, object); err != nil {
		return "", 0, err
	}
	status, err := s.Videos.Status(ctx, tx, video)
	return video, whole(status.Seconds), err
}

func whole(seconds float64) int { return int(math.Round(seconds)) }

// leave takes away the upload of a video, where nothing else shows it, and with it the poster that somebody chose. The next video
// of the lesson keeps that.
func (s *Studio) leave(ctx context.Context, tx *db.Tx, video, next string) error {
	if video == "" || video == next {
		return nil
	}
	var object string
	var poster sql.NullString
	err := tx.QueryRow(ctx, "select object_id, poster_id from videos where id = $1", video).Scan(&object, &poster)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil && next != "" && poster.Valid {
		err = s.Videos.Choose(ctx, tx, next, poster.String)
	}
	if err == nil {
		err = s.dropUnused(ctx, tx, object)
	}
	if err != nil || !poster.Valid {
		return err
	}
	return s.dropUnused(ctx, tx, poster.String)
}

// Probed writes down how long the lessons of a video are.
func (s *Studio) Probed(ctx context.Context, tx *db.Tx, video string, seconds float64) error {
	var courses []string
	err := db.Each(ctx, tx, "select distinct l.course_id from lessons l join lesson_contents c on c.lesson_id = l.id where c.video_id = $1 order by l.course_id",
		[]any{video}, func(scan func(...any) error) error {
			var course string
			err := scan(&course)
			courses = append(courses, course)
			return err
		})
	for _, course := range courses {
		if err == nil {
			err = hold(ctx, tx, course)
		}
	}
	if err != nil || len(courses) == 0 {
		return err
	}
	shown := map[string]bool{}
	err = db.Each(ctx, tx, `update lessons set seconds = $2 where id in (select lesson_id from lesson_contents where video_id = $1) and seconds <> $2
		returning course_id, state`, []any{video, whole(seconds)}, func(scan func(...any) error) error {
		var course, state string
		err := scan(&course, &state)
		shown[course] = shown[course] || state == published
		return err
	})
	for _, course := range courses {
		if err == nil && shown[course] {
			err = s.recount(ctx, tx, course)
		}
	}
	return err
}

// ofVideo is a function that does something with the video of a lesson.
func (s *Studio) ofVideo(do func(ctx context.Context, tx *db.Tx, video string) error) func(context.Context, fn.Request) (fn.Answer, error) {
	return func(ctx context.Context, r fn.Request) (fn.Answer, error) {
		var ask struct {
			Lesson string `json:"lesson"`
		}
		if err := r.Decode(&ask); err != nil {
			return fn.Answer{}, err
		}
		return fn.Empty(), s.withVideo(ctx, r, ask.Lesson, do)
	}
}

// said gives what is said in a lesson's video, in a language, to those who teach its course. It is not part of the lesson: that is
// looked at every few seconds while a video is prepared.
func (s *Studio) said(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Lesson   string `json:"lesson"`
		Language string `json:"language"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	key, ok := id.Parse(ask.Lesson)
	if !ok {
		return fn.Answer{}, errNoLesson
	}
	var said video.Said
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		l, err := findLesson(ctx, tx, key)
		if err != nil {
			return err
		}
		if err := may(ctx, tx, r.Actor, l.Course, toRead); err != nil {
			return err
		}
		if l.video == "" {
			return errNoVideo
		}
		said, err = video.Captions(ctx, tx, l.video, ask.Language)
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(said), nil
}

// caption keeps what is said in a lesson's video, in a language, or takes it away.
func (s *Studio) caption(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Lesson   string  `json:"lesson"`
		Language string  `json:"language"`
		Label    string  `json:"label"`
		Text     *string `json:"text"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	if ask.Text == nil {
		return fn.Empty(), s.withVideo(ctx, r, ask.Lesson, func(ctx context.Context, tx *db.Tx, video string) error {
			return s.Videos.Uncaption(ctx, tx, video, ask.Language)
		})
	}
	l, err := s.touchable(ctx, r, ask.Lesson)
	if err == nil && l.video == "" {
		err = errNoVideo
	}
	if err != nil {
		return fn.Answer{}, err
	}
	written, err := s.Videos.ReadCaptions(ctx, r.Actor, ask.Language, ask.Label, []byte(*ask.Text)) // nobody waits for it
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.Empty(), s.withVideo(ctx, r, ask.Lesson, func(ctx context.Context, tx *db.Tx, video string) error {
		return s.Videos.Caption(ctx, tx, video, written)
	})
}

var errNoVideo = fault.New(fault.Conflict, "This lesson has no video yet.")

func (s *Studio) withVideo(ctx context.Context, r fn.Request, lessonID string, do func(ctx context.Context, tx *db.Tx, video string) error) error {
	return s.touching(ctx, r, lessonID, func(ctx context.Context, tx *db.Tx, l lesson) error {
		if l.video == "" {
			return errNoVideo
		}
		if err := do(ctx, tx, l.video); err != nil {
			return err
		}
		return note(ctx, tx, r.Actor, "lesson.change", l.Title+" ("+l.ID+")")
	})
}

package teach

import (
	"context"
	"strings"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/video"
)

// taughtCourse is a line of the studio's first page.
type taughtCourse struct {
	Course    string `json:"course_id"`
	Title     string `json:"title"`
	Thumbnail string `json:"thumbnail"`
	MayEdit   bool   `json:"may_edit"`
	Lessons   int    `json:"lessons"`
	Published int    `json:"published"`
	Learners  int    `json:"learners"`
}

// taughtColumns counts learners to one beyond a thousand, for an admin asks this of all courses at once: who shows it says "1,000+".
const taughtColumns = `c.id, c.title, c.thumbnail, %, (select count(*) from lessons l where l.course_id = c.id),
	(select count(*) from lessons l where l.course_id = c.id and l.state = 'published'),
	(select count(*) from (select 1 from enrollments e where e.course_id = c.id and e.revoked_at is null limit 1001) as counted)`

// columnsWith fills in who may change a course.
func columnsWith(edits string) string { return strings.Replace(taughtColumns, "%", edits, 1) }

// teaching lists the courses that somebody teaches; for admins all that have a curriculum.
func (s *Studio) teaching(ctx context.Context, r fn.Request) (fn.Answer, error) {
	courses := []taughtCourse{}
	query := "select " + columnsWith("t.may_edit") + " from course_teachers t join courses c on c.id = t.course_id where t.user_id = $1 order by c.title, c.id limit $2"
	switch {
	case r.Actor.Admin:
		query = "select " + columnsWith("1 = 1") + ` from (select course_id from course_sections union select course_id from course_teachers where user_id = $1) t
			join courses c on c.id = t.course_id order by c.title, c.id limit $2`
	case r.Actor.Guest:
		return fn.JSON(map[string]any{"courses": courses}), nil
	}
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		courses = courses[:0]
		return db.Each(ctx, tx, query, []any{r.Actor.UserID, mostListed}, func(scan func(...any) error) error {
			var c taughtCourse
			err := scan(&c.Course, &c.Title, &c.Thumbnail, &c.MayEdit, &c.Lessons, &c.Published, &c.Learners)
			courses = append(courses, c)
			return err
		})
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]any{"courses": courses}), nil
}

// workpiece is a lesson with all that its makers see of it.
type workpiece struct {
	Lesson       lesson         `json:"lesson"`
	Body         string         `json:"body"`
	DraftBody    string         `json:"draft_body"`
	DraftVersion int            `json:"draft_version"`
	DraftedAt    time.Time      `json:"drafted_at"`
	Video        *video.Status  `json:"video"`
	Play         *video.Play    `json:"play"`
	Captions     []video.Spoken `json:"captions"`
	Files        []file         `json:"files"`
	// OwnPoster tells whether somebody chose the picture of the video.
	OwnPoster bool `json:"own_poster"`
}

// opened gives a lesson to those who teach its course.
func (s *Studio) opened(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Lesson string `json:"lesson"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	key, ok := id.Parse(ask.Lesson)
	if !ok {
		return fn.Answer{}, errNoLesson
	}
	var w workpiece
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		w = workpiece{Captions: []video.Spoken{}}
		if w.Lesson, err = findLesson(ctx, tx, key); err != nil {
			return err
		}
		if err := may(ctx, tx, r.Actor, w.Lesson.Course, toRead); err != nil {
			return err
		}
		return s.read(ctx, tx, &w)
	})
	if err == nil && w.Video != nil {
		var play video.Play
		play, err = s.Videos.Grant(ctx, r.Actor, w.Video.ID)
		if err == nil {
			w.Play = &play
		} else if fault.Is(err, fault.NotFound) {
			err = nil // it went meanwhile
		}
	}
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(w), nil
}

func (s *Studio) read(ctx context.Context, tx *db.Tx, w *workpiece) (err error) {
	var at db.Time
	err = tx.QueryRow(ctx, "select body, draft_body, draft_version, drafted_at from lesson_contents where lesson_id = $1", w.Lesson.ID).
		Scan(&w.Body, &w.DraftBody, &w.DraftVersion, &at)
	if err != nil {
		return err
	}
	w.DraftedAt = at.Time
	if w.Files, err = filesOf(ctx, tx, w.Lesson.ID); err != nil || w.Lesson.video == "" {
		return err
	}
	status, err := s.Videos.Status(ctx, tx, w.Lesson.video)
	if err != nil {
		return err
	}
	w.Video, w.OwnPoster = &status, status.Poster != ""
	w.Captions, err = video.Languages(ctx, tx, w.Lesson.video)
	return err
}

package teach

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

const mostName = 200

// file is what comes with a lesson, under the name that learners see.
type file struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Size int64  `json:"size"`
	Type string `json:"mimetype"`
}

func filesOf(ctx context.Context, tx *db.Tx, lesson string) (all []file, err error) {
	all = []file{}
	err = db.Each(ctx, tx, `select f.id, f.name, o.size, o.mimetype from lesson_files f join storage_objects o on o.id = f.object_id
		where f.lesson_id = $1 order by f.position, f.id`, []any{lesson}, func(scan func(...any) error) error {
		var f file
		err := scan(&f.ID, &f.Name, &f.Size, &f.Type)
		all = append(all, f)
		return err
	})
	return all, err
}

// addFile puts an upload beside a lesson.
func (s *Studio) addFile(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Lesson string `json:"lesson"`
		Path   string `json:"path"`
		Name   string `json:"name"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	ask.Name = strings.TrimSpace(ask.Name)
	if n := utf8.RuneCountInString(ask.Name); n < 1 || n > mostName || strings.ContainsFunc(ask.Name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fn.Answer{}, fault.Newf(fault.Invalid, "The name of a file must have 1 to %d characters.", mostName)
	}
	key := id.InOrder()
	err := s.editing(ctx, r, ask.Lesson, func(ctx context.Context, tx *db.Tx, l lesson) error {
		object, err := stored(ctx, tx, l.Course, ask.Path)
		if err != nil {
			return err
		}
		var there, last int
		err = tx.QueryRow(ctx, "select count(*), coalesce(max(position), 0) from lesson_files where lesson_id = $1", l.ID).Scan(&there, &last)
		if err == nil && there >= mostFiles {
			err = fault.Newf(fault.Invalid, "A lesson has at most %d files.", mostFiles)
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "insert into lesson_files (id, lesson_id, object_id, name, position, created_at) values ($1, $2, $3, $4, $5, $6)",
			key, l.ID, object, ask.Name, last+1, db.At(tx.Now))
		if err != nil {
			return err
		}
		return note(ctx, tx, r.Actor, "lesson.change", l.Title+" ("+l.ID+")")
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]string{"id": key}), nil
}

// removeFile takes a file away from its lesson, and out of the storage where nothing else shows it.
func (s *Studio) removeFile(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		File string `json:"file"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	key, ok := id.Parse(ask.File)
	if !ok {
		return fn.Answer{}, errNoFile
	}
	var in string
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select lesson_id from lesson_files where id = $1", key).Scan(&in)
	})
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoFile
	}
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.Empty(), s.editing(ctx, r, in, func(ctx context.Context, tx *db.Tx, l lesson) error {
		if err := s.dropFiles(ctx, tx, "id = $1", key); err != nil {
			return err
		}
		return note(ctx, tx, r.Actor, "lesson.change", l.Title+" ("+l.ID+")")
	})
}

// dropFiles takes files away, and what only they held out of the storage.
func (s *Studio) dropFiles(ctx context.Context, tx *db.Tx, condition string, args ...any) error {
	var objects []string
	err := db.Each(ctx, tx, "delete from lesson_files where "+condition+" returning object_id", args, func(scan func(...any) error) error {
		var object string
		err := scan(&object)
		objects = append(objects, object)
		return err
	})
	for _, object := range objects {
		if err != nil {
			return err
		}
		err = s.dropUnused(ctx, tx, object)
	}
	return err
}

// dropUnused takes an upload out of the storage, unless it is a file beside a lesson, a lesson's video, a trailer, or the poster of
// a video that is there. Its video follows it.
func (s *Studio) dropUnused(ctx context.Context, tx *db.Tx, object string) error {
	var used bool
	err := tx.QueryRow(ctx, `select exists (select 1 from lesson_files f where f.object_id = $1)
		or exists (select 1 from videos v join lesson_contents c on c.video_id = v.id where v.object_id = $1)
		or exists (select 1 from videos v join course_offers o on o.trailer_id = v.id where v.object_id = $1)
		or exists (select 1 from videos v join storage_objects o on o.id = v.object_id where v.poster_id = $1)`, object).Scan(&used)
	if err != nil || used {
		return err
	}
	return s.Storage.Drop(ctx, tx, object)
}

// emptyLesson takes away what a lesson has in the storage, before it goes.
func (s *Studio) emptyLesson(ctx context.Context, tx *db.Tx, key string) error {
	l, err := findLesson(ctx, tx, key)
	if errors.Is(err, errNoLesson) {
		return nil // somebody else was faster
	}
	if err == nil {
		err = s.dropFiles(ctx, tx, "lesson_id = $1", key)
	}
	if err == nil {
		_, err = tx.Exec(ctx, "update lesson_contents set video_id = null where lesson_id = $1", key)
	}
	if err != nil {
		return err
	}
	return s.leave(ctx, tx, l.video, "")
}

// Gone takes away what courses had in the storage, after they went.
func (s *Studio) Gone(ctx context.Context, tx *db.Tx, courses ...string) error {
	for _, course := range courses {
		if err := s.Storage.DropFolder(ctx, tx, Bucket, course); err != nil {
			return err
		}
	}
	return nil
}

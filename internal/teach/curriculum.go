package teach

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

var (
	errNoCourse  = fault.New(fault.NotFound, "That course does not exist.")
	errNoLesson  = fault.New(fault.NotFound, "That lesson does not exist.")
	errNoSection = fault.New(fault.Invalid, "That section is not one of this course.")
)

// hold keeps others from changing a course's curriculum until the transaction ends: an update is a lock on both engines. The
// course has an offer afterwards. Its row comes first, as it does for whoever deletes it.
func hold(ctx context.Context, tx *db.Tx, course string) error {
	n, err := tx.Exec(ctx, "update courses set lessons = lessons where id = $1", course)
	if err == nil && n == 0 {
		err = errNoCourse
	}
	if err == nil {
		_, err = tx.Exec(ctx, "insert into course_offers (id, course_id, created_at) values ($1, $2, $3) on conflict (course_id) do nothing",
			id.InOrder(), course, db.At(tx.Now))
	}
	return err
}

// recount makes an offer, and the course that shows it, say what is published now. The course must be held. Without a published
// lesson the number of the course's lessons is what an admin says it is again.
func (s *Studio) recount(ctx context.Context, tx *db.Tx, course string) error {
	var lessons int
	err := tx.QueryRow(ctx, `update course_offers set
		lessons = (select count(*) from lessons l where l.course_id = $1 and l.state = 'published'),
		seconds = (select coalesce(sum(l.seconds), 0) from lessons l where l.course_id = $1 and l.state = 'published'),
		published_at = case when exists (select 1 from lessons l where l.course_id = $1 and l.state = 'published') then coalesce(published_at, $2) end
		where course_id = $1 returning lessons`, course, db.At(tx.Now)).Scan(&lessons)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // the course is on its way out
	}
	if err == nil && lessons > 0 {
		_, err = tx.Exec(ctx, "update courses set lessons = $2 where id = $1", course, lessons)
	}
	if err != nil {
		return err
	}
	return s.Changed(ctx, tx, course)
}

// Counted holds what somebody wrote about courses to what is published of them.
func Counted(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, `update courses set lessons = o.lessons from course_offers o
		where o.course_id = courses.id and o.published_at is not null and courses.lessons <> o.lessons`)
	return err
}

// renumber lets lessons count through the course, section after section. The course must be held.
func renumber(ctx context.Context, tx *db.Tx, course string) error {
	_, err := tx.Exec(ctx, `update lessons set position = ranked.place from (
		select l.id, row_number() over (order by s.position, s.id, l.position, l.id) as place
		from lessons l join course_sections s on s.id = l.section_id where l.course_id = $1) as ranked
		where lessons.id = ranked.id and lessons.position <> ranked.place`, course)
	return err
}

func (s *Studio) addSection(ctx context.Context, tx *db.Tx, row rest.Row) (string, error) {
	course, key := row.Text("course_id"), id.InOrder()
	if err := hold(ctx, tx, course); err != nil {
		return "", err
	}
	var there, last int
	err := tx.QueryRow(ctx, "select count(*), coalesce(max(position), 0) from course_sections where course_id = $1", course).Scan(&there, &last)
	if err == nil && there >= mostSections {
		err = fault.Newf(fault.Invalid, "A course has at most %d sections.", mostSections)
	}
	if err != nil {
		return "", err
	}
	_, err = tx.Exec(ctx, "insert into course_sections (id, course_id, title, position, created_at) values ($1, $2, $3, $4, $5)",
		key, course, row.Text("title"), last+1, db.At(tx.Now))
	if err != nil {
		return "", err
	}
	return key, note(ctx, tx, who.From(ctx), "section.add", row.Text("title")+" ("+key+")")
}

// addLesson puts a draft at the end of its section. The first one of a course is for everybody, until somebody says otherwise: a
// switch that is off at first is hardly ever found.
func (s *Studio) addLesson(ctx context.Context, tx *db.Tx, row rest.Row) (string, error) {
	course, section, key := row.Text("course_id"), row.Text("section_id"), id.InOrder()
	if err := hold(ctx, tx, course); err != nil {
		return "", err
	}
	var there, last, here int
	err := tx.QueryRow(ctx, `select count(*), coalesce(max(position), 0), (select count(*) from course_sections where id = $2 and course_id = $1)
		from lessons where course_id = $1`, course, section).Scan(&there, &last, &here)
	switch {
	case err != nil:
		return "", err
	case here == 0:
		return "", errNoSection
	case there >= mostLessons:
		return "", fault.Newf(fault.Invalid, "A course has at most %d lessons.", mostLessons)
	}
	_, err = tx.Exec(ctx, `insert into lessons (id, course_id, section_id, title, kind, position, state, preview, created_at)
		values ($1, $2, $3, $4, $5, $6, 'draft', $7, $8)`, key, course, section, row.Text("title"), row.Text("kind"), last+1, there == 0, db.At(tx.Now))
	if err == nil {
		_, err = tx.Exec(ctx, "insert into lesson_contents (lesson_id, drafted_at) values ($1, $2)", key, db.At(tx.Now))
	}
	if err == nil {
		err = renumber(ctx, tx, course)
	}
	if err != nil {
		return "", err
	}
	return key, note(ctx, tx, who.From(ctx), "lesson.add", row.Text("title")+" ("+key+")")
}

// sectionsLeave refuses to take away sections that hold lessons.
func (s *Studio) sectionsLeave(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	if err := holdAll(ctx, tx, rows); err != nil {
		return err
	}
	for _, row := range rows {
		var lessons int
		if err := tx.QueryRow(ctx, "select count(*) from lessons where section_id = $1", row.Text("id")).Scan(&lessons); err != nil {
			return err
		}
		if lessons > 0 {
			return fault.New(fault.Conflict, "Move or delete its lessons first.")
		}
	}
	return nil
}

// lessonsLeave takes away the files that only these lessons have.
func (s *Studio) lessonsLeave(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	if err := holdAll(ctx, tx, rows); err != nil {
		return err
	}
	for _, row := range rows {
		if err := s.emptyLesson(ctx, tx, row.Text("id")); err != nil {
			return err
		}
	}
	return nil
}

func (s *Studio) lessonsLeft(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	for _, course := range coursesOf(rows) {
		if err := renumber(ctx, tx, course); err != nil {
			return err
		}
	}
	for _, course := range coursesOf(publishedOf(rows)) {
		if err := s.recount(ctx, tx, course); err != nil {
			return err
		}
	}
	return nil
}

func publishedOf(rows []rest.Row) []rest.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(row rest.Row) bool { return row.Text("state") != published })
}

// lessonsChanged tells the pages, which show no drafts.
func (s *Studio) lessonsChanged(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	return s.showAgain(ctx, tx, publishedOf(rows))
}

// sectionsChanged tells the pages, which show no sections of drafts. The courses are held, for who publishes the first lesson of a
// section meanwhile has the pages made without its new name.
func (s *Studio) sectionsChanged(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	if err := holdAll(ctx, tx, rows); err != nil {
		return err
	}
	var seen []rest.Row
	for _, row := range rows {
		var shown bool
		err := tx.QueryRow(ctx, "select exists (select 1 from lessons where section_id = $1 and state = 'published')", row.Text("id")).Scan(&shown)
		if err != nil {
			return err
		}
		if shown {
			seen = append(seen, row)
		}
	}
	return s.showAgain(ctx, tx, seen)
}

// showAgain tells the pages of courses that show what they teach.
func (s *Studio) showAgain(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	for _, course := range coursesOf(rows) {
		if err := s.refresh(ctx, tx, course); err != nil {
			return err
		}
	}
	return nil
}

// refresh tells the page of a course, if there is something to see on it.
func (s *Studio) refresh(ctx context.Context, tx *db.Tx, course string) error {
	var seen int
	err := tx.QueryRow(ctx, "select count(*) from course_offers where course_id = $1 and (published_at is not null or trailer_id is not null)", course).Scan(&seen)
	if err != nil || seen == 0 {
		return err
	}
	return s.Changed(ctx, tx, course)
}

// coursesOf gives the courses of rows, each once and in order, so that all hold them in the same one.
func coursesOf(rows []rest.Row) []string {
	var all []string
	for _, row := range rows {
		all = append(all, row.Text("course_id"))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func holdAll(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	for _, course := range coursesOf(rows) {
		if err := hold(ctx, tx, course); err != nil {
			return err
		}
	}
	return nil
}

package waitlist

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
)

// Launched notes, in the transaction that launches a course, that those who wait for it are to be told. The letters
// are written afterwards, in batches: a course may have a hundred thousand people waiting.
func (l *Lists) Launched(ctx context.Context, tx *db.Tx, course string) error {
	now, err := tx.DatabaseNow(ctx)
	if err == nil {
		_, err = tx.Exec(ctx, `insert into course_launches (course_id, launched_at) values ($1, $2)
			on conflict (course_id) do update set launched_at = excluded.launched_at`, course, db.At(now))
	}
	if err != nil {
		return fmt.Errorf("note a launch: %w", err)
	}
	tx.AfterCommit(l.kick)
	return nil
}

func (l *Lists) kick() {
	select {
	case l.kicked <- struct{}{}:
	default: // it was told already
	}
}

const (
	launchBatch = 100
	lookEvery   = 5 * time.Second
	// launchLasts is how long a launch goes on telling whoever is on the list. Somebody may join at that very moment, with
	// a row that is committed only after the others were told, or from a page that still says "coming soon". No clock and
	// no order of commits can tell them from those who came before, so they are told like them.
	launchLasts = time.Hour
)

// Run tells the people who wait for launched courses, and gives spots to those who wait for workshops, until ctx ends.
// What a stopped instance left is done by the next.
func (l *Lists) Run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		settled := l.settle(ctx)
		more, err := l.tellSome(ctx)
		if err = errors.Join(settled, err); err != nil && ctx.Err() == nil {
			l.log.WarnContext(ctx, "some of those who wait were not served yet", "error", err)
		}
		if more && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-l.kicked:
		}
	}
}

// tellSome writes one batch of letters about the oldest launch that has people to tell, and tells whether there may be
// more to do. Each row is marked in the transaction that writes its letter, so each person is told once whatever happens
// in between.
func (l *Lists) tellSome(ctx context.Context) (more bool, err error) {
	var course string
	err = l.d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		now, err := tx.DatabaseNow(ctx)
		if err != nil {
			return err
		}
		return db.Each(ctx, tx, `select course_id from course_launches where launched_at <= $1 or `+unfinished+
			" order by launched_at limit 1", []any{db.At(now.Add(-launchLasts))},
			func(scan func(into ...any) error) error { return scan(&course) })
	})
	if err != nil || course == "" {
		return false, err
	}
	err = l.d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		return errors.Join(l.tellBatch(ctx, tx, course), endLaunch(ctx, tx, course))
	})
	return err == nil, err
}

// unfinished is a launch of which somebody has not been told. Who waits for a course that was taken back waits for the
// next launch.
const unfinished = `exists (select 1 from courses where courses.id = course_launches.course_id and not courses.coming_soon
	and exists (select 1 from course_waitlist where course_waitlist.course_id = course_launches.course_id and told_at is null))`

type launch struct{ course, title, instructor string }

func (l *Lists) tellBatch(ctx context.Context, tx *db.Tx, course string) error {
	out := launch{course: course}
	err := tx.QueryRow(ctx, "select title, instructor from courses where id = $1 and not coming_soon", course).Scan(&out.title, &out.instructor)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find a launch: %w", err)
	}
	letters, err := l.claim(ctx, tx, out)
	if err != nil {
		return err
	}
	for _, letter := range letters {
		// An address that no letter can go to must not hold up the others.
		if !mail.Deliverable(letter.To) {
			continue
		}
		if err := l.post.Enqueue(ctx, tx, letter); err != nil {
			return err
		}
	}
	return nil
}

// endLaunch forgets a launch whose time is over when nobody is left to be told.
func endLaunch(ctx context.Context, tx *db.Tx, course string) error {
	now, err := tx.DatabaseNow(ctx)
	if err == nil {
		_, err = tx.Exec(ctx, "delete from course_launches where course_id = $1 and launched_at <= $2 and not "+unfinished,
			course, db.At(now.Add(-launchLasts)))
	}
	if err != nil {
		return fmt.Errorf("end a launch: %w", err)
	}
	return nil
}

// claim marks a batch of those who wait and writes their letters.
func (l *Lists) claim(ctx context.Context, tx *db.Tx, out launch) (letters []mail.CourseLaunched, err error) {
	err = db.Each(ctx, tx, `update course_waitlist set told_at = $2 where told_at is null and id in (
			select id from course_waitlist where course_id = $1 and told_at is null order by id limit $3)
		returning email, name`, []any{out.course, db.At(tx.Now), launchBatch},
		func(scan func(into ...any) error) error {
			var email string
			var name sql.NullString
			err := scan(&email, &name)
			letters = append(letters, mail.CourseLaunched{
				To: email, Name: name.String, Course: out.title, Instructor: out.instructor, Link: l.courseLink(out.course),
			})
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("claim those who wait: %w", err)
	}
	return letters, nil
}

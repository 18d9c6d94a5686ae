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
	_, err := tx.Exec(ctx, `insert into course_launches (course_id, launched_at) values ($1, $2)
		on conflict (course_id) do update set launched_at = excluded.launched_at`, course, db.At(tx.Now))
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

// tellSome writes one batch of letters about the oldest launch, and tells whether there may be more to do. Each row is
// marked in the transaction that writes its letter, so each person is told once whatever happens in between.
func (l *Lists) tellSome(ctx context.Context) (more bool, err error) {
	waiting := false
	err = l.d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select exists (select 1 from course_launches)").Scan(&waiting)
	})
	if err != nil || !waiting {
		return false, err
	}
	err = l.d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		more, err = l.tellBatch(ctx, tx)
		return err
	})
	return more, err
}

type launch struct {
	course, title, instructor string
	at                        db.Time
}

func (l *Lists) tellBatch(ctx context.Context, tx *db.Tx) (more bool, err error) {
	var out launch
	err = tx.QueryRow(ctx, `select courses.id, courses.title, courses.instructor, course_launches.launched_at
		from course_launches join courses on courses.id = course_launches.course_id order by launched_at limit 1`).
		Scan(&out.course, &out.title, &out.instructor, &out.at)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("find a launch: %w", err)
	}
	letters, err := l.claim(ctx, tx, out)
	if err != nil {
		return false, err
	}
	for _, letter := range letters {
		// An address that no letter can go to must not hold up the others.
		if !mail.Deliverable(letter.To) {
			continue
		}
		if err := l.post.Enqueue(ctx, tx, letter); err != nil {
			return false, err
		}
	}
	// Another instance may hold rows that this one skipped: the launch is over only when none is left.
	_, err = tx.Exec(ctx, `delete from course_launches where course_id = $1 and launched_at = $2 and not exists (
		select 1 from course_waitlist where course_id = $1 and told_at is null and created_at <= $2)`, out.course, out.at)
	if err != nil {
		return false, fmt.Errorf("end a launch: %w", err)
	}
	return true, nil
}

// claim marks a batch of those who wait and writes their letters.
func (l *Lists) claim(ctx context.Context, tx *db.Tx, out launch) (letters []mail.CourseLaunched, err error) {
	err = db.Each(ctx, tx, `update course_waitlist set told_at = $3 where told_at is null and id in (
			select id from course_waitlist where course_id = $1 and told_at is null and created_at <= $2 order by id limit $4)
		returning email, name`, []any{out.course, out.at, db.At(tx.Now), launchBatch},
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

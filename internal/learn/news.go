package learn

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
)

const (
	newsEvery = 10 * time.Minute
	newsPage  = 500
	newsBatch = 100
	// newsApart is between two emails to one person.
	newsApart = day
	// mostOpened is how many lessons an email names.
	mostOpened = 20
)

// Run tells learners which lessons opened to them, until ctx ends. What a stopped instance left is done by the next.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(newsEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if err := s.TellOpened(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "some learners were not told yet what opened", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// TellOpened looks at the schedules since it last did, notes for whom something opened, and writes to those who have not heard from
// us for a day. It may end anywhere: who was noted is noted again, and who was written to is not.
func (s *Service) TellOpened(ctx context.Context) error {
	if err := s.watch(ctx); err != nil {
		return err
	}
	for {
		more, err := s.tellBatch(ctx)
		if err != nil || !more {
			return err
		}
	}
}

// opening is a lesson that opens some days after enrolling, or at a moment.
type opening struct {
	course string
	opens  schedule
}

// watch notes for whom something opened since the schedules were last looked at. The first look is a beginning: what opened before
// is no news.
func (s *Service) watch(ctx context.Context) error {
	var since db.Time
	var openings []opening
	now := db.At(s.DB.Clock.Now())
	err := s.DB.ReadBeside(ctx, func(ctx context.Context, tx *db.Tx) error {
		err := tx.QueryRow(ctx, "select until_at from lesson_news_watch where name = 'lessons'").Scan(&since)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		openings = nil
		return db.Each(ctx, tx, `select distinct course_id, release_days, release_at from lessons where state = 'published'
			and (release_at > $1 and release_at <= $2 or release_at is null and release_days > 0)`, []any{since, now}, func(scan func(...any) error) error {
			var one opening
			err := scan(&one.course, &one.opens.days, &one.opens.at)
			openings = append(openings, one)
			return err
		})
	})
	if err != nil || !since.Before(now.Time) {
		return err
	}
	for _, one := range openings {
		if err := s.noteDue(ctx, one, since, now); err != nil {
			return err
		}
	}
	return s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `insert into lesson_news_watch (name, until_at) values ('lessons', $1)
			on conflict (name) do update set until_at = excluded.until_at where lesson_news_watch.until_at < excluded.until_at`, now)
		return err
	})
}

// noteDue notes those to whom one thing opened after since: who had enrolled by then, or so many days before.
func (s *Service) noteDue(ctx context.Context, one opening, since, now db.Time) error {
	from, to := time.Unix(0, 0), one.opens.at.Time
	if one.opens.at.IsZero() {
		back := -time.Duration(*one.opens.days) * day
		from, to = since.Add(back), now.Add(back)
	}
	after := ""
	for more := true; more; {
		var people []string
		err := s.DB.ReadBeside(ctx, func(ctx context.Context, tx *db.Tx) error {
			people = people[:0]
			where, args := "created_at > $2", []any{one.course, db.At(from), db.At(to), newsPage}
			if after != "" {
				where, args = "(created_at, id) > ($2, $5)", append(args, after)
			}
			return db.Each(ctx, tx, `select id, created_at, user_id from enrollments where course_id = $1 and `+where+` and created_at <= $3
				and revoked_at is null and not opened_all order by created_at, id limit $4`, args, func(scan func(...any) error) error {
				var user string
				var at db.Time
				err := scan(&after, &at, &user)
				from = at.Time
				people = append(people, user)
				return err
			})
		})
		if err != nil {
			return err
		}
		if more = len(people) == newsPage; len(people) == 0 {
			return nil
		}
		if err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return markDue(ctx, tx, people, since) }); err != nil {
			return err
		}
	}
	return nil
}

func markDue(ctx context.Context, tx *db.Tx, people []string, since db.Time) error {
	var b db.Batch
	for _, user := range people { // who left meanwhile has no row to be marked
		b.Exec(`insert into lesson_news (user_id, until_at, due_at) select id, $2, $3 from users where id = $1
			on conflict (user_id) do update set due_at = excluded.due_at where lesson_news.due_at is null`,
			[]any{user, since, db.At(tx.Now)}, func(int64) error { return nil })
	}
	return tx.Send(ctx, &b)
}

// reader is somebody who may have something to hear of.
type reader struct {
	user              string
	until, told, due  db.Time
	address, metadata string
}

// tellBatch writes to some of those who are due, one transaction a person: the row that says so is taken with the email that it is about.
func (s *Service) tellBatch(ctx context.Context) (more bool, err error) {
	var readers []reader
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		readers = readers[:0]
		return db.Each(ctx, tx, `select n.user_id, n.until_at, n.told_at, n.due_at, coalesce(u.email, ''), u.user_metadata
			from lesson_news n join users u on u.id = n.user_id where n.due_at <= $1 order by n.due_at, n.user_id limit $2`,
			[]any{db.At(tx.Now), newsBatch}, func(scan func(...any) error) error {
				var one reader
				err := scan(&one.user, &one.until, &one.told, &one.due, &one.address, &one.metadata)
				readers = append(readers, one)
				return err
			})
	})
	for _, one := range readers {
		if err != nil {
			return false, err
		}
		err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return s.tell(ctx, tx, one) })
	}
	return len(readers) == newsBatch, err
}

// tell writes to somebody, or puts them off until a day has passed.
func (s *Service) tell(ctx context.Context, tx *db.Tx, one reader) error {
	if next := one.told.Add(newsApart); !one.told.IsZero() && next.After(tx.Now) {
		_, err := tx.Exec(ctx, "update lesson_news set due_at = $3 where user_id = $1 and due_at = $2", one.user, one.due, db.At(next))
		return err
	}
	// Of two instances one finds the row as it was read.
	n, err := tx.Exec(ctx, "update lesson_news set due_at = null, until_at = $3 where user_id = $1 and due_at = $2", one.user, one.due, db.At(tx.Now))
	if err != nil || n == 0 {
		return err
	}
	opened, err := openedTo(ctx, tx, one.user, one.until.Time)
	if err != nil || len(opened) == 0 || !mail.Deliverable(one.address) {
		return err
	}
	if left, err := s.Left(ctx, tx, one.user); err != nil || left {
		return err
	}
	leave, err := s.Leave(one.user)
	if err != nil {
		return err
	}
	letter := mail.LessonsOpened{To: one.address, Name: s.Name(one.metadata), Leave: leave, Link: s.SiteURL + "/learn", Count: len(opened)}
	for _, l := range opened[:min(len(opened), mostOpened)] {
		letter.Lessons = append(letter.Lessons, mail.OpenedLesson{Title: l.title, Course: l.courseTitle})
	}
	if len(opened) == 1 {
		letter.Link += "/" + opened[0].course + "/" + opened[0].id
	}
	if _, err := tx.Exec(ctx, "update lesson_news set told_at = $2 where user_id = $1", one.user, db.At(tx.Now)); err != nil {
		return err
	}
	return s.Enqueue(ctx, tx, letter)
}

type openedLesson struct{ id, title, course, courseTitle string }

// openedTo gives what opened to somebody since a moment, in the order of their courses. What they have done already is no news.
func openedTo(ctx context.Context, tx *db.Tx, user string, since time.Time) (all []openedLesson, err error) {
	err = db.Each(ctx, tx, `select l.id, l.title, l.course_id, c.title, l.release_days, l.release_at, e.created_at
		from enrollments e join courses c on c.id = e.course_id join lessons l on l.course_id = e.course_id
		where e.user_id = $1 and e.revoked_at is null and not e.opened_all and l.state = 'published' and not l.preview
			and (l.release_at is not null or l.release_days > 0)
			and not exists (select 1 from lesson_progress p where p.user_id = e.user_id and p.lesson_id = l.id and p.completed_at is not null)
		order by c.title, l.course_id, l.position, l.id`, []any{user}, func(scan func(...any) error) error {
		var one openedLesson
		var opens schedule
		var enrolled db.Time
		if err := scan(&one.id, &one.title, &one.course, &one.courseTitle, &opens.days, &opens.at, &enrolled); err != nil {
			return err
		}
		// What was open before they came is what they came for.
		if at := opens.opens(enrolled.Time); at.After(since) && at.After(enrolled.Time) && !at.After(tx.Now) {
			all = append(all, one)
		}
		return nil
	})
	return all, err
}

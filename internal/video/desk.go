package video

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// Entry is a video as an admin sees it: with its job.
type Entry struct {
	ID    string   `json:"id"`
	Name  string   `json:"name"` // of the upload
	State State    `json:"state"`
	Job   JobState `json:"job"`
	// Before is how many jobs stand before it in the line, Percent how far it is.
	Before   int        `json:"before"`
	Percent  int        `json:"percent"`
	Attempts int        `json:"attempts"`
	Error    string     `json:"error"`  // a sentence
	Detail   string     `json:"detail"` // what the tools said
	NextAt   *time.Time `json:"next_at"`
	Created  time.Time  `json:"created_at"`
}

// Filter says which videos to list: whose jobs are in one state or all, those after Cursor, newest first.
type Filter struct {
	Job    JobState
	Cursor string
	Limit  int
}

const mostListed = 200

// List gives videos, newest first, and the cursor of the next ones; it is empty at the end. Jobs that failed are the dead letters.
func (s *Service) List(ctx context.Context, f Filter) (entries []Entry, next string, err error) {
	if f.Limit < 1 || f.Limit > mostListed {
		f.Limit = 50
	}
	where, args := "1 = 1", []any{f.Limit + 1}
	if f.Job != "" {
		args = append(args, string(f.Job))
		where += fmt.Sprintf(" and j.state = $%d", len(args))
	}
	if f.Cursor != "" {
		at, after, ok := db.ReadCursor(f.Cursor)
		if !ok {
			return nil, "", fault.New(fault.Invalid, "That is not a place in the list of videos.")
		}
		n := len(args)
		where += fmt.Sprintf(" and (j.created_at < $%d or (j.created_at = $%d and j.id > $%d))", n+1, n+1, n+2)
		args = append(args, db.At(at), after)
	}
	var jobs []string
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		entries, jobs = nil, nil
		return db.Each(ctx, tx, `select v.id, coalesce((select o.name from storage_objects o where o.id = v.object_id), ''), v.state, v.problem, j.state,
			j.progress, j.attempts, j.error, j.detail, j.due_at, j.created_at, j.id, case when j.state = 'queued' then
			  (select count(*) from video_jobs b where b.state = 'queued' and (b.due_at < j.due_at or (b.due_at = j.due_at and b.id < j.id))) else 0 end
			from video_jobs j join videos v on v.id = j.video_id where `+where+" order by j.created_at desc, j.id limit $1", args,
			func(scan func(...any) error) error {
				var e Entry
				var problem, job string
				var due, created db.Time
				err := scan(&e.ID, &e.Name, &e.State, &problem, &e.Job, &e.Percent, &e.Attempts, &e.Error, &e.Detail, &due, &created, &job, &e.Before)
				if e.Created = created.Time; e.Job == Queued {
					e.NextAt = &due.Time
				}
				entries, jobs = append(entries, e), append(jobs, job)
				return err
			})
	})
	if err == nil && len(entries) > f.Limit {
		entries = entries[:f.Limit]
		next = db.Cursor(entries[f.Limit-1].Created, jobs[f.Limit-1])
	}
	return entries, next, err
}

// Retry lets a video be prepared again whose job has ended: one that was given up or cancelled. What is there stays.
func (s *Service) Retry(ctx context.Context, tx *db.Tx, video string) error {
	found, err := jobOf(ctx, tx, video)
	if err != nil {
		return err
	}
	if found != Failed && found != Cancelled {
		return fault.New(fault.Conflict, "This video is ready, or being prepared.")
	}
	if _, err := tx.Exec(ctx, "update videos set state = 'waiting', problem = '', facts = null where id = $1 and state = 'refused'", video); err != nil {
		return err
	}
	tx.AfterCommit(s.Kick)
	return queue(ctx, tx, video)
}

// Cancel ends the job of a video. A worker that has it notices within seconds.
func (s *Service) Cancel(ctx context.Context, tx *db.Tx, video string) error {
	if _, err := jobOf(ctx, tx, video); err != nil {
		return err
	}
	n, err := tx.Exec(ctx, "update video_jobs set state = 'cancelled', claim = null, ended_at = $2 where video_id = $1 and state in ('queued', 'running')", video, db.At(tx.Now))
	if err == nil && n == 0 {
		err = fault.New(fault.Conflict, "This video is not being prepared.")
	}
	return err
}

func jobOf(ctx context.Context, tx *db.Tx, video string) (state JobState, err error) {
	if _, ok := id.Parse(video); !ok {
		return "", errNoVideo
	}
	err = tx.QueryRow(ctx, "select state from video_jobs where video_id = $1", video).Scan(&state)
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoVideo
	}
	return state, err
}

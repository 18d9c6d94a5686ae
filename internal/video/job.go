package video

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// JobState says how far a job is.
type JobState string

// The states of a job.
const (
	Queued    JobState = "queued"
	Running   JobState = "running"
	Done      JobState = "done"
	Failed    JobState = "failed"
	Cancelled JobState = "cancelled"
)

// job is one that we have taken.
type job struct {
	ID, Video, Claim   string
	Attempts, Priority int
}

// patient is the priority of what lets everything else go first, for as long as longWait.
const (
	patient  = -1
	longWait = 24 * time.Hour
)

// errLost says that a job is not ours any more: somebody cancelled it, or we were silent for too long.
var errLost = errors.New("the job is not ours any more")

// When a job is due and when its worker counts as dead is judged by the database's clock, as with letters.

// queue puts a video at the end of the line. One that was given up begins anew.
func queue(ctx context.Context, tx *db.Tx, video string) error {
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `insert into video_jobs (id, video_id, state, due_at, created_at) values ($1, $2, 'queued', $3, $4)
		on conflict (video_id) do update set state = 'queued', due_at = excluded.due_at, claim = null, attempts = 0, progress = 0, error = '', detail = '', ended_at = null, priority = 0
		where video_jobs.state in ('done', 'failed', 'cancelled')`, id.InOrder(), video, db.At(now), db.At(tx.Now))
	return err
}

// foremost is the job that is due: one that waits, or one whose worker has died.
const foremost = `select id from video_jobs where state in ('queued', 'running') and due_at <= $1 order by priority desc, due_at, id limit 1`

// fairest is the foremost of the course that was served longest ago, so that nobody waits for all the films of another: one small
// file may be the work of hours. It reads what waits, never what was done. Who has waited for a day is no longer put behind others.
const fairest = `select j.id from video_jobs j join videos v on v.id = j.video_id left join storage_objects o on o.id = v.object_id
	left join video_turns served on served.course = substr(o.name, 1, 36)
	where j.state in ('queued', 'running') and j.due_at <= $1
	order by case when j.created_at < $4 then 0 else j.priority end desc, case when served.served_at is null then 0 else 1 end, served.served_at, j.due_at, j.id limit 1`

// turn notes that a worker is at a film of a course. Uploads lie below a folder with the id of their course.
const turn = `insert into video_turns (course, served_at) select substr(o.name, 1, 36), $2 from videos v join storage_objects o on o.id = v.object_id where v.id = $1
	on conflict (course) do update set served_at = excluded.served_at`

// turnsKept is how long it is known when a course had its turn: after so long it is as one that had none.
const turnsKept = 7 * 24 * time.Hour

// claim takes a job, for as long as the lease lasts. Who comes second finds the condition no longer true.
func claim(ctx context.Context, tx *db.Tx, lease time.Duration) (j job, found bool, err error) {
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return j, false, err
	}
	j.Claim = id.New()
	err = tx.QueryRow(ctx, `update video_jobs set state = 'running', claim = $3, attempts = attempts + 1, due_at = $2
		where state in ('queued', 'running') and due_at <= $1 and id = (`+fairest+`) returning id, video_id, attempts, priority`,
		db.At(now), db.At(now.Add(lease)), j.Claim, db.At(now.Add(-longWait))).Scan(&j.ID, &j.Video, &j.Attempts, &j.Priority)
	if errors.Is(err, sql.ErrNoRows) {
		return j, false, nil
	}
	if err == nil {
		_, err = tx.Exec(ctx, turn, j.Video, db.At(now))
	}
	return j, err == nil, err
}

// ours is the condition that a job is still the one that was claimed.
const ours = "id = $1 and claim = $2 and state = 'running'"

// touch changes the row of a job that is still ours; $1 and $2 are its own.
func (j job) touch(ctx context.Context, tx *db.Tx, set string, args ...any) error {
	n, err := tx.Exec(ctx, "update video_jobs set "+set+" where "+ours, append([]any{j.ID, j.Claim}, args...)...)
	if err == nil && n != 1 {
		err = errLost
	}
	return err
}

// holds is the condition of everything that a job writes: that it is ours until the transaction ends.
func (j job) holds(ctx context.Context, tx *db.Tx) error {
	return j.touch(ctx, tx, "attempts = attempts")
}

// renew says that the worker lives, and how far it is.
func (j job) renew(ctx context.Context, tx *db.Tx, lease time.Duration, percent int) error {
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return err
	}
	if err := j.touch(ctx, tx, "due_at = $3, progress = $4", db.At(now.Add(lease)), percent); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, turn, j.Video, db.At(now))
	return err
}

// giveBack undoes a claim, for a worker that has to stop: another one goes on at once.
func (j job) giveBack(ctx context.Context, tx *db.Tx) error {
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return err
	}
	return j.touch(ctx, tx, "state = 'queued', claim = null, attempts = attempts - 1, due_at = $3", db.At(now))
}

// errPatient says that a job lets others go first.
var errPatient = errors.New("others go first")

// standAside lets everything go first that waits, if anything does.
func (j job) standAside(ctx context.Context, tx *db.Tx) (aside bool, err error) {
	now, err := tx.DatabaseNow(ctx)
	if err != nil || j.Priority <= patient {
		return false, err
	}
	err = db.Each(ctx, tx, "select id from video_jobs where state = 'queued' and due_at <= $1 and priority > $2 limit 1", []any{db.At(now), patient},
		func(func(...any) error) error { aside = true; return nil })
	if err != nil || !aside {
		return false, err
	}
	return true, j.touch(ctx, tx, "state = 'queued', claim = null, attempts = attempts - 1, due_at = $3, priority = $4", db.At(now), patient)
}

// putOff lets a job that failed wait for its next try.
func (j job) putOff(ctx context.Context, tx *db.Tx, wait time.Duration, sentence, detail string) error {
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return err
	}
	return j.touch(ctx, tx, "state = 'queued', claim = null, due_at = $3, error = $4, detail = $5", db.At(now.Add(wait)), sentence, detail)
}

// end ends a job for good.
func (j job) end(ctx context.Context, tx *db.Tx, state JobState, sentence, detail string) error {
	percent := "progress"
	if state == Done {
		percent = "100"
	}
	return j.touch(ctx, tx, "state = $3, claim = null, ended_at = $4, error = $5, detail = $6, progress = "+percent, string(state), db.At(tx.Now), sentence, detail)
}

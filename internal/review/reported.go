package review

import (
	"context"
	"fmt"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
)

// mostListed is how many reviews admins see at once, mostReasons how many reports of each, the newest.
const (
	mostListed  = 100
	mostReasons = 5
)

// accused is a review that somebody reported, as admins see it.
type accused struct {
	ID     string `json:"id"`
	Course string `json:"course_id"`
	Title  string `json:"course_title"`
	Author string `json:"author_name"`
	Stars  int    `json:"stars"`
	Text   string `json:"text"`
	State  string `json:"state"`
	// Count is how many reported it; Reports are the last of them.
	Count   int        `json:"count"`
	Reports []reported `json:"reports"`
}

type reported struct {
	Reason string    `json:"reason"`
	At     time.Time `json:"created_at"`
}

// reported lists the reviews that nobody has looked at since they were reported, of all courses or of one, the one that waits longest
// first: whoever reports a thousand others hides none.
func (s *Service) reported(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Course string `json:"course"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	var only any
	if ask.Course != "" {
		course, err := named(ask.Course, errNoCourse)
		if err != nil {
			return fn.Answer{}, err
		}
		only = course
	}
	all := []*accused{}
	err := s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		all, err = listReported(ctx, tx, only)
		return err
	})
	if err != nil {
		return fn.Answer{}, fmt.Errorf("list the reported reviews: %w", err)
	}
	// More tells that others wait; they come when these are settled.
	more := len(all) > mostListed
	return fn.JSON(map[string]any{"reviews": all[:min(len(all), mostListed)], "more": more}), nil
}

// listReported gives one review more than is shown.
func listReported(ctx context.Context, tx *db.Tx, only any) ([]*accused, error) {
	where, args := "", []any{mostListed + 1, mostReasons}
	if only != nil {
		where, args = "where y.course_id = $3", append(args, only)
	}
	all := []*accused{}
	err := db.Each(ctx, tx, `with waiting as (
			select x.review_id, count(*) as reports, min(x.created_at) as since
			from review_reports x join course_reviews y on y.id = x.review_id `+where+`
			group by x.review_id order by since, x.review_id limit $1),
		said as (
			select review_id, reason, created_at, row_number() over (partition by review_id order by created_at desc, id desc) as place
			from review_reports where review_id in (select review_id from waiting))
		select v.id, v.course_id, c.title, v.author_name, v.stars, v.text, v.state, w.reports, p.reason, p.created_at
		from waiting w join course_reviews v on v.id = w.review_id join courses c on c.id = v.course_id
		join said p on p.review_id = w.review_id and p.place <= $2
		order by w.since, w.review_id, p.place`, args, func(scan func(...any) error) error {
		var one accused
		var said reported
		var at db.Time
		if err := scan(&one.ID, &one.Course, &one.Title, &one.Author, &one.Stars, &one.Text, &one.State, &one.Count, &said.Reason, &at); err != nil {
			return err
		}
		said.At = at.Time
		if len(all) == 0 || all[len(all)-1].ID != one.ID {
			all = append(all, &one)
		}
		last := all[len(all)-1]
		last.Reports = append(last.Reports, said)
		return nil
	})
	return all, err
}

package review

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"greenroom/internal/platform/db"
)

// enough is how many published reviews a course needs for their mean to be its rating.
const enough = 5

// hold keeps others from counting a course's stars until the transaction ends: an update is a lock on both engines.
func hold(ctx context.Context, tx *db.Tx, course string) error {
	n, err := tx.Exec(ctx, "update courses set rating = rating where id = $1", course)
	if err == nil && n == 0 {
		err = errNoCourse
	}
	return err
}

// tally is how many published reviews gave one star, two stars, and so on.
type tally [5]int

func (t tally) reviews() (n int) {
	for _, of := range t {
		n += of
	}
	return n
}

func (t tally) sum() (stars int) {
	for i, of := range t {
		stars += (i + 1) * of
	}
	return stars
}

// mean is the plain mean of so many reviews, with one decimal; a half goes up.
func mean(sum, reviews int) float64 {
	return float64((20*sum+reviews)/(2*reviews)) / 10
}

// settleAll settles courses, which must come in order.
func (s *Service) settleAll(ctx context.Context, tx *db.Tx, courses []string) error {
	for _, course := range courses {
		if err := s.settle(ctx, tx, course); err != nil {
			return err
		}
	}
	return nil
}

// settle counts the stars of a course anew and lets its rating follow: the mean of its reviews where there are enough of them, else
// what the editors say, which is kept meanwhile. Whoever changed a review calls it, in that transaction.
func (s *Service) settle(ctx context.Context, tx *db.Tx, course string) error {
	err := hold(ctx, tx, course)
	if errors.Is(err, errNoCourse) {
		return nil // on its way out, with all that was said of it
	}
	if err != nil {
		return err
	}
	stars, err := counted(ctx, tx, course)
	if err != nil {
		return err
	}
	var rating float64
	var editorial sql.NullFloat64
	err = tx.QueryRow(ctx, "select c.rating, o.editorial_rating from courses c left join course_offers o on o.course_id = c.id where c.id = $1", course).
		Scan(&rating, &editorial)
	if err != nil {
		return fmt.Errorf("read the rating of a course: %w", err)
	}
	now := rating
	switch n := stars.reviews(); {
	case n >= enough && !editorial.Valid:
		editorial = sql.NullFloat64{Float64: rating, Valid: true}
		now = mean(stars.sum(), n)
	case n >= enough:
		now = mean(stars.sum(), n)
	case editorial.Valid:
		now, editorial = editorial.Float64, sql.NullFloat64{}
	}
	_, err = tx.Exec(ctx, `update course_offers set reviews = $2, rating_sum = $3, stars1 = $4, stars2 = $5, stars3 = $6, stars4 = $7, stars5 = $8,
		editorial_rating = $9 where course_id = $1`, course, stars.reviews(), stars.sum(), stars[0], stars[1], stars[2], stars[3], stars[4], editorial)
	if err == nil && now != rating {
		_, err = tx.Exec(ctx, "update courses set rating = $2 where id = $1", course, now)
	}
	if err != nil {
		return fmt.Errorf("store the stars of a course: %w", err)
	}
	return s.Changed(ctx, tx, course)
}

// counted counts the stars of a course. Samples are nobody's.
func counted(ctx context.Context, tx *db.Tx, course string) (t tally, err error) {
	args, places := []any{course}, []string{}
	for i := range samples {
		args = append(args, sampleID(course, i))
		places = append(places, fmt.Sprintf("$%d", len(args)))
	}
	err = db.Each(ctx, tx, `select stars, count(*) from course_reviews where course_id = $1 and state = 'published'
		and id not in (`+strings.Join(places, ", ")+`) group by stars`, args,
		func(scan func(...any) error) error {
			var stars, of int
			if err := scan(&stars, &of); err != nil {
				return err
			}
			t[stars-1] = of
			return nil
		})
	if err != nil {
		return t, fmt.Errorf("count the stars of a course: %w", err)
	}
	return t, nil
}

// Rated holds what editors wrote as the ratings of courses to the rule, in their transaction: where learners have the word, it is
// kept for when they have it no more. Who changes something else of a course sends the rating that they saw, which may be a mean of
// yesterday: it says nothing unless the editors meant it.
func Rated(ctx context.Context, tx *db.Tx, written map[string]float64, meant bool) error {
	type learners struct {
		course string
		mean   float64
	}
	var all []learners
	err := db.Each(ctx, tx, "select course_id, rating_sum, reviews from course_offers where editorial_rating is not null order by course_id", nil,
		func(scan func(...any) error) error {
			var course string
			var sum, reviews int
			if err := scan(&course, &sum, &reviews); err != nil {
				return err
			}
			if _, there := written[course]; there {
				all = append(all, learners{course, mean(sum, reviews)})
			}
			return nil
		})
	if err != nil {
		return fmt.Errorf("look for courses that learners rated: %w", err)
	}
	for _, one := range all {
		if meant {
			if _, err := tx.Exec(ctx, "update course_offers set editorial_rating = $2 where course_id = $1", one.course, written[one.course]); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, "update courses set rating = $2 where id = $1 and rating <> $2", one.course, one.mean); err != nil {
			return err
		}
	}
	return nil
}

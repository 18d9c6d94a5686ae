package review

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"greenroom/internal/fn"
	"greenroom/internal/learn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

const (
	// nameless is who has not said what they are called, formerly who has left.
	nameless = "A learner"
	formerly = "A former learner"
)

var (
	errTeaches  = fault.New(fault.Forbidden, "You teach this course, so you cannot review it.")
	errNotTaken = fault.New(fault.Forbidden, "Only those who take this course review it.")
	errUnseen   = fault.New(fault.Forbidden, "Finish a lesson first, then tell others what you think.")
	// What the unique key says to who has a review; theirs is one that they left behind.
	errAgain    = fault.Coded(fault.Conflict, "23505", "You have already reviewed this course.")
	errUnproven = fault.New(fault.Forbidden, "Confirm your email address in Settings first.")
)

// add stores somebody's review of a course that they take. The unique key decides whether they had one.
func (s *Service) add(ctx context.Context, tx *db.Tx, row rest.Row) (string, error) {
	caller, course := who.From(ctx).UserID, row.Text("course_id")
	// Whoever makes a teacher holds the course as well: what is asked from here on holds until the commit.
	if err := hold(ctx, tx, course); err != nil {
		return "", err
	}
	taken, err := enrolled(ctx, tx, caller, course)
	if err == nil && !taken {
		err = errNotTaken
	}
	if err == nil {
		err = s.mayJudge(ctx, tx, caller, course)
	}
	if err != nil {
		return "", err
	}
	name, err := s.nameOf(ctx, tx, caller)
	if err != nil {
		return "", err
	}
	_, err = tx.Exec(ctx, `insert into course_reviews (id, user_id, course_id, author_name, stars, text, updated_at, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $7)`, row.Text("id"), caller, course, name, row.Int("stars"), row.Text("text"), db.At(tx.Now))
	if err != nil {
		return "", err
	}
	return row.Text("id"), s.settle(ctx, tx, course)
}

func enrolled(ctx context.Context, tx *db.Tx, user, course string) (yes bool, err error) {
	err = tx.QueryRow(ctx, "select exists (select 1 from enrollments where course_id = $1 and user_id = $2 and revoked_at is null)", course, user).Scan(&yes)
	return yes, err
}

// mayJudge refuses those who teach a course, have left a review of it behind, or have not seen enough of it.
func (s *Service) mayJudge(ctx context.Context, tx *db.Tx, user, course string) error {
	var teaches bool
	err := tx.QueryRow(ctx, "select exists (select 1 from course_teachers where course_id = $1 and user_id = $2)", course, user).Scan(&teaches)
	switch {
	case err != nil:
		return fmt.Errorf("ask who teaches a course: %w", err)
	case teaches:
		return errTeaches
	}
	mark, err := s.proven(ctx, tx, user)
	if err != nil {
		return err
	}
	var again bool
	err = tx.QueryRow(ctx, "select exists (select 1 from course_reviews where author_mark = $1 and course_id = $2)", mark, course).Scan(&again)
	switch {
	case err != nil:
		return fmt.Errorf("ask for a review that was left behind: %w", err)
	case again:
		return errAgain
	}
	seen, err := learn.Known(ctx, tx, user, course)
	if err == nil && !seen {
		err = errUnseen
	}
	return err
}

// proven gives the mark of somebody's mailbox. Where people confirm their addresses, it refuses those who have not: an address that
// nobody has shown to be theirs costs nothing, and neither would a hundred of them.
func (s *Service) proven(ctx context.Context, tx *db.Tx, user string) (mark string, err error) {
	var address sql.NullString
	var at db.Time
	if err := tx.QueryRow(ctx, "select email, email_proven_at from users where id = $1", user).Scan(&address, &at); err != nil {
		return "", fmt.Errorf("read whether an address is proven: %w", err)
	}
	if s.Confirms && at.IsZero() {
		return "", errUnproven
	}
	return limit.Mark(s.Secret, "review", address.String), nil
}

// nameOf is what somebody is called now, as a page can show it: one line, without what turns the direction of the text around it.
func (s *Service) nameOf(ctx context.Context, tx *db.Tx, user string) (string, error) {
	var metadata string
	if err := tx.QueryRow(ctx, "select user_metadata from users where id = $1", user).Scan(&metadata); err != nil {
		return "", fmt.Errorf("read a name: %w", err)
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r) && r != '\u200c' && r != '\u200d', r == unicode.ReplacementChar:
			return -1 // those two shape the letters of some scripts
		}
		return r
	}, s.Name(metadata))
	name = strings.Join(strings.Fields(name), " ")
	if letters := []rune(name); len(letters) > mostName {
		name = strings.TrimSpace(string(letters[:mostName]))
	}
	if strings.Trim(name, "\u200c\u200d ") == "" {
		return nameless, nil
	}
	return name, nil
}

// count counts a change against those that somebody may make in an hour: each makes the pages of all visitors anew.
func (s *Service) count(ctx context.Context, tx *db.Tx, _ []rest.Row) error {
	return s.Limits.Take(ctx, tx, limit.ReviewPerAccount.By(who.From(ctx).UserID))
}

// changed counts the stars of reviews that their author has written anew.
func (s *Service) changed(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	name, err := s.nameOf(ctx, tx, who.From(ctx).UserID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		n, err := tx.Exec(ctx, `update course_reviews set author_name = $2, updated_at = $3 where id = $1
			and not exists (select 1 from course_teachers t where t.course_id = course_reviews.course_id and t.user_id = course_reviews.user_id)`,
			row.Text("id"), name, db.At(tx.Now))
		if err == nil && n == 0 {
			err = errTeaches
		}
		if err != nil {
			return err
		}
	}
	return s.settleAll(ctx, tx, coursesOf(rows))
}

// gone counts the stars of what is left.
func (s *Service) gone(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	if err := s.count(ctx, tx, rows); err != nil {
		return err
	}
	return s.settleAll(ctx, tx, coursesOf(rows))
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

// own is somebody's review, as they see it.
type own struct {
	ID        string     `json:"id"`
	Course    string     `json:"course_id"`
	Author    string     `json:"author_name"`
	Stars     int        `json:"stars"`
	Text      string     `json:"text"`
	State     string     `json:"state"`
	HiddenFor *string    `json:"hidden_for"`
	Reply     *string    `json:"reply"`
	RepliedAt *time.Time `json:"replied_at"`
	Updated   time.Time  `json:"updated_at"`
	Created   time.Time  `json:"created_at"`
}

// Why somebody may not review a course.
const (
	whyStranger = "sign in"
	whyNot      = "enroll"
	whyTeacher  = "teach"
	whyUnproven = "confirm"
	whyAgain    = "reviewed"
	whyUnseen   = "watch"
)

// standing tells the caller whether they may review a course, why not, and what they said of it.
func (s *Service) standing(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Course string `json:"course"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	course, err := named(ask.Course, errNoCourse)
	if err != nil {
		return fn.Answer{}, err
	}
	var told struct {
		May  bool   `json:"may"`
		Why  string `json:"why"`
		Mine *own   `json:"mine"`
		// Moderates holds for those who may hide reviews.
		Moderates bool `json:"moderates"`
	}
	told.Moderates = r.Actor.Admin
	if r.Actor.Guest {
		told.Why = whyStranger
		return fn.JSON(told), nil
	}
	err = s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		if told.Mine, err = find(ctx, tx, r.Actor.UserID, course); err == nil {
			told.Why, err = s.whyRefused(ctx, tx, r.Actor.UserID, course)
		}
		// Who has a review had what it takes once, and changes it.
		if told.Mine != nil && told.Why != whyNot && told.Why != whyTeacher {
			told.Why = ""
		}
		told.May = told.Why == ""
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(told), nil
}

// whyRefused tells in a word why somebody may not review a course, "" where they may.
func (s *Service) whyRefused(ctx context.Context, tx *db.Tx, user, course string) (string, error) {
	taken, err := enrolled(ctx, tx, user, course)
	if err != nil {
		return "", err
	}
	err = s.mayJudge(ctx, tx, user, course)
	why := ""
	switch {
	case err == nil:
	case errors.Is(err, errTeaches):
		return whyTeacher, nil
	case errors.Is(err, errUnproven):
		why = whyUnproven
	case errors.Is(err, errAgain):
		why = whyAgain
	case errors.Is(err, errUnseen):
		why = whyUnseen
	default:
		return "", err
	}
	if !taken {
		why = whyNot
	}
	return why, nil
}

// find gives somebody's review of a course, nil where they have none.
func find(ctx context.Context, tx *db.Tx, user, course string) (*own, error) {
	var o own
	var why, reply sql.NullString
	var replied, updated, created db.Time
	err := tx.QueryRow(ctx, `select id, course_id, author_name, stars, text, state, hidden_for, reply, replied_at, updated_at, created_at
		from course_reviews where user_id = $1 and course_id = $2`, user, course).
		Scan(&o.ID, &o.Course, &o.Author, &o.Stars, &o.Text, &o.State, &why, &reply, &replied, &updated, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // no review is an answer here, and no failure
	}
	o.Updated, o.Created = updated.Time, created.Time
	if why.Valid {
		o.HiddenFor = &why.String
	}
	if reply.Valid {
		o.Reply, o.RepliedAt = &reply.String, &replied.Time
	}
	return &o, err
}

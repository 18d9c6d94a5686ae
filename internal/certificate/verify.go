package certificate

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

// Certificate is what a code stands for, as anybody may know it.
type Certificate struct {
	State      string     `json:"state"`
	Code       string     `json:"code"`
	Holder     string     `json:"holder"`
	Title      string     `json:"course_title"`
	Course     *string    `json:"course_id"`
	Instructor string     `json:"instructor"`
	Lessons    int        `json:"lessons"`
	Seconds    int        `json:"seconds"`
	Issued     time.Time  `json:"issued_at"`
	Revoked    *time.Time `json:"revoked_at"`
}

// shown is a certificate on its page, which draws the code that a phone reads where it is printed.
type shown struct {
	Certificate
	QR *drawing `json:"qr"`
}

// The states of a certificate.
const (
	valid     = "valid"
	withdrawn = "withdrawn"
)

var errUnknown = fault.New(fault.NotFound, "No certificate has this code.")

// verify tells what a code stands for. It is limited by where a request comes from; the pages, which ask from inside the server,
// were counted before they ask.
func (s *Service) verify(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Code string `json:"code"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	if r.Actor.Address != "" {
		if err := s.Limits.Allow(ctx, limit.CertificatePerAddress.By(r.Actor.Address)); err != nil {
			return fn.Answer{}, err
		}
	}
	code, ok := Read(ask.Code)
	if !ok {
		return fn.Answer{}, errUnknown
	}
	found, err := s.find(ctx, code)
	if err != nil {
		return fn.Answer{}, err
	}
	drawn, err := drawQR(s.Link(found.Code))
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(shown{found, drawn}), nil
}

// find reads a certificate by its code.
func (s *Service) find(ctx context.Context, code string) (c Certificate, err error) {
	err = s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) error {
		var course sql.NullString
		var issued, revoked db.Time
		err := tx.QueryRow(ctx, `select code, holder, course_title, cast(course_id as text), instructor, lessons, seconds, issued_at, revoked_at
			from certificates where code = $1`, code).
			Scan(&c.Code, &c.Holder, &c.Title, &course, &c.Instructor, &c.Lessons, &c.Seconds, &issued, &revoked)
		c.State, c.Issued, c.Course, c.Revoked = valid, issued.Time, nil, nil
		if course.Valid {
			c.Course = &course.String
		}
		if !revoked.IsZero() {
			c.State, c.Revoked = withdrawn, &revoked.Time
		}
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return c, errUnknown
	}
	return c, err
}

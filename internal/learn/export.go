package learn

import (
	"context"
	"io"
	"strconv"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/sheet"
	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
)

// Exports are made one at a time, as those of the admin panel are.
const (
	exportWithin = 2 * time.Second
	exportSoon   = 400 * time.Millisecond
	mostExports  = 100
	exportRows   = 500
)

// export gives those who take a course as a file, the newest first. Addresses are for admins.
func (s *Service) export(ctx context.Context, r fn.Request) (fn.Answer, error) {
	course, ok := id.Parse(r.Query.Get("course"))
	if !ok {
		return fn.Answer{}, errNoCourse
	}
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error { return teaches(ctx, tx, r.Actor, course) })
	if err != nil {
		return fn.Answer{}, err
	}
	end, err := s.exports.Turn(ctx, s.exporting, exportWithin)
	if err != nil {
		return fn.Answer{}, err
	}
	if err := s.noteExport(ctx, r.Actor, course); err != nil {
		end()
		return fn.Answer{}, err
	}
	name := "learners-" + s.DB.Clock.Now().UTC().Format("2006-01-02") + ".csv"
	return fn.File(name, "text/csv; charset=utf-8", func(w io.Writer) error {
		ctx, cancel := web.Unhurried(ctx)
		defer cancel()
		defer end()
		return s.write(ctx, w, r.Actor, course)
	}), nil
}

// noteExport notes what an admin takes with them.
func (s *Service) noteExport(ctx context.Context, a who.Actor, course string) error {
	if !runs(a) {
		return nil
	}
	return s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		return audit.Record(ctx, tx, audit.Entry{
			ActorID: a.UserID, Action: audit.AdminAct + "list.export", Subject: "learners of " + course, Address: a.Address, Result: audit.OK,
		})
	})
}

// write makes the file page by page. A page is read before any of it is sent: a slow reader keeps no connection.
func (s *Service) write(ctx context.Context, w io.Writer, a who.Actor, course string) error {
	out := []byte("\ufeffname,")
	if runs(a) {
		out = append(out, "email,"...)
	}
	out = append(out, "enrolled_at,last_at,done,of,completed_at,revoked_at,opened_all,enrollment\r\n"...)
	for cursor, more := "", true; more; {
		var page []learner
		err := s.DB.ReadBeside(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
			page, err = s.learnersOf(ctx, tx, a, course, cursor, exportRows)
			return err
		})
		if err != nil {
			return err
		}
		for _, one := range page {
			out = one.line(out)
			cursor = one.cursor()
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
		out, more = out[:0], len(page) == exportRows
	}
	return nil
}

// line writes somebody as a line of the file.
func (l learner) line(out []byte) []byte {
	out = append(sheet.Text(out, l.Name), ',')
	if l.Email != nil {
		out = append(sheet.Text(out, *l.Email), ',')
	}
	out = append(sheet.Moment(out, &l.Enrolled), ',')
	out = append(sheet.Moment(out, l.Last), ',')
	out = append(strconv.AppendInt(out, int64(l.Done), 10), ',')
	out = append(strconv.AppendInt(out, int64(l.Of), 10), ',')
	out = append(sheet.Moment(out, l.Completed), ',')
	out = append(sheet.Moment(out, l.Revoked), ',')
	out = append(strconv.AppendBool(out, l.OpenedAll), ',')
	return append(sheet.Text(out, l.Enrollment), "\r\n"...)
}

package certificate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

const (
	// nameless is who has not said what they are called.
	nameless = "A learner"
	mostName = 100
)

// Issue writes the certificate of somebody who has just completed a course, and the letter that tells them of it, in the
// transaction that completes it. The unique key decides: who has one gets no second, and no second letter. It gives the code, or ""
// where the course has no certificates or theirs was withdrawn.
func (s *Service) Issue(ctx context.Context, tx *db.Tx, user, course string) (code string, err error) {
	var address, metadata, title string
	err = tx.QueryRow(ctx, `select coalesce(u.email, ''), u.user_metadata, c.title from users u join courses c on c.id = $2
		join course_offers o on o.course_id = c.id where u.id = $1 and o.certificate`, user, course).Scan(&address, &metadata, &title)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("who completed what: %w", err)
	}
	name := cleanName(s.Name(metadata))
	code = newCode()
	added, err := tx.Exec(ctx, `insert into certificates (id, code, user_id, course_id, holder, course_title, instructor, lessons, seconds, issued_at, created_at)
		select $1, $2, $3, c.id, $5, c.title, c.instructor,
			(select count(*) from lessons l where l.course_id = c.id and l.state = 'published'),
			(select coalesce(sum(l.seconds), 0) from lessons l where l.course_id = c.id and l.state = 'published'), $6, $6
		from courses c where c.id = $4 on conflict (user_id, course_id) do nothing`,
		id.InOrder(), code, user, course, orNameless(name), db.At(tx.Now))
	if err != nil {
		return "", fmt.Errorf("issue a certificate: %w", err)
	}
	if added == 0 {
		return had(ctx, tx, user, course)
	}
	if !mail.Deliverable(address) {
		return code, nil
	}
	return code, s.Enqueue(ctx, tx, mail.CertificateReady{To: address, Name: name, Course: title, Code: code, Link: s.Link(code)})
}

// had gives the code of a certificate that somebody has, unless it was withdrawn.
func had(ctx context.Context, tx *db.Tx, user, course string) (code string, err error) {
	err = tx.QueryRow(ctx, "select code from certificates where user_id = $1 and course_id = $2 and revoked_at is null", user, course).Scan(&code)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return code, err
}

func orNameless(name string) string {
	if name == "" {
		return nameless
	}
	return name
}

// cleanName is a name as it can stand on paper: one line of composed letters, without what turns the direction of the text around it.
func cleanName(name string) string {
	var b strings.Builder
	letters := 0
	for _, r := range norm.NFC.String(name) {
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d', !unicode.IsGraphic(r) && !unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			continue // \u200c and \u200d shape the letters of some scripts
		}
		if letters++; letters > mostName {
			break
		}
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

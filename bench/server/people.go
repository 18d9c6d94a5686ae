package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"greenroom/internal/app"
	"greenroom/internal/key"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// How many people come along, and how many of them have saved how much beforehand. There are enough of them for no rate
// limit to turn one away: the limits stay on, and each person has a network address of their own.
const (
	crowd   = 2000
	readers = 200
	saved   = 10
	boss    = crowd - 1 // the one who runs the place
)

// person is somebody with an account, an open session and its tokens.
type person struct {
	id, email, address string
	access, refresh    string
}

// scene is what stands in a database before it is measured.
type scene struct {
	apikey  string
	courses []course
	people  []person
	lesson  string // that everybody takes
}

type course struct{ id, title string }

// prepare fills an empty installation with the courses and the people, and mints their tokens.
func prepare(settings map[string]string) (*scene, error) {
	c, err := config.Load(settings)
	if err != nil {
		return nil, err
	}
	a, err := app.Open(context.Background(), c, app.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	defer func() { _ = a.Close() }()
	s := &scene{apikey: a.Keys().Publishable}
	err = a.DB().Read(context.Background(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select id, title from courses order by created_at desc, id", nil, func(scan func(...any) error) error {
			var one course
			s.courses = append(s.courses, one)
			return scan(&s.courses[len(s.courses)-1].id, &s.courses[len(s.courses)-1].title)
		})
	})
	for n := 0; n < crowd && err == nil; n += 100 {
		err = a.DB().Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
			for i := n; i < n+100; i++ {
				one, err := settleIn(ctx, tx, a, i)
				if err != nil {
					return err
				}
				s.people = append(s.people, one)
			}
			return nil
		})
	}
	for n := 0; n < readers && err == nil; n++ {
		err = a.DB().Write(context.Background(), func(ctx context.Context, tx *db.Tx) error { return save(ctx, tx, s, n) })
	}
	if err == nil {
		err = a.DB().Write(context.Background(), func(ctx context.Context, tx *db.Tx) error { return teach(ctx, tx, s) })
	}
	if err == nil {
		err = a.Accounts().Grant(context.Background(), s.people[boss].email)
	}
	return s, err
}

// settleIn adds one person as signing up and in would have.
func settleIn(ctx context.Context, tx *db.Tx, a *app.App, n int) (person, error) {
	p := person{
		id: id.New(), email: fmt.Sprintf("person%d@greenroom-bench.org", n), refresh: id.Secret(),
		address: fmt.Sprintf("10.0.%d.%d", n/250, n%250+1),
	}
	session, now := id.New(), db.At(tx.Now)
	const provider, amr = `{"provider":"email","providers":["email"]}`, `[{"method":"password","timestamp":1}]`
	about := fmt.Sprintf(`{"email":%q,"email_verified":true,"phone_verified":false,"sub":%q}`, p.email, p.id)
	sum := sha256.Sum256([]byte(p.refresh))
	for _, row := range []struct {
		text string
		with []any
	}{
		{`insert into users (id, email, email_confirmed_at, email_proven_at, last_sign_in_at, app_metadata, user_metadata, created_at, updated_at)
			values ($1, $2, $3, $3, $3, $4, $5, $3, $3)`, []any{p.id, p.email, now, provider, about}},
		{`insert into identities (id, user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at)
			values ($1, $2, 'email', $3, $4, $5, $5, $5)`, []any{id.New(), p.id, p.id, about, now}},
		{`insert into sessions (id, user_id, aal, amr, user_agent, address, created_at, refreshed_at)
			values ($1, $2, 'aal1', $3, 'bench', $4, $5, $5)`, []any{session, p.id, amr, p.address, now}},
		{
			`insert into refresh_tokens (id, session_id, token_hash, created_at) values ($1, $2, $3, $4)`,
			[]any{id.New(), session, base64.RawURLEncoding.EncodeToString(sum[:]), now},
		},
	} {
		if _, err := tx.Exec(ctx, row.text, row.with...); err != nil {
			return p, err
		}
	}
	var err error
	p.access, err = a.Tokens().Sign(key.Claims{
		Issuer: a.Issuer(), Subject: p.id, Audience: key.Audience, Role: "authenticated", Email: p.email,
		AppMetadata: []byte(provider), UserMetadata: []byte(about), AMR: []byte(amr),
		SessionID: session, AAL: "aal1", IssuedAt: tx.Now.Unix(), Expires: tx.Now.Add(time.Hour).Unix(),
	})
	return p, err
}

// save gives one of the readers a list of saved courses.
func save(ctx context.Context, tx *db.Tx, s *scene, n int) error {
	for i := range saved {
		_, err := tx.Exec(ctx, "insert into saved_courses (id, user_id, course_id, created_at) values ($1, $2, $3, $4)",
			id.New(), s.people[n].id, s.courses[(n+i)%len(s.courses)].id, db.At(tx.Now))
		if err != nil {
			return err
		}
	}
	return nil
}

// lessonSteps is how long the lesson is that everybody watches, in steps of five seconds: an hour.
const lessonSteps = 720

// teach gives a course twelve lessons, and everybody a place in it.
func teach(ctx context.Context, tx *db.Tx, s *scene) error {
	of, now := s.courses[len(s.courses)-1].id, db.At(tx.Now)
	exec := func(text string, with ...any) (err error) { _, err = tx.Exec(ctx, text, with...); return err }
	err := errors.Join(
		exec("insert into course_offers (id, course_id, published_at, created_at) values ($1, $1, $2, $2)", of, now),
		exec("insert into course_sections (id, course_id, title, position, created_at) values ($1, $1, 'Section', 0, $2)", of, now))
	for n := 0; n < 12 && err == nil; n++ {
		s.lesson = id.New()
		err = exec(`insert into lessons (id, course_id, section_id, title, kind, position, state, seconds, created_at)
			values ($1, $2, $2, 'Lesson', 'video', $3, 'published', $4, $5)`, s.lesson, of, n, lessonSteps*5, now)
	}
	for i := 0; i < len(s.people) && err == nil; i++ {
		err = exec("insert into enrollments (id, user_id, course_id, started_at, created_at) values ($1, $2, $3, $4, $4)", id.New(), s.people[i].id, of, now)
	}
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// The floor is a bare handler that runs the statements of a work on the same tables, by the same driver, in groups as ours
// does, and nothing else: no token is checked, no text parsed, no policy made, no letter rendered or sent, and no line logged. What
// ours costs beyond it is ours; what it costs itself no handler of this language and database gets below.
func startFloor(binary, within string) (*system, error) {
	h, err := furnish("floor", binary, within)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	address, err := freePort()
	if err != nil {
		return nil, err
	}
	s, err := launch(h.folder, address, "/ready", nil, self, "-floor", h.settings["GREENROOM_DATA"], "-listen", address)
	if err != nil {
		return nil, err
	}
	s.name = "floor"
	s.scripts["saved"] = h.scene.plainly(ownSaved(h.scene), "/saved")
	s.scripts["save"] = h.scene.plainly(insertSaved(h.scene), "/save")
	s.scripts["join"] = h.scene.plainly(joinWaitlist(h.scene), "/join")
	return s, nil
}

// plainly asks the same with the same headers and body under another path, which says by whom and for what.
func (s *scene) plainly(of *script, path string) *script {
	return &script{status: of.status, request: func(client, n int) []byte {
		asked := of.request(client, n)
		if asked == nil {
			return nil
		}
		p, c := &s.people[(client*7+n)%readers], course{}
		if path != "/saved" {
			p, c, _ = s.turn(client, n)
		}
		return renamed(asked, fmt.Sprintf("%s?%s&%s&%s", path, p.id, c.id, p.email))
	}}
}

const (
	floorCount = `insert into limits (rule, subject, taken, expires_at) values ($1, $2, $3, $4)
		on conflict (rule, subject) do update set taken = limits.taken || excluded.taken, expires_at = excluded.expires_at where limits.expires_at > $5`
	floorLetter = `insert into outbox (id, kind, class, recipient, subject, body, message_id, state, next_at, created_at, user_id)
		values ($1, 'waitlist-joined', 1, $2, 'You are on the list', $3, $1, 'waiting', $4, $4, $5)`
)

// serveFloor is the floor's process.
func serveFloor(folder, listen string) error {
	c, err := config.Load(map[string]string{"GREENROOM_DATA": folder})
	if err != nil {
		return err
	}
	d, err := db.Open(context.Background(), db.Options{Path: c.Database()})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/ready", func(http.ResponseWriter, *http.Request) {})
	answer := func(w http.ResponseWriter, status int, text []byte, err error) {
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable) // as ours where a line stands
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(text)
	}
	mux.HandleFunc("/saved", func(w http.ResponseWriter, r *http.Request) {
		user, _, _ := strings.Cut(r.URL.RawQuery, "&")
		text, err := floorSaved(r.Context(), d, user)
		answer(w, http.StatusOK, text, err)
	})
	for path, of := range map[string]string{"/save": "saved_courses", "/join": "course_waitlist"} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			asked := strings.SplitN(r.URL.RawQuery, "&", 3)
			err := d.Write(r.Context(), func(ctx context.Context, tx *db.Tx) error { return floorInsert(ctx, tx, of, asked) })
			answer(w, http.StatusCreated, nil, err)
		})
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	return http.Serve(listener, mux)
}

func floorSaved(ctx context.Context, d *db.DB, user string) ([]byte, error) {
	text := make([]byte, 0, 4<<10)
	err := d.Look(ctx, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select id, user_id, course_id, created_at from saved_courses where user_id = $1 order by created_at desc limit 1000", []any{user},
			func(scan func(...any) error) error {
				var key, owner, course string
				var at int64
				err := scan(&key, &owner, &course, &at)
				text = fmt.Appendf(text, `{"id":%q,"user_id":%q,"course_id":%q,"created_at":%d},`, key, owner, course, at)
				return err
			})
	})
	return text, err
}

// floorInsert counts the use, and what there is, and stores the row; a place on a waitlist with its letter.
func floorInsert(ctx context.Context, tx *db.Tx, table string, asked []string) error {
	if len(asked) != 3 {
		return errors.New("who, for what, and their address")
	}
	user, course, email, now := asked[0], asked[1], asked[2], db.At(tx.Now)
	exec := func(text string, with ...any) error { _, err := tx.Exec(ctx, text, with...); return err }
	count := func(rule string) error {
		return exec(floorCount, rule, user, "00000000000", db.At(tx.Now.Add(time.Hour)), now)
	}
	var held int
	err := errors.Join(count("floor "+table), tx.QueryRow(ctx, "select count(*) from "+table+" where user_id = $1", user).Scan(&held))
	if err != nil {
		return err
	}
	if table == "saved_courses" {
		return exec("insert into saved_courses (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), user, course, now)
	}
	var about string
	return errors.Join(
		exec("insert into course_waitlist (id, user_id, course_title, email, created_at, course_id) values ($1, $2, (select title from courses where id = $5), $3, $4, $5)", id.New(), user, email, now, course),
		count("floor letters"), count("floor letters a day"),
		tx.QueryRow(ctx, "select user_metadata from users where email = $1 and email_proven_at is not null", email).Scan(&about),
		exec(floorLetter, id.New(), email, make([]byte, 256), now, user))
}

package auth

import (
	"context"
	"net/http"
	"strings"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
)

// mark is a word in a user agent and what it stands for.
type mark struct{ word, name string }

// The first mark that fits counts: most browsers also claim to be the ones that came before them.
var (
	browsers = []mark{
		{"Instagram", "Instagram"},
		{"FBAV/", "Facebook"},
		{"GSA/", "Google app"},
		{"; wv)", "An app"},
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"OPT/", "Opera"},
		{"Vivaldi/", "Vivaldi"},
		{"YaBrowser/", "Yandex Browser"},
		{"DuckDuckGo/", "DuckDuckGo"},
		{"Ddg/", "DuckDuckGo"},
		{"SamsungBrowser", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"FxiOS", "Firefox"},
		{"CriOS", "Chrome"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
		{"AppleWebKit/", "An app"},
		{"node", "A program"},
		{"curl/", "A program"},
		{"python-requests", "A program"},
		{"Go-http-client", "A program"},
		{"okhttp", "A program"},
		{"Dart/", "A program"},
		{"Deno/", "A program"},
		{"Bun/", "A program"},
	}
	systems = []mark{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Android", "Android"},
		{"Windows", "Windows"},
		{"CrOS", "ChromeOS"},
		{"Mac OS X", "macOS"},
		{"Linux", "Linux"},
	}
)

const unknownDevice = "Unknown device"

// deviceName says in a few words what a session runs on.
func deviceName(agent string) string {
	browser, system := firstMark(browsers, agent), firstMark(systems, agent)
	switch {
	case browser == "" && system == "":
		return unknownDevice
	case browser == "":
		return system
	case system == "":
		return browser
	}
	return browser + " on " + system
}

func firstMark(marks []mark, agent string) string {
	for _, one := range marks {
		if strings.Contains(agent, one.word) {
			return one.name
		}
	}
	return ""
}

// device is one of a person's sessions, as they would recognise it.
type device struct {
	ID        string    `json:"id"`
	Device    string    `json:"device"`
	UserAgent string    `json:"user_agent"`
	Address   string    `json:"address"`
	CreatedAt time.Time `json:"created_at"`
	SeenAt    time.Time `json:"last_seen_at"`
	Strong    bool      `json:"strong"`
	Current   bool      `json:"current"`
}

// ownSessions lists the caller's sessions, and ends one of them. Admins may name somebody else's.
func (s *Service) ownSessions(ctx context.Context, r fn.Request) (fn.Answer, error) {
	in := struct {
		End    string `json:"end"`
		UserID string `json:"user_id"`
	}{UserID: r.Query.Get("user_id")}
	if err := r.Decode(&in); err != nil {
		return fn.Answer{}, err
	}
	whose := r.Actor.UserID
	if in.UserID != "" {
		other, ok := id.Parse(in.UserID)
		if !ok {
			return fn.Answer{}, fault.New(fault.Invalid, "user_id must be a UUID.")
		}
		if other != whose && !r.Actor.Admin {
			return fn.Answer{}, fault.New(fault.Forbidden, "Those sessions belong to someone else.")
		}
		whose = other
	}
	if r.Method == http.MethodPost {
		return s.endDevice(ctx, r.Actor, whose, in.End)
	}
	found := []device{}
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, `select id, user_agent, address, aal, created_at, refreshed_at from sessions
			where user_id = $1 and created_at > $2 and refreshed_at > $3 order by refreshed_at desc, id`,
			[]any{whose, db.At(s.DB.Clock.Now().Add(-sessionLife)), db.At(s.DB.Clock.Now().Add(-idleLife))},
			func(scan func(...any) error) error {
				var d device
				var aal string
				var created, seen db.Time
				err := scan(&d.ID, &d.UserAgent, &d.Address, &aal, &created, &seen)
				d.CreatedAt, d.SeenAt, d.Strong, d.Current = created.Time, seen.Time, aal == "aal2", d.ID == r.Actor.SessionID
				d.Device = deviceName(d.UserAgent)
				found = append(found, d)
				return err
			})
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]any{"sessions": found}), nil
}

func (s *Service) endDevice(ctx context.Context, actor who.Actor, whose, end string) (fn.Answer, error) {
	only, ok := id.Parse(end)
	if !ok {
		return fn.Answer{}, fault.New(fault.Invalid, "end must be the id of a session.")
	}
	err := s.write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := holdUser(ctx, tx, whose); err != nil {
			return err
		}
		var there bool
		err := tx.QueryRow(ctx, "select exists (select 1 from sessions where user_id = $1 and id = $2)", whose, only).Scan(&there)
		if err != nil {
			return err
		}
		if !there {
			return fault.New(fault.NotFound, "That session has already ended.")
		}
		from := origin{address: audit.Text(actor.Address)}
		if err := audit.Record(ctx, tx, from.entry(actor.UserID, "session.end", whose, audit.OK)); err != nil {
			return err
		}
		return s.endSessions(ctx, tx, whose, "", only)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]string{"ended": only}), nil
}

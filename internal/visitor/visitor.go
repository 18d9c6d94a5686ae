// Package visitor is for people without an account. What a workshop's registration or a message left behind under their
// address they can have as a file, or erased, by a link that is sent to that address:
//
//	/your-data       GET is the form, POST asks for the link; the answer is the same for every address
//	/unsubscribe/…   leaves a list of emails, whoever has the link (leave.go)
//	/your-data/open  GET is the page behind the link and uses nothing up, POST does one of the two things, each once
//
// What there is to know of them the domains say (Keeper). The rows of an account are its owner's, who signs in for them.
package visitor

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// Path is where the pages are.
const Path = "/your-data"

// linkLife is how long a link works.
const linkLife = time.Hour

// Keeper is a domain that holds rows which know nobody but an address.
type Keeper struct {
	Name   string
	About  func(ctx context.Context, tx *db.Tx, address string) ([]map[string]any, error)
	Forget func(ctx context.Context, tx *db.Tx, address string) error
}

// Desk answers people without an account.
type Desk struct {
	DB      *db.DB
	Limits  *limit.Limits
	Enqueue func(ctx context.Context, tx *db.Tx, letter mail.Letter) error
	SiteURL string
	Keepers []Keeper
	// Secret signs the links by which lists are left. It signs nothing else.
	Secret string
	// Address is where a request comes from.
	Address func(r *http.Request) string
	// Asset finds a file of the app by how its name begins, or gives "".
	Asset func(name string) string

	style string
}

// client is who asks.
type client struct{ address, agent string }

// ask sends the link, if there is anything to see behind it. Whether there is shows in nothing that the asker gets.
func (d *Desk) ask(ctx context.Context, address string, from client) error {
	if err := d.Limits.Allow(ctx, limit.MailPerAddress.By(from.address), limit.MailPerRecipient.By(address)); err != nil {
		return err
	}
	known := false
	err := d.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		data, err := d.collect(ctx, tx, address)
		for _, rows := range data {
			known = known || len(rows) > 0
		}
		return err
	})
	if err != nil {
		return err
	}
	return d.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		entry := audit.Entry{Action: "data.request", Subject: address, Address: from.address, UserAgent: from.agent, Result: "unknown"}
		if known {
			entry.Result = audit.OK
		}
		if err := audit.Record(ctx, tx, entry); err != nil || !known {
			return err
		}
		token := id.Secret()
		_, err := tx.Exec(ctx, "insert into visitor_links (id, address, link_hash, created_at, expires_at) values ($1, $2, $3, $4, $5)",
			id.New(), address, hash(token), db.At(tx.Now), db.At(tx.Now.Add(linkLife)))
		if err != nil {
			return fmt.Errorf("keep a visitor's link: %w", err)
		}
		return d.Enqueue(ctx, tx, mail.YourData{To: address, Link: d.SiteURL + Path + "/open?token=" + token})
	})
}

// collect gives all that is stored under an address, by the domain that keeps it.
func (d *Desk) collect(ctx context.Context, tx *db.Tx, address string) (map[string][]map[string]any, error) {
	data := map[string][]map[string]any{}
	for _, k := range d.Keepers {
		rows, err := k.About(ctx, tx, address)
		if err != nil {
			return nil, fmt.Errorf("collect %s: %w", k.Name, err)
		}
		data[k.Name] = rows
	}
	return data, nil
}

var errLink = fault.New(fault.NotFound, "This link has been used or has expired. You can ask for a new one.")

// export uses a link for a copy of what is stored.
func (d *Desk) export(ctx context.Context, token string, from client) (data map[string][]map[string]any, err error) {
	err = d.use(ctx, from, func(ctx context.Context, tx *db.Tx) error {
		_, address, err := used(tx.QueryRow(ctx, `update visitor_links set exported_at = $2
			where link_hash = $1 and exported_at is null and expires_at > $2 returning id, address`, hash(token), db.At(tx.Now)))
		if err != nil {
			return err
		}
		if data, err = d.collect(ctx, tx, address); err != nil {
			return err
		}
		if data["audit"], err = audit.AboutAddress(ctx, tx, address); err != nil {
			return err
		}
		// Under the address, by which erasing finds it.
		return audit.Record(ctx, tx, audit.Entry{Action: "data.export", Subject: address, Address: from.address, UserAgent: from.agent, Result: audit.OK})
	})
	return data, err
}

// erase uses a link to forget an address. The trail keeps the link's id in its place, which leads to nobody.
func (d *Desk) erase(ctx context.Context, token string, from client) error {
	return d.use(ctx, from, func(ctx context.Context, tx *db.Tx) error {
		link, address, err := used(tx.QueryRow(ctx, "delete from visitor_links where link_hash = $1 and expires_at > $2 returning id, address",
			hash(token), db.At(tx.Now)))
		if err != nil {
			return err
		}
		for _, k := range d.Keepers {
			if err := k.Forget(ctx, tx, address); err != nil {
				return fmt.Errorf("forget %s: %w", k.Name, err)
			}
		}
		if _, err := tx.Exec(ctx, "delete from visitor_links where address = $1", address); err != nil {
			return err
		}
		if err := audit.ForgetAddress(ctx, tx, address, link); err != nil {
			return err
		}
		tx.AfterCommit(d.DB.Erased)
		return audit.Record(ctx, tx, audit.Entry{Action: "data.erase", Subject: link, Result: audit.OK})
	})
}

// use counts a try at a link before it is judged.
func (d *Desk) use(ctx context.Context, from client, do func(ctx context.Context, tx *db.Tx) error) error {
	if err := d.Limits.Allow(ctx, limit.VerifyPerAddress.By(from.address)); err != nil {
		return err
	}
	return d.DB.Write(ctx, do)
}

// used reads the one row that a link was. Of many who open it at the same moment one gets it.
func used(row interface{ Scan(into ...any) error }) (link, address string, err error) {
	err = row.Scan(&link, &address)
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", errLink
	}
	return link, address, err
}

// hash is how a token is stored: it has enough chance in it to need no salt.
func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Over names the links that have expired.
func Over(now time.Time) []db.Old {
	return []db.Old{{Table: "visitor_links", Where: "expires_at <= $1", Args: []any{db.At(now)}, Order: "expires_at", Final: true}}
}

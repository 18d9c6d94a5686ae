package visitor

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"

	"github.com/google/uuid"
)

// LeavePath is where people leave a list; a token follows that names them and the list.
const LeavePath = "/unsubscribe/"

// List is a kind of email that goes on until somebody leaves it.
type List struct {
	Name string
	code byte
	what string
}

// OpenedLessons tells learners which lessons opened.
var OpenedLessons = List{"lessons", 1, "emails about lessons that open"}

var lists = []List{OpenedLessons}

const markBytes = 16

// mark binds a person to a list; nobody else can make it.
func (l List) mark(secret string, user uuid.UUID) []byte {
	sum := hmac.New(sha256.New, []byte(secret))
	sum.Write(append(user[:], l.code))
	return sum.Sum(nil)[:markBytes]
}

// LeaveLink is the address by which somebody leaves a list, without signing in. It works for as long as they have an account.
func (d *Desk) LeaveLink(user string, l List) (string, error) {
	key, err := uuid.Parse(user)
	if err != nil {
		return "", err
	}
	said := append(append(key[:], l.code), l.mark(d.Secret, key)...)
	return strings.TrimRight(d.SiteURL, "/") + LeavePath + base64.RawURLEncoding.EncodeToString(said), nil
}

// whoLeaves reads a token.
func (d *Desk) whoLeaves(token string) (user string, list List, err error) {
	said, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err == nil && len(said) == len(uuid.UUID{})+1+markBytes {
		key := uuid.UUID(said[:16])
		for _, one := range lists {
			if one.code == said[16] && hmac.Equal(one.mark(d.Secret, key), said[17:]) {
				return key.String(), one, nil
			}
		}
	}
	return "", list, fault.New(fault.NotFound, "This link is not complete. Copy it from the email once more, or write to us.")
}

// leave takes somebody off a list. Twice is once, and whose account is gone gets no more anyway.
func (d *Desk) leave(ctx context.Context, token string, from client) (list List, err error) {
	if err := d.Limits.Allow(ctx, limit.VerifyPerAddress.By(from.address)); err != nil {
		return list, err
	}
	user, list, err := d.whoLeaves(token)
	if err != nil {
		return list, err
	}
	return list, d.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `insert into lists_left (user_id, list, created_at) select id, $2, $3 from users where id = $1
			on conflict (user_id, list) do nothing`, user, list.Name, db.At(tx.Now))
		return err
	})
}

// Left tells whether somebody has left a list.
func (l List) Left(ctx context.Context, tx *db.Tx, user string) (left bool, err error) {
	err = tx.QueryRow(ctx, "select exists (select 1 from lists_left where user_id = $1 and list = $2)", user, l.Name).Scan(&left)
	return left, err
}

// AboutLeft gives the lists that a person has left.
func AboutLeft(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, "select list, created_at from lists_left where user_id = $1 order by list", user)
}

// showLeave asks whether somebody means it: programs open the links of emails before people do.
func (d *Desk) showLeave(w http.ResponseWriter, r *http.Request) {
	_, list, err := d.whoLeaves(r.PathValue("token"))
	if err != nil {
		d.fail(w, r, err)
		return
	}
	d.show(w, r, http.StatusOK, view{Title: "Unsubscribe?", Lead: "You’ll get no more " + list.what + ". Your courses stay as they are.", Button: "Unsubscribe"})
}

// postLeave is the button, and what mail programs send by themselves (RFC 8058): neither has a session, and no body matters.
func (d *Desk) postLeave(w http.ResponseWriter, r *http.Request) {
	list, err := d.leave(r.Context(), r.PathValue("token"), d.from(r))
	if err != nil {
		d.fail(w, r, err)
		return
	}
	d.show(w, r, http.StatusOK, view{Title: "You’re unsubscribed.", Lead: "You’ll get no more " + list.what + "."})
}

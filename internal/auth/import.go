package auth

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"strings"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// Imported counts the accounts of an import.
type Imported struct {
	// Added are new here; Known have an address or id that is here already and were left alone.
	Added, Known int
	// Passwordless are those of the new ones who need the reset link.
	Passwordless int
}

// importRow is a row of auth.users of the reference service; other columns are ignored.
type importRow struct {
	ID           string          `json:"id"`
	Email        string          `json:"email"`
	Hash         string          `json:"encrypted_password"`
	ConfirmedAt  string          `json:"email_confirmed_at"`
	CreatedAt    string          `json:"created_at"`
	BannedUntil  string          `json:"banned_until"`
	UserMetadata json.RawMessage `json:"raw_user_meta_data"`
	DeletedAt    string          `json:"deleted_at"`
}

// Import brings in accounts that were exported from the reference service, ids and passwords kept. It stops at the
// first line that cannot be read and says which; what came before stays, and a second run goes on from there. Note hears
// how many accounts are done; it may be nil.
func (s *Service) Import(ctx context.Context, from io.Reader, name string, note func(done int)) (n Imported, err error) {
	rows, err := s.newcomers(from, name)
	if err != nil {
		return n, err
	}
	var batch []newcomer
	var stride db.Stride
	store := func() error {
		err := s.importBatch(ctx, &stride, batch, &n)
		if batch = batch[:0]; note != nil {
			note(n.Added + n.Known)
		}
		return err
	}
	for a, err := range rows {
		if err != nil {
			return n, errors.Join(store(), err)
		}
		if batch = append(batch, a); len(batch) < stride.Rows() {
			continue
		}
		if err := store(); err != nil {
			return n, err
		}
	}
	err = store()
	return n, err
}

// CheckImport reads a file of accounts to its end and tells of every one that cannot be brought in. It gives the number
// of the others.
func (s *Service) CheckImport(ctx context.Context, from io.Reader, name string, broken func(error)) (good int, err error) {
	rows, err := s.newcomers(from, name)
	if err != nil {
		return 0, err
	}
	for _, err := range rows {
		if ctx.Err() != nil {
			return good, ctx.Err()
		}
		if err != nil {
			broken(err)
			continue
		}
		good++
	}
	return good, nil
}

// newcomers reads a file account by account; each error names its place, and the next account is a later one.
func (s *Service) newcomers(from io.Reader, name string) (iter.Seq2[newcomer, error], error) {
	lines := jsonLines
	switch {
	case strings.HasSuffix(strings.ToLower(name), ".csv"):
		lines = csvLines
	case !strings.HasSuffix(strings.ToLower(name), ".jsonl"):
		return nil, fmt.Errorf("%s: the name of a file of accounts ends in .csv or .jsonl", name)
	}
	return func(yield func(newcomer, error) bool) {
		number := 0
		for row, err := range lines(from) {
			number++
			if err == nil && row.DeletedAt != "" {
				continue
			}
			var a newcomer
			if err == nil {
				a.user, a.bannedUntil, err = row.user(s.DB.Clock.Now())
			}
			if f, ok := asFailure(err); ok {
				err = errors.New(f.message)
			}
			if err != nil {
				err = fmt.Errorf("account %d of %s: %w", number, name, err)
			}
			if !yield(a, err) {
				return
			}
		}
	}, nil
}

// newcomer is an account on its way in.
type newcomer struct {
	user        *User
	bannedUntil time.Time
}

func (s *Service) importBatch(ctx context.Context, stride *db.Stride, batch []newcomer, n *Imported) error {
	if len(batch) == 0 {
		return nil
	}
	var came Imported
	err := s.DB.WriteStride(ctx, stride, func(ctx context.Context, tx *db.Tx) error {
		came = Imported{}
		for _, a := range batch {
			added, err := importOne(ctx, tx, a)
			switch {
			case err != nil:
				return fmt.Errorf("the account of %s: %w", a.user.Email, err)
			case !added:
				came.Known++
				continue
			}
			came.Added++
			if a.user.passwordHash == "" {
				came.Passwordless++
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	n.Added, n.Known, n.Passwordless = n.Added+came.Added, n.Known+came.Known, n.Passwordless+came.Passwordless
	return nil
}

func importOne(ctx context.Context, tx *db.Tx, a newcomer) (added bool, err error) {
	u := a.user
	var known bool
	err = tx.QueryRow(ctx, "select exists (select 1 from users where id = $1 or email = $2)", u.ID, u.Email).Scan(&known)
	if err != nil || known {
		return false, err
	}
	if added, err = addUser(ctx, tx, u); err != nil || !added {
		return false, err
	}
	if _, err := tx.Exec(ctx, "update users set banned_until = $2 where id = $1", u.ID, db.At(a.bannedUntil)); err != nil {
		return false, err
	}
	return true, audit.Record(ctx, tx, audit.Entry{ActorID: u.ID, Action: "user.import", Subject: u.Email, Result: audit.OK})
}

func (row importRow) user(now time.Time) (u *User, banned time.Time, err error) {
	email, err := parseEmail(row.Email)
	if err != nil {
		return nil, banned, err
	}
	known := id.New()
	if row.ID != "" {
		var ok bool
		if known, ok = id.Parse(row.ID); !ok || known == id.Nil {
			return nil, banned, fmt.Errorf("%q is no id", row.ID)
		}
	}
	confirmed, errConfirmed := readTime(row.ConfirmedAt)
	created, errCreated := readTime(row.CreatedAt)
	banned, errBanned := readTime(row.BannedUntil)
	if err := errors.Join(errConfirmed, errCreated, errBanned); err != nil {
		return nil, banned, err
	}
	if created.IsZero() {
		created = now
	}
	data, err := readMetadata(row.UserMetadata)
	if err != nil {
		return nil, banned, err
	}
	u = newUser(email, data, created, !confirmed.IsZero())
	u.rename(known)
	if !confirmed.IsZero() {
		// Whoever brings the accounts in answers for what was confirmed elsewhere.
		u.EmailConfirmedAt, u.provenAt = confirmed, confirmed
	}
	if usableHash(row.Hash) {
		u.passwordHash = row.Hash
	}
	return u, banned, nil
}

// readMetadata takes an object, or the text of one, as a table's export writes it.
func readMetadata(raw json.RawMessage) (metadata, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if len(bytes.TrimSpace(raw)) == 0 || string(raw) == "null" {
		return metadata{}, nil
	}
	data := metadata{}
	if err := json.Unmarshal(raw, &data); err != nil {
		return nil, errors.New("raw_user_meta_data is no JSON object")
	}
	return data, data.check()
}

// importTimes are the forms in which the reference's database writes a moment.
var importTimes = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07"}

func readTime(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, form := range importTimes {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time", text)
}

func jsonLines(from io.Reader) iter.Seq2[importRow, error] {
	return func(yield func(importRow, error) bool) {
		lines := bufio.NewScanner(from)
		lines.Buffer(nil, mostBody)
		for lines.Scan() {
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			var row importRow
			if err := json.Unmarshal(lines.Bytes(), &row); !yield(row, err) {
				return
			}
		}
		if lines.Err() != nil {
			yield(importRow{}, lines.Err())
		}
	}
}

// csvLines reads a table with its columns' names in the first line.
func csvLines(from io.Reader) iter.Seq2[importRow, error] {
	return func(yield func(importRow, error) bool) {
		table := csv.NewReader(from)
		head, err := table.Read()
		if err != nil {
			yield(importRow{}, err)
			return
		}
		for {
			cells, err := table.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if _, broken := errors.AsType[*csv.ParseError](err); err != nil {
				if !yield(importRow{}, err) || !broken {
					return
				}
				continue
			}
			named := map[string]string{}
			for i, name := range head {
				named[strings.TrimPrefix(strings.TrimSpace(name), "\ufeff")] = cells[i]
			}
			if !yield(rowOf(named), nil) {
				return
			}
		}
	}
}

func rowOf(cells map[string]string) importRow {
	maps.DeleteFunc(cells, func(_, value string) bool { return value == "" || value == "NULL" || value == `\N` })
	return importRow{
		ID: cells["id"], Email: cells["email"], Hash: cells["encrypted_password"], ConfirmedAt: cells["email_confirmed_at"],
		CreatedAt: cells["created_at"], BannedUntil: cells["banned_until"], DeletedAt: cells["deleted_at"],
		UserMetadata: json.RawMessage(cells["raw_user_meta_data"]),
	}
}

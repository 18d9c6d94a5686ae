package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"mime"
	"regexp"
	"strconv"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// bucket is a row.
type bucket struct {
	ID, Name         string
	Owner            sql.NullString
	Public           bool
	Limit            sql.NullInt64
	Types            []string
	Created, Updated db.Time
}

const bucketColumns = "id, name, owner, public, file_size_limit, allowed_mime_types, created_at, updated_at"

func (b *bucket) scan(scan func(...any) error) error {
	var types sql.NullString
	err := scan(&b.ID, &b.Name, &b.Owner, &b.Public, &b.Limit, &types, &b.Created, &b.Updated)
	if err == nil && types.Valid {
		err = json.Unmarshal([]byte(types.String), &b.Types)
	}
	return err
}

// shown is the bucket on the wire: the eight keys of the contract.
func (b bucket) shown() map[string]any {
	fields := map[string]any{
		"id": b.ID, "name": b.Name, "owner": b.Owner.String, "public": b.Public, "file_size_limit": nil, "allowed_mime_types": nil,
		"created_at": stamp(b.Created), "updated_at": stamp(b.Updated),
	}
	if b.Limit.Valid {
		fields["file_size_limit"] = b.Limit.Int64
	}
	if b.Types != nil {
		fields["allowed_mime_types"] = b.Types
	}
	return fields
}

// most is how many bytes an object in this bucket may have that comes in one request, and mostEver in several.
func (b bucket) most() int64 { return min(b.mostEver(), mostObject) }

func (b bucket) mostEver() int64 {
	if b.Limit.Valid {
		return min(b.Limit.Int64, mostResumable)
	}
	return mostResumable
}

// allows tells whether a stated type may be stored here. Parameters do not count.
func (b bucket) allows(stated string) bool {
	if len(b.Types) == 0 {
		return true
	}
	kind := bare(stated)
	for _, form := range b.Types {
		family, any := strings.CutSuffix(form, "/*")
		if form == kind || any && strings.HasPrefix(kind, family+"/") {
			return true
		}
	}
	return false
}

// bare is a media type without its parameters.
func bare(stated string) string {
	kind, _, err := mime.ParseMediaType(stated)
	if err != nil {
		kind, _, _ = strings.Cut(stated, ";")
	}
	return strings.ToLower(strings.TrimSpace(kind))
}

func stamp(t db.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// findBucket gives a bucket, and whether somebody may do all of some verbs with its object of that name; without one, with any.
func findBucket(ctx context.Context, tx *db.Tx, a who.Actor, id, key string, verbs ...Verb) (b bucket, allowed bool, err error) {
	condition, args := "1 = 1", []any{id}
	if len(verbs) > 0 {
		condition = all(a, "id", verbs...)
	}
	if len(verbs) > 0 && member(a) {
		here := ""
		args = append(args, a.UserID)
		if key != "" {
			here, args = " and cast(course_id as text) = $3", append(args, courseOf(key))
		}
		condition += " or id = '" + taught + "' and exists (select 1 from " + editing + "$2" + here + ")"
	}
	var n int
	query := "select " + bucketColumns + ", case when " + condition + " then 1 else 0 end from storage_buckets where id = $1"
	row := tx.QueryRow(ctx, query, args...)
	err = b.scan(func(into ...any) error { return row.Scan(append(into, &n)...) })
	if errors.Is(err, sql.ErrNoRows) {
		return b, false, errNoBucket
	}
	return b, n == 1, err
}

// visible gives a bucket that the caller may look at.
func (s *Service) visible(c *call) (b bucket, err error) {
	err = s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		found, allowed, err := findBucket(ctx, tx, c.actor, c.bucket, "", Select)
		if err == nil && !allowed {
			err = errNoBucket
		}
		b = found
		return err
	})
	return b, err
}

var (
	sizeForm = regexp.MustCompile(`^(\d{1,15}(?:\.\d{1,6})?)\s*(b|kb|mb|gb)$`)
	kindForm = regexp.MustCompile(`^[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,100}$`)
	mimeForm = regexp.MustCompile(`^[a-z0-9!#$&^_.+-]{1,60}/(\*|[a-z0-9!#$&^_.+-]{1,100})$`)
)

// limitOf reads a bound on the size of objects: bytes, or a number with a decimal unit. It is nil for none.
func (f fields) limitOf() (any, error) {
	if !f.has("file_size_limit") {
		return nil, nil //nolint:nilnil // SQL's null
	}
	var bytes int64
	var text string
	switch {
	case json.Unmarshal(f["file_size_limit"], &bytes) == nil:
	case json.Unmarshal(f["file_size_limit"], &text) == nil:
		if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
			bytes = whole
			break
		}
		parts := sizeForm.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
		if parts == nil {
			return nil, invalid("body/file_size_limit is no size")
		}
		number, _ := strconv.ParseFloat(parts[1], 64)
		number *= map[string]float64{"b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9}[parts[2]]
		bytes = int64(min(number, 1e18))
	default:
		return nil, invalid("body/file_size_limit must be integer")
	}
	if bytes < 0 {
		return nil, invalid("body/file_size_limit must be >= 0")
	}
	if bytes > mostResumable {
		return nil, errTooLarge
	}
	if bytes == 0 {
		return nil, nil //nolint:nilnil // none, as the reference has it
	}
	return bytes, nil
}

// typesOf reads the types that a bucket takes, as the text that is stored; nil for all.
func (f fields) typesOf() (any, error) {
	if !f.has("allowed_mime_types") {
		return nil, nil //nolint:nilnil // SQL's null
	}
	var types []string
	if json.Unmarshal(f["allowed_mime_types"], &types) != nil || len(types) > 100 {
		return nil, invalid("body/allowed_mime_types must be an array of strings")
	}
	for _, form := range types {
		if !mimeForm.MatchString(form) {
			return nil, badType(shown(form))
		}
	}
	text, err := json.Marshal(types)
	return string(text), err
}

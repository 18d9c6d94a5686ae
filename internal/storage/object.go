package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"greenroom/internal/platform/db"
)

// object is a row.
type object struct {
	ID, Bucket, Name string
	Owner            sql.NullString
	Version          string
	Size             int64
	Hash             string
	Type, Sniffed    string
	Cache            string
	Metadata         sql.NullString
	Created, Updated db.Time
	Public           bool // whether its bucket is; known where an object was looked for
}

const objectColumns = "o.id, o.bucket_id, o.name, o.owner, o.version, o.size, o.hash, o.mimetype, o.sniffed, o.cache_control, o.metadata, o.created_at, o.updated_at"

func (o *object) scan(scan func(...any) error) error {
	return scan(&o.ID, &o.Bucket, &o.Name, &o.Owner, &o.Version, &o.Size, &o.Hash, &o.Type, &o.Sniffed, &o.Cache, &o.Metadata, &o.Created, &o.Updated)
}

// find gives the one object for which a condition holds; invisible is absent.
func find(ctx context.Context, tx *db.Tx, condition string, args ...any) (o object, err error) {
	row := tx.QueryRow(ctx, "select "+objectColumns+", b.public from storage_objects o join storage_buckets b on b.id = o.bucket_id where "+condition, args...)
	err = o.scan(func(into ...any) error { return row.Scan(append(into, &o.Public)...) })
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoObject
	}
	return o, err
}

// etag is the object's content in a word; it is quoted wherever it stands.
func (o object) etag() string { return `"` + o.Hash[:32] + `"` }

// metadata is what the reference's S3 told it of the bytes.
func (o object) metadata() map[string]any {
	return map[string]any{
		"eTag": o.etag(), "size": o.Size, "mimetype": o.Type, "cacheControl": o.Cache, "lastModified": stamp(o.Updated),
		"contentLength": o.Size, "httpStatusCode": 200,
	}
}

// users is what the sender told of it.
func (o object) users() any {
	if !o.Metadata.Valid {
		return nil
	}
	return json.RawMessage(o.Metadata.String)
}

// shown is the whole row on the wire.
func (o object) shown() map[string]any {
	fields := map[string]any{
		"name": o.Name, "bucket_id": o.Bucket, "owner": nil, "owner_id": nil, "version": o.Version, "id": o.ID,
		"updated_at": stamp(o.Updated), "created_at": stamp(o.Created), "last_accessed_at": stamp(o.Created),
		"metadata": o.metadata(), "user_metadata": o.users(),
	}
	if o.Owner.Valid {
		fields["owner"], fields["owner_id"] = o.Owner.String, o.Owner.String
	}
	return fields
}

// informed is what info tells.
func (o object) informed() map[string]any {
	said := o.users()
	if said == nil {
		said = map[string]any{}
	}
	return map[string]any{
		"id": o.ID, "name": o.Name, "version": o.Version, "bucket_id": o.Bucket, "size": o.Size, "content_type": o.Type,
		"cache_control": o.Cache, "etag": o.etag(), "metadata": said, "last_modified": stamp(o.Updated), "created_at": stamp(o.Created),
	}
}

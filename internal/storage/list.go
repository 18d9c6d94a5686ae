package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/web"
)

// Bounds of one page.
const (
	mostV1 = 1500
	mostV2 = 1000
)

// level is the query for what stands at one level below a prefix: files as they are, and for all behind a slash one folder.
// It gives the name from a position on, whether it is a folder, and the columns of a file. instr is where the engines differ.
type level struct {
	at        string // where the name begins: a parameter
	condition string
}

func (l level) query(tx *db.Tx) string {
	slash := "instr(substr(o.name, " + l.at + "), '/')"
	if tx.Engine == db.Postgres {
		slash = "strpos(substr(o.name, " + l.at + "), '/')"
	}
	folder, file := "substr(o.name, "+l.at+", "+slash+" - 1)", "substr(o.name, "+l.at+")"
	columns := strings.Split(objectColumns, ", ")
	for i, column := range columns {
		value := "case when 1 = 0 then " + column + " end"
		if column == "o.name" {
			value = folder
		}
		columns[i] = value + " as " + strings.TrimPrefix(column, "o.")
	}
	nothing := strings.Join(columns, ", ")
	from := " from storage_objects o where " + l.condition + " and " + slash
	return "select distinct 1 as folder, " + folder + " as shown, " + nothing + from + " > 0" +
		" union all select 0, " + file + ", " + objectColumns + from + " = 0"
}

// entry is a line of a list.
type entry struct {
	folder bool
	name   string
	object
}

func (e *entry) scan(scan func(...any) error) error {
	var folder int
	var text struct{ id, bucket, name, version, hash, kind, sniffed, cache *string }
	var size *int64
	err := scan(&folder, &e.name, &text.id, &text.bucket, &text.name, &e.Owner, &text.version, &size, &text.hash, &text.kind, &text.sniffed, &text.cache,
		&e.Metadata, &e.Created, &e.Updated)
	if e.folder = folder == 1; err != nil || e.folder {
		return err
	}
	e.ID, e.Bucket, e.Name, e.Version, e.Hash, e.Type, e.Sniffed, e.Cache = *text.id, *text.bucket, *text.name, *text.version, *text.hash, *text.kind, *text.sniffed, *text.cache
	e.Size = *size
	return nil
}

// line is an entry on the wire.
func (e entry) line() map[string]any {
	if e.folder {
		return map[string]any{"name": e.name, "id": nil, "updated_at": nil, "created_at": nil, "last_accessed_at": nil, "metadata": nil}
	}
	return map[string]any{
		"name": e.name, "id": e.ID, "updated_at": stamp(e.Updated), "created_at": stamp(e.Created), "last_accessed_at": stamp(e.Created), "metadata": e.metadata(),
	}
}

// entries reads a page of a list.
func (s *Service) entries(c *call, l level, rest string, args []any) ([]entry, error) {
	var found []entry
	err := s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		found = nil
		return db.Each(ctx, tx, "select e.* from ("+l.query(tx)+") as e "+rest, args, func(scan func(...any) error) error {
			var e entry
			err := e.scan(scan)
			found = append(found, e)
			return err
		})
	})
	return found, err
}

// sorting reads by what a list is sorted.
func (f fields) sorting(columns ...string) (column, order string, err error) {
	var by struct{ Column, Order *string }
	column, order = "name", "asc"
	if f.has("sortBy") && json.Unmarshal(f["sortBy"], &by) != nil {
		return "", "", invalid("body/sortBy must be object")
	}
	if by.Column != nil && *by.Column != "" {
		column = ""
		for _, known := range columns {
			if known == *by.Column {
				column = known
			}
		}
		if column == "" {
			return "", "", invalid("body/sortBy/column must be equal to one of the allowed values")
		}
	}
	if by.Order != nil && *by.Order != "" {
		if order = strings.ToLower(*by.Order); order != "asc" && order != "desc" {
			return "", "", invalid("body/sortBy/order must be equal to one of the allowed values")
		}
	}
	return column, order, nil
}

// beyond is the first text after all that begin with another: names have nothing above a tilde.
const beyond = "\x7f"

// listedV1 reads a page along an index. Who searches by time for what is in a folder of the folder reads all that begins so. Folder and
// begins are folded.
func (s *Service) listedV1(c *call, folder, begins, column, order string, offset, limit int) (found []entry, err error) {
	allowed := c.may(Select, "o.bucket_id")
	if column == "name" {
		err = s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
			found, err = newFolded(c.bucket, allowed, order, folder, begins).page(ctx, tx, offset, limit)
			return err
		})
		return found, err
	}
	by := strings.Replace(column, "last_accessed_at", "created_at", 1)
	if !strings.Contains(begins[len(folder):], "\t") {
		err = s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
			found, err = foldedByTime(ctx, tx, byTime{bucket: c.bucket, condition: allowed, folder: folder, begins: begins, folds: true, column: by, order: order}, offset, limit)
			return err
		})
		return found, err
	}
	l := level{at: "$2", condition: "o.bucket_id = $1 and " + foldedName + " >= $3 and " + foldedName + " < $4 and " + allowed}
	return s.entries(c, l, fmt.Sprintf("order by e.folder desc, e.%s %s, e.shown limit %d offset %d", by, order, limit, offset), []any{c.bucket, len(folder) + 1, begins, begins + beyond})
}

// list is the first version: one folder, without case, by position.
func (s *Service) list(c *call) error {
	given, err := c.body()
	if err != nil {
		return err
	}
	if _, said := given["prefix"]; !said {
		return invalid("body must have required property 'prefix'")
	}
	prefix, err := given.text("prefix", false)
	if err != nil {
		return err
	}
	search, err := given.text("search", false)
	if err != nil {
		return err
	}
	limit, err := given.number("limit", 100, 1)
	if err != nil {
		return err
	}
	offset, err := given.number("offset", 0, 0)
	if err != nil {
		return err
	}
	column, order, err := given.sorting("name", "updated_at", "created_at", "last_accessed_at")
	if err != nil {
		return err
	}
	folder := strings.TrimPrefix(prefix, "/")
	if folder != "" && !strings.HasSuffix(folder, "/") {
		folder += "/"
	}
	folder = folded(folder)
	found, err := s.listedV1(c, folder, folder+folded(search), column, order, offset, min(limit, mostV1))
	if err != nil {
		return err
	}
	lines := make([]map[string]any, len(found))
	for i, e := range found {
		lines[i] = e.line()
	}
	return web.JSON(c.w, http.StatusOK, lines)
}

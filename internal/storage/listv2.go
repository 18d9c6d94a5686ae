package storage

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/web"
)

// cursor is where a list goes on. It carries the order with it; clients give it back as they got it.
type cursor struct {
	Name   string `json:"n"`
	Folder bool   `json:"f,omitempty"`
	Column string `json:"c"`
	Order  string `json:"o"`
	Micros int64  `json:"t,omitempty"`
}

func (c cursor) String() string {
	text, _ := json.Marshal(c) // of texts and numbers alone
	return base64.StdEncoding.EncodeToString(text)
}

func readCursor(text string) (c cursor, err error) {
	plain, err := base64.StdEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(plain, &c) != nil {
		return c, errCursor
	}
	if c.Order != "asc" && c.Order != "desc" || c.Column != "name" && c.Column != "created_at" && c.Column != "updated_at" || strings.ContainsRune(c.Name, 0) {
		return c, errCursor
	}
	return c, nil
}

// wantedList is what the second version is asked for.
type wantedList struct {
	prefix string
	limit  int
	tree   bool
	begin  cursor // with a name where it goes on
	given  bool
}

func (f fields) wantedList() (w wantedList, err error) {
	if w.prefix, err = f.text("prefix", false); err != nil {
		return w, err
	}
	if w.limit, err = f.number("limit", mostV2, 1); err != nil {
		return w, err
	}
	w.limit = min(w.limit, mostV2)
	if w.tree, err = f.flag("with_delimiter", false); err != nil {
		return w, err
	}
	if w.begin.Column, w.begin.Order, err = f.sorting("name", "created_at", "updated_at"); err != nil {
		return w, err
	}
	text, err := f.text("cursor", false)
	if err != nil || text == "" {
		return w, err
	}
	w.given = true
	w.begin, err = readCursor(text)
	return w, err
}

// listV2 is the second version: by bytes, from a cursor on, flat or by folders.
func (s *Service) listV2(c *call) error {
	given, err := c.body()
	if err != nil {
		return err
	}
	w, err := given.wantedList()
	if err != nil {
		return err
	}
	found, err := s.listed(c, w)
	if err != nil {
		return err
	}
	answer := map[string]any{"hasNext": len(found) > w.limit}
	if len(found) > w.limit {
		found = found[:w.limit]
		next := w.next(found[w.limit-1])
		answer["nextCursor"], answer["nextCursorKey"] = next.String(), next.Name
	}
	folders, objects := []map[string]any{}, []map[string]any{}
	for _, e := range found {
		line := e.line()
		if w.tree {
			line["key"] = lastSegment(e.name)
		}
		if e.folder {
			folders = append(folders, line)
		} else {
			objects = append(objects, line)
		}
	}
	answer["folders"], answer["objects"] = folders, objects
	return web.JSON(c.w, http.StatusOK, answer)
}

// listed reads a page, along an index.
func (s *Service) listed(c *call, w wantedList) (found []entry, err error) {
	if w.begin.Column == "name" {
		err = s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
			found, err = w.walk().page(ctx, tx, c.bucket, c.may(Select, "o.bucket_id"))
			return err
		})
		return found, err
	}
	if !w.tree {
		err = s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
			found, err = w.flat(ctx, tx, c.bucket, c.may(Select, "o.bucket_id"))
			return err
		})
		return found, err
	}
	err = s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		found, err = w.levelByTime(ctx, tx, c.bucket, c.may(Select, "o.bucket_id"))
		return err
	})
	return found, err
}

// timeQuery is a page by time without folders. Names are only spoken of where some are asked for: a planner takes their index otherwise.
func (w wantedList) timeQuery(bucket, condition string) (query string, args []any) {
	column, sign := "o."+w.begin.Column, ">"
	if w.begin.Order == "desc" {
		sign = "<"
	}
	args = []any{bucket}
	if w.given {
		args = append(args, db.At(time.UnixMicro(w.begin.Micros)), w.begin.Name)
		condition = column + " " + sign + "= $2 and (" + column + " " + sign + " $2 or o.name > $3) and " + condition
	}
	if w.prefix != "" {
		args = append(args, w.prefix, w.prefix+beyond)
		condition = fmt.Sprintf("o.name >= $%d and o.name < $%d and %s", len(args)-1, len(args), condition)
	}
	return fmt.Sprintf("select %s from storage_objects o where o.bucket_id = $1 and %s order by %s %s, o.name limit %d",
		objectColumns, condition, column, w.begin.Order, w.limit+1), args
}

func (w wantedList) flat(ctx context.Context, tx *db.Tx, bucket, condition string) (found []entry, err error) {
	query, args := w.timeQuery(bucket, condition)
	err = db.Each(ctx, tx, query, args, func(scan func(...any) error) error {
		var o object
		err := o.scan(scan)
		found = append(found, entry{name: o.Name, object: o})
		return err
	})
	return found, err
}

func lastSegment(name string) string {
	name = strings.TrimSuffix(name, "/")
	return name[strings.LastIndexByte(name, '/')+1:]
}

func (w wantedList) next(last entry) cursor {
	next := cursor{Name: last.name, Folder: last.folder, Column: w.begin.Column, Order: w.begin.Order}
	switch {
	case last.folder:
	case next.Column == "created_at":
		next.Micros = last.Created.UnixMicro()
	case next.Column == "updated_at":
		next.Micros = last.Updated.UnixMicro()
	}
	return next
}

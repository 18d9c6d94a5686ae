package catalog

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

//go:embed courses.jsonl
var builtin []byte

// Builtin gives the 28 courses that every installation begins with. Their ids are the same everywhere.
func Builtin() ([]Course, error) {
	var list []Course
	lines := json.NewDecoder(bytes.NewReader(builtin))
	lines.DisallowUnknownFields()
	for lines.More() {
		var line struct {
			Course

			Slug string `json:"slug"`
		}
		if err := lines.Decode(&line); err != nil {
			return nil, fmt.Errorf("the built-in courses: %w", err)
		}
		line.ID = id.Named("course " + line.Slug)
		line.Thumbnail = "/art/" + line.Slug + ".webp"
		list = append(list, line.Course)
	}
	return list, nil
}

// Install puts the built-in courses into an empty database, once: a later start never brings back what an admin
// deleted, and of several instances that start together one does it.
func (c *Catalog) Install(ctx context.Context) error {
	list, err := Builtin()
	if err != nil {
		return err
	}
	err = c.d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		first, err := tx.Exec(ctx, "insert into versions (name, number) values ('courses installed', 1) on conflict do nothing")
		if err != nil || first == 0 {
			return err
		}
		var there int
		if err := tx.QueryRow(ctx, "select count(*) from courses").Scan(&there); err != nil || there > 0 {
			return err
		}
		if err := upsert(ctx, tx, list); err != nil {
			return err
		}
		if err := c.launchAll(ctx, tx, list); err != nil {
			return err
		}
		return c.touch(ctx, tx, everything)
	})
	if err != nil {
		return fmt.Errorf("install the built-in courses: %w", err)
	}
	return nil
}

package catalog

import (
	"context"
	"fmt"
	"slices"

	"greenroom/internal/platform/db"
	"greenroom/internal/rest"
)

// Tables says what the data API may touch, and for whom: anyone reads the catalogue, admins write it.
func (c *Catalog) Tables() []rest.Table {
	write := rest.OnInsert | rest.OnUpdate
	return []rest.Table{{
		Name: "courses",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID, Write: rest.OnInsert, Default: rest.NewID}, // so that an upsert can name it
			{Name: "title", Type: rest.Text, Write: write},
			{Name: "instructor", Type: rest.Text, Write: write},
			{Name: "duration", Type: rest.Text, Write: write},
			{Name: "category", Type: rest.Text, Write: write},
			{Name: "thumbnail", Type: rest.Text, Write: write},
			{Name: "description", Type: rest.Text, Write: write},
			{Name: "lessons", Type: rest.Int, Write: write},
			{Name: "level", Type: rest.Text, Write: write},
			{Name: "rating", Type: rest.Float, Write: write},
			{Name: "coming_soon", Type: rest.Bool, Write: write, Default: false},
			{Name: "launch_at", Type: rest.Timestamp, Nullable: true, Write: write},
			{Name: "created_at", Type: rest.Timestamp, Default: rest.Now},
			{Name: "learn", Type: rest.Text, Write: write, Default: ""},
			{Name: "audience", Type: rest.Text, Write: write, Default: ""},
			{Name: "outcome", Type: rest.Text, Write: write, Default: ""},
			{Name: "instructor_bio", Type: rest.Text, Write: write, Default: ""},
		},
		Read:   rest.All(),
		Insert: rest.Insert{If: rest.Admins(), After: c.written},
		Update: rest.Update{If: rest.Admins(), After: c.written},
		Delete: rest.Delete{If: rest.Admins(), Before: c.deleting, After: c.deleted},
		Answer: c.answer, Version: c.Versions.Watched,
	}}
}

// written holds new and changed courses to the rules, and tells who waits for a course that it is out.
func (c *Catalog) written(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	list, ids := make([]Course, len(rows)), make([]string, len(rows))
	for i, row := range rows {
		list[i] = courseOf(row)
		if err := list[i].check(); err != nil {
			return err
		}
		ids[i] = list[i].ID
	}
	if err := c.launchAll(ctx, tx, list); err != nil {
		return err
	}
	if err := c.counted(ctx, tx, list, len(rows) > 0 && rows[0].Alone("rating")); err != nil {
		return err
	}
	return c.touch(ctx, tx, ids...)
}

// counted holds what was written of courses to what others count: their lessons, and the stars that learners gave.
func (c *Catalog) counted(ctx context.Context, tx *db.Tx, list []Course, meant bool) error {
	if c.Written != nil {
		if err := c.Written(ctx, tx); err != nil {
			return err
		}
	}
	if c.Rated == nil {
		return nil
	}
	ratings := make(map[string]float64, len(list))
	for _, course := range list {
		ratings[course.ID] = course.Rating
	}
	return c.Rated(ctx, tx, ratings, meant)
}

// deleting asks whether the courses may go.
func (c *Catalog) deleting(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	if c.Held == nil {
		return nil
	}
	return c.Held(ctx, tx, idsOf(rows))
}

func (c *Catalog) deleted(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	ids := idsOf(rows)
	if c.Gone != nil {
		if err := c.Gone(ctx, tx, ids...); err != nil {
			return err
		}
	}
	return c.touch(ctx, tx, ids...)
}

func idsOf(rows []rest.Row) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.Text("id")
	}
	return ids
}

// launchAll keeps awaited in step with coming_soon. Where it falls, the course is out, and this is the one transaction
// that sees it fall.
func (c *Catalog) launchAll(ctx context.Context, tx *db.Tx, list []Course) error {
	out := map[string]bool{}
	for some := range slices.Chunk(list, mostParameters) {
		args := make([]any, len(some))
		for i := range some {
			args[i] = some[i].ID
		}
		err := db.Each(ctx, tx, "update courses set awaited = coming_soon where awaited <> coming_soon and id in "+marks(1, len(some))+
			" returning id, coming_soon", args, func(scan func(into ...any) error) error {
			var id string
			var soon bool
			err := scan(&id, &soon)
			out[id] = !soon
			return err
		})
		if err != nil {
			return fmt.Errorf("note which courses are awaited: %w", err)
		}
	}
	for _, course := range list {
		if out[course.ID] && c.Launched != nil {
			if err := c.Launched(ctx, tx, course); err != nil {
				return err
			}
		}
	}
	return nil
}

func courseOf(row rest.Row) Course {
	return Course{
		ID: row.Text("id"), Title: row.Text("title"), Instructor: row.Text("instructor"), Duration: row.Text("duration"),
		Category: row.Text("category"), Thumbnail: row.Text("thumbnail"), Description: row.Text("description"),
		Lessons: row.Int("lessons"), Level: row.Text("level"), Rating: row.Float("rating"),
		ComingSoon: row.Bool("coming_soon"), LaunchAt: row.Time("launch_at"), CreatedAt: row.Time("created_at"),
		Story: Story{
			Learn: row.Text("learn"), Audience: row.Text("audience"), Outcome: row.Text("outcome"), InstructorBio: row.Text("instructor_bio"),
		},
	}
}

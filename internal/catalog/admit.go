package catalog

import (
	"context"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// Admit brings in a course from elsewhere, column by column as a file of courses has it, and says whether it was not here
// yet. One that is here is left as it is. Admitted tells everybody of all of them.
func (c *Catalog) Admit(ctx context.Context, tx *db.Tx, cells map[string]string) (added bool, err error) {
	var head, record []string
	for _, column := range fileColumns {
		if text, there := cells[column]; there {
			head, record = append(head, column), append(record, text)
		}
	}
	course, err := courseOfCells(head, record)
	if err == nil {
		course, err = ready(course)
	}
	if err != nil {
		return false, fault.New(fault.Invalid, err.Error())
	}
	var here bool
	if err := tx.QueryRow(ctx, "select exists (select 1 from courses where id = $1)", course.ID).Scan(&here); err != nil || here {
		return false, err
	}
	return true, upsert(ctx, tx, []Course{course})
}

// Admitted tells of courses that were brought in by this transaction.
func (c *Catalog) Admitted(ctx context.Context, tx *db.Tx) error { return c.touch(ctx, tx, everything) }

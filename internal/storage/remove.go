package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
)

// take deletes objects by name, where the condition holds, and gives their bytes to the sweeper.
func (s *Service) take(ctx context.Context, tx *db.Tx, bucket string, names []string, condition string) ([]object, error) {
	if len(names) == 0 {
		return nil, nil
	}
	if err := turn(ctx, tx); err != nil {
		return nil, err
	}
	var gone []object
	err := eachOf(ctx, tx, "delete from storage_objects as o where o.bucket_id = $1 and o.name in (%) and "+condition+" returning "+returned,
		bucket, names, func(o object) { gone = append(gone, o) })
	if err != nil {
		return nil, err
	}
	return gone, discard(ctx, tx, gone...)
}

// namesAtOnce is how many names a statement has: always so many, so that it is prepared once.
const namesAtOnce = 100

// eachOf runs a statement with a place for names, a part of them at a time.
func eachOf(ctx context.Context, tx *db.Tx, query, bucket string, names []string, fn func(object)) error {
	for part := range slices.Chunk(names, namesAtOnce) {
		args, marks := []any{bucket}, make([]string, min(len(names), namesAtOnce))
		for i := range marks {
			args, marks[i] = append(args, part[min(i, len(part)-1)]), fmt.Sprintf("$%d", i+2)
		}
		err := db.Each(ctx, tx, filled(query, strings.Join(marks, ", ")), args, func(scan func(...any) error) error {
			var o object
			err := o.scan(scan)
			fn(o)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// returned are the columns of a row that is deleted: SQLite does not know the table's other name there.
var returned = strings.ReplaceAll(objectColumns, "o.", "")

// unshown is the condition that nothing shows an upload: a lesson as its film or beside it, a course as its trailer, a film as its
// poster. What is shown goes with what shows it; only the service role takes it away from under everybody.
const unshown = ` and not exists (select 1 from lesson_files f where f.object_id = o.id)
	and not exists (select 1 from videos v join lesson_contents l on l.video_id = v.id where v.object_id = o.id)
	and not exists (select 1 from videos v join course_offers c on c.trailer_id = v.id where v.object_id = o.id)
	and not exists (select 1 from videos v join storage_objects u on u.id = v.object_id where v.poster_id = o.id)`

// mayRemove is the condition that a caller may take an object away.
func (c *call) mayRemove() string {
	if c.actor.Role == who.Service {
		return c.all("o.bucket_id", Select, Delete)
	}
	return c.all("o.bucket_id", Select, Delete) + unshown
}

func (s *Service) removeMany(c *call) error {
	if c.never(Select, Delete) {
		_ = s.refused(c, "object.remove", c.bucket, nil)
		return web.JSON(c.w, http.StatusOK, []any{})
	}
	given, err := c.bodyUpTo(mostList)
	if err != nil {
		return err
	}
	if _, said := given["prefixes"]; said && strings.Contains(string(given["prefixes"]), "versionId") && json.Unmarshal(given["prefixes"], &[]string{}) != nil {
		return invalid("versionId is not supported")
	}
	names, err := given.texts("prefixes")
	if err != nil {
		return err
	}
	rows := []map[string]any{}
	err = s.DB.Clear(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		gone, err := s.take(ctx, tx, c.bucket, unique(names), c.mayRemove())
		if err != nil {
			return err
		}
		rows = []map[string]any{}
		for _, o := range gone {
			rows = append(rows, o.shown())
		}
		if len(gone) > 0 {
			return noted(ctx, tx, c, "object.remove", removed(gone), nil)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.sweepSoon()
	return web.JSON(c.w, http.StatusOK, rows)
}

// removed names what was removed, for the trail.
func removed(gone []object) string {
	if len(gone) == 1 {
		return gone[0].Bucket + "/" + gone[0].Name
	}
	return fmt.Sprintf("%s: %d objects", gone[0].Bucket, len(gone))
}

// unique leaves out what is named twice, and what names nothing.
func unique(names []string) []string {
	seen, kept := map[string]bool{}, []string{}
	for _, name := range names {
		if isKey(name) && !seen[name] {
			seen[name] = true
			kept = append(kept, name)
		}
	}
	return kept
}

func (s *Service) removeOne(c *call) error {
	if err := checkPlace(c.bucket, c.key); err != nil {
		return err
	}
	if _, err := s.seek(c, c.sought()); err != nil {
		return s.refused(c, "object.remove", c.bucket+"/"+c.key, err)
	}
	if c.never(Select, Delete) {
		return s.refused(c, "object.remove", c.bucket+"/"+c.key, errDenied)
	}
	gone := 0
	err := s.DB.Clear(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		found, err := s.take(ctx, tx, c.bucket, []string{c.key}, c.mayRemove())
		if gone = len(found); err != nil || gone == 0 {
			return err
		}
		return noted(ctx, tx, c, "object.remove", removed(found), nil)
	})
	if err != nil {
		return err
	}
	if gone == 0 {
		return s.refused(c, "object.remove", c.bucket+"/"+c.key, errDenied)
	}
	s.sweepSoon()
	return web.JSON(c.w, http.StatusOK, map[string]string{"message": "Successfully deleted"})
}

// emptyBucket removes everything, a batch at a time. Whatever it does not get to is still there to be removed again.
func (s *Service) emptyBucket(c *call) error {
	if _, err := s.visible(c); err != nil {
		return err
	}
	ctx, cancel := web.Unhurried(c.Context())
	defer cancel()
	for more := true; more; {
		err := s.DB.Clear(ctx, func(ctx context.Context, tx *db.Tx) error {
			var names []string
			err := db.Each(ctx, tx, "select name from storage_objects where bucket_id = $1 limit 500", []any{c.bucket}, func(scan func(...any) error) error {
				var name string
				err := scan(&name)
				names = append(names, name)
				return err
			})
			if err != nil {
				return err
			}
			gone, err := s.take(ctx, tx, c.bucket, names, "1 = 1")
			if more = len(gone) > 0; err != nil || !more {
				return err
			}
			return noted(ctx, tx, c, "object.remove", removed(gone), nil)
		})
		if err != nil {
			return err
		}
	}
	s.sweepSoon()
	return web.JSON(c.w, http.StatusOK, map[string]string{"message": "Empty bucket has been queued. Completion may take up to an hour."})
}

package storage

import (
	"context"
	"strconv"
	"strings"

	"greenroom/internal/platform/db"
)

// walk is a list by name that goes along the index and jumps over what stands in a folder, so that a page costs what it shows, however
// many objects there are.
type walk struct {
	wantedList
	low, high string // names from one on, and before the other
}

// behind is the first text after all names in a folder: a zero follows the slash.
func behind(folder string) string { return strings.TrimSuffix(folder, "/") + "0" }

func (w wantedList) walk() walk {
	to := walk{w, w.prefix, w.prefix + beyond}
	if !w.given {
		return to
	}
	from := w.begin.Name
	switch {
	case w.begin.Order == "desc":
		to.high = min(to.high, from)
	case w.begin.Folder:
		to.low = max(to.low, behind(from))
	default:
		to.low = max(to.low, from+"\x01") // the next name there can be
	}
	return to
}

// folder is the one below the prefix that an object stands in.
func (w walk) folder(name string) (string, bool) {
	if !w.tree {
		return "", false
	}
	end := strings.IndexByte(name[len(w.prefix):], '/')
	return name[:len(w.prefix)+end+1], end >= 0
}

const stepQuery = "select " + objectColumns + " from storage_objects o where o.bucket_id = $1 and o.name >= $2 and o.name < $3 and "

// page reads a page, and one entry more that tells whether there is another. After a folder it asks for one name, then for twice as
// many, and so on.
func (w walk) page(ctx context.Context, tx *db.Tx, bucket, condition string) (found []entry, err error) {
	most := w.limit + 1
	for ask := most; len(found) < most; {
		ask = min(ask, most-len(found))
		var rows []object
		query := stepQuery + condition + " order by o.name " + w.begin.Order + " limit " + strconv.Itoa(ask)
		err := db.Each(ctx, tx, query, []any{bucket, w.low, w.high}, func(scan func(...any) error) error {
			var o object
			err := o.scan(scan)
			rows = append(rows, o)
			return err
		})
		if err != nil {
			return nil, err
		}
		jumped := false
		for _, o := range rows {
			folder, isFolder := w.folder(o.Name)
			if !isFolder {
				found = append(found, entry{name: o.Name, object: o})
				w.pass(o.Name, o.Name+"\x01")
				continue
			}
			found = append(found, entry{folder: true, name: folder})
			w.pass(folder, behind(folder))
			jumped = true
			break
		}
		if !jumped && len(rows) < ask {
			return found, nil
		}
		if ask *= 2; jumped {
			ask = 1
		}
	}
	return found, nil
}

// pass goes on behind a name, or before it where the list goes down.
func (w *walk) pass(name, next string) {
	if w.begin.Order == "desc" {
		w.high = name
	} else {
		w.low = next
	}
}

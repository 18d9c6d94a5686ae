package storage

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"greenroom/internal/platform/db"
)

// The first version lists without case, and a folder among files by its name without the slash: "a" before "a-b". So the index has names
// in small letters, with a tab, which no name has and which comes before all that one may have, in the slash's place.
const foldedName = "lower(replace(o.name, '/', '\t'))"

// folded is a name as the index has it. What somebody asks for may be shorter then: the Kelvin sign has three bytes, and is a k.
func folded(name string) string { return strings.ToLower(strings.ReplaceAll(name, "/", "\t")) }

// foldedWalk goes along the index, and jumps over what is in folders.
type foldedWalk struct {
	bucket, condition, order string
	level                    int    // how long the name of the listed folder is
	low, high                string // names from one on, and before the other
	last, name               string // the name that it has come to, as the index has it and as it is
}

// newFolded walks through what begins so in a folder; both are folded.
func newFolded(bucket, condition, order, folder, begins string) foldedWalk {
	w := foldedWalk{bucket: bucket, condition: condition, order: order, level: len(folder), low: begins, high: begins + beyond}
	if order == "desc" {
		w.last = w.high
	}
	return w
}

func (w foldedWalk) query(ask int) string {
	sign := ">"
	if w.order == "desc" {
		sign = "<"
	}
	return "select " + objectColumns + " from storage_objects o where o.bucket_id = $1 and " + foldedName + " >= $2 and " + foldedName + " < $3 and (" +
		foldedName + " " + sign + " $4 or " + foldedName + " = $4 and o.name " + sign + " $5) and " + w.condition +
		" order by " + foldedName + " " + w.order + ", o.name " + w.order + " limit " + strconv.Itoa(ask)
}

// page gives so many entries, from a position on. After a folder it asks for one name, then for twice as many, and so on.
func (w foldedWalk) page(ctx context.Context, tx *db.Tx, offset, limit int) (found []entry, err error) {
	most := offset + limit
	for ask := most; len(found) < most; {
		ask = min(ask, most-len(found))
		var rows []object
		err := db.Each(ctx, tx, w.query(ask), []any{w.bucket, w.low, w.high, w.last, w.name}, func(scan func(...any) error) error {
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
			end := strings.IndexByte(o.Name[w.level:], '/')
			if end < 0 {
				found = append(found, entry{name: o.Name[w.level:], object: o})
				w.pass(o.Name)
				continue
			}
			folders, err := w.folders(ctx, tx, strings.ToLower(o.Name[:w.level+end+1]))
			if err != nil {
				return nil, err
			}
			found = append(found, folders...)
			w.jump(folded(o.Name[:w.level+end]))
			jumped = true
			break
		}
		if !jumped && len(rows) < ask {
			break
		}
		if ask *= 2; jumped {
			ask = 1
		}
	}
	return found[min(offset, len(found)):min(most, len(found))], nil
}

// pass goes on behind a name.
func (w *foldedWalk) pass(name string) {
	w.last, w.name = folded(name), name
	if w.order == "desc" {
		w.high = w.last + "\x01" // it is the last that there can be
	} else {
		w.low = w.last
	}
}

// jump goes on behind all that is in a folder.
func (w *foldedWalk) jump(folder string) {
	if w.order == "desc" {
		w.high = folder + "\t"
		w.last, w.name = w.high, ""
	} else {
		w.low = folder + "\n"
		w.last, w.name = folder+"\t"+beyond, ""
	}
}

// mostForms bounds how many ways to write a folder's name are looked for.
const mostForms = 200

// folders are those with a name, however it is written: Lamp/ and lamp/ are two. Each is looked for along the other index.
func (w foldedWalk) folders(ctx context.Context, tx *db.Tx, small string) (found []entry, err error) {
	names := []string{}
	from, ok := strings.ToUpper(small), true
	for range mostForms {
		if !ok {
			break
		}
		name := ""
		err := db.Each(ctx, tx, "select o.name from storage_objects o where o.bucket_id = $1 and o.name >= $2 and o.name < $3 and "+w.condition+" order by o.name limit 1",
			[]any{w.bucket, from, behind(small)}, func(scan func(...any) error) error { return scan(&name) })
		if err != nil {
			return nil, err
		}
		if name == "" {
			break
		}
		if len(name) >= len(small) && strings.EqualFold(name[:len(small)], small) {
			names = append(names, name[w.level:len(small)-1])
			name = behind(name[:len(small)])
		}
		from, ok = nextForm(small, name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if w.order == "desc" {
		slices.Reverse(names)
	}
	for _, name := range names {
		found = append(found, entry{folder: true, name: name})
	}
	return found, nil
}

// nextForm is the first way to write a name, in large and small letters, that comes after a text.
func nextForm(small, after string) (form string, ok bool) {
	large := strings.ToUpper(small)
	for i := range len(small) {
		if i >= len(after) {
			return after + large[i:], true
		}
		switch c := after[i]; {
		case large[i] > c:
			form, ok = after[:i]+large[i:], true
		case small[i] > c:
			form, ok = after[:i]+small[i:i+1]+large[i+1:], true
		}
		if after[i] != large[i] && after[i] != small[i] {
			return form, ok
		}
	}
	return form, ok
}

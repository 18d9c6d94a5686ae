package storage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"greenroom/internal/platform/db"
)

// folderOf is the folder that an object stands in, as the index has it: its name without all behind the last slash.
const folderOf = "rtrim(o.name, replace(o.name, '/', ''))"

// byTime is a list of one folder by time: first the folders in it, which have none, then its files. Both go along an index: a page
// costs what it shows and the folders before it, however much is in them.
type byTime struct {
	bucket, condition string
	folder            string // with its slash
	column, order     string
	begins            string // what names begin with, in any case where folds is set; the folder and a part of a name
	folds             bool
}

// nextFolder finds the folder of an object that is below ours, and behind a text.
func (b byTime) nextFolder() string {
	return "select " + folderOf + " from storage_objects o where o.bucket_id = $1 and " + folderOf + " > $2 and " + folderOf + " < $3 and " + b.condition +
		" order by " + folderOf + " limit 1"
}

// has tells whether a name begins as it should.
func (b byTime) has(name string) bool {
	if b.folds {
		return strings.HasPrefix(folded(name), b.begins)
	}
	return strings.HasPrefix(name, b.begins)
}

// folders are the first so many in ours, behind a name, by name. They are whole names, with their slash.
func (b byTime) folders(ctx context.Context, tx *db.Tx, after string, most int) (found []string, err error) {
	last, end := b.folder, b.folder+beyond
	if !b.folds { // what does not begin so is not even looked at
		last, end = b.begins, b.begins+beyond
	}
	if after != "" {
		last = max(last, after+beyond)
	}
	for len(found) < most {
		deep := ""
		err := db.Each(ctx, tx, b.nextFolder(), []any{b.bucket, last, end}, func(scan func(...any) error) error { return scan(&deep) })
		if err != nil || deep == "" {
			return found, err
		}
		name := deep[:len(b.folder)+strings.IndexByte(deep[len(b.folder):], '/')+1]
		if last = name + beyond; b.has(name) {
			found = append(found, name)
		}
	}
	return found, nil
}

// query is for files in ours, from one on.
func (b byTime) query(from *cursor, most int) (query string, args []any) {
	column, sign, condition := "o."+b.column, ">", b.condition
	if b.order == "desc" {
		sign = "<"
	}
	args = []any{b.bucket, b.folder}
	if from != nil {
		args = append(args, db.At(time.UnixMicro(from.Micros)), from.Name)
		condition = column + " " + sign + "= $3 and (" + column + " " + sign + " $3 or o.name > $4) and " + condition
	}
	if b.folds && len(b.begins) > len(b.folder) || !b.folds && b.begins != b.folder {
		name := "o.name"
		if b.folds {
			name = foldedName
		}
		args = append(args, b.begins, b.begins+beyond)
		condition = fmt.Sprintf("%s >= $%d and %s < $%d and %s", name, len(args)-1, name, len(args), condition)
	}
	return fmt.Sprintf("select %s from storage_objects o where o.bucket_id = $1 and %s = $2 and %s order by %s %s, o.name limit %d",
		objectColumns, folderOf, condition, column, b.order, most), args
}

func (b byTime) files(ctx context.Context, tx *db.Tx, from *cursor, most int) (found []entry, err error) {
	if most <= 0 {
		return nil, nil
	}
	query, args := b.query(from, most)
	err = db.Each(ctx, tx, query, args, func(scan func(...any) error) error {
		var o object
		err := o.scan(scan)
		found = append(found, entry{name: o.Name, object: o})
		return err
	})
	return found, err
}

// levelByTime is a page of the second version by time with folders.
func (w wantedList) levelByTime(ctx context.Context, tx *db.Tx, bucket, condition string) (found []entry, err error) {
	b := byTime{
		bucket: bucket, condition: condition, folder: w.prefix[:strings.LastIndexByte(w.prefix, '/')+1], begins: w.prefix,
		column: w.begin.Column, order: w.begin.Order,
	}
	var from *cursor
	if w.given && !w.begin.Folder {
		from = &w.begin
	} else {
		names, err := b.folders(ctx, tx, w.begin.Name, w.limit+1)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			found = append(found, entry{folder: true, name: name})
		}
	}
	files, err := b.files(ctx, tx, from, w.limit+1-len(found))
	return append(found, files...), err
}

// foldedByTime is a page of the first version by time. Folder and begins are folded, and a folder may be written in several ways.
func foldedByTime(ctx context.Context, tx *db.Tx, b byTime, offset, limit int) (found []entry, err error) {
	forms, most := []string{""}, offset+limit
	if strings.ContainsFunc(b.folder, func(letter rune) bool { return letter > '~' }) {
		return nil, nil // no name has such a letter
	}
	if small := strings.ReplaceAll(b.folder, "\t", "/"); small != "" {
		written, err := newFolded(b.bucket, b.condition, "asc", "", b.folder).folders(ctx, tx, small)
		if err != nil {
			return nil, err
		}
		forms = forms[:0]
		for _, one := range written {
			forms = append(forms, one.name+"/")
		}
	}
	var files []entry
	for _, form := range forms {
		b.folder = form
		names, err := b.folders(ctx, tx, "", most)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			found = append(found, entry{folder: true, name: strings.TrimSuffix(name[len(form):], "/")})
		}
		some, err := b.files(ctx, tx, nil, most)
		if err != nil {
			return nil, err
		}
		for i := range some {
			some[i].name = some[i].name[len(form):]
		}
		files = append(files, some...)
	}
	slices.SortFunc(found, func(x, y entry) int { return cmp.Compare(x.name, y.name) })
	found = slices.CompactFunc(found, func(x, y entry) bool { return x.name == y.name })
	if len(forms) > 1 {
		slices.SortStableFunc(files, b.compare)
	}
	found = append(found, files...)
	return found[min(offset, len(found)):min(most, len(found))], nil
}

// compare is the order of files.
func (b byTime) compare(x, y entry) int {
	earlier := x.Created.Compare(y.Created.Time)
	if b.column == "updated_at" {
		earlier = x.Updated.Compare(y.Updated.Time)
	}
	if b.order == "desc" {
		earlier = -earlier
	}
	return cmp.Or(earlier, cmp.Compare(x.name, y.name))
}

package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// batchRows and batchValues bound one insert of a copy; PostgreSQL takes 65,535 values in a statement, SQLite 32,766.
const (
	batchRows   = 500
	batchValues = 30_000
)

// apart are the tables that are not copied: each database keeps its own list of migrations, and sketches are made again
// from what they sketch. The bytes of stored files, which stand in a backup alone, go into a folder;
// which folders instances use is said anew by each.
const apart = "('schema_migrations', 'sketches', 'storage_bytes', 'storage_places')"

// Copy fills a database of the same schema with all that another holds, as of one moment: everything or nothing. What
// the other held before goes. One of the two is a SQLite file: that side tells the tables and their order. Note hears of
// each table once it is there.
func Copy(ctx context.Context, from, to *DB, note func(table string, rows int)) error {
	tables, err := shape(ctx, from, to)
	if err != nil {
		return err
	}
	return from.snapshot(ctx, func(ctx context.Context, source *Tx) error {
		return to.writeSlowly(ctx, func(ctx context.Context, target *Tx) error {
			if err := unhurried(ctx, target); err != nil {
				return err
			}
			for _, t := range slices.Backward(tables) {
				if _, err := target.Exec(ctx, "delete from "+t.quoted()); err != nil {
					return fmt.Errorf("clear %s: %w", t.name, err)
				}
			}
			for _, t := range tables {
				n, err := t.copy(ctx, source, target)
				if err != nil {
					return fmt.Errorf("copy %s: %w", t.name, err)
				}
				note(t.name, n)
			}
			return nil
		})
	})
}

// snapshot runs fn on one moment of the database, however long it takes.
func (d *DB) snapshot(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	how := &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	if d.Engine == SQLite {
		how = nil // which is one moment in any case
	}
	begun, err := d.read.BeginTx(ctx, how)
	if err != nil {
		return d.translate(err)
	}
	defer func() { _ = begun.Rollback() }()
	tx := &Tx{Engine: d.Engine, Now: d.Clock.Now(), on: begun}
	if err := unhurried(ctx, tx); err != nil {
		return d.translate(err)
	}
	return d.translate(fn(ctx, tx))
}

// unhurried takes PostgreSQL's own bounds off a transaction that takes as long as the data is large.
func unhurried(ctx context.Context, tx *Tx) error {
	if tx.Engine != Postgres {
		return nil
	}
	_, err := tx.Exec(ctx, "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0")
	return err
}

// table is what a copy knows of a table.
type table struct {
	name    string
	columns []string
	// kinds are PostgreSQL's types of the columns; empty where both sides are SQLite files.
	kinds map[string]string
}

func (t table) quoted() string { return `"` + t.name + `"` }

func (t table) list() string { return `"` + strings.Join(t.columns, `", "`) + `"` }

// shape reads the tables, those that others refer to first, and refuses databases of different schemas.
func shape(ctx context.Context, from, to *DB) ([]table, error) {
	lite := to
	if from.Engine == SQLite {
		lite = from
	}
	if lite.Engine != SQLite {
		return nil, errors.New("a copy needs a SQLite file on one side")
	}
	ours, err := from.migrations(ctx)
	if err != nil {
		return nil, err
	}
	theirs, err := to.migrations(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(ours, theirs) {
		return nil, errors.New("the two databases have different schemas: run greenroom migrate on both with the same version first")
	}
	var tables []table
	err = lite.Read(ctx, func(ctx context.Context, tx *Tx) (err error) {
		tables, err = inOrder(ctx, tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, d := range []*DB{from, to} {
		if d.Engine == Postgres {
			err = d.Read(ctx, func(ctx context.Context, tx *Tx) error { return readKinds(ctx, tx, tables) })
		}
	}
	return tables, err
}

func (d *DB) migrations(ctx context.Context) (names []string, err error) {
	err = d.Read(ctx, func(ctx context.Context, tx *Tx) error {
		return Each(ctx, tx, "select name from schema_migrations order by name", nil, func(scan func(...any) error) error {
			var name string
			err := scan(&name)
			names = append(names, name)
			return err
		})
	})
	return names, err
}

// inOrder gives every table that is copied.
func inOrder(ctx context.Context, tx *Tx) ([]table, error) {
	waiting := map[string]*table{}
	needs := map[string][]string{}
	// Names with an underscore before them are others': Litestream keeps two tables of its own in the file.
	err := Each(ctx, tx, `select m.name, c.name from sqlite_schema m, pragma_table_info(m.name) c
		where m.type = 'table' and m.name not like 'sqlite\_%' escape '\' and m.name not like '\_%' escape '\' and m.name not in `+apart+` order by m.name, c.cid`, nil,
		func(scan func(...any) error) error {
			var name, column string
			if err := scan(&name, &column); err != nil {
				return err
			}
			if waiting[name] == nil {
				waiting[name] = &table{name: name, kinds: map[string]string{}}
			}
			waiting[name].columns = append(waiting[name].columns, column)
			return nil
		})
	if err != nil {
		return nil, err
	}
	err = Each(ctx, tx, `select m.name, f."table" from sqlite_schema m, pragma_foreign_key_list(m.name) f where m.type = 'table'`, nil,
		func(scan func(...any) error) error {
			var name, other string
			err := scan(&name, &other)
			needs[name] = append(needs[name], other)
			return err
		})
	if err != nil {
		return nil, err
	}
	var ordered []table
	for len(waiting) > 0 {
		var free []string
		for name := range waiting {
			if !slices.ContainsFunc(needs[name], func(other string) bool { return waiting[other] != nil }) {
				free = append(free, name)
			}
		}
		if len(free) == 0 {
			return nil, errors.New("tables refer to one another in a circle")
		}
		slices.Sort(free)
		for _, name := range free {
			ordered = append(ordered, *waiting[name])
			delete(waiting, name)
		}
	}
	return ordered, nil
}

func readKinds(ctx context.Context, tx *Tx, tables []table) error {
	return Each(ctx, tx, "select table_name, column_name, data_type from information_schema.columns where table_schema = current_schema()", nil,
		func(scan func(...any) error) error {
			var name, column, kind string
			if err := scan(&name, &column, &kind); err != nil {
				return err
			}
			if i := slices.IndexFunc(tables, func(t table) bool { return t.name == name }); i >= 0 {
				tables[i].kinds[column] = kind
			}
			return nil
		})
}

// each reads all rows of a table as a SQLite file keeps them: moments as microseconds, true as 1.
func (t table) each(ctx context.Context, tx *Tx, fn func(row []any) error) error {
	row, into := make([]any, len(t.columns)), make([]any, len(t.columns))
	for i := range row {
		into[i] = &row[i]
	}
	return Each(ctx, tx, "select "+t.list()+" from "+t.quoted(), nil, func(scan func(...any) error) error {
		if err := scan(into...); err != nil {
			return err
		}
		for i, value := range row {
			switch v := value.(type) {
			case time.Time:
				row[i] = v.UnixMicro()
			case bool:
				row[i] = map[bool]int64{true: 1}[v]
			}
		}
		return fn(row)
	})
}

// copy brings the rows over in batches.
func (t table) copy(ctx context.Context, source, target *Tx) (rows int, err error) {
	most := min(batchRows, batchValues/len(t.columns))
	batch := make([]any, 0, most*len(t.columns))
	send := func() error {
		wanted := len(batch) / len(t.columns)
		if wanted == 0 {
			return nil
		}
		n, err := target.Exec(ctx, t.insert(wanted), batch...)
		if err == nil && n != int64(wanted) {
			err = fmt.Errorf("%d of %d rows were taken", n, wanted)
		}
		batch = batch[:0]
		return err
	}
	err = t.each(ctx, source, func(row []any) error {
		for i, value := range row {
			batch = append(batch, t.fit(t.columns[i], value, target.Engine))
		}
		rows++
		if len(batch) == cap(batch) {
			return send()
		}
		return nil
	})
	return rows, errors.Join(err, send())
}

// fit makes of a SQLite value what the target stores.
func (t table) fit(column string, value any, engine Engine) any {
	number, isNumber := value.(int64)
	if engine != Postgres || !isNumber {
		return value
	}
	switch t.kinds[column] {
	case "timestamp with time zone":
		return time.UnixMicro(number).UTC()
	case "boolean":
		return number != 0
	case "double precision":
		return float64(number)
	}
	return value
}

func (t table) insert(rows int) string {
	var b strings.Builder
	b.WriteString("insert into " + t.quoted() + " (" + t.list() + ") values ")
	for i := range rows {
		if i > 0 {
			b.WriteString(", ")
		}
		for j := range t.columns {
			b.WriteString(map[bool]string{true: "($", false: ", $"}[j == 0] + strconv.Itoa(i*len(t.columns)+j+1))
		}
		b.WriteByte(')')
	}
	return b.String()
}

// CopyFile writes a SQLite database as of one moment into a new file, beside whoever writes.
func (d *DB) CopyFile(ctx context.Context, path string) error {
	_, err := d.read.ExecContext(ctx, "vacuum into $1", path)
	return d.translate(err)
}

// Rows tells how many rows these tables have, but for those that are empty; without names, all of a SQLite file that a
// copy is about.
func (d *DB) Rows(ctx context.Context, names ...string) (map[string]int, error) {
	found := map[string]int{}
	err := d.snapshot(ctx, func(ctx context.Context, tx *Tx) error {
		if len(names) == 0 {
			tables, err := inOrder(ctx, tx)
			if err != nil {
				return err
			}
			for _, t := range tables {
				names = append(names, t.name)
			}
		}
		for _, name := range names {
			var n int
			if err := tx.QueryRow(ctx, "select count(*) from "+table{name: name}.quoted()).Scan(&n); err != nil {
				return err
			}
			if n > 0 {
				found[name] = n
			}
		}
		return nil
	})
	return found, err
}

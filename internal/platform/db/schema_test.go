package db_test

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/migrations"
)

// TestSchemasAreEqual compares tables, columns, nullability, keys, foreign keys and indexes of the two engines.
func TestSchemasAreEqual(t *testing.T) {
	t.Parallel()
	lite := describe(t, dbtest.Open(t, db.SQLite, clock.System{}), sqliteSchema)
	pg := describe(t, dbtest.Open(t, db.Postgres, clock.System{}), postgresSchema)
	for _, line := range lite {
		if !slices.Contains(pg, line) {
			t.Errorf("only SQLite has: %s", line)
		}
	}
	for _, line := range pg {
		if !slices.Contains(lite, line) {
			t.Errorf("only PostgreSQL has: %s", line)
		}
	}
	if len(lite) < 40 {
		t.Fatalf("the comparison saw only %d facts", len(lite))
	}
}

func TestMigrationsHaveTheSameNames(t *testing.T) {
	t.Parallel()
	names := func(engine string) string {
		found, err := fs.Glob(migrations.Files, engine+"/*.sql")
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(strings.Join(found, "\n"), engine+"/", "")
	}
	if lite, pg := names("sqlite"), names("postgres"); lite != pg {
		t.Fatalf("SQLite:\n%s\nPostgreSQL:\n%s", lite, pg)
	}
}

func TestMigratingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		applied, err := d.Migrate(t.Context(), migrations.Files)
		if err != nil || len(applied) != 0 {
			t.Fatalf("applied %v, %v", applied, err)
		}
	})
}

const sqliteSchema = `
select 'column ' || m.name || '.' || c.name || ' ' || case
    when lower(c.type) = 'integer' and (c.name like '%\_at' escape '\' or c.name = 'banned_until') then 'time'
    when lower(c.type) = 'integer' and m.sql like '%' || c.name || ' in (0, 1)%' then 'bool'
    when lower(c.type) = 'integer' then 'int'
    when lower(c.type) = 'real' then 'float'
    when lower(c.type) = 'blob' then 'bytes' else 'text' end
  || case when c."notnull" = 1 or c.pk > 0 then ' not null' else '' end
from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite\_%' escape '\'
union all
select 'foreign ' || m.name || '.' || f."from" || ' -> ' || f."table" || ' ' || lower(f.on_delete)
from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'
union all
select 'index ' || m.name || ' ' || case when i."unique" = 1 then 'unique ' else '' end
  || (select group_concat(coalesce(x.name, 'expr') || case when x.desc = 1 then ' desc' else '' end, ', ')
      from (select * from pragma_index_xinfo(i.name) where key = 1 order by seqno) x)
  || case when i.partial = 1 then ' partial' else '' end
from sqlite_master m, pragma_index_list(m.name) i where m.type = 'table'`

const postgresSchema = `
select 'column ' || table_name || '.' || column_name || ' ' || case
    when data_type = 'timestamp with time zone' then 'time' when data_type = 'boolean' then 'bool'
    when data_type in ('integer', 'bigint') then 'int' when data_type = 'double precision' then 'float'
    when data_type = 'bytea' then 'bytes' when data_type in ('text', 'uuid') then 'text' else data_type end
  || case when is_nullable = 'NO' then ' not null' else '' end
from information_schema.columns where table_schema = 'public'
union all
select 'foreign ' || c.conrelid::regclass || '.' || a.attname || ' -> ' || c.confrelid::regclass || ' '
  || case c.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'no action' end
from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1] where c.contype = 'f'
union all
select 'definition ' || tablename || ' ' || indexdef from pg_indexes where schemaname = 'public'`

var indexForm = regexp.MustCompile(`^definition (\w+) CREATE (UNIQUE )?INDEX \S+ ON \S+ USING btree \((.*?)\)( WHERE .*)?$`)

var expressions = regexp.MustCompile(`(?:lower|rtrim)\((?:[^()]|\([^()]*\))*\)`)

func describe(t *testing.T, d *db.DB, query string) []string {
	t.Helper()
	var lines []string
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, query, nil, func(scan func(...any) error) error {
			var line string
			if err := scan(&line); err != nil {
				return err
			}
			lines = append(lines, normalise(line))
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// normalise writes PostgreSQL's index definition in the words of the SQLite query.
func normalise(line string) string {
	m := indexForm.FindStringSubmatch(line)
	if m == nil {
		return line
	}
	unique, partial := "", ""
	if m[2] != "" {
		unique = "unique "
	}
	if m[4] != "" {
		partial = " partial"
	}
	columns := strings.NewReplacer(" DESC", " desc", `"`, "").Replace(m[3])
	return fmt.Sprintf("index %s %s%s%s", m[1], unique, expressions.ReplaceAllString(columns, "expr"), partial)
}

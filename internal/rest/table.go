package rest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"greenroom/internal/platform/db"
)

// Table declares what the data API may touch of one table. The zero policy admits nobody.
type Table struct {
	Name    string
	Columns []Column // in the order of select=*; a column that is not here does not exist for a client
	Key     string   // the primary key, one column; "id" when empty

	Uniques     []Unique
	ForeignKeys []ForeignKey

	Read   Policy
	Insert Insert
	Update Update
	Delete Delete

	// Answer may take a read off the database's hands; see Answer. Only for tables that everybody may read whole.
	Answer Answer
	// Version rises with every change of the rows, whoever makes it; 0 is unknown. Where there is one, answers are kept by
	// it; see memory. Only for tables that everybody may read whole.
	Version func() int64

	// Sketched are the text columns that long lists are searched by; see sketch. The table needs a created_at with an
	// index, and the migration its triggers.
	Sketched []string

	route string  // its path, for those who count requests
	shown []shown // the columns as an answer shows them
	all   []int   // and their places
	// countOwned tells how many rows an account has, where that is bounded.
	countOwned string
}

// Insert says who may add which rows, and how.
type Insert struct {
	If Policy
	// Quota bounds what an account adds; a table that accounts may add to needs one.
	Quota Quota
	// Do stores one row and returns its key. Without it the row is stored as declared.
	Do func(ctx context.Context, tx *db.Tx, row Row) (key string, err error)
	// After sees the rows that were stored as declared (it is not called for those of Do).
	After func(ctx context.Context, tx *db.Tx, rows []Row) error
}

// Quota bounds what one account may add to a table. Admins and the service key have none.
type Quota struct {
	// Take counts rows that are about to be added, in a batch that refuses what is too much in too short a time
	// (platform/limit). Judge says of an error when to try again, if it is such a refusal.
	Take  func(b *db.Batch, tx *db.Tx, account string, rows int) error
	Judge func(ctx context.Context, tx *db.Tx, came error) error
	// Most is how many rows an account may have in all, 0 for any number; Owner is the column that holds its id.
	Most  int
	Owner string
}

// Update says who may change which rows; the policy holds for the row before and after the change.
type Update struct {
	If Policy
	// Most is how many rows one request may change, where long texts make many of them long work; 0 is the bound of every request.
	Most int
	// After sees the rows as they are now.
	After func(ctx context.Context, tx *db.Tx, rows []Row) error
	// Changed sees, after that, only the rows that hold something else than before; those of an upsert all.
	Changed func(ctx context.Context, tx *db.Tx, rows []Row) error
}

// Delete says who may remove which rows.
type Delete struct {
	If Policy
	// Before sees the rows that are about to go, not locked yet: what must be locked before them is locked here.
	Before func(ctx context.Context, tx *db.Tx, rows []Row) error
	// After sees the rows as they were.
	After func(ctx context.Context, tx *db.Tx, rows []Row) error
}

// Type is a column's type; it decides which texts are values and how they are written.
type Type int

// The types of columns.
const (
	Text Type = iota
	UUID
	Int
	Float
	Bool
	Timestamp
)

// String is the type's name in PostgreSQL's messages.
func (t Type) String() string {
	return [...]string{"text", "uuid", "integer", "numeric", "boolean", "timestamp with time zone"}[t]
}

// Writable says by which writes a client may set a column.
type Writable uint8

// A column that is in neither list can be read only.
const (
	OnInsert Writable = 1 << iota
	OnUpdate
)

// Column declares one column.
type Column struct {
	Name     string
	Type     Type
	Nullable bool
	Write    Writable
	// Default fills the column when an insert does not name it: NewID, Now, Caller, Filled, or a plain value
	// (string, int, float64, bool). Without one it is NULL, which a column that is not Nullable refuses.
	Default any
	// Hidden columns are for policies and for the server: no client selects, filters, sorts or sees them. Who may write
	// one does so by its name.
	Hidden bool
	// MineBy makes the column no column of the table: it is true where the named one holds the caller's id.
	MineBy string
}

type filler string

// Defaults that are made at the moment of the insert.
const (
	NewID  filler = "new id" // a random id
	Now    filler = "now"    // the moment of the transaction
	Caller filler = "caller" // the id of the signed-in user
	Filled filler = "filled" // the verb or the database fills it
)

// Unique declares a unique key. Name defaults to PostgreSQL's own: table_column_key.
type Unique struct {
	Name    string
	Columns []string
}

// ForeignKey declares that a column holds the key of another table. Name defaults to table_column_fkey, To to "id".
type ForeignKey struct {
	Name   string
	Column string
	Table  string
	To     string
}

// prepare fills in the names that follow from others and finds mistakes of the declaration.
func (t *Table) prepare() error {
	if t.Key == "" {
		t.Key = "id"
	}
	if t.index(t.Key) < 0 {
		return fmt.Errorf("table %s: the key %s is not a declared column", t.Name, t.Key)
	}
	for i, c := range t.Columns {
		if !plainName(c.Name) || t.index(c.Name) != i {
			return fmt.Errorf("table %s: column %q is no plain name or is there twice", t.Name, c.Name)
		}
		if err := errors.Join(checkDefault(c), t.checkMine(c)); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
		t.shown = append(t.shown, shown{i, c.Type, c.Name, jsonKey(c.Name)})
		t.all = append(t.all, i)
	}
	t.Uniques = append([]Unique{{Name: t.Name + "_pkey", Columns: []string{t.Key}}}, t.Uniques...)
	for i, u := range t.Uniques {
		if u.Name == "" {
			t.Uniques[i].Name = t.Name + "_" + strings.Join(u.Columns, "_") + "_key"
		}
	}
	t.ForeignKeys = slices.Clone(t.ForeignKeys)
	for i, f := range t.ForeignKeys {
		if f.Name == "" {
			t.ForeignKeys[i].Name = t.Name + "_" + f.Column + "_fkey"
		}
		if f.To == "" {
			t.ForeignKeys[i].To = "id"
		}
		if t.index(f.Column) < 0 {
			return fmt.Errorf("table %s: foreign key of the unknown column %s", t.Name, f.Column)
		}
	}
	for _, p := range []Policy{t.Read, t.Insert.If, t.Update.If, t.Delete.If} {
		for _, name := range p.columns() {
			if i := t.index(name); i < 0 || t.Columns[i].MineBy != "" {
				return fmt.Errorf("table %s: policy over the unknown column %s", t.Name, name)
			}
		}
		if err := p.checkRelations(); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	if t.Insert.If.accounts() && t.Insert.Quota.Take == nil {
		return fmt.Errorf("table %s: accounts may add to it, so it needs a Quota", t.Name)
	}
	if t.Insert.Quota.Most > 0 && t.index(t.Insert.Quota.Owner) < 0 {
		return fmt.Errorf("table %s: quota over the unknown column %s", t.Name, t.Insert.Quota.Owner)
	}
	t.countOwned = fmt.Sprintf(`select count(*) from %q where %q = $1`, t.Name, t.Insert.Quota.Owner)
	if t.Answer != nil && !t.Read.everybody() {
		return fmt.Errorf("table %s: Answer knows no policy, so it needs Read: rest.All()", t.Name)
	}
	if t.Version != nil && !t.Read.everybody() {
		return fmt.Errorf("table %s: a kept answer knows no policy, so Version needs Read: rest.All()", t.Name)
	}
	return nil
}

// index finds a column by its name, or gives -1.
func (t *Table) index(name string) int {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// visible finds a column that clients may read by its name, or gives -1.
func (t *Table) visible(name string) int {
	i := t.index(name)
	if i >= 0 && t.Columns[i].Hidden {
		return -1
	}
	return i
}

// writable finds a column that clients may name in a body, or gives -1. That it may not be written is another matter,
// unless it is hidden.
func (t *Table) writable(name string, how Writable) int {
	i := t.index(name)
	if i >= 0 && t.Columns[i].Hidden && t.Columns[i].Write&how == 0 {
		return -1
	}
	return i
}

// checkMine holds a column that is computed for the caller to what it is.
func (t *Table) checkMine(c Column) error {
	if c.Hidden && c.Name == t.Key {
		return errors.New("the key cannot be hidden")
	}
	switch {
	case c.MineBy == "":
		return nil
	case t.index(c.MineBy) < 0 || c.Type != Bool || c.Nullable || c.Write != 0 || c.Default != nil || c.Hidden:
		return fmt.Errorf("column %s: it tells whose a row is, so it is a boolean over a declared column, and is only read", c.Name)
	case t.Version != nil:
		return fmt.Errorf("column %s: a kept answer knows no caller", c.Name)
	}
	return nil
}

// plainName holds for names that need no quoting rules; all identifiers in SQL come from the declaration.
func plainName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

func checkDefault(c Column) error {
	ok := true
	switch c.Default.(type) {
	case nil, filler:
	case string:
		ok = c.Type == Text || c.Type == UUID
	case int:
		ok = c.Type == Int
	case float64:
		ok = c.Type == Float
	case bool:
		ok = c.Type == Bool
	default:
		ok = false
	}
	if !ok {
		return fmt.Errorf("column %s: the default %v is no %s", c.Name, c.Default, c.Type)
	}
	return nil
}

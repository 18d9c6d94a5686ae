package rest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// Whatever a pattern finds in a text, its parts are in the text's sketch: the database itself says what it finds.
func TestASketchHidesNothingThatAPatternFinds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		table := Table{Name: "things", Columns: []Column{{Name: "id", Type: UUID}, {Name: "text", Type: Text}}, Sketched: []string{"text"}}
		if err := table.prepare(); err != nil {
			t.Fatal(err)
		}
		const letters = "aAbBkK\u212aſsSäÄßİiI_%\\x "
		some := func(most int) string {
			var out strings.Builder
			for range 1 + rand.IntN(most) {
				out.WriteRune([]rune(letters)[rand.IntN(len([]rune(letters)))])
			}
			return out.String()
		}
		found := 0
		err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			for i := range 4000 {
				text := some(12)
				pattern := "%" + strings.TrimRight(some(5), `\`) + "%"
				if i == 0 {
					text, pattern = "aAK\u0130s", "%akI%" // chance finds it once in many runs
				}
				condition := Condition{Op: []Op{ILike, Like}[min(i, rand.IntN(2))], Column: "text", column: 1, Values: []any{pattern}}
				s := table.statement(d.Engine)
				s.add("select 1 from (select ")
				s.param(text)
				if d.Engine == db.Postgres {
					s.add(` collate "C"`) // as our columns are
				}
				s.add(` as "text") as one where `)
				s.condition(&condition)
				var one int
				if err := tx.QueryRow(ctx, string(s.text), s.args...).Scan(&one); errors.Is(err, sql.ErrNoRows) {
					continue
				} else if err != nil {
					return fmt.Errorf("%q in %q: %w", pattern, text, err)
				}
				found++
				held := sketch(make([]byte, sketchBits/8))
				held.add(text)
				if w := table.wants([]Condition{condition}); !w.mayBeIn(held) {
					t.Errorf("%s %q finds %q, which its sketch hides", condition.Op, pattern, text)
				}
			}
			return nil
		})
		if err != nil || found < 100 {
			t.Errorf("%d found, %v", found, err)
		}
	})
}

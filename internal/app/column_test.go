package app_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/rest"
)

// TestSecurity48HiddenColumnsAreNowhere tries what the database has and a table does not declare, or declares as hidden: it cannot be read,
// filtered by, sorted by or written, not by an admin either. And what a table declares to be read only cannot be written.
func TestSecurity48HiddenColumnsAreNowhere(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
		_, token := s.Admin(t, "admin@example.com")
		refused := func(method, path, body string) {
			t.Helper()
			answer := s.Do(t, method, "/rest/v1/"+path, token, body)
			if answer.Status < 400 || answer.Status >= 500 || answer.Status == http.StatusNotFound {
				t.Errorf("%s %s %s: %d %s", method, path, body, answer.Status, answer.Body)
			}
		}
		hidden, fixed := 0, 0
		for _, table := range s.Tables() {
			for _, column := range undeclared(t, s.DB(), table) {
				hidden++
				for _, query := range []string{"select=", "select=a:", "order="} {
					refused("GET", table.Name+"?"+query+column, "")
				}
				for _, operator := range []string{"eq.a", "like.a*", "not.is.null", "gt.0"} {
					refused("GET", table.Name+"?"+column+"="+operator, "")
				}
				refused("GET", table.Name+"?or=("+column+".eq.a)", "")
				refused("POST", table.Name, `{"`+column+`":"a"}`)
				refused("PATCH", table.Name+"?id=eq."+id.Nil, `{"`+column+`":"a"}`)
			}
			for _, column := range table.Columns {
				if column.Write&rest.OnInsert == 0 {
					fixed++
					refused("POST", table.Name, `{"`+column.Name+`":null}`)
				}
				if column.Write&rest.OnUpdate == 0 {
					fixed++
					refused("PATCH", table.Name+"?"+column.Name+"=is.null", `{"`+column.Name+`":null}`)
				}
			}
		}
		for _, column := range []string{"password_hash", "encrypted_password", "token_hash", "secret"} {
			refused("GET", "courses?select="+column, "")
		}
		if hidden < 3 || fixed < 5 {
			t.Errorf("only %d hidden and %d fixed columns were tried", hidden, fixed)
		}
	})
}

// undeclared are the columns of a table that no client knows.
func undeclared(t *testing.T, d *db.DB, table rest.Table) (names []string) {
	t.Helper()
	query := "select name from pragma_table_info($1)"
	if d.Engine == db.Postgres {
		query = "select column_name from information_schema.columns where table_name = $1 and table_schema = current_schema()"
	}
	err := d.Read(context.Background(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, query, []any{strings.ToLower(table.Name)}, func(scan func(...any) error) error {
			var name string
			if err := scan(&name); err != nil {
				return err
			}
			if !slices.ContainsFunc(table.Columns, func(c rest.Column) bool { return c.Name == name && !c.Hidden }) {
				names = append(names, name)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

package account

import "greenroom/internal/rest"

// Tables says what the data API may touch, and for whom. Roles are granted by the command line alone.
func (d *Directory) Tables() []rest.Table {
	return []rest.Table{{
		Name: "user_roles",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID},
			{Name: "user_id", Type: rest.UUID},
			{Name: "role", Type: rest.Text},
			{Name: "created_at", Type: rest.Timestamp},
		},
		Uniques:     []rest.Unique{{Columns: []string{"user_id", "role"}}},
		ForeignKeys: []rest.ForeignKey{{Column: "user_id", Table: "users"}},
		Read:        rest.Own("user_id"),
	}}
}

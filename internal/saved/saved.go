// Package saved is My List: the courses that a signed-in person put a heart on. It has no rules beyond who owns a row
// and that a course is there once, so the data API stores the rows as declared here.
package saved

import (
	"greenroom/internal/platform/limit"
	"greenroom/internal/rest"
)

// most is how many courses one list holds.
const most = 5000

// Tables says what the data API may touch, and for whom: everybody their own rows, and nobody anyone else's.
func Tables(limits *limit.Limits) []rest.Table {
	return []rest.Table{{
		Name: "saved_courses",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID, Default: rest.NewID},
			{Name: "user_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "course_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "created_at", Type: rest.Timestamp, Default: rest.Now},
		},
		Uniques:     []rest.Unique{{Columns: []string{"user_id", "course_id"}}},
		ForeignKeys: []rest.ForeignKey{{Column: "user_id", Table: "users"}, {Column: "course_id", Table: "courses"}},
		Read:        rest.Own("user_id"),
		Insert: rest.Insert{
			If:    rest.Own("user_id"),
			Quota: rest.Quota{Take: limits.Quota(limit.SavedPerAccount), Judge: limits.Judge, Most: most, Owner: "user_id"},
		},
		Delete: rest.Delete{If: rest.Own("user_id")},
	}}
}

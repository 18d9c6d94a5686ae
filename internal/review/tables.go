package review

import (
	"greenroom/internal/platform/limit"
	"greenroom/internal/rest"
	"greenroom/internal/teach"
)

// Tables says what the data API may touch, and for whom. Whose a review is by account is hidden.
func (s *Service) Tables() []rest.Table {
	own := rest.Members().And(rest.Own("user_id"))
	enrolled := rest.Has("course_id", teach.Enrolled)
	return []rest.Table{{
		Name: "course_reviews",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID, Default: rest.NewID},
			{Name: "course_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "user_id", Type: rest.UUID, Nullable: true, Hidden: true},
			{Name: "author_name", Type: rest.Text, Default: rest.Filled},
			{Name: "stars", Type: rest.Int, Write: rest.OnInsert | rest.OnUpdate},
			{Name: "text", Type: rest.Text, Write: rest.OnInsert | rest.OnUpdate, Default: ""},
			{Name: "state", Type: rest.Text, Default: rest.Filled},
			{Name: "hidden_for", Type: rest.Text, Nullable: true},
			{Name: "reply", Type: rest.Text, Nullable: true},
			{Name: "replied_at", Type: rest.Timestamp, Nullable: true},
			{Name: "mine", Type: rest.Bool, MineBy: "user_id"},
			{Name: "updated_at", Type: rest.Timestamp, Default: rest.Filled},
			{Name: "created_at", Type: rest.Timestamp, Default: rest.Now},
		},
		Uniques:     []rest.Unique{{Columns: []string{"user_id", "course_id"}}},
		ForeignKeys: []rest.ForeignKey{{Column: "course_id", Table: "courses"}},
		Read:        rest.Equal("state", published).Or(own).OrAdmin(),
		Insert: rest.Insert{
			If: rest.Members().And(enrolled), Do: s.add,
			Quota: rest.Quota{Take: s.Limits.Quota(limit.ReviewPerAccount), Judge: s.Limits.Judge},
		},
		// Who was put out of a course has said what they said: it stays, and they may take it back.
		Update: rest.Update{If: own.And(enrolled), After: s.count, Changed: s.changed},
		// A hidden one stays, or it would come back as a new one.
		Delete: rest.Delete{If: own.And(rest.Equal("state", published)), After: s.gone},
	}}
}

package learn

import (
	"greenroom/internal/platform/limit"
	"greenroom/internal/rest"
	"greenroom/internal/teach"
)

// Tables says what the data API may touch, and for whom. Guests take no courses.
func (s *Service) Tables() []rest.Table {
	own := rest.Members().And(rest.Own("user_id"))
	read := own.Or(rest.Has("course_id", teach.Teaches)).OrAdmin()
	return []rest.Table{
		{
			Name: "enrollments",
			Columns: []rest.Column{
				{Name: "id", Type: rest.UUID, Default: rest.NewID},
				{Name: "user_id", Type: rest.UUID, Write: rest.OnInsert},
				{Name: "course_id", Type: rest.UUID, Write: rest.OnInsert},
				{Name: "source", Type: rest.Text, Default: rest.Filled},
				{Name: "started_at", Type: rest.Timestamp, Nullable: true},
				{Name: "completed_at", Type: rest.Timestamp, Nullable: true},
				{Name: "revoked_at", Type: rest.Timestamp, Nullable: true, Write: rest.OnUpdate},
				{Name: "revoked_for", Type: rest.Text, Nullable: true, Write: rest.OnUpdate},
				{Name: "opened_all", Type: rest.Bool, Default: rest.Filled, Write: rest.OnUpdate},
				{Name: "created_at", Type: rest.Timestamp, Default: rest.Now},
			},
			Uniques:     []rest.Unique{{Columns: []string{"user_id", "course_id"}}},
			ForeignKeys: []rest.ForeignKey{{Column: "user_id", Table: "users"}, {Column: "course_id", Table: "courses"}},
			Read:        read,
			Insert: rest.Insert{
				If: own, Do: s.enroll,
				Quota: rest.Quota{Take: s.Limits.Quota(limit.EnrollPerAccount), Judge: s.Limits.Judge, Most: mostCourses, Owner: "user_id"},
			},
			Update: rest.Update{If: rest.Admins(), After: changed},
			Delete: rest.Delete{If: own.And(rest.Equal("source", "free")).And(rest.Null("revoked_at"))},
		},
		{
			Name: "lesson_progress",
			Columns: []rest.Column{
				{Name: "id", Type: rest.UUID},
				{Name: "user_id", Type: rest.UUID},
				{Name: "course_id", Type: rest.UUID},
				{Name: "lesson_id", Type: rest.UUID},
				{Name: "position_seconds", Type: rest.Int},
				{Name: "covered", Type: rest.Text},
				{Name: "completed_at", Type: rest.Timestamp, Nullable: true},
				{Name: "updated_at", Type: rest.Timestamp},
				{Name: "created_at", Type: rest.Timestamp},
			},
			Uniques: []rest.Unique{{Columns: []string{"user_id", "lesson_id"}}},
			// Teachers ask learners and funnel: what is sorted here has no bound but the course's.
			Read: own.OrAdmin(),
		},
	}
}

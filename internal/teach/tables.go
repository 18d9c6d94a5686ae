package teach

import (
	"greenroom/internal/platform/limit"
	"greenroom/internal/rest"
)

// The states of a lesson.
const (
	draft     = "draft"
	published = "published"
)

// Tables says what the data API may touch, and for whom.
func (s *Studio) Tables() []rest.Table {
	return []rest.Table{s.offers(), s.sections(), s.lessons(), s.teacherRows()}
}

var (
	taught = rest.Has("course_id", Teaches).OrAdmin()
	edited = rest.Has("course_id", Edits).OrAdmin()
)

func (s *Studio) quota() rest.Quota {
	return rest.Quota{Take: s.Limits.Quota(limit.LessonPerAccount), Judge: s.Limits.Judge}
}

func courseKey() []rest.ForeignKey { return []rest.ForeignKey{{Column: "course_id", Table: "courses"}} }

// offers are the terms of courses. The server makes the rows, and counts in them.
func (s *Studio) offers() rest.Table {
	return rest.Table{
		Name: "course_offers",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID},
			{Name: "course_id", Type: rest.UUID},
			{Name: "price_cents", Type: rest.Int, Nullable: true, Write: rest.OnUpdate},
			{Name: "open", Type: rest.Bool, Write: rest.OnUpdate},
			{Name: "strict", Type: rest.Bool, Write: rest.OnUpdate},
			{Name: "certificate", Type: rest.Bool, Write: rest.OnUpdate},
			{Name: "lessons", Type: rest.Int},
			{Name: "seconds", Type: rest.Int},
			{Name: "reviews", Type: rest.Int},
			{Name: "stars1", Type: rest.Int},
			{Name: "stars2", Type: rest.Int},
			{Name: "stars3", Type: rest.Int},
			{Name: "stars4", Type: rest.Int},
			{Name: "stars5", Type: rest.Int},
			{Name: "trailer_id", Type: rest.UUID, Nullable: true},
			{Name: "published_at", Type: rest.Timestamp, Nullable: true},
			{Name: "created_at", Type: rest.Timestamp},
		},
		Uniques: []rest.Unique{{Columns: []string{"course_id"}}}, ForeignKeys: courseKey(),
		Read:   rest.NotNull("published_at").Or(rest.NotNull("trailer_id")).Or(taught),
		Update: rest.Update{If: rest.Admins(), Changed: s.showAgain},
	}
}

func (s *Studio) sections() rest.Table {
	return rest.Table{
		Name: "course_sections",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID},
			{Name: "course_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "title", Type: rest.Text, Write: rest.OnInsert | rest.OnUpdate},
			{Name: "position", Type: rest.Int},
			{Name: "created_at", Type: rest.Timestamp},
		},
		ForeignKeys: courseKey(),
		Read:        rest.Has("id", shown).Or(taught),
		Insert:      rest.Insert{If: edited, Do: s.addSection, Quota: s.quota()},
		Update:      rest.Update{If: edited, After: s.countChange, Changed: s.sectionsChanged},
		Delete:      rest.Delete{If: edited, Before: s.sectionsLeave},
	}
}

func (s *Studio) lessons() rest.Table {
	return rest.Table{
		Name: "lessons",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID},
			{Name: "course_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "section_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "title", Type: rest.Text, Write: rest.OnInsert | rest.OnUpdate},
			{Name: "kind", Type: rest.Text, Write: rest.OnInsert},
			{Name: "position", Type: rest.Int},
			{Name: "state", Type: rest.Text},
			{Name: "preview", Type: rest.Bool, Write: rest.OnUpdate},
			{Name: "release_days", Type: rest.Int, Nullable: true, Write: rest.OnUpdate},
			{Name: "release_at", Type: rest.Timestamp, Nullable: true, Write: rest.OnUpdate},
			{Name: "seconds", Type: rest.Int},
			{Name: "version", Type: rest.Int},
			{Name: "created_at", Type: rest.Timestamp},
		},
		ForeignKeys: append(courseKey(), rest.ForeignKey{Column: "section_id", Table: "course_sections"}),
		Read:        rest.Equal("state", published).Or(taught),
		Insert:      rest.Insert{If: edited, Do: s.addLesson, Quota: s.quota()},
		Update:      rest.Update{If: edited, After: s.countChange, Changed: s.lessonsChanged},
		Delete:      rest.Delete{If: edited, Before: s.lessonsLeave, After: s.lessonsLeft},
	}
}

// teacherRows are who teaches what. Who it is by account is hidden; the name is what they are called on the course's page.
func (s *Studio) teacherRows() rest.Table {
	return rest.Table{
		Name: "course_teachers",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID, Default: rest.NewID},
			{Name: "course_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "user_id", Type: rest.UUID, Write: rest.OnInsert, Hidden: true},
			{Name: "shown_name", Type: rest.Text, Write: rest.OnInsert | rest.OnUpdate},
			{Name: "may_edit", Type: rest.Bool, Write: rest.OnInsert | rest.OnUpdate, Default: true},
			{Name: "mine", Type: rest.Bool, MineBy: "user_id"},
			{Name: "created_at", Type: rest.Timestamp, Default: rest.Now},
		},
		Uniques:     []rest.Unique{{Columns: []string{"course_id", "user_id"}}},
		ForeignKeys: append(courseKey(), rest.ForeignKey{Column: "user_id", Table: "users"}),
		Read:        rest.Has("course_id", Published).Or(taught),
		Insert:      rest.Insert{If: rest.Admins(), After: s.teachersJoin},
		Update:      rest.Update{If: rest.Admins(), Changed: s.showAgain},
		Delete:      rest.Delete{If: rest.Admins(), After: s.showAgain},
	}
}

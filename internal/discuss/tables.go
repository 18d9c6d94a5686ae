package discuss

import (
	"greenroom/internal/platform/limit"
	"greenroom/internal/rest"
	"greenroom/internal/teach"
)

const (
	mostNotes = 2_000
	mostPosts = 10_000
	// mostChanged is how many notes or posts one request changes: their texts are long.
	mostChanged = 20
)

var (
	own      = rest.Members().And(rest.Own("user_id"))
	enrolled = rest.Has("course_id", teach.Enrolled)
	taught   = rest.Has("course_id", teach.Teaches)
	// part are those who take part in a course, on either side.
	part = enrolled.Or(taught)
	// seen are posts as learners see them: what was hidden its author sees, with the reason.
	seen = enrolled.And(rest.Null("hidden_at").Or(rest.Own("user_id"))).Or(taught).OrAdmin()
	// written are the posts that are still for their author to change.
	written = own.And(rest.Null("hidden_at")).And(part)
	// asked holds for answers whose question everybody sees, by the question's id.
	asked = rest.Related{Name: "asked", Table: "lesson_questions", Key: "id", If: rest.Null("hidden_at")}
)

// Tables says what the data API may touch, and for whom. Whose a row is by account is hidden; mine tells a caller which are theirs.
func (s *Service) Tables() []rest.Table {
	return []rest.Table{s.notes(), s.questions(), s.answers()}
}

func (s *Service) notes() rest.Table {
	return rest.Table{
		Name: "lesson_notes",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID, Default: rest.NewID},
			{Name: "user_id", Type: rest.UUID, Hidden: true},
			{Name: "course_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "lesson_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "at_seconds", Type: rest.Int, Nullable: true, Write: rest.OnInsert},
			{Name: "text", Type: rest.Text, Write: rest.OnInsert | rest.OnUpdate},
			{Name: "updated_at", Type: rest.Timestamp},
			{Name: "created_at", Type: rest.Timestamp},
		},
		ForeignKeys: lessonKeys(),
		Read:        own,
		Insert: rest.Insert{
			If: enrolled, Do: s.addNote,
			Quota: rest.Quota{Take: s.Limits.Quota(limit.NotePerAccount), Judge: s.Limits.Judge, Most: mostNotes, Owner: "user_id"},
		},
		Update: rest.Update{If: own.And(enrolled), Most: mostChanged, After: s.notesChanged},
		Delete: rest.Delete{If: own.And(enrolled)},
	}
}

func (s *Service) questions() rest.Table {
	return rest.Table{
		Name: "lesson_questions",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID, Default: rest.NewID},
			{Name: "user_id", Type: rest.UUID, Nullable: true, Hidden: true},
			{Name: "author_name", Type: rest.Text},
			{Name: "mine", Type: rest.Bool, MineBy: "user_id"},
			{Name: "course_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "lesson_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "at_seconds", Type: rest.Int, Nullable: true, Write: rest.OnInsert},
			{Name: "title", Type: rest.Text, Write: rest.OnInsert | rest.OnUpdate},
			{Name: "text", Type: rest.Text, Write: rest.OnInsert | rest.OnUpdate, Default: ""},
			{Name: "answers", Type: rest.Int},
			{Name: "answered", Type: rest.Bool},
			{Name: "pinned", Type: rest.Bool},
			{Name: "hidden_at", Type: rest.Timestamp, Nullable: true},
			{Name: "hidden_for", Type: rest.Text, Nullable: true},
			{Name: "hidden_by_admin", Type: rest.Bool},
			{Name: "created_at", Type: rest.Timestamp},
		},
		ForeignKeys: lessonKeys(),
		Read:        seen,
		Insert:      rest.Insert{If: part, Do: s.ask, Quota: s.quota()},
		Update:      rest.Update{If: written, Most: mostChanged, After: questionChanged},
		Delete:      rest.Delete{If: own.And(part).OrAdmin(), Before: questionsLeave},
	}
}

func (s *Service) answers() rest.Table {
	return rest.Table{
		Name: "lesson_answers",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID, Default: rest.NewID},
			{Name: "question_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "user_id", Type: rest.UUID, Nullable: true, Hidden: true},
			{Name: "author_name", Type: rest.Text},
			{Name: "mine", Type: rest.Bool, MineBy: "user_id"},
			{Name: "course_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "text", Type: rest.Text, Write: rest.OnInsert | rest.OnUpdate},
			{Name: "by_teacher", Type: rest.Bool},
			{Name: "accepted", Type: rest.Bool},
			{Name: "hidden_at", Type: rest.Timestamp, Nullable: true},
			{Name: "hidden_for", Type: rest.Text, Nullable: true},
			{Name: "hidden_by_admin", Type: rest.Bool},
			{Name: "created_at", Type: rest.Timestamp},
		},
		ForeignKeys: []rest.ForeignKey{{Column: "course_id", Table: "courses"}, {Column: "question_id", Table: "lesson_questions"}},
		Read:        enrolled.And(rest.Null("hidden_at").And(rest.Has("question_id", asked)).Or(rest.Own("user_id"))).Or(taught).OrAdmin(),
		Insert:      rest.Insert{If: part.And(rest.Has("question_id", asked)), Do: s.answer, Quota: s.quota()},
		Update:      rest.Update{If: written, Most: mostChanged, After: answerChanged},
		Delete:      rest.Delete{If: own.And(part).OrAdmin(), Before: answersLeave, After: answersLeft},
	}
}

func lessonKeys() []rest.ForeignKey {
	return []rest.ForeignKey{{Column: "course_id", Table: "courses"}, {Column: "lesson_id", Table: "lessons"}}
}

// quota bounds questions and answers together.
func (s *Service) quota() rest.Quota {
	return rest.Quota{Take: s.Limits.Quota(limit.PostPerAccount), Judge: s.Limits.Judge, Most: mostPosts, Owner: "user_id"}
}

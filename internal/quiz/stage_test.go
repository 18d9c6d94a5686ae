package quiz_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// stage is an installation with a course: ed may change it and ann only look at it, lea takes it, and eve has nothing to do with it.
type stage struct {
	*apptest.Server
	t                        *testing.T
	course, section          string
	admin, ed, ann, lea, eve string // tokens
	leasID                   string
}

type ask map[string]any

func onStage(t *testing.T, fn func(s *stage)) {
	t.Helper()
	onStageWith(t, "off", fn)
}

// onStageWith is onStage with limits on or off.
func onStageWith(t *testing.T, limits string, fn func(s *stage)) {
	t.Helper()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": limits, "GREENROOM_VIDEO_WORK": "off"}, func(t *testing.T, server *apptest.Server) {
		s := &stage{Server: server, t: t, course: id.Named("course cinematography-masterclass")}
		_, s.admin = s.Admin(t, "admin@example.com")
		ed, token := s.Person(t, "ed@example.com")
		s.ed = token
		ann, token := s.Person(t, "ann@example.com")
		s.ann = token
		lea, token := s.Person(t, "lea@example.com")
		s.lea, s.leasID = token, lea.ID
		_, s.eve = s.Person(t, "eve@example.com")
		for user, edits := range map[string]bool{ed.ID: true, ann.ID: false} {
			s.write("insert into course_teachers (id, course_id, user_id, shown_name, may_edit, created_at) values ($1, $2, $3, 'T', $4, $5)",
				id.New(), s.course, user, edits, s.now())
		}
		s.write("insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), lea.ID, s.course, s.now())
		s.section = s.add("course_sections", ask{"course_id": s.course, "title": "S"})
		fn(s)
	})
}

func (s *stage) now() db.Time { return db.At(s.DB().Clock.Now()) }

func (s *stage) write(query string, args ...any) {
	s.t.Helper()
	err := s.DB().Write(s.t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// wants checks single values, each query with what it must give.
func (s *stage) wants(pairs ...string) {
	s.t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		var found any
		err := s.DB().Read(s.t.Context(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, pairs[i]).Scan(&found) })
		if got := fmt.Sprint(found); err != nil || got != pairs[i+1] {
			s.t.Errorf("%s: %s, not %s (%v)", pairs[i], got, pairs[i+1], err)
		}
	}
}

// add inserts a row as ed and gives its id.
func (s *stage) add(table string, row ask) string {
	s.t.Helper()
	body, _ := json.Marshal(row)
	answer := s.Do(s.t, "POST", "/rest/v1/"+table, s.ed, string(body), "Prefer", "return=representation")
	var rows []struct{ ID string }
	if err := json.Unmarshal([]byte(answer.Body), &rows); err != nil || len(rows) != 1 {
		s.t.Fatal(answer.Status, answer.Body)
	}
	return rows[0].ID
}

// call calls a function that must answer with this status and say this, and gives the answer.
func (s *stage) call(token, name string, told ask, status int, part string) string {
	s.t.Helper()
	body, err := json.Marshal(told)
	if err != nil {
		s.t.Fatal(err)
	}
	answer := s.Do(s.t, "POST", "/functions/v1/"+name, token, string(body))
	if answer.Status != status || !strings.Contains(answer.Body, part) {
		s.t.Fatalf("%s %s: %d %s, not %d …%s…", name, body, answer.Status, answer.Body, status, part)
	}
	return answer.Body
}

// question is one of the studio; its choices are called "0", "1" and so on, and so are questions by their place.
func question(prompt string, many bool, choices string) ask {
	all := []ask{}
	for i, text := range strings.Fields(choices) {
		name, right := strings.CutPrefix(text, "+")
		all = append(all, ask{"id": fmt.Sprint(i), "text": name, "correct": right})
	}
	return ask{"id": "q-" + prompt, "prompt": prompt, "many": many, "explanation": "Because of " + prompt + ".", "choices": all}
}

// five are five questions, the first right choice of which is always the first; the last has two.
func five() []ask {
	all := []ask{}
	for _, name := range []string{"A", "B", "C", "D"} {
		all = append(all, question(name, false, "+yes no maybe"))
	}
	return append(all, question("E", true, "+yes +also no"))
}

// quiz makes a lesson of the kind.
func (s *stage) quiz() string {
	s.t.Helper()
	return s.add("lessons", ask{"course_id": s.course, "section_id": s.section, "title": "Quiz", "kind": "quiz"})
}

func (s *stage) save(lesson string, version int, questions ...ask) {
	s.t.Helper()
	s.call(s.ed, "save-quiz", ask{"lesson": lesson, "version": version, "questions": questions}, http.StatusOK, fmt.Sprintf(`"version":%d`, version+1))
}

func (s *stage) publish(lesson string) {
	s.t.Helper()
	s.call(s.ed, "publish-lesson", ask{"lesson": lesson}, http.StatusOK, `"published"`)
}

// published makes a quiz of five questions that learners can answer. It is no preview.
func (s *stage) published() string {
	s.t.Helper()
	lesson := s.quiz()
	s.save(lesson, 1, five()...)
	s.publish(lesson)
	s.write("update lessons set preview = $1", false)
	return lesson
}

// sheet is what the function quiz answers.
type sheet struct {
	Questions []struct {
		ID, Prompt string
		Many       bool
		Choices    []struct{ ID, Text string }
	}
	May      string
	Attempts []struct {
		Percent int
		Passed  bool
	}
	Best   *int
	Passed bool
}

func (s *stage) sheet(token, lesson string) (got sheet) {
	s.t.Helper()
	body := s.call(token, "quiz", ask{"lesson": lesson}, http.StatusOK, "questions")
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		s.t.Fatal(err)
	}
	return got
}

// answers picks choices by their texts, of one question after the other.
func (q sheet) answers(texts ...string) map[string][]string {
	out := map[string][]string{}
	for i, question := range q.Questions {
		if i >= len(texts) {
			break
		}
		out[question.ID] = []string{}
		for _, c := range question.Choices {
			for text := range strings.FieldsSeq(texts[i]) {
				if c.Text == text {
					out[question.ID] = append(out[question.ID], c.ID)
				}
			}
		}
	}
	return out
}

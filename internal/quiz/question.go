package quiz

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// The bounds of a quiz; lengths are in characters.
const (
	mostQuestions   = 50
	mostChoices     = 10
	mostPrompt      = 1000
	mostChoice      = 500
	mostExplanation = 2000
	mostBytes       = 200_000
	mostKey         = 40
)

// question is one with its key.
type question struct {
	ID          string   `json:"id"`
	Prompt      string   `json:"prompt"`
	Many        bool     `json:"many"`
	Explanation string   `json:"explanation"`
	Choices     []choice `json:"choices"`
}

type choice struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Correct bool   `json:"correct"`
}

// asked is a question as those get it who have not answered.
type asked struct {
	ID      string    `json:"id"`
	Prompt  string    `json:"prompt"`
	Many    bool      `json:"many"`
	Choices []offered `json:"choices"`
}

type offered struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

func ask(all []question) []asked {
	out := make([]asked, 0, len(all))
	for _, q := range all {
		one := asked{ID: q.ID, Prompt: q.Prompt, Many: q.Many, Choices: make([]offered, 0, len(q.Choices))}
		for _, c := range q.Choices {
			one.Choices = append(one.Choices, offered{c.ID, c.Text})
		}
		out = append(out, one)
	}
	return out
}

// right are the choices that answer a question, in order of their ids.
func (q question) right() []string {
	out := []string{}
	for _, c := range q.Choices {
		if c.Correct {
			out = append(out, c.ID)
		}
	}
	slices.Sort(out)
	return out
}

// bounded refuses a draft that is too long. What is missing in it may come yet.
func bounded(all []question) error {
	if len(all) > mostQuestions {
		return fault.Newf(fault.Invalid, "A quiz has at most %d questions.", mostQuestions)
	}
	keys := map[string]bool{}
	for i, q := range all {
		if err := q.bounded(i + 1); err != nil {
			return err
		}
		if keys[q.ID] {
			return errKeys
		}
		keys[q.ID] = true
	}
	return nil
}

var errKeys = fault.Newf(fault.Invalid, "Every question, and every choice of one, needs an id of its own: at most %d letters, digits and hyphens.", mostKey)

func (q question) bounded(n int) error {
	switch {
	case !isKey(q.ID):
		return errKeys
	case utf8.RuneCountInString(q.Prompt) > mostPrompt:
		return fault.Newf(fault.Invalid, "Question %d is longer than %d characters.", n, mostPrompt)
	case utf8.RuneCountInString(q.Explanation) > mostExplanation:
		return fault.Newf(fault.Invalid, "The explanation of question %d is longer than %d characters.", n, mostExplanation)
	case len(q.Choices) > mostChoices:
		return fault.Newf(fault.Invalid, "A question has at most %d choices.", mostChoices)
	}
	keys := map[string]bool{}
	for _, c := range q.Choices {
		if !isKey(c.ID) || keys[c.ID] {
			return errKeys
		}
		if keys[c.ID] = true; utf8.RuneCountInString(c.Text) > mostChoice {
			return fault.Newf(fault.Invalid, "A choice of question %d is longer than %d characters.", n, mostChoice)
		}
	}
	return nil
}

func isKey(text string) bool {
	for _, c := range []byte(text) {
		if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return text != "" && len(text) <= mostKey
}

// ready refuses a quiz that nobody could answer, or nobody could fail.
func ready(all []question) error {
	if len(all) == 0 {
		return fault.New(fault.Invalid, "Add a question to this quiz before you publish it.")
	}
	for i, q := range all {
		if missing := q.missing(); missing != "" {
			return fault.New(fault.Invalid, fmt.Sprintf(missing, i+1))
		}
	}
	return nil
}

// missing says what keeps a question from being asked, as a sentence with a place for its number.
func (q question) missing() string {
	right := len(q.right())
	texts := map[string]bool{}
	for _, c := range q.Choices {
		text := strings.TrimSpace(c.Text)
		if text == "" {
			return "Question %d has a choice without text."
		}
		if texts[text] {
			return "Question %d has the same choice twice."
		}
		texts[text] = true
	}
	switch {
	case strings.TrimSpace(q.Prompt) == "":
		return "Write what question %d asks."
	case len(q.Choices) < 2:
		return "Question %d needs at least two choices."
	case right == 0:
		return "Mark a right choice in question %d."
	case right == len(q.Choices):
		return "Question %d needs a wrong choice, too."
	case right > 1 && !q.Many:
		return "Question %d has several right choices and takes one answer."
	}
	return ""
}

// named gives questions and choices the ids under which learners know them: of the lesson and what the studio calls them, so that
// they stay when the quiz is published again, and are nobody else's.
func named(lesson string, all []question) []question {
	out := slices.Clone(all)
	for i, q := range out {
		key := q.ID
		out[i].ID = id.Named("quiz question " + lesson + " " + key)
		out[i].Choices = slices.Clone(q.Choices)
		for j, c := range q.Choices {
			out[i].Choices[j].ID = id.Named("quiz choice " + lesson + " " + key + " " + c.ID)
		}
	}
	return out
}

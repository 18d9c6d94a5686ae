// Package demo puts a sample curriculum into one of the built-in courses, so that a newcomer sees the whole product in two
// minutes. It does what a teacher would do in the studio, by the same calls, and nothing past them:
//
//	read course.json     what should be there                    (the package greenroom/demo)
//	 └ the course        its own lessons, if any, stay alone
//	   └ sections, lessons, texts, films, captions, files, questions
//	     └ publish       in the end: learners see all of it or nothing
//
// What is there already is left as it is, so a second run changes nothing and one that was cut short is finished by the next.
package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// plan is course.json.
type plan struct {
	Course   string    `json:"course"` // its slug
	Trailer  string    `json:"trailer"`
	Sections []section `json:"sections"`
}

type section struct {
	Title   string   `json:"title"`
	Lessons []lesson `json:"lessons"`
}

type lesson struct {
	Title    string `json:"title"`
	Text     string `json:"text"`
	Film     string `json:"film"`
	Captions string `json:"captions"`
	File     string `json:"file"`
	FileName string `json:"file_name"`
	Quiz     string `json:"quiz"` // the questions, as the studio saves them
	terms
}

func (l lesson) kind() string {
	switch {
	case l.Film != "":
		return "video"
	case l.Quiz != "":
		return "quiz"
	}
	return "text"
}

// Done is what a run found or made.
type Done struct {
	Course, Title string // the course, by its id and its name
	Lessons       int
	First         string // the lesson that anybody may open
	Changes       int    // 0 where all was there already
}

// Install puts the sample into its course, by calls to the API of an installation as its operator.
func Install(ctx context.Context, files fs.FS, api http.Handler) (Done, error) {
	w := work{ctx: ctx, files: files, api: api}
	text, err := fs.ReadFile(files, "course.json")
	if err != nil {
		return Done{}, err
	}
	var p plan
	if err := json.Unmarshal(text, &p); err != nil {
		return Done{}, fmt.Errorf("course.json: %w", err)
	}
	if err := w.find(p); err != nil {
		return Done{}, err
	}
	if err := w.fill(p); err != nil {
		return Done{}, err
	}
	return w.done, nil
}

// work is one run.
type work struct {
	ctx   context.Context
	files fs.FS
	api   http.Handler
	done  Done

	sections []row
	lessons  []row
}

// row is a section or a lesson as the data API shows it.
type row struct {
	ID      string `json:"id"`
	Section string `json:"section_id"`
	Title   string `json:"title"`
	State   string `json:"state"`
	Version int    `json:"version"`
	terms
}

// terms are what a lesson says of who may open it, and when.
type terms struct {
	Preview     bool `json:"preview"`
	ReleaseDays *int `json:"release_days"`
}

func (t terms) same(other terms) bool {
	days := func(n *int) int {
		if n == nil {
			return -1
		}
		return *n
	}
	return t.Preview == other.Preview && days(t.ReleaseDays) == days(other.ReleaseDays)
}

// find reads what the course has, and refuses one that somebody teaches already.
func (w *work) find(p plan) error {
	w.done.Course = id.Named("course " + p.Course)
	var courses []row
	if err := w.read("courses?select=id,title&id=eq."+w.done.Course, &courses); err != nil {
		return err
	}
	if len(courses) == 0 {
		return fault.Newf(fault.NotFound, "The sample belongs to the built-in course %s, which is not in this installation any more.", p.Course)
	}
	w.done.Title = courses[0].Title
	at := "&order=position&course_id=eq." + w.done.Course
	if err := w.read("course_sections?select=id,title"+at, &w.sections); err != nil {
		return err
	}
	if err := w.read("lessons?select=id,section_id,title,state,version,preview,release_days"+at, &w.lessons); err != nil {
		return err
	}
	ours := map[string]bool{}
	for _, s := range p.Sections {
		ours[s.Title] = true
		for _, l := range s.Lessons {
			ours[s.Title+"\n"+l.Title] = true
		}
	}
	names := map[string]string{}
	for _, s := range w.sections {
		names[s.ID] = s.Title
		if !ours[s.Title] {
			return w.foreign(s.Title)
		}
	}
	for _, l := range w.lessons {
		if !ours[names[l.Section]+"\n"+l.Title] {
			return w.foreign(l.Title)
		}
	}
	return nil
}

func (w *work) foreign(title string) error {
	return fault.Newf(fault.Conflict, "%s has a curriculum of its own (%q), and nothing was changed. The sample only goes into a course without lessons.", w.done.Title, title)
}

// fill makes what is missing, and then publishes what never was.
func (w *work) fill(p plan) error {
	var fresh []string
	for _, s := range p.Sections {
		home, err := w.section(s.Title)
		if err != nil {
			return err
		}
		for _, l := range s.Lessons {
			there, err := w.lesson(home, l)
			if err != nil {
				return fmt.Errorf("the lesson %q: %w", l.Title, err)
			}
			if there.State == "draft" && there.Version == 1 {
				fresh = append(fresh, there.ID)
			}
			if l.Preview && w.done.First == "" {
				w.done.First = there.ID
			}
			w.done.Lessons++
		}
	}
	if len(fresh) > 0 { // before anything is out; afterwards it is the teacher's, as the lessons are
		if err := w.trailer(p.Trailer); err != nil {
			return fmt.Errorf("the trailer: %w", err)
		}
	}
	for _, key := range fresh {
		if err := w.function("publish-lesson", map[string]any{"lesson": key}); err != nil {
			return err
		}
	}
	return nil
}

func (w *work) section(title string) (string, error) {
	for _, s := range w.sections {
		if s.Title == title {
			return s.ID, nil
		}
	}
	made, err := w.add("course_sections", map[string]any{"course_id": w.done.Course, "title": title})
	return made.ID, err
}

// lesson finds or makes a lesson and gives it what it does not have.
func (w *work) lesson(home string, l lesson) (row, error) {
	there := row{}
	for _, known := range w.lessons {
		if known.Section == home && known.Title == l.Title {
			there = known
		}
	}
	if there.ID == "" {
		var err error
		there, err = w.add("lessons", map[string]any{"course_id": w.done.Course, "section_id": home, "title": l.Title, "kind": l.kind()})
		if err != nil {
			return there, err
		}
	}
	if there.Version > 1 || there.State != "draft" { // it was out once, and is its teacher's since
		return there, nil
	}
	if !there.same(l.terms) {
		change := map[string]any{"preview": l.Preview, "release_days": l.ReleaseDays}
		if err := w.change("lessons?id=eq."+there.ID, change); err != nil {
			return there, err
		}
	}
	if l.Quiz != "" {
		return there, w.questions(there.ID, l.Quiz)
	}
	return there, w.content(there.ID, l)
}

// questions fills a quiz that was never published.
func (w *work) questions(key, file string) error {
	var open struct {
		Questions []json.RawMessage `json:"questions"`
		Version   int               `json:"version"`
	}
	if err := w.look("studio-quiz", map[string]any{"lesson": key}, &open); err != nil || len(open.Questions) > 0 {
		return err
	}
	text, err := fs.ReadFile(w.files, file)
	if err != nil {
		return err
	}
	return w.function("save-quiz", map[string]any{"lesson": key, "questions": json.RawMessage(text), "version": open.Version})
}

// content fills a lesson that was never published.
func (w *work) content(key string, l lesson) error {
	var open struct {
		Draft    string            `json:"draft_body"`
		Version  int               `json:"draft_version"`
		Video    *struct{}         `json:"video"`
		Captions []json.RawMessage `json:"captions"`
		Files    []json.RawMessage `json:"files"`
	}
	if err := w.look("studio-lesson", map[string]any{"lesson": key}, &open); err != nil {
		return err
	}
	if open.Draft == "" {
		text, err := fs.ReadFile(w.files, l.Text)
		if err != nil {
			return err
		}
		if err := w.function("save-draft", map[string]any{"lesson": key, "body": string(text), "draft_version": open.Version}); err != nil {
			return err
		}
	}
	if l.Film != "" && open.Video == nil {
		stored, err := w.store(key, l.Film, "video/mp4")
		if err != nil {
			return err
		}
		if err := w.function("set-lesson-video", map[string]any{"lesson": key, "path": stored}); err != nil {
			return err
		}
	}
	if l.Captions != "" && len(open.Captions) == 0 {
		text, err := fs.ReadFile(w.files, l.Captions)
		if err != nil {
			return err
		}
		said := map[string]any{"lesson": key, "language": "en", "label": "English", "text": string(text)}
		if err := w.function("caption-lesson", said); err != nil {
			return err
		}
	}
	if l.File != "" && len(open.Files) == 0 {
		stored, err := w.store(key, l.File, "text/plain")
		if err != nil {
			return err
		}
		return w.function("add-lesson-file", map[string]any{"lesson": key, "path": stored, "name": l.FileName})
	}
	return nil
}

func (w *work) trailer(film string) error {
	var offers []struct {
		Trailer *string `json:"trailer_id"`
	}
	if err := w.read("course_offers?select=trailer_id&course_id=eq."+w.done.Course, &offers); err != nil {
		return err
	}
	if film == "" || len(offers) > 0 && offers[0].Trailer != nil {
		return nil
	}
	stored, err := w.store("trailer", film, "video/mp4")
	if err != nil {
		return err
	}
	return w.function("set-trailer", map[string]any{"course": w.done.Course, "path": stored})
}

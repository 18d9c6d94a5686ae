package demo_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"greenroom/demo"
)

// mostBytes is what the binary carries of it.
const mostBytes = 5 << 20

func TestTheSampleIsSmallAndAllOfItIsUsed(t *testing.T) {
	t.Parallel()
	plan, err := demo.Files.ReadFile("course.json")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	err = fs.WalkDir(demo.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := demo.Files.ReadFile(name)
		total += len(text)
		if name != "course.json" && !bytes.Contains(plan, []byte(`"`+name+`"`)) {
			t.Errorf("%s is in no lesson", name)
		}
		return err
	})
	if err != nil || total > mostBytes {
		t.Errorf("%d bytes %v", total, err)
	}
}

func TestTheSampleHasLessonsOfEveryKind(t *testing.T) {
	t.Parallel()
	var plan struct {
		Sections []struct {
			Lessons []struct {
				Title, Text, Film, Captions, File, Quiz string
				Preview                                 bool
				ReleaseDays                             int `json:"release_days"`
			}
		}
	}
	text, err := demo.Files.ReadFile("course.json")
	if err == nil {
		err = json.Unmarshal(text, &plan)
	}
	if err != nil {
		t.Fatal(err)
	}
	lessons, films, files, previews, later, quizzes := 0, 0, 0, 0, 0, 0
	for _, s := range plan.Sections {
		for _, l := range s.Lessons {
			lessons++
			if l.Quiz != "" {
				quizzes++
				continue
			}
			body, err := demo.Files.ReadFile(l.Text)
			if words := len(strings.Fields(string(body))); err != nil || words < 400 || words > 900 {
				t.Errorf("%s: %d words %v", l.Title, words, err)
			}
			for _, picture := range regexp.MustCompile(`\]\(([^ )]+)`).FindAllStringSubmatch(string(body), -1) {
				if !strings.HasPrefix(picture[1], "/art/") {
					t.Errorf("%s shows %s, which is not ours", l.Title, picture[1])
				}
			}
			if l.Film != "" {
				films++
				watchable(t, l.Film, l.Captions)
			}
			files += min(1, len(l.File))
			previews += map[bool]int{true: 1}[l.Preview]
			later += min(1, l.ReleaseDays)
		}
	}
	if len(plan.Sections) != 3 || lessons != 9 || films != 2 || files != 1 || previews != 1 || later != 0 || quizzes != 1 {
		t.Error(len(plan.Sections), lessons, films, files, previews, later, quizzes)
	}
}

// watchable holds a film to what plays without being prepared: its index stands before its pictures.
func watchable(t *testing.T, film, captions string) {
	t.Helper()
	bytesOf, err := demo.Files.ReadFile(film)
	if err != nil || path.Ext(film) != ".mp4" {
		t.Fatal(film, err)
	}
	index, pictures := bytes.Index(bytesOf, []byte("moov")), bytes.Index(bytesOf, []byte("mdat"))
	if index < 0 || pictures < index {
		t.Errorf("%s: moov at %d, mdat at %d", film, index, pictures)
	}
	said, err := demo.Files.ReadFile(captions)
	if err != nil || !strings.HasPrefix(string(said), "WEBVTT\n\n") || strings.Count(string(said), " --> ") < 10 {
		t.Errorf("%s: %v", captions, err)
	}
}

package catalog

import (
	"math"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"greenroom/internal/platform/fault"
)

// Course is one course on offer.
type Course struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	Instructor  string    `json:"instructor"`
	Duration    string    `json:"duration"`
	Category    string    `json:"category"`
	Thumbnail   string    `json:"thumbnail"`
	Description string    `json:"description"`
	Lessons     int64     `json:"lessons"`
	Level       string    `json:"level"`
	Rating      float64   `json:"rating"`
	ComingSoon  bool      `json:"coming_soon"`
	LaunchAt    time.Time `json:"launch_at,omitzero"`
	CreatedAt   time.Time `json:"created_at"`

	Story
}

// Story is what a course's own page tells beyond its description. All of it may be empty.
type Story struct {
	Learn         string `json:"learn,omitempty"` // a line for each thing
	Audience      string `json:"audience,omitempty"`
	Outcome       string `json:"outcome,omitempty"`
	InstructorBio string `json:"instructor_bio,omitempty"`
}

// Categories are the six categories, in the order of the home page.
var Categories = []string{
	"Creator Economy", "Acting & Performance", "AI Tools", "Content Creation", "Business & Networking", "Marketing & Growth",
}

// Levels are the four levels.
var Levels = []string{"Beginner", "Intermediate", "Advanced", "All Levels"}

// Bounds of a course's texts, in characters.
const (
	maxTitle       = 200
	maxInstructor  = 100
	maxDuration    = 50
	maxThumbnail   = 2000
	maxDescription = 5000
	maxStory       = 2000
	maxLessons     = 10000
)

// check holds a course to the rules that every way of writing one shares.
func (c Course) check() error {
	texts := []struct {
		column, name, value string
		most                int
		optional            bool
	}{
		{"title", "Title", c.Title, maxTitle, false},
		{"instructor", "Instructor", c.Instructor, maxInstructor, false},
		{"duration", "Duration", c.Duration, maxDuration, false},
		{"thumbnail", "Thumbnail", c.Thumbnail, maxThumbnail, false},
		{"description", "Description", c.Description, maxDescription, false},
		{"learn", "What you will learn", c.Learn, maxStory, true},
		{"audience", "Who it is for", c.Audience, maxStory, true},
		{"outcome", "What you make", c.Outcome, maxStory, true},
		{"instructor_bio", "Biography", c.InstructorBio, maxStory, true},
	}
	for _, t := range texts {
		if !t.optional && strings.TrimSpace(t.value) == "" {
			return refused(t.column, "%s is required.", t.name)
		}
		if !utf8.ValidString(t.value) || strings.ContainsRune(t.value, 0) {
			return refused(t.column, "%s holds bytes that are no text.", t.name)
		}
		if utf8.RuneCountInString(t.value) > t.most {
			return refused(t.column, "%s can be at most %d characters long.", t.name, t.most)
		}
	}
	switch {
	case !slices.Contains(Categories, c.Category):
		return refused("category", "Category must be one of: %s.", strings.Join(Categories, ", "))
	case !slices.Contains(Levels, c.Level):
		return refused("level", "Level must be one of: %s.", strings.Join(Levels, ", "))
	case c.Lessons < 0 || c.Lessons > maxLessons:
		return refused("lessons", "Lessons must be a number from 0 to %d.", maxLessons)
	case !isRating(c.Rating):
		return refused("rating", "Rating must be a number from 0 to 5 in steps of 0.1.")
	case !isPicture(c.Thumbnail):
		return refused("thumbnail", "Thumbnail must be an https address or a path of this site.")
	}
	return nil
}

// refused is a broken check, in the code that the data API gives one.
func refused(column, format string, args ...any) error {
	e := fault.Newf(fault.Invalid, format, args...)
	e.Code = "23514"
	e.Detail = "The value of " + column + " was refused."
	return e
}

func isRating(r float64) bool {
	tenths := math.Round(r * 10)
	return r >= 0 && r <= 5 && math.Abs(r*10-tenths) < 1e-9
}

// isPicture takes https addresses and paths of our own; anything else could run in a page or leak who reads it.
func isPicture(text string) bool {
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return false
	}
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	if u.Scheme == "https" {
		return u.Host != "" && u.User == nil
	}
	return u.Scheme == "" && u.Host == "" && strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//")
}

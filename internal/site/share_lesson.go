package site

import (
	"context"
	"fmt"
	"net/url"
)

// lessonPoster shows a film that anybody may watch by its own picture, or else by that of its course.
func (s *Site) lessonPoster(ctx context.Context, course, lesson string) (poster, error) {
	if !uuid.MatchString(lesson) {
		return poster{}, errNoRow
	}
	p, err := s.coursePoster(ctx, course)
	if err != nil {
		return poster{}, err
	}
	var l struct{ Title string }
	err = s.row(ctx, "lessons", "title", url.Values{"id": {"eq." + lesson}, "course_id": {"eq." + course}, "kind": {"eq.video"}, "preview": {"is.true"}}, &l)
	if err != nil {
		return poster{}, err
	}
	if s.picture != nil {
		if p.Film, p.read, err = s.picture(ctx, lesson); err != nil {
			return poster{}, err
		}
	}
	p.Alt = fmt.Sprintf("%s, a lesson of %s on Greenroom", l.Title, p.Card.Title)
	p.Card.By, p.Card.Title, p.Card.Instead, p.Card.Rating = p.Card.Title, l.Title, "A lesson on Greenroom", 0
	return p, nil
}

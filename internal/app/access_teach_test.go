package app_test

import (
	"testing"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/rest/resttest"
)

// section puts one into a course, lesson one into a section.
func (s school) section(t *testing.T, course string) string {
	t.Helper()
	key := id.New()
	write(t, s.DB(), "insert into course_sections (id, course_id, title, position, created_at) values ($1, $2, 'S', 1, $3)", key, course, s.now())
	return key
}

func (s school) lesson(t *testing.T, course, section, state string) string {
	t.Helper()
	key := id.New()
	write(t, s.DB(), "insert into lessons (id, course_id, section_id, title, kind, position, state, created_at) values ($1, $2, $3, 'L', 'text', 1, $4, $5)",
		key, course, section, state, s.now())
	write(t, s.DB(), "insert into lesson_contents (lesson_id, drafted_at) values ($1, $2)", key, s.now())
	return key
}

// offer makes the terms of a course, published or not.
func (s school) offer(t *testing.T, course string, out bool) (key string, publishedAt any) {
	t.Helper()
	key = id.New()
	at := db.Time{}
	if out {
		at, publishedAt = s.now(), "2026-01-02T03:04:05Z"
	}
	write(t, s.DB(), "insert into course_offers (id, course_id, published_at, created_at) values ($1, $2, $3, $4)", key, course, at, s.now())
	return key, publishedAt
}

// teaching are the cases of what is taught, and by whom.
func (s school) teaching() map[string]resttest.Case {
	offer := func(out bool) resttest.Case {
		return resttest.Case{
			Seed: func(t *testing.T) map[string]any {
				course := s.course(t)
				key, at := s.offer(t, course, out)
				return map[string]any{"id": key, "course_id": course, "published_at": at}
			},
			New:    func(t *testing.T, _ resttest.Caller) map[string]any { return map[string]any{"course_id": s.course(t)} },
			Change: map[string]any{"price_cents": 500, "certificate": false},
		}
	}
	section := func(state string, holds ...string) resttest.Case {
		return resttest.Case{
			Seed: func(t *testing.T) map[string]any {
				course := s.course(t)
				key := s.section(t, course)
				if state != "" {
					s.lesson(t, course, key, state)
				}
				return map[string]any{"id": key, "course_id": course}
			},
			New: func(t *testing.T, _ resttest.Caller) map[string]any {
				return map[string]any{"course_id": s.course(t), "title": "New"}
			},
			Change: map[string]any{"title": "Changed"}, Holds: holds, Stays: state != "",
		}
	}
	lesson := func(state string) resttest.Case {
		return resttest.Case{
			Seed: func(t *testing.T) map[string]any {
				course := s.course(t)
				return map[string]any{"id": s.lesson(t, course, s.section(t, course), state), "course_id": course, "state": state}
			},
			New: func(t *testing.T, _ resttest.Caller) map[string]any {
				course := s.course(t)
				return map[string]any{"course_id": course, "section_id": s.section(t, course), "title": "New", "kind": "text"}
			},
			Change: map[string]any{"title": "Changed", "preview": true, "release_days": 3},
		}
	}
	teacher := func(out bool, holds ...string) resttest.Case {
		fresh := func(t *testing.T) string { return accounttest.Add(t, s.DB(), id.New()+"@example.org").ID }
		return resttest.Case{
			Seed: func(t *testing.T) map[string]any {
				course, key := s.course(t), id.New()
				s.offer(t, course, out)
				write(t, s.DB(), "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'T', $4)", key, course, fresh(t), s.now())
				return map[string]any{"id": key, "course_id": course}
			},
			New: func(t *testing.T, _ resttest.Caller) map[string]any {
				return map[string]any{"course_id": s.course(t), "user_id": fresh(t), "shown_name": "N"}
			},
			Change: map[string]any{"shown_name": "Changed", "may_edit": false}, Holds: holds,
		}
	}
	return map[string]resttest.Case{
		"course_offers": offer(true), "course_offers/not out": offer(false),
		"course_sections": section("published", "shown"), "course_sections/of drafts": section("draft"), "course_sections/empty": section(""),
		"lessons": lesson("published"), "lessons/drafts": lesson("draft"),
		"course_teachers": teacher(true, "published"), "course_teachers/not out": teacher(false),
	}
}

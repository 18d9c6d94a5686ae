package teach_test

import (
	"context"
	"net/http"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/teach"
)

// Who is forgotten is off the pages that named them.
func TestForgottenTeachersLeaveThePages(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.lesson(s.section("One"), "a", "text")
		s.written(lesson, "x")
		s.call(s.ed, "publish-lesson", ask{"lesson": lesson}, http.StatusOK)
		before := s.one("select number from versions where name = 'catalog'")
		studio := teach.New(teach.Options{Changed: s.Catalog().Changed})
		if err := s.DB().Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return studio.Forget(ctx, tx, s.edsID, "") }); err != nil {
			t.Fatal(err)
		}
		if s.one("select number from versions where name = 'catalog'") == before {
			t.Error("the pages do not know of it")
		}
		s.wants("select count(*) from course_teachers where user_id = '"+s.edsID+"'", "0", "select count(*) from course_teachers", "2")
	})
}

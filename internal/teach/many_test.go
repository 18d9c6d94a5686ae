package teach_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// The studio's first page counts learners as far as it shows them.
func TestLearnersAreCountedToAThousand(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		s.section("One")
		enrolled := 0
		enroll := func(people int) {
			s.t.Helper()
			err := s.DB().Write(s.t.Context(), func(ctx context.Context, tx *db.Tx) error {
				for range people {
					enrolled++
					key := id.New()
					_, err := tx.Exec(ctx, "insert into users (id, email, app_metadata, user_metadata, created_at, updated_at) values ($1, $2, '{}', '{}', $3, $3)", key, key+"@example.com", s.now())
					if err == nil {
						_, err = tx.Exec(ctx, "insert into enrollments (id, user_id, course_id, created_at) values ($1, $1, $2, $3)", key, s.course, s.now())
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				s.t.Fatal(err)
			}
		}
		for _, c := range []struct{ more, want int }{{0, 0}, {2, 2}, {998, 1000}, {5, 1001}} {
			enroll(c.more)
			for _, token := range []string{s.ed, s.admin} {
				if got := s.call(token, "teaching", ask{}, http.StatusOK); !strings.Contains(got, fmt.Sprintf(`"learners":%d}`, c.want)) {
					s.t.Errorf("of %d: %s", enrolled, got)
				}
			}
		}
	})
}

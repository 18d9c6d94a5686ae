package storage

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
)

// A person's own data name the files that they stored and those under way; once the person is gone nothing of them stands beside
// the files, and what they had not finished is gone.
func TestSecurity72APersonsFiles(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.do("admin", "POST", "/object/lessons/mine", strings.NewReader("text"), "Content-Type", "text/plain", "X-Metadata", "eyJieSI6IkFkYSJ9")
		s.do("service", "POST", "/object/lessons/theirs", strings.NewReader("text"), "Content-Type", "text/plain")
		path := s.upload(t, "admin", "lessons/under way", 100)
		s.patch(path, 0, make([]byte, 40))
		admin := actors["admin"].UserID
		err := s.DB.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			all, err := About(ctx, tx, admin, "")
			if err != nil {
				return err
			}
			if said := fmt.Sprint(all); len(all) != 2 || !strings.Contains(said, "mine") || !strings.Contains(said, "under way") || !strings.Contains(said, "Ada") {
				t.Errorf("%v", all)
			}
			return Forget(ctx, tx, admin, "")
		})
		if err != nil {
			t.Fatal(err)
		}
		if n := s.count(t, "select (select count(*) from storage_objects where owner is not null or metadata is not null) + (select count(*) from storage_uploads) + (select count(*) from storage_versions where owner is not null)"); n != 0 {
			t.Errorf("%d rows still say something", n)
		}
		if w := s.do("service", "GET", "/object/lessons/mine", nil); w.Body.String() != "text" {
			t.Errorf("the file went, too: %d %s", w.Code, w.Body)
		}
		s.whole(t)
	})
}

func TestWhatIsMovedAndRefusedIsCounted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.do("admin", "POST", "/object/lessons/a", strings.NewReader("12345"), "Content-Type", "text/plain")
		s.do("admin", "GET", "/object/lessons/a", nil, "Range", "bytes=1-3")
		s.patch(s.upload(t, "admin", "lessons/b", 100), 0, make([]byte, 40))
		s.do("user", "POST", "/object/lessons/a", strings.NewReader("x"), "Content-Type", "text/plain")
		s.do("admin", "POST", "/object/lessons/b", strings.NewReader("x"), "Content-Type", "text/html")
		s.do("admin", "POST", "/object/lessons/..", strings.NewReader("x"), "Content-Type", "text/plain")
		s.QuotaAll = 3
		s.do("admin", "POST", "/object/lessons/c", strings.NewReader("12345"), "Content-Type", "text/plain")
		in, out := s.Moved()
		stored, pending, garbage, err := s.Held(t.Context())
		if in != 51 || out != 3 || stored != 5 || pending != 100 || garbage != 0 || err != nil {
			t.Errorf("%d in, %d out, %d stored, %d pending, %d garbage, %v", in, out, stored, pending, garbage, err)
		}
		if got := fmt.Sprint(s.Refused()); got != "map[away:0 busy:0 link:0 name:1 quota:1 rights:1 room:0 size:0 type:1]" {
			t.Error(got)
		}
	})
}

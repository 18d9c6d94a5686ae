package app_test

import (
	"fmt"
	"net/http"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

// The address of a lesson's file ends when the lesson closes to whoever got it, and when the file leaves the lesson.
func TestTheAddressOfALessonsFileEndsWithTheLesson(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, dbtest.Location(t, engine), map[string]string{"GREENROOM_RATE_LIMITS": "off", "GREENROOM_VIDEO_WORK": "off"}, clock.System{})
			boss, bossToken := s.Admin(t, "boss@example.com")
			ada, token := s.Person(t, "ada@example.com")
			course, now := id.Named("course scene-study-for-the-camera"), db.At(s.DB().Clock.Now())
			lesson := lessonOf(t, s, course, "text")
			do(t, s, 200, http.MethodPost, "/storage/v1/object/lessons/"+course+"/a sheet.txt", bossToken, "Said.", "Content-Type", "text/plain")
			attach := func() {
				write(t, s.DB(), `insert into lesson_files (id, lesson_id, object_id, name, position, created_at)
					select $1, $1, id, 'The sheet', 0, $2 from storage_objects where bucket_id = 'lessons'`, lesson, now)
			}
			attach()
			write(t, s.DB(), "insert into enrollments (id, user_id, course_id, created_at) values ($1, $1, $2, $3)", ada.ID, course, now)
			file := func(token string) string {
				t.Helper()
				var got struct{ Files []struct{ URL string } }
				if status := called(t, s, token, "lesson", fmt.Sprintf(`{"lesson":%q}`, lesson), &got); status != http.StatusOK || len(got.Files) != 1 {
					t.Fatal(status, got)
				}
				return got.Files[0].URL
			}
			hers, theirs := file(token), file(bossToken)
			read := func(when, link string, want int) {
				t.Helper()
				if got := s.Do(t, "GET", link, "", ""); got.Status != want {
					t.Errorf("%s: %d %s", when, got.Status, got.Body)
				}
			}
			read("enrolled", hers, 200)
			for _, step := range []struct{ when, shut, open string }{
				{"revoked", "update enrollments set revoked_at = created_at, revoked_for = 'refunded'", "update enrollments set revoked_at = null, revoked_for = null"},
				{"a draft", "update lessons set state = 'draft'", "update lessons set state = 'published'"},
				{"opens later", "update lessons set release_days = 3", "update lessons set release_days = null"},
			} {
				write(t, s.DB(), step.shut)
				read(step.when, hers, 400)
				read(step.when+", to an admin", theirs, 200)
				write(t, s.DB(), step.open)
				read("no longer "+step.when, hers, 200)
			}
			write(t, s.DB(), "delete from lesson_files")
			read("taken off the lesson", hers, 400)
			attach()
			write(t, s.DB(), "update lessons set preview = $1", true)
			anybodys := file("")
			read("a preview", anybodys, 200)
			write(t, s.DB(), "update lessons set preview = $1", false)
			read("no preview any more", anybodys, 400)
			write(t, s.DB(), "delete from user_roles where user_id = $1", boss.ID)
			read("no admin any more", theirs, 400)
			write(t, s.DB(), "delete from enrollments")
			read("has left", hers, 400)
		})
	}
}

package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

// lessonOf gives a course an offer and a published lesson, which is not the first: nobody sees it before.
func lessonOf(t *testing.T, s *apptest.Server, course, kind string) string {
	t.Helper()
	key, now := id.New(), db.At(s.DB().Clock.Now())
	write(t, s.DB(), "insert into course_offers (id, course_id, published_at, created_at) values ($1, $1, $2, $2) on conflict do nothing", course, now)
	write(t, s.DB(), "insert into course_sections (id, course_id, title, position, created_at) values ($1, $2, 'S', 0, $3)", key, course, now)
	write(t, s.DB(), `insert into lessons (id, course_id, section_id, title, kind, position, state, seconds, created_at)
		values ($1, $2, $1, 'L', $3, 0, 'published', 100, $4)`, key, course, kind, now)
	write(t, s.DB(), "insert into lesson_contents (lesson_id, body, drafted_at) values ($1, 'Said.', $2)", key, now)
	return key
}

// Somebody watches on two instances, and an admin puts them out of the course: within a second neither shows them anything
// more. The clock is moved by hand, so that it is not the machine's speed that is judged.
func TestWhoIsRevokedSeesNothingMoreWithinASecond(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			hands, at, folder := clock.NewManual(clock.System{}.Now()), dbtest.Location(t, engine), t.TempDir()
			settings := map[string]string{
				"GREENROOM_RATE_LIMITS": "off", "GREENROOM_VIDEO_WORK": "off",
				"GREENROOM_SECRET_FILE": filepath.Join(folder, "secret"), "GREENROOM_SITE_URL": "http://localhost:8080",
			}
			if engine == db.Postgres {
				settings["GREENROOM_DATA"] = folder
			}
			one := apptest.Start(t, at, settings, hands)
			other := one
			if engine == db.Postgres {
				other = apptest.Start(t, at, settings, hands)
			}
			_, boss := one.Admin(t, "boss@example.com")
			ada, token := one.Person(t, "ada@example.com")
			course := id.Named("course scene-study-for-the-camera")
			lesson := lessonOf(t, one, course, "video")
			path := filepath.Join(t.TempDir(), "a.mp4")
			if err := os.WriteFile(path, append([]byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"), make([]byte, 1000)...), 0o600); err != nil {
				t.Fatal(err)
			}
			var added struct{ Video string }
			if status := called(t, one, boss, "add-video", `{"object":"`+uploaded(t, one, boss, path)+`"}`, &added); status != http.StatusOK {
				t.Fatal(status)
			}
			write(t, one.DB(), "update lesson_contents set video_id = $2 where lesson_id = $1", lesson, added.Video)

			type opened struct {
				Access string
				Video  *struct{ File string }
			}
			open := func(s *apptest.Server, token string) (got opened) {
				t.Helper()
				if status := called(t, s, token, "lesson", fmt.Sprintf(`{"lesson":%q}`, lesson), &got); status != http.StatusOK {
					t.Fatal(status)
				}
				return got
			}
			for _, who := range []string{"", token} {
				if got := open(one, who); got.Access != "enroll" || got.Video != nil {
					t.Fatalf("before: %+v", got)
				}
			}
			enrolled := do(t, one, 201, http.MethodPost, "/rest/v1/enrollments", token, fmt.Sprintf(`{"user_id":%q,"course_id":%q}`, ada.ID, course), "Prefer", "return=representation")
			var rows []struct{ ID string }
			if err := json.Unmarshal([]byte(enrolled), &rows); err != nil {
				t.Fatal(err)
			}
			play := open(other, token).Video.File
			piece := func(s *apptest.Server) int { return s.Do(t, "GET", play, "", "", "Range", "bytes=0-9").Status }
			hands.Advance(time.Second) // neither remembers that it was shut
			for _, s := range []*apptest.Server{one, other} {
				if status := piece(s); status != http.StatusPartialContent {
					t.Fatalf("enrolled: %d", status)
				}
			}
			change := func(body string) {
				t.Helper()
				do(t, one, 204, http.MethodPatch, "/rest/v1/enrollments?id=eq."+rows[0].ID, boss, body)
			}
			change(fmt.Sprintf(`{"revoked_at":%q,"revoked_for":"refunded"}`, hands.Now().Format(time.RFC3339)))
			hands.Advance(time.Second)
			for _, s := range []*apptest.Server{one, other} {
				if status := piece(s); status != http.StatusForbidden {
					t.Errorf("revoked: %d", status)
				}
				if got := open(s, token); got.Access != "enroll" || got.Video != nil {
					t.Errorf("revoked: %+v", got)
				}
			}
			if n := count(t, one.DB(), "select count(*) from audit_entries where action = 'admin.enrollment.change' and subject like $1", course+"%"); n != 1 {
				t.Errorf("it is %d times in the trail", n)
			}
			change(`{"revoked_at":null}`)
			hands.Advance(time.Second)
			for _, s := range []*apptest.Server{one, other} {
				if status := piece(s); status != http.StatusPartialContent {
					t.Errorf("given back: %d", status)
				}
			}
			// The same for a lesson that is taken out of the course, and for one that opens later.
			for _, shut := range []string{"state = 'draft'", "state = 'published', release_days = 3"} {
				write(t, one.DB(), "update lessons set "+shut+" where id = $1", lesson)
				hands.Advance(time.Second)
				if status := piece(other); status != http.StatusForbidden {
					t.Errorf("%s: %d", shut, status)
				}
			}
		})
	}
}

// A file of a lesson comes by a link that works without a key, and for nobody to whom the lesson is not open.
func TestFilesOfALessonComeByALink(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
		_, boss := s.Admin(t, "boss@example.com")
		_, eve := s.Person(t, "eve@example.com")
		course := id.Named("course scene-study-for-the-camera")
		lesson := lessonOf(t, s, course, "text")
		answer := s.Do(t, "POST", "/storage/v1/object/lessons/"+course+"/a sheet+1.txt", boss, "the sheet", "Content-Type", "text/plain")
		var stored struct{ ID string }
		if err := json.Unmarshal([]byte(answer.Body), &stored); err != nil || stored.ID == "" {
			t.Fatal(answer)
		}
		write(t, s.DB(), "insert into lesson_files (id, lesson_id, object_id, name, position, created_at) values ($1, $2, $1, 'The sheet', 0, $3)",
			stored.ID, lesson, db.At(s.DB().Clock.Now()))
		var got struct {
			Files []struct{ Name, URL, Mimetype string }
		}
		called(t, s, boss, "lesson", fmt.Sprintf(`{"lesson":%q}`, lesson), &got)
		if len(got.Files) != 1 || got.Files[0].Name != "The sheet" {
			t.Fatalf("%+v", got)
		}
		if file := s.Do(t, "GET", got.Files[0].URL, "", ""); file.Status != 200 || file.Body != "the sheet" {
			t.Errorf("%s: %d %s", got.Files[0].URL, file.Status, file.Body)
		}
		if file := s.Do(t, "GET", got.Files[0].URL+"x", "", ""); file.Status == 200 {
			t.Error("a forged link works")
		}
		called(t, s, eve, "lesson", fmt.Sprintf(`{"lesson":%q}`, lesson), &got)
		if len(got.Files) != 0 {
			t.Errorf("somebody who takes no course: %+v", got)
		}
	})
}

// All that somebody did is in the file of their data, and goes with their account.
func TestLearningIsInOnesOwnDataAndGoesWithTheAccount(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
		course := id.Named("course scene-study-for-the-camera")
		lesson := lessonOf(t, s, course, "video")
		tables := []string{"enrollments", "lesson_progress", "learner_settings"}
		people := map[string]member{}
		for _, name := range []string{"ada", "bob"} {
			one := signUp(t, s, "/auth/v1/signup", name+"@example.com")
			do(t, s, 201, http.MethodPost, "/rest/v1/enrollments", one.Access, fmt.Sprintf(`{"user_id":%q,"course_id":%q}`, one.ID, course))
			do(t, s, 200, http.MethodPost, "/functions/v1/save-progress", one.Access,
				fmt.Sprintf(`{"lesson":%q,"position_seconds":41,"covered":"/w==","speed":150,"captions":"en"}`, lesson))
			people[name] = one
		}
		data, whole := map[string][]map[string]any{}, map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/functions/v1/my-data", people["ada"].Access, "")), &whole); err != nil {
			t.Fatal(err)
		}
		for _, table := range tables {
			var rows []map[string]any
			if err := json.Unmarshal(whole[table], &rows); err != nil || len(rows) != 1 {
				t.Fatalf("%s: %v %s", table, err, whole[table])
			}
			data[table] = rows
		}
		if said := fmt.Sprint(data); !strings.Contains(said, course) || !strings.Contains(said, lesson) || !strings.Contains(said, "covered:/w==") || !strings.Contains(said, "speed:150") {
			t.Error(said)
		}
		do(t, s, 200, http.MethodPost, "/functions/v1/delete-account", people["ada"].Access, fmt.Sprintf(`{"password":%q}`, secretOfAda))
		for _, table := range tables {
			if n := count(t, s.DB(), "select count(*) from "+table+" where user_id = $1", people["ada"].ID); n != 0 {
				t.Errorf("%d rows of who is gone in %s", n, table)
			}
			if n := count(t, s.DB(), "select count(*) from "+table); n != 1 {
				t.Errorf("%d rows of who stayed in %s", n, table)
			}
		}
	})
}

// The card of a film that anybody may watch shows the poster that its teacher chose, and is another one with another poster. What is
// not open to everybody has none.
func TestTheCardOfAPreviewShowsItsPoster(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off", "GREENROOM_VIDEO_WORK": "off"}, func(t *testing.T, s *apptest.Server) {
		_, boss := s.Admin(t, "boss@example.com")
		course := id.Named("course scene-study-for-the-camera")
		lesson := lessonOf(t, s, course, "video")
		place := course + "/" + lesson
		do(t, s, 200, "POST", "/storage/v1/object/lessons/"+place+"/film.mp4", boss, "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "Content-Type", "video/mp4")
		do(t, s, 200, "POST", "/functions/v1/set-lesson-video", boss, fmt.Sprintf(`{"lesson":%q,"path":"%s/film.mp4"}`, lesson, place))
		card := "/learn/" + place + "/card.png"
		do(t, s, 404, "GET", card, "", "")
		do(t, s, 204, "PATCH", "/rest/v1/lessons?id=eq."+lesson, boss, `{"preview":true}`)
		drawn := func() (float64, string) {
			t.Helper()
			answer := s.Do(t, "GET", card, "", "")
			picture, err := png.Decode(strings.NewReader(answer.Body))
			if err != nil {
				t.Fatal(answer.Status, err)
			}
			red := 0.0
			for x := range picture.Bounds().Dx() {
				r, g, b, _ := picture.At(x, 40).RGBA()
				red += float64(r) - float64(g+b)/2
			}
			return red / float64(picture.Bounds().Dx()) / 0xffff, answer.Header.Get("ETag")
		}
		_, before := drawn()
		var photo bytes.Buffer
		red := image.NewRGBA(image.Rect(0, 0, 1280, 720))
		draw.Draw(red, red.Bounds(), image.NewUniform(color.RGBA{255, 0, 0, 255}), image.Point{}, draw.Src)
		if err := png.Encode(&photo, red); err != nil {
			t.Fatal(err)
		}
		var told struct{ Key string }
		answer := do(t, s, 200, "POST", "/storage/v1/picture/lessons?folder="+place, boss, photo.String(), "Content-Type", "image/png")
		if err := json.Unmarshal([]byte(answer), &told); err != nil {
			t.Fatal(err)
		}
		do(t, s, 204, "POST", "/functions/v1/set-lesson-poster", boss, fmt.Sprintf(`{"lesson":%q,"path":%q}`, lesson, strings.TrimPrefix(told.Key, "lessons/")))
		if red, after := drawn(); red < 0.2 || after == before {
			t.Errorf("%v red, %s and %s", red, before, after)
		}
		// A JPEG that goes over its pixels a hundred times is not drawn: the course's picture stands for it.
		var small bytes.Buffer
		if err := jpeg.Encode(&small, image.NewGray(image.Rect(0, 0, 640, 360)), nil); err != nil {
			t.Fatal(err)
		}
		file := small.String()
		at := strings.Index(file, "\xff\xda")
		do(t, s, 200, "POST", "/storage/v1/object/lessons/"+place+"/bomb.jpg", boss, file[:at]+strings.Repeat(file[at:at+14], 100)+file[at:], "Content-Type", "image/jpeg")
		do(t, s, 204, "POST", "/functions/v1/set-lesson-poster", boss, fmt.Sprintf(`{"lesson":%q,"path":"%s/bomb.jpg"}`, lesson, place))
		if red, _ := drawn(); red > 0.2 {
			t.Errorf("%v red", red)
		}
		for _, page := range []string{"/learn/" + place, "/course/" + course} {
			text := do(t, s, 200, "GET", page, "", "")
			for deadline := time.Now().Add(time.Minute); strings.Contains(text, `<div id="root"></div>`) && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
				text = do(t, s, 200, "GET", page, "", "") // until it was drawn
			}
			if !strings.Contains(text, card) {
				t.Errorf("%s names no card of the film", page)
			}
		}
	})
}

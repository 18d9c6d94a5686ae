package review_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"greenroom/internal/catalog"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/rest/resttest"
	"greenroom/internal/review"
)

// steps covers so many steps of five seconds.
func steps(n int) string {
	bits := make([]byte, (n+7)/8)
	for i := range n {
		bits[i/8] |= 1 << (i % 8)
	}
	return base64.StdEncoding.EncodeToString(bits)
}

func TestWhoHasSeenEnoughMayReviewOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		s.post(t, resttest.Stranger, course, 5, "").Want(t, 401, "42501")
		ada := s.person(t, "Ada")
		s.post(t, ada, course, 5, "").Want(t, 403, "42501")
		state := func(part string) {
			t.Helper()
			if body := s.call(t, ada, 200, "review-state", fmt.Sprintf(`{"course":%q}`, course)); !strings.Contains(body, part) {
				t.Errorf("%s, not %s", body, part)
			}
		}
		state(`"may":false,"why":"enroll","mine":null`)
		s.enroll(t, ada, course)
		state(`"may":false,"why":"watch"`)
		for seconds, covered := range map[int]string{0: "", 590: steps(59)} { // of two lessons each
			s.watch(t, ada, course, covered, false)
			answer := s.post(t, ada, course, 5, "").Want(t, 403, "42501")
			if !strings.Contains(answer.Body, "Finish a lesson first, then tell others what you think.") {
				t.Errorf("after %d seconds: %s", seconds, answer.Body)
			}
		}
		s.watch(t, ada, course, steps(60), false)
		state(`"may":true,"why":"","mine":null`)
		for _, wrong := range []int{0, 6, -1} {
			s.post(t, ada, course, wrong, "").Want(t, 400, "23514")
		}
		s.post(t, ada, course, 5, strings.Repeat("é", 2001)).Want(t, 400, "23514")
		s.post(t, ada, course, 4, strings.Repeat("é", 2000)).Want(t, 201, "")
		s.post(t, ada, course, 5, "again").Want(t, 409, "23505")
		state(`"stars":4`)
		s.watch(t, ada, course, "", false)
		state(`"may":true`)
		got := resttest.Call(t, s.data, resttest.Stranger, "GET", "/course_reviews?select=author_name,stars,mine", "").Want(t, 200, "")
		if got.Body != `[{"author_name":"Ada","stars":4,"mine":false}]` {
			t.Error(got.Body)
		}
		resttest.Call(t, s.data, ada, "GET", "/course_reviews?select=user_id", "").Want(t, 400, "42703")
		resttest.Call(t, s.data, s.boss, "GET", "/course_reviews?user_id=eq."+ada.UserID, "").Want(t, 400, "42703")
		if body := s.call(t, s.boss, 200, "review-state", fmt.Sprintf(`{"course":%q}`, course)); !strings.Contains(body, `"moderates":true`) {
			t.Error(body)
		}
		ada.Guest = true
		state(`"may":false,"why":"sign in","mine":null`)
	})
}

func TestWhoTeachesACourseNeverReviewsIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		all, by := s.many(t, course, 5, 5, 5, 5, 5)
		s.shows(t, course, 5, 5, 4)
		tom := by[4]
		s.write(t, "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'T', $4)", id.New(), course, tom.UserID, s.now())
		s.tx(t, func(ctx context.Context, tx *db.Tx) error { return s.reviews.Teaches(ctx, tx, course, tom.UserID) })
		s.shows(t, course, 4, 4, -1)
		body := s.call(t, tom, 200, "review-state", fmt.Sprintf(`{"course":%q}`, course))
		for _, part := range []string{`"why":"teach"`, `"state":"hidden"`, `"hidden_for":"You teach this course now."`} {
			if !strings.Contains(body, part) {
				t.Error(body)
			}
		}
		resttest.Call(t, s.data, tom, "PATCH", "/course_reviews?id=eq."+all[4], `{"stars":4}`).Want(t, 403, "42501")
		ann := s.learner(t, "Ann", course)
		s.write(t, "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'T', $4)", id.New(), course, ann.UserID, s.now())
		if got := s.post(t, ann, course, 5, "").Want(t, 403, "42501"); !strings.Contains(got.Body, "You teach this course") {
			t.Error(got.Body)
		}
	})
}

// A hundred requests of one person over two instances, while nine others write theirs.
func TestAHundredReviewsOfOnePersonAreOne(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course, there := s.course(t), s.other(t)
		ada := s.learner(t, "Ada", course)
		var stored atomic.Int32
		var wait sync.WaitGroup
		for i := range 9 {
			one := s.learner(t, fmt.Sprintf("Learner %d", i), course)
			wait.Go(func() { []*stage{s, there}[i%2].post(t, one, course, 1+i%5, "") })
		}
		for i := range 100 {
			wait.Go(func() {
				switch got := []*stage{s, there}[i%2].post(t, ada, course, 5, fmt.Sprint(i)); got.Status {
				case 201:
					stored.Add(1)
				case 409:
				default:
					t.Errorf("%d %s", got.Status, got.Body)
				}
			})
		}
		wait.Wait()
		if n := s.count(t, "select count(*) from course_reviews where user_id = $1", ada.UserID); n != 1 || stored.Load() != 1 {
			t.Errorf("%d rows, %d stored", n, stored.Load())
		}
		s.shows(t, course, 3.0, 10, 4) // 1 2 3 4 5 1 2 3 4 and 5 are 30
	})
}

func TestTheRatingIsTheEditorsUntilTheFifthReview(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		all, by := s.many(t, course, 5, 4, 5, 5)
		s.shows(t, course, 4, 4, -1)
		before := s.version(t)
		fifth, fifthBy := s.many(t, course, 2)
		if s.version(t) != before+1 {
			t.Error("the catalogue's version did not rise once")
		}
		s.shows(t, course, 4.2, 5, 4)
		sixth, sixthBy := s.many(t, course, 2) // 23 of 6: 3.83
		s.shows(t, course, 3.8, 6, 4)
		resttest.Call(t, s.data, sixthBy[0], "PATCH", "/course_reviews?id=eq."+sixth[0], `{"stars":4,"text":"Better."}`).Want(t, 204, "")
		s.shows(t, course, 4.2, 6, 4) // 25 of 6: 4.17
		rate := func(rating float64) {
			t.Helper()
			resttest.Call(t, s.data, s.boss, "PATCH", "/courses?id=eq."+course, fmt.Sprintf(`{"rating":%v}`, rating)).Want(t, 204, "")
		}
		rate(3.5)
		s.shows(t, course, 4.2, 6, 3.5)
		got := resttest.Call(t, s.data, s.boss, "PATCH", "/courses?select=rating&id=eq."+course, `{"title":"Another","rating":4.2}`, "Prefer: return=representation").Want(t, 200, "")
		if got.Body != `[{"rating":4.2}]` {
			t.Error(got.Body)
		}
		s.shows(t, course, 4.2, 6, 3.5)              // as it was shown: nobody meant it
		for _, former := range []float64{3.8, 4.1} { // a form that was opened before the last review, and whatever else comes along
			resttest.Call(t, s.data, s.boss, "PATCH", "/courses?id=eq."+course, fmt.Sprintf(`{"title":"Another","rating":%v}`, former)).Want(t, 204, "")
			s.shows(t, course, 4.2, 6, 3.5)
		}
		rate(4.2) // by itself it is meant, be it the mean
		s.shows(t, course, 4.2, 6, 4.2)
		rate(3.5)
		for i, gone := range []string{all[0], fifth[0]} {
			resttest.Call(t, s.data, append(by[:1:1], fifthBy...)[i], "DELETE", "/course_reviews?id=eq."+gone, "").Want(t, 204, "")
		}
		s.shows(t, course, 3.5, 4, -1)
		rate(3.6)
		s.shows(t, course, 3.6, 4, -1)
		s.many(t, course, 1)
		s.shows(t, course, 3.8, 5, 3.6) // 4 5 5 4 1
	})
}

func TestFilesHoldWhatTheEditorsSay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		s.many(t, course, 5, 5, 5, 5, 4)
		s.shows(t, course, 4.8, 5, 4)
		for _, format := range []catalog.Format{catalog.CSV, catalog.JSONL} {
			var file bytes.Buffer
			if _, err := s.catalog.Export(t.Context(), &file, format); err != nil || strings.Contains(file.String(), "4.8") {
				t.Fatalf("%v: %s", err, file.String())
			}
			if _, err := s.catalog.Import(t.Context(), bytes.NewReader(file.Bytes()), format, nil); err != nil {
				t.Fatal(err)
			}
			s.shows(t, course, 4.8, 5, 4)
		}
		var file bytes.Buffer
		if _, err := s.catalog.Export(t.Context(), &file, catalog.JSONL); err != nil {
			t.Fatal(err)
		}
		for _, said := range []float64{2.5, 4.8} {
			changed := strings.Replace(file.String(), `"rating":4,`, fmt.Sprintf(`"rating":%v,`, said), 1)
			if _, err := s.catalog.Import(t.Context(), strings.NewReader(changed), catalog.JSONL, nil); err != nil {
				t.Fatal(err)
			}
			s.shows(t, course, 4.8, 5, said)
		}
	})
}

func TestHidingNeedsAReasonThatItsAuthorReads(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		all, by := s.many(t, course, 1, 5, 5, 5, 5)
		s.shows(t, course, 4.2, 5, 4)
		bad, author := all[0], by[0]
		s.call(t, author, 403, "hide-review", fmt.Sprintf(`{"review":%q,"reason":"x"}`, all[1]))
		for _, none := range []string{"", " ", strings.Repeat("x", 501)} {
			s.call(t, s.boss, 400, "hide-review", fmt.Sprintf(`{"review":%q,"reason":%q}`, bad, none))
		}
		s.call(t, s.boss, 404, "hide-review", fmt.Sprintf(`{"review":%q,"reason":"x"}`, id.New()))
		s.call(t, s.boss, 404, "hide-review", `{"review":"x","reason":"x"}`)
		s.shows(t, course, 4.2, 5, 4)
		s.call(t, s.boss, 200, "hide-review", fmt.Sprintf(`{"review":%q,"reason":"It names a person."}`, bad))
		s.shows(t, course, 4, 4, -1)
		if n := s.count(t, "select count(*) from audit_entries where action = 'admin.review.hide' and subject like $1", "%"+bad+"): It names a person."); n != 1 {
			t.Errorf("%d lines in the trail", n)
		}
		if got := resttest.Call(t, s.data, by[1], "GET", "/course_reviews?id=eq."+bad, ""); got.Body != "[]" {
			t.Error(got.Body)
		}
		got := resttest.Call(t, s.data, author, "GET", "/course_reviews?select=state,hidden_for,mine&id=eq."+bad, "")
		if got.Body != `[{"state":"hidden","hidden_for":"It names a person.","mine":true}]` {
			t.Error(got.Body)
		}
		// What is hidden stays so, whatever its author does; or they could just write it again.
		resttest.Call(t, s.data, author, "PATCH", "/course_reviews?id=eq."+bad, `{"text":"Other words."}`).Want(t, 204, "")
		resttest.Call(t, s.data, author, "PATCH", "/course_reviews?id=eq."+bad, `{"state":"published"}`).Want(t, 403, "42501")
		resttest.Call(t, s.data, author, "DELETE", "/course_reviews?id=eq."+bad, "")
		s.post(t, author, course, 1, "").Want(t, 409, "23505")
		s.shows(t, course, 4, 4, -1)
		s.call(t, s.boss, 200, "show-review", fmt.Sprintf(`{"review":%q}`, bad))
		s.shows(t, course, 4.2, 5, 4)
		if n := s.count(t, "select count(*) from course_reviews where id = $1 and hidden_for is null", bad); n != 1 {
			t.Error("the reason is still there")
		}
		if n := s.count(t, "select count(*) from audit_entries where action = 'admin.review.show'"); n != 1 {
			t.Errorf("%d lines in the trail", n)
		}
		resttest.Call(t, s.data, s.boss, "PATCH", "/course_reviews?id=eq."+bad, `{"text":"as the admin likes it"}`)
		if n := s.count(t, "select count(*) from course_reviews where id = $1 and text = 'Other words.'", bad); n != 1 {
			t.Error("an admin edited a review")
		}
	})
}

func TestATeacherRepliesOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		all, _ := s.many(t, course, 2)
		tom := s.person(t, "Tom")
		ask := func(text string) string { return fmt.Sprintf(`{"review":%q,"text":%q}`, all[0], text) }
		s.call(t, tom, 403, "reply-review", ask("Thank you."))
		s.call(t, s.boss, 403, "reply-review", ask("Thank you."))
		s.write(t, "insert into course_teachers (id, course_id, user_id, shown_name, may_edit, created_at) values ($1, $2, $3, 'T', $4, $5)",
			id.New(), course, tom.UserID, false, s.now())
		s.call(t, tom, 400, "reply-review", ask(" "))
		s.call(t, tom, 400, "reply-review", ask(strings.Repeat("x", 2001)))
		before := s.version(t)
		s.call(t, tom, 200, "reply-review", ask("Thank you."))
		s.call(t, tom, 200, "reply-review", ask("Thank you."))
		if s.version(t) != before+1 {
			t.Error("the pages were not told once")
		}
		s.call(t, tom, 409, "reply-review", ask("And another thing."))
		got := resttest.Call(t, s.data, resttest.Stranger, "GET", "/course_reviews?select=reply", "")
		if got.Body != `[{"reply":"Thank you."}]` {
			t.Error(got.Body)
		}
		s.call(t, s.boss, 200, "hide-review", fmt.Sprintf(`{"review":%q,"reason":"x"}`, all[0]))
		s.call(t, tom, 404, "reply-review", ask("Thank you."))
		s.tx(t, func(ctx context.Context, tx *db.Tx) error {
			told, err := review.AboutReplies(ctx, tx, tom.UserID, "")
			if err == nil && (len(told) != 1 || told[0]["reply"] != "Thank you.") {
				t.Error(told)
			}
			return err
		})
		s.tx(t, func(ctx context.Context, tx *db.Tx) error { return s.reviews.Forget(ctx, tx, tom.UserID, "") })
		if n := s.count(t, "select count(*) from course_reviews where reply is null and replied_at is null and replied_by is null"); n != 1 {
			t.Error("the reply of somebody who left is there")
		}
	})
}

func TestAnybodySignedInReportsFiveAnHour(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		all, by := s.many(t, course, 1, 1, 1, 1, 1, 1)
		bob := s.person(t, "Bob")
		ask := func(review, reason string) string { return fmt.Sprintf(`{"review":%q,"reason":%q}`, review, reason) }
		s.call(t, bob, 400, "report-review", ask(all[0], ""))
		s.call(t, by[0], 400, "report-review", ask(all[0], "mine"))
		s.call(t, bob, 404, "report-review", ask(id.New(), "x"))
		guest := s.person(t, "")
		guest.Guest = true
		s.call(t, guest, 403, "report-review", ask(all[0], "x"))
		s.call(t, bob, 200, "report-review", ask(all[0], "first"))
		s.call(t, bob, 200, "report-review", ask(all[0], "second"))
		for _, one := range all[1:4] {
			s.call(t, bob, 200, "report-review", ask(one, "rude"))
		}
		s.call(t, bob, 429, "report-review", ask(all[5], "rude"))
		s.call(t, bob, 403, "reported-reviews", "{}")
		list := s.call(t, s.boss, 200, "reported-reviews", fmt.Sprintf(`{"course":%q}`, course))
		if strings.Count(list, `"reports"`) != 4 || !strings.Contains(list, `"reason":"second"`) || strings.Contains(list, `"reason":"first"`) {
			t.Error(list)
		}
		s.call(t, s.boss, 200, "show-review", fmt.Sprintf(`{"review":%q}`, all[0]))
		s.call(t, s.boss, 200, "hide-review", ask(all[1], "rude"))
		if list := s.call(t, s.boss, 200, "reported-reviews", "{}"); strings.Count(list, `"reports"`) != 2 {
			t.Error(list)
		}
		if list := s.call(t, s.boss, 200, "reported-reviews", fmt.Sprintf(`{"course":%q}`, id.New())); strings.TrimSpace(list) != `{"more":false,"reviews":[]}` {
			t.Error(list)
		}
	})
}

// Who was put out of a course, say after a refund, has said what they said.
func TestTheReviewOfSomebodyWhoWasPutOutStays(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		all, by := s.many(t, course, 1, 5, 5, 5, 5)
		s.write(t, "update enrollments set revoked_at = $2, revoked_for = 'refunded' where user_id = $1", by[0].UserID, s.now())
		s.shows(t, course, 4.2, 5, 4)
		resttest.Call(t, s.data, by[0], "PATCH", "/course_reviews?id=eq."+all[0], `{"stars":5}`).Want(t, 204, "")
		s.shows(t, course, 4.2, 5, 4)
		if body := s.call(t, by[0], 200, "review-state", fmt.Sprintf(`{"course":%q}`, course)); !strings.Contains(body, `"may":false,"why":"enroll","mine":{`) {
			t.Error(body)
		}
		resttest.Call(t, s.data, by[0], "DELETE", "/course_reviews?id=eq."+all[0], "").Want(t, 204, "")
		s.shows(t, course, 4, 4, -1)
		s.post(t, by[0], course, 1, "").Want(t, 403, "42501")
	})
}

func TestWhoLeavesTakesTheirReviewsUnlessTheyLeaveThem(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		_, by := s.many(t, course, 1, 1, 5, 5, 5, 5)
		s.shows(t, course, 3.7, 6, 4)
		s.tx(t, func(ctx context.Context, tx *db.Tx) error { return s.reviews.Keep(ctx, tx, by[0].UserID) })
		s.write(t, "delete from users where id = $1", by[0].UserID)
		s.shows(t, course, 3.7, 6, 4)
		got := resttest.Call(t, s.data, by[1], "GET", "/course_reviews?select=author_name,mine&author_name=like.A*", "")
		if got.Body != `[{"author_name":"A former learner","mine":false}]` {
			t.Error(got.Body)
		}
		s.tx(t, func(ctx context.Context, tx *db.Tx) error { return s.reviews.Forget(ctx, tx, by[1].UserID, "") })
		s.shows(t, course, 4.2, 5, 4)
		s.tx(t, func(ctx context.Context, tx *db.Tx) error { return s.reviews.Forget(ctx, tx, by[2].UserID, "") })
		s.shows(t, course, 4, 4, -1)
	})
}

func TestANameIsOneLineAndTheOneOfThatMoment(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		for given, want := range map[string]string{
			"": "A learner", "\u202e": "A learner", "Zo\u00eb\n\u202eX": "Zo\u00eb X", strings.Repeat("n", 150): strings.Repeat("n", 100),
		} {
			key := s.say(t, s.learner(t, given, course), course, 5)
			var got string
			if s.read(t, &got, "select author_name from course_reviews where id = $1", key); got != want {
				t.Errorf("%q: %q", given, got)
			}
		}
	})
}

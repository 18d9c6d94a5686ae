package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

// viewer watches in many tabs on a server that is killed again and again, and remembers what was answered for.
type viewer struct {
	token, lesson string
	mu            sync.Mutex
	sent, known   map[int]bool // steps: sent, and acknowledged
}

const watchedSteps = 2000

// post sends what the official client sends.
func post(ctx context.Context, address, token, body string) (status int, text string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("apikey", "sb_publishable_of_the_tests")
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(said), err
}

// prepare makes the learner, the lesson and the enrollment.
func (v *viewer) prepare(t *testing.T, p place) {
	t.Helper()
	s := p.serve(t)
	status, said, err := post(t.Context(), s.url+"/auth/v1/signup", "", `{"email":"ada@example.com","password":"a long enough passphrase"}`)
	var session struct {
		Token string `json:"access_token"`
		User  struct{ ID string }
	}
	if err != nil || status != http.StatusOK || json.Unmarshal([]byte(said), &session) != nil {
		t.Fatal(status, said, err)
	}
	s.stop(t)
	v.token, v.lesson = session.Token, id.New()
	course := id.Named("course scene-study-for-the-camera")
	d := dbtest.Reopen(t, p.location(), clock.System{})
	err = d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		now := db.At(tx.Now)
		for _, row := range []struct {
			text string
			with []any
		}{
			{"insert into course_offers (id, course_id, published_at, created_at) values ($1, $1, $2, $2)", []any{course, now}},
			{"insert into course_sections (id, course_id, title, position, created_at) values ($1, $1, 'S', 0, $2)", []any{course, now}},
			{`insert into lessons (id, course_id, section_id, title, kind, position, state, seconds, created_at)
				values ($1, $2, $2, 'L', 'video', 0, 'published', $3, $4)`, []any{v.lesson, course, watchedSteps * 5, now}},
			{"insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", []any{id.New(), session.User.ID, course, now}},
		} {
			if _, err := tx.Exec(ctx, row.text, row.with...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// report sends some steps. What was acknowledged to any tab before must be in the answer.
func (v *viewer) report(ctx context.Context, url string, steps ...int) (acknowledged bool, err error) {
	bits := make([]byte, watchedSteps/8)
	before := map[int]bool{}
	v.mu.Lock()
	for _, n := range steps {
		bits[n/8] |= 1 << (n % 8)
		v.sent[n] = true
	}
	for n := range v.known {
		before[n] = true
	}
	v.mu.Unlock()
	status, said, err := post(ctx, url+"/functions/v1/save-progress", v.token,
		fmt.Sprintf(`{"lesson":%q,"covered":%q,"position_seconds":%d}`, v.lesson, base64.StdEncoding.EncodeToString(bits), steps[0]*5))
	if err != nil || status >= http.StatusInternalServerError {
		return false, nil // killed: nobody knows
	}
	var got struct {
		Covered  string
		Done, Of int
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil || status != http.StatusOK || got.Done > got.Of || got.Of != 1 {
		return false, fmt.Errorf("%d %s %w", status, said, err)
	}
	held, err := base64.StdEncoding.DecodeString(got.Covered)
	if err != nil {
		return false, err
	}
	held = append(held, make([]byte, watchedSteps/8)...)
	for _, n := range steps {
		before[n] = true
	}
	for n := range before {
		if held[n/8]&(1<<(n%8)) == 0 {
			return false, fmt.Errorf("step %d was acknowledged and is lost", n)
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for n := range watchedSteps {
		if held[n/8]&(1<<(n%8)) != 0 && !v.sent[n] {
			return false, fmt.Errorf("step %d was never sent", n)
		}
	}
	for _, n := range steps {
		v.known[n] = true
	}
	return true, nil
}

// TestKillsShrinkNoProgress kills a server in the middle of reports, again and again: what was acknowledged is covered for ever.
func TestKillsShrinkNoProgress(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		p.env = append(p.env, "GREENROOM_RATE_LIMITS=off", "GREENROOM_SITE_URL=http://localhost:8080")
		v := &viewer{sent: map[int]bool{}, known: map[int]bool{}}
		v.prepare(t, p)
		for range killRounds {
			s := p.serve(t)
			ctx, stop := context.WithCancel(t.Context())
			var all sync.WaitGroup
			enough := make(chan struct{}, 1<<14)
			for range 4 {
				all.Go(func() {
					for ctx.Err() == nil {
						ok, err := v.report(ctx, s.url, rand.IntN(watchedSteps), rand.IntN(watchedSteps))
						if err != nil && ctx.Err() == nil {
							t.Error(err)
						}
						if ok {
							enough <- struct{}{}
						}
					}
				})
			}
			for range 10 + rand.IntN(40) {
				<-enough
			}
			time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond) // anywhere between two answers
			if err := s.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			stop()
			all.Wait()
			_ = s.wait()
		}
		s := p.serve(t)
		if ok, err := v.report(t.Context(), s.url, 0); !ok {
			t.Error("the last report:", err)
		}
		s.stop(t)
		if len(v.known) < 10*killRounds {
			t.Errorf("only %d steps were acknowledged", len(v.known))
		}
	})
}

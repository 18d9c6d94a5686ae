package inbox_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"testing"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/inbox"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/who"
)

// stalled is a client that begins to download and then reads no further until it is let go.
type stalled struct {
	*httptest.ResponseRecorder
	begun func()
	letGo <-chan struct{}
}

func (s *stalled) Write(piece []byte) (int, error) {
	s.begun()
	<-s.letGo
	return s.ResponseRecorder.Write(piece)
}

// More clients than the database has connections stall in the middle of their files; everybody else goes on reading.
func TestStalledDownloadsHoldNoConnection(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		const rows = 3000
		fill(t, d, rows)
		clients := max(8, 4*runtime.NumCPU()) + 1
		letGo := make(chan struct{})
		var begun, done sync.WaitGroup
		begun.Add(clients)
		answers := make([]*httptest.ResponseRecorder, clients)
		for i := range answers {
			answers[i] = httptest.NewRecorder()
			w := &stalled{answers[i], sync.OnceFunc(begun.Done), letGo}
			done.Go(func() {
				r := httptest.NewRequestWithContext(who.With(t.Context(), admin), http.MethodGet, "/functions/v1/export?tab=recommendations", http.NoBody)
				k.functions.ServeHTTP(w, r)
			})
		}
		all := make(chan struct{})
		go func() { begun.Wait(); close(all) }()
		select {
		case <-all:
			if n := k.count(t); n != rows {
				t.Errorf("%d rows", n)
			}
		case <-time.After(time.Minute):
			t.Error("the last downloads wait for those that have stalled")
		}
		close(letGo)
		done.Wait()
		for _, answer := range answers {
			if answer.Code != http.StatusOK || answer.Body.Len() < rows*100 {
				t.Errorf("answered %d, %d bytes", answer.Code, answer.Body.Len())
			}
		}
	})
}

// One export is made at a time: the next one waits for its end.
func TestExportsAreMadeOneAtATime(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := inbox.New(d, nil, nil)
		end, waiting := b.HoldExport(t)
		answer, done := httptest.NewRecorder(), make(chan struct{})
		go func() {
			defer close(done)
			r := httptest.NewRequestWithContext(who.With(t.Context(), admin), http.MethodGet, "/functions/v1/export?tab=courses", http.NoBody)
			fn.Handler(b.Functions()...).ServeHTTP(answer, r)
		}()
		for waiting() == 0 {
			runtime.Gosched()
		}
		select {
		case <-done:
			t.Error("two were made at once")
		default:
		}
		end()
		<-done
		if answer.Code != http.StatusOK {
			t.Errorf("after the first one: %d %s", answer.Code, answer.Body)
		}
	})
}

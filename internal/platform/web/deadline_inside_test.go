package web

import (
	"context"
	"testing"
	"time"
)

func TestARequestsContextEndsWithIt(t *testing.T) {
	t.Parallel()
	soon, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	never := &hurried{Context: soon, until: time.Now().Add(time.Hour)}
	if at, _ := never.Deadline(); time.Until(at) > time.Minute {
		t.Error("the sooner deadline is lost")
	}
	if never.end(); never.Err() == nil {
		t.Error("nobody asked, and it is not over")
	}
	asked := &hurried{Context: t.Context(), until: time.Now().Add(time.Hour)}
	done := asked.Done()
	asked.end()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Error("somebody asked, and it is not over")
	}
}

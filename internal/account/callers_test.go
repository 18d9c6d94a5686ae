package account

import (
	"testing"

	"greenroom/internal/platform/who"
)

// TestWhoWasReadBeforeAChangeIsNotRememberedAfterIt: a session may have ended between the look-up and its answer.
func TestWhoWasReadBeforeAChangeIsNotRememberedAfterIt(t *testing.T) {
	t.Parallel()
	d := New(nil, false)
	actor := who.Actor{UserID: "ada", SessionID: "session"}
	before := d.callers.generation()
	d.Forget("ada")
	d.callers.put(actor, 0, before)
	if _, ok := d.callers.get("session", "ada", 0); ok {
		t.Error("an answer from before the change is remembered")
	}
	d.callers.put(actor, 0, d.callers.generation())
	if _, ok := d.callers.get("session", "ada", 0); !ok {
		t.Error("nobody is remembered")
	}
}

package auth

import (
	"fmt"
	"testing"
)

const (
	rename     = "update users set user_metadata = $1"
	endSession = "delete from sessions"
)

func TestShownUserIsRemembered(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		want(t, h.get("/user", token), 200, "")
		for session, one := range h.shown.known {
			one.text = []byte(`{"id":"as remembered"}`)
			h.shown.known[session] = one
		}
		if got := h.get("/user", token).str("id"); got != "as remembered" {
			t.Errorf("the user was read again: %q", got)
		}
	})
}

func TestShownUserEndsWithTheSession(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		want(t, h.get("/user", token), 200, "")
		h.exec(endSession) // as another instance would
		want(t, h.get("/user", token), 403, "session_not_found")
	})
}

func TestShownUserFollowsChangesHereAtOnceAndElsewhereWithinASecond(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		shows := func(name string) {
			t.Helper()
			if got := h.get("/user", token).str("user_metadata", "name"); got != name {
				t.Errorf("the name is %q, want %q", got, name)
			}
		}
		shows("")
		want(t, h.put(token, m{"data": m{"name": "Ada"}}), 200, "")
		shows("Ada")
		h.exec(rename, `{"name":"Lady"}`) // as another instance would
		h.clock.Advance(showFor)
		shows("Lady")
	})
}

// TestShownUserReadBeforeAChangeIsNotRememberedAfterIt: the answer may be of before the change.
func TestShownUserReadBeforeAChangeIsNotRememberedAfterIt(t *testing.T) {
	t.Parallel()
	var s shown
	before := s.generation()
	s.empty()
	s.put("session", "ada", []byte("old"), 0, before)
	if s.get("session", "ada", 0) != nil {
		t.Error("an answer from before the change is remembered")
	}
}

func TestShownUsersAreBounded(t *testing.T) {
	t.Parallel()
	var s shown
	text := make([]byte, 10_000)
	for n := range 3 * mostShown / len(text) {
		s.put(fmt.Sprint(n), "ada", text, 0, 0)
		if held := len(s.known) * len(text); held > mostShown {
			t.Fatalf("%d bytes are held", held)
		}
	}
}

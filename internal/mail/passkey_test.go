package mail

import (
	"strings"
	"testing"
)

// TestTheEmailAboutAWayInSaysWhatTakesItAway is for who did not add it: an ordinary new password leaves it in place.
func TestTheEmailAboutAWayInSaysWhatTakesItAway(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		letter Letter
		says   string
	}{
		{PasskeyAdded{To: "ada@example.com"}, "choose “Forgot password?” on the sign-in page right away and set a new password. That removes every passkey from your account."},
		{IdentityConnected{To: "ada@example.com", Provider: "google"}, "reset your password right away, disconnect Google in Settings, and email"},
		{PasswordChanged{To: "ada@example.com", Passkeys: 1}, "The passkey on your account was removed"},
		{PasswordChanged{To: "ada@example.com", Passkeys: 3}, "All 3 passkeys on your account were removed"},
	} {
		_, text, err := render(c.letter, testHouse)
		if flat := strings.Join(strings.Fields(text), " "); err != nil || !strings.Contains(flat, c.says) {
			t.Errorf("%s does not say %q: %s %v", c.letter.kind(), c.says, text, err)
		}
	}
	if _, text, err := render(PasswordChanged{To: "ada@example.com"}, testHouse); err != nil || strings.Contains(text, "passkey") {
		t.Errorf("an ordinary change speaks of passkeys: %s %v", text, err)
	}
}

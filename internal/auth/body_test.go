package auth

import (
	"strings"
	"testing"
)

// TestPasswordsAreComparedAsTheyWereSent sends bytes that a lenient reader turns into something else.
func TestPasswordsAreComparedAsTheyWereSent(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		for _, body := range []string{
			"{\"email\":\"bob@example.com\",\"password\":\"" + strings.Repeat("\xff", 12) + "\"}",
			`{"email":"bob@example.com","password":"` + strings.Repeat(`\ud800`, 12) + `"}`,
			`{"email":"bob@example.com","password":"a fine long secret","password":"another fine secret"}`,
			`{"email":"bob@example.com","password":"a fine long secret","Password":"another fine secret"}`,
			`{"email":"bob@example.com","password":"a fine long secret","data":{"name":"Bob","name":"Eve"}}`,
			"{\"email\":\"bob@example.com\",\"password\":\"a fine long secret\",\"data\":{\"name\":\"\xff\"}}",
		} {
			want(t, h.post("/signup", body), 400, "bad_json")
			want(t, h.post("/token?grant_type=password", body), 400, "bad_json")
			want(t, h.send(request{method: "PUT", path: "/user", token: token, body: body}), 400, "bad_json")
		}
		if n := h.count("select count(*) from users"); n != 1 {
			t.Fatalf("%d users", n)
		}
		emoji := `{"email":"ada@example.com","password":"\ud83c\udfad\ud83c\udfac is a fine secret"}`
		want(t, h.send(request{method: "PUT", path: "/user", token: token, body: strings.Replace(emoji, `"email":"ada@example.com",`, "", 1)}), 200, "")
		want(t, h.signIn("ada@example.com", "\U0001f3ad\U0001f3ac is a fine secret"), 200, "")
		want(t, h.post("/token?grant_type=password", emoji), 200, "")
	})
}

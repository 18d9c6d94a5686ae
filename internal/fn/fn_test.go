package fn_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"greenroom/internal/fn"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

var actors = map[string]who.Actor{
	"":        {Role: who.Anonymous},
	"user":    {Role: who.User, UserID: "u"},
	"admin":   {Role: who.User, UserID: "a", Admin: true},
	"service": {Role: who.Service},
	"command": {Role: who.Service, Admin: true},
}

func greet(_ context.Context, r fn.Request) (fn.Answer, error) {
	form := struct {
		Name string `json:"name"`
		Age  int    `json:"age"`
	}{Name: "stranger"}
	if err := r.Decode(&form); err != nil {
		return fn.Answer{}, err
	}
	switch form.Name {
	case "nobody":
		return fn.Empty(), nil
	case "bug":
		return fn.Answer{}, errors.New("secret inside")
	case "busy":
		return fn.Answer{}, fault.New(fault.TooMany, "Slow down.")
	case "coded":
		return fn.Answer{}, fault.Coded(fault.Conflict, "ALREADY", "It is there.")
	}
	return fn.JSON(map[string]string{"hello": form.Name, "by": r.Actor.UserID, "q": r.Query.Get("q")}), nil
}

// export writes as many lines as q says; below zero it fails after that many.
func export(_ context.Context, r fn.Request) (fn.Answer, error) {
	var lines int
	_, _ = fmt.Sscan(r.Query.Get("lines"), &lines)
	return fn.File("waitlist-2026-01-02.csv", "text/csv; charset=utf-8", func(w io.Writer) error {
		for i := range max(lines, -lines) {
			if _, err := fmt.Fprintf(w, "line %d\n", i); err != nil {
				return err
			}
		}
		if lines < 0 {
			return fault.New(fault.Unavailable, "The export broke off.")
		}
		return nil
	}), nil
}

func serve(t *testing.T) *httptest.Server {
	t.Helper()
	inner := fn.Handler(
		fn.Function{Name: "greet", For: fn.Anyone, Call: greet},
		fn.Function{Name: "mine", For: fn.Users, Call: greet},
		fn.Function{Name: "rule", For: fn.Admins, Call: greet},
		fn.Function{Name: "closed", Call: greet},
		fn.Function{Name: "export", For: fn.Admins, Methods: []string{http.MethodGet, http.MethodPost}, Call: export},
	)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner.ServeHTTP(w, r.WithContext(who.With(r.Context(), actors[r.Header.Get("X-Actor")])))
	}))
	t.Cleanup(server.Close)
	return server
}

type reply struct {
	status int
	header http.Header
	text   string
}

func call(t *testing.T, server *httptest.Server, method, path, body, actor, media string) (reply, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/functions/v1/"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Actor", actor)
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return reply{answer.StatusCode, answer.Header, string(text)}, err
}

func TestFunctionsAnswerTheirAudience(t *testing.T) {
	t.Parallel()
	server := serve(t)
	const missing = `{"code":401,"message":"Missing authorization header"}`
	const forbidden = `{"code":"FORBIDDEN","message":"You may not call this function."}`
	for _, c := range []struct {
		method, path, body, actor, media string
		status                           int
		want                             string
	}{
		{"POST", "greet", `{"name":"Ann"}`, "", "application/json", 200, `{"by":"","hello":"Ann","q":""}`},
		{"POST", "greet?q=x", ``, "user", "", 200, `{"by":"u","hello":"stranger","q":"x"}`},
		{"POST", "greet", `{"name":"nobody"}`, "", "application/json", 204, ""},
		{"POST", "mine", `{}`, "", "application/json", 401, missing},
		{"POST", "mine", `{}`, "user", "application/json; charset=utf-8", 200, `{"by":"u","hello":"stranger","q":""}`},
		{"POST", "mine", `{}`, "service", "application/json", 401, missing},
		{"POST", "mine", `{}`, "command", "application/json", 200, `{"by":"","hello":"stranger","q":""}`},
		{"POST", "closed", `{}`, "command", "application/json", 403, forbidden},
		{"POST", "rule", `{}`, "", "application/json", 401, missing},
		{"POST", "rule", `{}`, "user", "application/json", 403, forbidden},
		{"POST", "rule", `{}`, "admin", "application/json", 200, `{"by":"a","hello":"stranger","q":""}`},
		{"POST", "rule", `{}`, "service", "application/json", 200, `{"by":"","hello":"stranger","q":""}`},
		{"POST", "closed", `{}`, "admin", "application/json", 403, forbidden},
		{"POST", "nope", `{}`, "admin", "application/json", 404, `{"code":"NOT_FOUND","message":"Requested function was not found"}`},
		{"POST", "", `{}`, "admin", "application/json", 404, `{"code":"NOT_FOUND","message":"Requested function was not found"}`},
		{"POST", "greet/x", `{}`, "admin", "application/json", 404, `{"code":"NOT_FOUND","message":"Requested function was not found"}`},
		{"GET", "greet", ``, "", "", 405, `{"code":"METHOD_NOT_ALLOWED","message":"This function does not take that method."}`},
		{"POST", "greet", `name=Ann`, "", "application/x-www-form-urlencoded", 415, `{"code":"UNSUPPORTED_MEDIA_TYPE","message":"The request body must be application/json."}`},
		{"POST", "greet", `{"name":"Ann"}`, "", "text/plain", 415, `{"code":"UNSUPPORTED_MEDIA_TYPE","message":"The request body must be application/json."}`},
		{"POST", "greet", `{"name":"Ann"`, "", "application/json", 400, `{"code":"BAD_REQUEST","message":"The request body is not valid JSON."}`},
		{"POST", "greet", `{"name":"Ann"} x`, "", "application/json", 400, `{"code":"BAD_REQUEST","message":"The request body is not valid JSON."}`},
		{"POST", "greet", `{"age":"old"}`, "", "application/json", 400, `{"code":"BAD_REQUEST","message":"The field age cannot be a string."}`},
		{"POST", "greet", `{"name":"\u0000"}`, "", "application/json", 400, `{"code":"BAD_REQUEST","message":"The request body is not valid JSON."}`},
		{"POST", "greet", `{"name":"` + strings.Repeat("x", 1<<20) + `"}`, "", "application/json", 413, `{"code":"TOO_LARGE","message":"The request body is larger than 1 MB."}`},
		{"POST", "greet", `{"name":"bug"}`, "", "application/json", 500, `{"code":"INTERNAL","message":"Something went wrong on our side."}`},
		{"POST", "greet", `{"name":"busy"}`, "", "application/json", 429, `{"code":"TOO_MANY_REQUESTS","message":"Slow down."}`},
		{"POST", "greet", `{"name":"coded"}`, "", "application/json", 409, `{"code":"ALREADY","message":"It is there."}`},
	} {
		answer, err := call(t, server, c.method, c.path, c.body, c.actor, c.media)
		if err != nil || answer.status != c.status || answer.text != c.want {
			t.Errorf("%s %s %.40s as %q: got %d %s %v, want %d %s", c.method, c.path, c.body, c.actor, answer.status, answer.text, err, c.status, c.want)
		}
		if c.status == http.StatusTooManyRequests && answer.header.Get("Retry-After") != "1" {
			t.Errorf("%s: no Retry-After", c.body)
		}
	}
}

func TestRefusalsOfTheGatewayKeepTheirForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err    error
		status int
		want   string
	}{
		{rest.NoAPIKey, 401, `{"message":"No API key found in request","hint":"No ` + "`apikey`" + ` request header or url param was found."}`},
		{rest.StaleToken("JWT expired"), 401, `{"code":401,"message":"Invalid JWT"}`},
		{rest.BadToken("JWT cryptographic operation failed"), 401, `{"code":401,"message":"Invalid JWT"}`},
	} {
		w := httptest.NewRecorder()
		fn.WriteError(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/functions/v1/x", nil), c.err)
		if w.Code != c.status || w.Body.String() != c.want {
			t.Errorf("%v: got %d %s", c.err, w.Code, w.Body)
		}
	}
}

func TestFilesAreStreamedWholeOrCutOff(t *testing.T) {
	t.Parallel()
	server := serve(t)
	answer, err := call(t, server, http.MethodGet, "export?lines=100000", "", "admin", "")
	if err != nil || answer.status != http.StatusOK || strings.Count(answer.text, "\n") != 100000 {
		t.Errorf("got %d, %d lines, %v", answer.status, strings.Count(answer.text, "\n"), err)
	}
	if got := answer.header.Get("Content-Disposition"); got != "attachment; filename=waitlist-2026-01-02.csv" {
		t.Errorf("Content-Disposition: %s", got)
	}
	answer, err = call(t, server, http.MethodGet, "export?lines=0", "", "admin", "")
	if err != nil || answer.status != http.StatusOK || answer.text != "" || answer.header.Get("Content-Type") != "text/csv; charset=utf-8" {
		t.Errorf("an empty file: got %d %q %v", answer.status, answer.text, err)
	}
	answer, err = call(t, server, http.MethodGet, "export?lines=-3", "", "admin", "")
	if err != nil || answer.status != http.StatusServiceUnavailable || answer.text != `{"code":"UNAVAILABLE","message":"The export broke off."}` {
		t.Errorf("an early failure: got %d %q %v", answer.status, answer.text, err)
	}
	if _, err = call(t, server, http.MethodGet, "export?lines=-100000", "", "admin", ""); err == nil {
		t.Error("a late failure looks like a whole file")
	}
}

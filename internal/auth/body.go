package auth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strings"

	"greenroom/internal/platform/web"
)

// mostMetadata bounds what a user may store of themselves: it travels in every access token.
const mostMetadata = 8 << 10

// mostBody bounds every request of this service; the edge may be stricter.
const mostBody = 1 << 20

// readBody reads a JSON object. Fields that are not asked for are ignored, null is as good as absent.
func readBody(r *http.Request, into any) error {
	text, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, mostBody))
	if err != nil {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return refuse(http.StatusRequestEntityTooLarge, "request_entity_too_large", "Request body too large")
		}
		return refuse(http.StatusBadRequest, "bad_json", "Could not read request body")
	}
	// A page of another site can send anything but this type without asking first.
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return refuse(http.StatusBadRequest, "bad_json", "Could not parse request body as JSON: the content type must be application/json")
	}
	return parseBody(text, into)
}

// readBodyIfAny is readBody where nothing is as good as an empty object.
func readBodyIfAny(r *http.Request, into any) error {
	if r.ContentLength == 0 {
		return nil
	}
	return readBody(r, into)
}

func parseBody(text []byte, into any) error {
	if trimmed := bytes.TrimSpace(text); len(trimmed) == 0 || trimmed[0] != '{' {
		return refuse(http.StatusBadRequest, "bad_json", "Could not parse request body as JSON: an object is expected")
	}
	if web.StrictJSON(text) != nil {
		return refuse(http.StatusBadRequest, "bad_json", "Could not parse request body as JSON")
	}
	if err := json.Unmarshal(text, into); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			return refuse(http.StatusBadRequest, "bad_json", fmt.Sprintf("Could not parse request body as JSON: %s cannot be a %s", wrong.Field, wrong.Value))
		}
		return refuse(http.StatusBadRequest, "bad_json", "Could not parse request body as JSON")
	}
	return nil
}

// check refuses metadata that cannot be stored or would make every token too long.
func (m metadata) check() error {
	text, err := json.Marshal(m)
	if err != nil {
		return invalid("The data cannot be stored")
	}
	if len(text) > mostMetadata {
		return invalid(fmt.Sprintf("The data of a user cannot be longer than %d bytes", mostMetadata))
	}
	tokens := json.NewDecoder(bytes.NewReader(text))
	tokens.UseNumber()
	for {
		token, err := tokens.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return invalid("The data cannot be stored")
		}
		if part, ok := token.(string); ok && strings.ContainsRune(part, 0) {
			return invalid("The data holds a character that cannot be stored")
		}
	}
}

// merge overlays what the user sends; null takes a key away.
func (m metadata) merge(changes metadata) {
	for name, value := range changes {
		if value == nil || string(value) == "null" {
			delete(m, name)
			continue
		}
		m[name] = value
	}
}

// challenge is the client's half of a PKCE flow, a part of many bodies.
type challenge struct {
	CodeChallenge       string `json:"code_challenge"`
	CodeChallengeMethod string `json:"code_challenge_method"`
}

var challengeForm = regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)

// given tells whether the request is part of a PKCE flow.
func (c challenge) given() bool { return c.CodeChallenge != "" }

func (c *challenge) check() error {
	c.CodeChallengeMethod = strings.ToLower(c.CodeChallengeMethod)
	switch {
	case (c.CodeChallenge == "") != (c.CodeChallengeMethod == ""):
		return invalid("PKCE flow requires code_challenge_method and code_challenge")
	case c.CodeChallenge == "":
		return nil
	case !challengeForm.MatchString(c.CodeChallenge):
		return invalid("code challenge has to be between 43 and 128 characters and only contain letters, digits, -, ., _ and ~")
	case c.CodeChallengeMethod != "s256":
		// A plain challenge is the verifier itself, for whoever sees the first request.
		return invalid("code challenge method not supported, only s256 is")
	}
	return nil
}

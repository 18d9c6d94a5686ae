//go:build faults

package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// peer is a server of the protocol: ours, or the one of those who wrote it down.
type peer struct{ create, at string }

// send makes a request of the protocol; headers that are empty are left out.
func (p *peer) send(method, address string, body io.Reader, headers map[string]string) (told, error) {
	var list []string
	for name, value := range headers {
		if value != "" {
			list = append(list, name, value)
		}
	}
	return ask(context.Background(), method, address, body, list...)
}

// reference starts tusd, which make faults builds from testdata/tusd.
func reference(t *testing.T) string {
	t.Helper()
	at := fmt.Sprintf("127.0.0.1:%d", ports(t, 1)[0])
	background(t, at, "tusd-2.9.2", at, t.TempDir())
	return "http://" + at
}

// TestUploadsInPiecesAreAsTheReferenceHasThem sends the same requests, right and wrong ones by chance, to this server and to tusd. Where
// the two differ on purpose (the contract is Supabase's) stands in differs.
func TestUploadsInPiecesAreAsTheReferenceHasThem(t *testing.T) {
	other := reference(t)
	eachPlace(t, func(t *testing.T, p place) {
		p.env = append(p.env, "GREENROOM_RATE_LIMITS=off", "GREENROOM_SERVICE_KEY="+filerKey)
		s := p.serve(t)
		if answer, err := ask(t.Context(), "POST", s.url+"/storage/v1/bucket", strings.NewReader(`{"name":"films"}`), "Content-Type", "application/json"); err != nil || answer.code != http.StatusOK {
			t.Fatal(answer.text, err)
		}
		seed := rand.Uint64()
		for i := range uint64(150) {
			chance := rand.New(rand.NewPCG(seed, i))
			if err := compare(chance, fmt.Sprint("film-", i), &peer{create: s.url + "/storage/v1/upload/resumable"}, &peer{create: other + "/files/"}); err != nil {
				t.Errorf("seed %d, upload %d: %v", seed, i, err)
			}
		}
		s.stop(t)
	})
}

// compare lives the life of one upload at two servers.
func compare(chance *rand.Rand, name string, ours, theirs *peer) error {
	content := make([]byte, 1+chance.IntN(5000))
	code := base64.StdEncoding.EncodeToString
	head := map[string]string{
		"Tus-Resumable": "1.0.0", "Upload-Length": strconv.Itoa(len(content)),
		"Upload-Metadata": "bucketName " + code([]byte("films")) + ",objectName " + code([]byte(name)) + ",contentType " + code([]byte("video/mpeg")),
	}
	deferred := chance.IntN(4) == 0
	switch {
	case deferred:
		head["Upload-Length"], head["Upload-Defer-Length"] = "", "1"
	case chance.IntN(10) == 0:
		head["Upload-Length"] = "-1"
	case chance.IntN(10) == 0:
		head["Tus-Resumable"] = ""
	}
	history := []string{}
	both := func(what, method string, body []byte, headers map[string]string) (told, error) {
		var answers [2]told
		for i, one := range []*peer{ours, theirs} {
			address := one.at
			if address == "" {
				address = one.create
			}
			var err error
			if answers[i], err = one.send(method, address, bytes.NewReader(body), headers); err != nil {
				return told{}, err
			}
		}
		a, b := answers[0], answers[1]
		history = append(history, fmt.Sprintf("%s -> %d at %q", what, a.code, a.head.Get("Upload-Offset")))
		if !same(what, a.code, b.code) || a.code < 300 && a.head.Get("Upload-Offset") != b.head.Get("Upload-Offset") && method != "POST" ||
			method == "HEAD" && (a.head.Get("Upload-Length") != b.head.Get("Upload-Length") || a.head.Get("Upload-Defer-Length") != b.head.Get("Upload-Defer-Length")) {
			return a, fmt.Errorf("%s: %d %q %v, and tusd %d %q %v", strings.Join(history, "; "), a.code, a.text, a.head, b.code, b.text, b.head)
		}
		if method == "POST" && a.code == http.StatusCreated {
			ours.at, theirs.at = a.head.Get("Location"), b.head.Get("Location")
		}
		return a, nil
	}
	if made, err := both("create", "POST", nil, head); err != nil || made.code != http.StatusCreated {
		return err
	}
	return life(chance, content, deferred, both)
}

// same tells whether two statuses mean the same. Where Supabase's words are others than tusd's, both are known.
func same(what string, ours, theirs int) bool {
	differs := map[string][2]int{
		"no offset":       {http.StatusForbidden, http.StatusBadRequest},
		"delete complete": {http.StatusConflict, http.StatusNoContent},
	}
	if known, ok := differs[what]; ok {
		return [2]int{ours, theirs} == known
	}
	return ours == theirs
}

type both func(what, method string, body []byte, headers map[string]string) (told, error)

// life adds pieces to an upload, and every kind of mistake in between, until it is whole or deleted.
func life(chance *rand.Rand, content []byte, deferred bool, send both) error {
	at := 0
	patch := func(what string, body []byte, change map[string]string) (told, error) {
		headers := map[string]string{"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream", "Upload-Offset": strconv.Itoa(at)}
		for name, value := range change {
			headers[name] = value
		}
		return send(what, "PATCH", body, headers)
	}
	tus := map[string]string{"Tus-Resumable": "1.0.0"}
	for at < len(content) {
		var err error
		var answer told
		switch rest := content[at:]; chance.IntN(9) {
		case 0:
			_, err = send("head", "HEAD", nil, tus)
		case 1:
			_, err = patch("wrong offset", rest, map[string]string{"Upload-Offset": strconv.Itoa(at + 1)})
		case 2:
			_, err = patch("no offset", rest, map[string]string{"Upload-Offset": ""})
		case 3:
			_, err = patch("not the protocol", rest, map[string]string{"Tus-Resumable": ""})
		case 4:
			if deferred {
				continue // it has not said how much is too much
			}
			_, err = patch("too much", append(rest, 0), nil)
		case 5:
			if chance.IntN(5) > 0 {
				continue
			}
			if _, err = send("delete", "DELETE", nil, tus); err == nil {
				_, err = send("head of nothing", "HEAD", nil, tus)
			}
			return err
		default:
			part := rest[:1+chance.IntN(len(rest))]
			change := map[string]string{}
			if at+len(part) == len(content) && deferred {
				change["Upload-Length"] = strconv.Itoa(len(content))
			}
			if answer, err = patch("piece", part, change); err == nil && answer.code == http.StatusNoContent {
				at += len(part)
			} else if err == nil {
				return fmt.Errorf("a piece was refused: %d %s", answer.code, answer.text)
			}
		}
		if err != nil {
			return err
		}
	}
	if _, err := send("head of all", "HEAD", nil, tus); err != nil {
		return err
	}
	_, err := send("delete complete", "DELETE", nil, tus)
	return err
}

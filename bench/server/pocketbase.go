package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// startPocketBase builds, fills and starts PocketBase with the courses that ours gave.
func startPocketBase(courses answer, within string) (*system, error) {
	program, err := filepath.Abs("bin/pocketbase")
	if err != nil {
		return nil, err
	}
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = "bench/pocketbase"
	build.Env = append(os.Environ(), "GOTOOLCHAIN=local", "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false -ldflags=-s -ldflags=-w")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build PocketBase: %w: %.500s", err, out)
	}
	folder, err := os.MkdirTemp(within, "pocketbase")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "courses.json")
	if err := os.WriteFile(file, courses.Body, 0o600); err != nil {
		return nil, err
	}
	text, err := exec.Command(program, "fill", "--dir", filepath.Join(folder, "data"), file).Output()
	if err != nil {
		return nil, fmt.Errorf("fill PocketBase: %w", err)
	}
	var filled pocketScene
	if err := json.Unmarshal(text, &filled); err != nil {
		return nil, fmt.Errorf("fill PocketBase: %w: %.200s", err, text)
	}
	return filled.serve(program, folder)
}

func (s *pocketScene) serve(program, folder string) (*system, error) {
	address, err := freePort()
	if err != nil {
		return nil, err
	}
	started, err := launch(folder, address, "/api/health", nil, program, "serve", "--dir", filepath.Join(folder, "data"), "--http", address)
	if err != nil {
		return nil, err
	}
	started.name, started.binary, started.scripts = "pocketbase", program, s.scripts()
	started.again = func() (*system, error) { return s.serve(program, folder) }
	return started, nil
}

// pocketScene is what stands in a PocketBase before it is measured.
type pocketScene struct {
	Courses []string `json:"courses"`
	People  []struct {
		ID    string `json:"id"`
		Token string `json:"token"`
	} `json:"people"`
}

// scripts are the works of ours that PocketBase can do in its own dialect.
func (s *pocketScene) scripts() map[string]*script {
	const records = "/api/collections/courses/records"
	const rated = records + "?sort=-rating,-created_at,id&perPage=28"
	own := func(client, n int) []byte {
		p := s.People[(client*7+n)%readers]
		return raw("GET", "/api/collections/saved_courses/records?skipTotal=1&sort=-created_at", "", "Authorization", p.Token)
	}
	insert := func(client, n int) []byte {
		each := (len(s.People) - readers) / connections
		p := s.People[readers+client*each+n%each]
		if n/each >= len(s.Courses) {
			return nil
		}
		body := fmt.Sprintf(`{"user_id":%q,"course_id":%q}`, p.ID, s.Courses[n/each])
		return raw("POST", "/api/collections/saved_courses/records", body, "Authorization", p.Token)
	}
	return map[string]*script{
		"courses": same(200, raw("GET", records+"?sort=-created_at&perPage=28&skipTotal=1", "")),
		"course": {status: 200, request: func(client, n int) []byte {
			return raw("GET", records+"/"+s.Courses[(client+n)%len(s.Courses)], "")
		}},
		"saved": {status: 200, request: own},
		"save":  {status: 200, request: insert},
		"page":  same(200, raw("GET", rated+"&skipTotal=1", "")),
		"count": same(200, raw("GET", rated, "")),
	}
}

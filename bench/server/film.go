package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	megabyte  = 1 << 20
	filmBytes = 32 * megabyte
	viewers   = 8
)

// cuts are what a player asks for at once: a segment of a low and of a high size, and a browser that takes all it gets.
var cuts = []struct {
	title string
	bytes int
}{{"segments of 256 kB", 256 << 10}, {"segments of 1 MB", megabyte}, {"segments of 4 MB", 4 * megabyte}, {"the whole film, 32 MB", filmBytes}}

// filmPart measures what a megabyte of a video costs to send, with the grant checked at every request, beside nginx with the same
// file and sendfile.
func (p *plan) filmPart() error {
	h, err := furnish("sqlite", p.absolute(), p.within)
	if err != nil {
		return err
	}
	defer h.leave()
	h.settings["GREENROOM_VIDEO_WORK"] = "off" // the film is none
	ours, err := h.serve()
	if err != nil {
		return err
	}
	defer ours.stop()
	film := append([]byte("\x00\x00\x00\x18ftypisom\x00\x00\x00\x00isommp42"), bytes.Repeat([]byte("a film of noughts and ones\n"), filmBytes/27+1)...)[:filmBytes]
	path, err := ours.show(h.scene, film)
	if err != nil {
		return err
	}
	systems, paths := []*system{ours}, map[string]string{ours.name: path}
	theirs, err := startNginxWith(film, p.within)
	if err != nil {
		fmt.Fprintf(os.Stderr, "without nginx: %v\n", err)
	} else {
		defer theirs.stop()
		systems, paths[theirs.name] = append(systems, theirs), "/film"
	}
	var b strings.Builder
	b.WriteString(p.circumstances("film") + "| CPU per megabyte | Greenroom | nginx | |\n|---|---|---|---|\n")
	for _, cut := range cuts {
		got, err := p.watch(systems, paths, cut.bytes)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "| %s | %.0f µs |", cut.title, got[ours.name])
		if theirs == nil {
			b.WriteString(" not installed | |\n")
			continue
		}
		fmt.Fprintf(&b, " %.0f µs | %.1f × |\n", got[theirs.name], got[ours.name]/got[theirs.name])
	}
	return replace(p.write, "film", b.String())
}

// watch lets viewers ask for pieces of the film, system after system and round after round, and gives the CPU time of a megabyte.
func (p *plan) watch(systems []*system, paths map[string]string, piece int) (map[string]float64, error) {
	rounds, asking := map[string][]figure{}, map[string]*clients{}
	for _, s := range systems {
		c, err := dialSome(s.address, &script{status: http.StatusPartialContent, request: func(client, n int) []byte {
			from := (client + n) * piece % filmBytes
			return raw("GET", paths[s.name], "", "Range", fmt.Sprintf("bytes=%d-%d", from, from+piece-1))
		}}, 0, viewers)
		if err != nil {
			return nil, err
		}
		defer c.close()
		if _, err := c.ask(p.round / 5); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		asking[s.name] = c
	}
	for range p.rounds {
		for _, s := range systems {
			one, err := s.round(asking[s.name], p.round, false)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			rounds[s.name] = append(rounds[s.name], one)
		}
	}
	costs := map[string]float64{}
	for name, all := range rounds {
		costs[name] = middleOf(all).micros * megabyte / float64(piece)
	}
	return costs, nil
}

// show uploads a film as an admin does and gives the address where it is shown.
func (s *system) show(in *scene, film []byte) (string, error) {
	var stored struct{ ID string }
	var added struct{ Video string }
	var play struct{ File string }
	call := func(path, kind string, body []byte, into any) error {
		r, err := http.NewRequest(http.MethodPost, "http://"+s.address+path, bytes.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+in.people[boss].access)
		r.Header.Set("apikey", in.apikey)
		r.Header.Set("Content-Type", kind)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err == nil && answer.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s: %d %s", path, answer.StatusCode, text)
		}
		return errors.Join(err, json.Unmarshal(text, into))
	}
	const form = "application/json"
	if err := call("/storage/v1/object/lessons/film.mp4", "video/mp4", film, &stored); err != nil {
		return "", err
	}
	if err := call("/functions/v1/add-video", form, fmt.Appendf(nil, `{"object":%q}`, stored.ID), &added); err != nil {
		return "", err
	}
	err := call("/functions/v1/play-video", form, fmt.Appendf(nil, `{"video":%q}`, added.Video), &play)
	return play.File, err
}

// startNginxWith serves one file, with the settings of Debian's package.
func startNginxWith(film []byte, within string) (*system, error) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(within, "nginx-film")
	if err := os.MkdirAll(filepath.Join(folder, "files"), 0o700); err != nil {
		return nil, err
	}
	address, err := freePort()
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "files", "film"), film, 0o600); err != nil {
		return nil, err
	}
	user := ""
	if os.Getuid() == 0 {
		user = "user root;" // its workers must read our files
	}
	file := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, nginxSettings, user, address), 0o600); err != nil {
		return nil, err
	}
	s, err := launch(folder, address, "/film", nil, program, "-p", folder, "-e", "error.log", "-c", file)
	if err != nil {
		return nil, err
	}
	s.name = "nginx"
	return s, nil
}

package video

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
)

func TestAPlayerFindsEverythingByRelativeNames(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", scene)
	everywhere(t, func(t *testing.T, s *stage) {
		video := s.add(t, s.upload(t, source))
		early, err := s.Grant(t.Context(), ada, video)
		if err != nil || early.HLS != "" || early.State != Waiting {
			t.Fatalf("%+v %v", early, err)
		}
		whole, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if w := s.get(t, early.File); w.Code != http.StatusOK || body(t, w) != string(whole) || w.Header().Get("Content-Type") != "video/mp4" {
			t.Error("the upload does not play as it is", w.Code)
		}
		workAll(t, s.Service)
		s.shown.forgetAll()
		play, err := s.Grant(t.Context(), ada, video)
		if err != nil || play.State != Ready || play.Seconds < 2.9 {
			t.Fatalf("%+v %v", play, err)
		}
		w := s.get(t, play.HLS)
		list := body(t, w)
		if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Content-Type") != listType || !strings.Contains(list, "RESOLUTION=320x180") {
			t.Fatal(w.Code, w.Header(), list)
		}
		name := func(form, in string) string {
			found := regexp.MustCompile(form).FindString(in)
			if found == "" {
				t.Fatalf("no %s in %s", form, in)
			}
			return path.Dir(play.HLS) + "/" + found
		}
		index := body(t, s.get(t, name(`(?m)^[0-9a-f]{8}-180\.m3u8$`, list)))
		media := name(`(?m)^[0-9a-f]{8}-180\.mp4$`, index)
		part := regexp.MustCompile(`#EXT-X-BYTERANGE:(\d+)@(\d+)`).FindStringSubmatch(index)
		w = s.get(t, media, "Range", "bytes=0-99")
		if w.Code != http.StatusPartialContent || len(body(t, w)) != 100 || w.Header().Get("Cache-Control") != keepFile || part == nil {
			t.Error(w.Code, w.Header(), part)
		}
		if w := s.get(t, media, "If-None-Match", w.Header().Get("ETag")); w.Code != http.StatusNotModified {
			t.Error(w.Code)
		}
		if w := s.get(t, media, "Range", "bytes=0-1,5-6,9-10"); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "video/mp4" {
			t.Error(w.Code, "several ranges are put together")
		}
		if w := s.get(t, media, "Range", "bytes=99999999-"); w.Code != http.StatusRequestedRangeNotSatisfiable {
			t.Error(w.Code)
		}
		if picture, kind, err := image.DecodeConfig(bytes.NewReader(s.get(t, play.Poster).Body.Bytes())); err != nil || kind != "jpeg" || picture.Width != 320 {
			t.Error(picture, kind, err)
		}
		thumbs := body(t, s.get(t, play.Thumbs))
		sheet := name(`[0-9a-f]{8}-sprite-1\.jpg`, thumbs)
		if picture, _, err := image.DecodeConfig(bytes.NewReader(s.get(t, sheet).Body.Bytes())); err != nil || picture.Width != 1600 || !strings.Contains(thumbs, "#xywh=0,0,160,90") {
			t.Error(picture, err, thumbs)
		}
	})
}

func TestOnlyTheHolderOfAGrantSeesAVideo(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", mute)
	each(t, func(t *testing.T, s *stage) {
		video, other := s.add(t, s.upload(t, source)), s.add(t, s.upload(t, source))
		play, err := s.Grant(t.Context(), ada, video)
		if err != nil {
			t.Fatal(err)
		}
		token := strings.Split(play.File, "/")[2]
		text, _ := base64.RawURLEncoding.DecodeString(token)
		at := func(token, video, name string) string { return Prefix + token + "/" + video + "/" + name }
		for what, address := range map[string]string{
			"another video": at(token, other, "source"), "no grant": at("x", video, "source"), "an empty one": at("", video, "source"),
			"a longer one": at(token+"A", video, "source"),
		} {
			if w := s.get(t, address); w.Code != http.StatusForbidden || w.Header().Get("Cache-Control") != "no-store" {
				t.Error(what, w.Code)
			}
		}
		for i := range text { // no bit of it may be another
			changed := bytes.Clone(text)
			changed[i] ^= 1
			if w := s.get(t, at(base64.RawURLEncoding.EncodeToString(changed), video, "source")); w.Code != http.StatusForbidden {
				t.Error("byte", i, w.Code)
			}
		}
		for _, name := range []string{"..", "../../greenroom.db", "", "master.m3u8", "captions-en.vtt", "source/", s.text(t, "select version from videos where id = $1", video)} {
			if w := s.get(t, at(token, video, name)); w.Code != http.StatusNotFound {
				t.Errorf("%q: %d", name, w.Code)
			}
		}
		if w := s.ask(t, "POST", play.File); w.Code != http.StatusMethodNotAllowed {
			t.Error(w.Code)
		}
		if w := s.ask(t, "HEAD", play.File); w.Code != http.StatusOK || w.Body.Len() != 0 {
			t.Error(w.Code)
		}
		for what, end := range map[string]func(bool){"signed out": s.ended.Store, "no right any more": s.denied.Store} {
			end(true)
			s.shown.forgetAll()
			for range 2 { // the second answer is a remembered one
				if w := s.get(t, play.File); w.Code != http.StatusForbidden {
					t.Error(what, w.Code)
				}
			}
			end(false)
		}
		if _, err := s.Grant(t.Context(), who.Actor{Role: who.Anonymous}, video); !fault.Is(err, fault.NotFound) {
			t.Error("a stranger gets a grant", err)
		}
	})
}

func TestAGrantEnds(t *testing.T) {
	t.Parallel()
	key, video := []byte("key"), uuid.New()
	now := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	g := grant{user: uuid.New(), session: uuid.New(), until: now.Add(grantLife)}
	token := g.token(key, video)
	if read, ok := readGrant(key, token, video, now); !ok || read.user != g.user || read.session != g.session || !read.until.Equal(g.until) {
		t.Error(read, ok)
	}
	if _, ok := readGrant(key, token, video, g.until); ok {
		t.Error("it counts after its end")
	}
	if _, ok := readGrant([]byte("another"), token, video, now); ok {
		t.Error("it counts under another key")
	}
}

// What is remembered is forgotten within a second, without anybody saying so.
func TestWhatEndsElsewhereEndsHereWithinASecond(t *testing.T) {
	t.Parallel()
	var m memory
	m.known = map[string]remembered{}
	m.put("ada", remembered{allowed: true}, 0, 0)
	if _, ok := m.get("ada", rememberFor-1); !ok {
		t.Error("it is not remembered")
	}
	if _, ok := m.get("ada", rememberFor); ok || rememberFor >= time.Second {
		t.Error("it is remembered for too long")
	}
	for range 3 * mostRemember {
		m.put(uuid.NewString(), remembered{}, 0, 0)
	}
	if len(m.known) > mostRemember {
		t.Error(len(m.known), "are remembered")
	}
	generation := m.generation()
	m.forget("ada")
	m.put("ada", remembered{allowed: true}, 0, generation)
	if _, ok := m.get("ada", 0); ok {
		t.Error("what was read before is remembered after")
	}
}

func TestLogsShowNoGrant(t *testing.T) {
	t.Parallel()
	token := grant{until: time.Now().Add(grantLife)}.token([]byte("key"), uuid.New())
	for from, want := range map[string]string{
		"//media/" + token + "/video/480.mp4": "//media/-/video/480.mp4", "/./media/" + token + "/": "/./media/-/", "/MEDIA/" + token: "/MEDIA/-",
		"/a/" + token + ".mp4/" + token: "/a/-.mp4/-", "/media/../" + token + "/video": "/media/-/-/video",
		"/media/secret/video/480.mp4": "/media/-/video/480.mp4", "/media/secret": "/media/-", "/course/1": "/course/1", "/media//secret/video/480.mp4": "/media/-",
	} {
		if got := Masked(from); got != want {
			t.Errorf("%s: %s", from, got)
		}
	}
}

// Who watches asks every few seconds. Of pieces the log has no lines; of lists, whole files and refusals it has.
func TestPiecesOfAFilmAreNotLogged(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		play, err := s.Grant(t.Context(), ada, s.film(t))
		if err != nil {
			t.Fatal(err)
		}
		for what, ask := range map[string]struct {
			path, part string
			lines      int
		}{"a piece": {play.File, "bytes=0-1", 0}, "all of it": {play.File, "", 1}, "a piece of nothing": {play.File + "x", "bytes=0-1", 1}} {
			var said bytes.Buffer
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, ask.path, nil)
			if ask.part != "" {
				r.Header.Set("Range", ask.part)
			}
			web.Logged(s, nil, nil, slog.New(slog.NewTextHandler(&said, nil)), clock.System{}, time.Minute).ServeHTTP(httptest.NewRecorder(), r)
			if got := strings.Count(said.String(), "\n"); got != ask.lines {
				t.Errorf("%s: %d lines: %s", what, got, said.String())
			}
		}
	})
}

// What is remembered of one person is nobody else's, not even in another session of their own.
func TestOnePersonsRightIsNotAnothers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		video := s.film(t)
		address := map[string]string{}
		for name, actor := range map[string]who.Actor{"ada": ada, "ben": ben} {
			play, err := s.Grant(t.Context(), actor, video)
			if err != nil {
				t.Fatal(err)
			}
			address[name] = play.File
		}
		for _, order := range [][]string{{"ada", "ben"}, {"ben", "ada"}} {
			for _, denied := range []bool{true, false} {
				s.denied.Store(denied)
				s.shown.forgetAll()
				for range 2 { // the second answer is a remembered one
					for _, name := range order {
						want := http.StatusOK
						if denied && name == "ada" {
							want = http.StatusForbidden
						}
						if w := s.get(t, address[name]); w.Code != want {
							t.Errorf("%v, ada denied %v: %s %d", order, denied, name, w.Code)
						}
					}
				}
			}
		}
	})
}

func TestCaptionsAreShownWithTheirVideo(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", mute)
	each(t, func(t *testing.T, s *stage) {
		video := s.add(t, s.upload(t, source))
		for _, text := range []string{"1\n00:00:01,000 --> 00:00:02,500\nOld", "1\n00:00:01,000 --> 00:00:02,500\nNew <b>bold</b>"} {
			written, err := s.ReadCaptions(t.Context(), ada, "de-CH", "Deutsch", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			s.do(t, func(ctx context.Context, tx *db.Tx) error { return s.Caption(ctx, tx, video, written) })
		}
		play, err := s.Grant(t.Context(), ada, video)
		if err != nil || len(play.Captions) != 1 || play.Captions[0].Label != "Deutsch" {
			t.Fatalf("%+v %v", play.Captions, err)
		}
		w := s.get(t, play.Captions[0].URL)
		if want := "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nNew <b>bold</b>\n"; w.Code != http.StatusOK || body(t, w) != want || w.Header().Get("Content-Type") != "text/vtt; charset=utf-8" {
			t.Error(w.Code, w.Header(), body(t, w))
		}
		for _, language := range []string{"", "../x", "e", "en/..", "english-of-a-very-long-kind"} {
			_, err := s.ReadCaptions(t.Context(), ada, language, "x", []byte("00:01.000 --> 00:02.000\nx"))
			if !fault.Is(err, fault.Invalid) {
				t.Errorf("%q: %v", language, err)
			}
		}
		s.do(t, func(ctx context.Context, tx *db.Tx) error { return s.Uncaption(ctx, tx, video, "de-CH") })
		if w := s.get(t, play.Captions[0].URL); w.Code != http.StatusNotFound {
			t.Error(w.Code)
		}
	})
}

func TestCaptionsAreReplacedThoughThereAreAsManyAsMayBe(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		video := s.film(t)
		for i := range mostCaptions {
			if err := s.says(t, video, "a"+string(rune('a'+i)), "old"); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.says(t, video, "ab", "new"); err != nil || !strings.Contains(s.text(t, "select content from video_captions where language = 'ab'"), "new") {
			t.Error("they are not replaced", err)
		}
		if err := s.says(t, video, "zz", "new"); !fault.Is(err, fault.Invalid) {
			t.Error(err)
		}
	})
}

// film is a video of something that nobody looks into.
func (s *stage) film(t *testing.T) (video string) {
	t.Helper()
	path := t.TempDir() + "/a.mp4"
	if err := os.WriteFile(path, []byte("film"), 0o600); err != nil {
		t.Fatal(err)
	}
	return s.add(t, s.upload(t, path))
}

func (s *stage) says(t *testing.T, video, language, text string) error {
	t.Helper()
	written, err := s.ReadCaptions(t.Context(), ada, language, "x", []byte("00:01.000 --> 00:02.000\n"+text))
	if err != nil {
		return err
	}
	return s.DB.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return s.Caption(ctx, tx, video, written) })
}

func TestAnAccountSendsCaptionsWithinAQuota(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.Limits = limit.New(limit.Options{DB: s.DB, Secret: []byte("secret")})
		for i := range limit.CaptionPerAccount.Times + 1 {
			// What cannot be read counts as well: reading it is the work.
			_, err := s.ReadCaptions(t.Context(), ada, "en", "x", []byte("none"))
			if over := i == limit.CaptionPerAccount.Times; fault.Is(err, fault.TooMany) != over {
				t.Fatal(i, err)
			}
		}
	})
}

package video

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/web"
	"greenroom/internal/storage"
	"greenroom/internal/storage/shelf"

	"github.com/google/uuid"
)

// The names that are the same for every video.
const (
	masterName = "master.m3u8"
	sourceName = "source"
)

// What browsers and their caches may keep: files never change under their name; what is in a playlist may.
const (
	keepFile = "private, max-age=31536000, immutable"
	keepNot  = "no-store"
)

// Masked is a path as logs may show it: the grant in it is a permission, also where the path is none of ours.
func Masked(path string) string {
	rest, is := strings.CutPrefix(path, Prefix)
	if !is {
		return hidden(path)
	}
	if _, after, ok := strings.Cut(rest, "/"); ok && strings.Count(after, "/") == addressParts-2 {
		return Prefix + "-/" + hidden(after)
	}
	return Prefix + "-" // nobody knows where the grant is
}

// hidden is a path without what looks like a grant.
func hidden(path string) string {
	if !strings.Contains(path, grantStart) { // every request asks, and hardly one has a grant
		return path
	}
	return grantForm.ReplaceAllString(path, "-")
}

// grantForm is what every grant looks like: its version, a moment before the year 2106, and so many letters.
var grantForm = regexp.MustCompile(grantStart + `[A-Za-z0-9_-]{70}`)

const grantStart = "AQAAAA"

// addressParts follow the prefix: the grant, the video, the name of a file.
const addressParts = 3

// ServeHTTP shows a file of a video to whoever holds a grant that still counts.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
	w.Header().Set("X-Robots-Tag", "none")
	r.Pattern = Prefix
	if err := s.deliver(counted{w, &s.counts.bytes}, r); err != nil {
		s.refuse(w, r, err)
	}
}

var errNoGrant = fault.New(fault.Forbidden, "This address works no more.")

func (s *Service) deliver(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "This can only be read.", http.StatusMethodNotAllowed)
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, Prefix), "/")
	if len(parts) != addressParts {
		return errNoVideo
	}
	video, err := uuid.Parse(parts[1])
	if err != nil || video.String() != parts[1] {
		return errNoVideo
	}
	key, err := s.key(r.Context())
	if err != nil {
		return err
	}
	g, ok := readGrant(key, parts[0], video, s.DB.Clock.Now())
	switch {
	case !ok && !g.until.IsZero():
		return s.refused(expired)
	case !ok:
		return s.refused(forged)
	}
	if ok, err = s.admits(r.Context(), g, parts[1]); err != nil {
		return err
	}
	if !ok {
		return s.refused(ended)
	}
	shown, err := s.show(r.Context(), parts[1])
	if err != nil {
		return err
	}
	return s.send(w, r, shown, parts[2])
}

// send answers with one of the files of a video.
func (s *Service) send(w http.ResponseWriter, r *http.Request, shown *showing, name string) error {
	switch {
	case name == masterName && len(shown.offers) > 0:
		return sendText(w, r, listType, master(shown.offers))
	case name == sourceName && shown.source != nil:
		m := *shown.source
		m.Type = playedAs(m.Type)
		return s.sendFile(w, r, m, keepNot)
	case strings.HasPrefix(name, captionPrefix):
		for _, c := range shown.captions {
			if captionName(c.Language) == name {
				return sendText(w, r, thumbsType, []byte(c.Content))
			}
		}
	}
	m, ok := shown.files[name]
	if !ok {
		return errNoVideo
	}
	kept := keepFile
	if strings.HasSuffix(m.Role, listEnding) {
		kept = keepNot
	}
	return s.sendFile(w, r, m, kept)
}

func sendText(w http.ResponseWriter, r *http.Request, kind string, text []byte) error {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", keepNot)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
	return nil
}

// sendFile sends what is asked for of a file.
func (s *Service) sendFile(w http.ResponseWriter, r *http.Request, m made, kept string) error {
	// Several ranges in one answer are nobody's need here, and costly to put together.
	if strings.Contains(r.Header.Get("Range"), ",") {
		r.Header.Del("Range")
	}
	ctx := r.Context()
	if s.bytes().Path("") == "" { // what lies elsewhere is asked for until all of it has gone; the client's pace is bounded by the server
		var cancel context.CancelFunc
		ctx, cancel = web.Unhurried(ctx)
		defer cancel()
	}
	begin, length := storage.Wanted(r.Header, m.Size)
	if r.Method == http.MethodHead {
		length = 0
	}
	file, err := s.open(ctx, m, begin, length)
	if errors.Is(err, fs.ErrNotExist) {
		s.Log.ErrorContext(ctx, "THE BYTES OF A VIDEO ARE MISSING", "version", m.Version, "role", m.Role, "place", s.bytes())
	}
	if err != nil {
		return err
	}
	defer file.Close()
	header := w.Header()
	header.Set("Content-Type", m.Type)
	header.Set("ETag", `"`+m.Hash[:32]+`"`)
	header.Set("Cache-Control", kept)
	if r.Header.Get("Range") != "" {
		// A player asks for a piece every few seconds. The log has its playlists, the figures its bytes.
		web.Quiet(w)
	}
	http.ServeContent(w, r, "", time.Time{}, file)
	return nil
}

// open gives a file of which the kernel sends a part, or, where the bytes lie elsewhere, one that has asked there for the part that is
// going to be read.
func (s *Service) open(ctx context.Context, m made, begin, length int64) (io.ReadSeekCloser, error) {
	from, err := s.bytes().Open(ctx, m.Version, begin, length)
	if err != nil {
		return nil, err // while there is still something else to answer
	}
	if file, ok := from.(*os.File); ok {
		return file, nil
	}
	return shelf.File(ctx, s.bytes(), m.Version, m.Size, begin, length, from), nil
}

// playedAs is the type under which browsers play an upload: MOV is MP4 to them, and what is no film plays nowhere.
func playedAs(sniffed string) string {
	switch {
	case sniffed == "video/quicktime":
		return "video/mp4"
	case strings.HasPrefix(sniffed, "video/"):
		return sniffed
	}
	return "application/octet-stream"
}

func (s *Service) refuse(w http.ResponseWriter, r *http.Request, err error) {
	f, status := fault.Of(err), http.StatusInternalServerError
	switch f.Kind {
	case fault.Forbidden:
		status = http.StatusForbidden
	case fault.NotFound:
		status = http.StatusNotFound
	case fault.Unavailable:
		status = http.StatusServiceUnavailable
	default:
		s.Log.ErrorContext(r.Context(), "a video was not shown", "path", Masked(r.URL.Path), "error", err)
	}
	header := w.Header()
	for _, name := range []string{"ETag", "Content-Type"} {
		header.Del(name)
	}
	header.Set("Cache-Control", keepNot)
	http.Error(w, f.Message, status)
}

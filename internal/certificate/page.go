package certificate

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

// pages is where certificates are; nobodys is what stands there for all that cannot be a code.
const (
	pages   = "/certificate/"
	nobodys = "unknown"
)

// Handler stands before the site: it counts who asks, gives a code its one spelling, sends what cannot be one to one page, and
// draws the PDF. The page itself and the share card are the site's.
func (s *Service) Handler(site http.Handler) http.Handler {
	mux := http.NewServeMux()
	show := func(w http.ResponseWriter, r *http.Request, code string) {
		if code == "" {
			r.URL.Path, r.URL.RawPath = strings.Replace(r.URL.Path, r.PathValue("code"), nobodys, 1), ""
		}
		site.ServeHTTP(w, r)
	}
	mux.HandleFunc("GET "+pages+"{code}", s.counted(show))
	mux.HandleFunc("GET "+pages+"{code}/card.png", s.counted(show))
	mux.HandleFunc("GET "+pages+"{code}/certificate.pdf", s.counted(s.paper))
	mux.Handle("/", site)
	return mux
}

// counted lets those through who do not ask too often, with the code that they ask for; it is "" where it cannot be one.
func (s *Service) counted(next func(w http.ResponseWriter, r *http.Request, code string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := s.Limits.Allow(r.Context(), limit.CertificatePerAddress.By(s.Address(r))); err != nil {
			s.refuse(w, r, err)
			return
		}
		typed := r.PathValue("code")
		code, ok := Read(typed)
		if ok && code != typed {
			http.Redirect(w, r, strings.Replace(r.URL.Path, typed, code, 1), http.StatusMovedPermanently) //nolint:gosec // a path below /certificate/, which the route has matched
			return
		}
		next(w, r, code)
	}
}

func (s *Service) refuse(w http.ResponseWriter, r *http.Request, err error) {
	f := fault.Of(err)
	status := http.StatusServiceUnavailable
	switch f.Kind {
	case fault.TooMany:
		status = http.StatusTooManyRequests
	case fault.NotFound:
		status = http.StatusNotFound
	default:
		s.Log.ErrorContext(r.Context(), "certificate not shown", "error", err)
	}
	if status != http.StatusNotFound {
		w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(f.RetryAfter.Seconds())))))
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, f.Message, status)
}

// mostDrawing is how many PDFs are drawn at once: each takes some 30 ms of a core.
const mostDrawing = 2

// paper answers with the PDF. What was withdrawn is on paper no more.
func (s *Service) paper(w http.ResponseWriter, r *http.Request, code string) {
	c, err := s.find(r.Context(), code)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	h := w.Header()
	h.Set("X-Robots-Tag", "noindex")
	if c.State == withdrawn {
		h.Set("Cache-Control", "no-store")
		http.Error(w, "This certificate was withdrawn on "+day(*c.Revoked)+".", http.StatusGone)
		return
	}
	tag := s.tag(c)
	h.Set("ETag", tag)
	h.Set("Cache-Control", "no-cache")
	if strings.Contains(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	file, err := s.drawn(r.Context(), c)
	if err != nil {
		h.Del("ETag")
		s.refuse(w, r, err)
		return
	}
	h.Set("Content-Type", "application/pdf")
	h.Set("Content-Disposition", `inline; filename="Greenroom certificate `+c.Code+`.pdf"`)
	h.Set("Content-Length", strconv.Itoa(len(file)))
	_, _ = w.Write(file) // the client may be gone; there is nobody left to tell
}

// tag names what stands on the paper. The bytes would be no name: a new release may draw the same otherwise.
func (s *Service) tag(c Certificate) string {
	text, _ := json.Marshal([]any{form, s.SiteURL, c}) // texts, numbers and times always encode
	sum := sha256.Sum256(text)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:])[:22] + `"`
}

// drawn draws the PDF when it is its turn.
func (s *Service) drawn(ctx context.Context, c Certificate) ([]byte, error) {
	select {
	case s.drawing <- struct{}{}:
		defer func() { <-s.drawing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	file, err := draw(c, s.Link(c.Code))
	if err != nil {
		return nil, fmt.Errorf("draw a certificate: %w", err)
	}
	return file, nil
}

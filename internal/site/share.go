package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"golang.org/x/image/webp"

	"greenroom/internal/platform/web"
	"greenroom/internal/site/card"
	"greenroom/internal/storage/picture"
)

// The cards that links to this site show elsewhere. The page of a course, of a film that anybody may watch, or of a certificate names
// its own card, every other page that of the house.
const (
	homeCard     = "/card.png"
	workshopCard = "/workshop/card.png"
)

var (
	courseCard      = regexp.MustCompile(`^/course/([^/]+)/card\.png$`)
	lessonCard      = regexp.MustCompile(`^/learn/([^/]+)/([^/]+)/card\.png$`)
	certificateCard = regexp.MustCompile(`^/certificate/([^/]+)/card\.png$`)
)

// A card takes some 200 ms of one core. They are drawn one after the other, so that the pages keep the other cores, and
// those who would wait too long are asked to come back.
const (
	cardsKept  = 256
	cardBytes  = 64 << 20
	cardsAhead = 16
	cardWait   = 10 * time.Second
)

var (
	errNoRow    = errors.New("there is no such row")
	errTooMany  = errors.New("too many cards are being drawn")
	ownStill    = regexp.MustCompile(`^/art/[a-z0-9-]+\.webp$`)
	notInAGel   = regexp.MustCompile(`[^a-z]+`)
	homePicture = "/art/from-side-hustle-to-studio.webp" // a spotlight, as in the sign of the house
)

// cards keeps what was drawn, by content.
type cards struct {
	turn  chan struct{}
	queue chan struct{} // who waits for a turn
	mu    sync.Mutex
	kept  *shelf
}

func newCards() *cards {
	return &cards{turn: make(chan struct{}, 1), queue: make(chan struct{}, cardsAhead), kept: newShelf(cardsKept, cardBytes)}
}

// poster is a card before it is drawn.
type poster struct {
	Card  card.Card
	Still string // a file of the build
	// Film names the picture of a film, which is shown instead and read when it is drawn.
	Film string
	Alt  string
	read func(context.Context) ([]byte, error)
}

// tagCard names a card by all that it is drawn from, the picture included: a release may bring another under its name.
func (s *Site) tagCard(p poster) (string, error) {
	still, err := s.loadStill(p)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal([]any{card.Form, p, still.tag})
	return tagOf(text), err
}

func (s *Site) loadStill(p poster) (body, error) {
	if p.Still == "" {
		return body{}, nil
	}
	return s.assets[p.Still].load()
}

// serveCard answers a share card; false means that the request was for something else.
func (s *Site) serveCard(w http.ResponseWriter, r *http.Request) bool {
	if !isCard(r.URL.Path) {
		return false
	}
	p, err := s.poster(r.Context(), r.URL.Path)
	if errors.Is(err, errNoRow) {
		s.plain(w, http.StatusNotFound, "There is no such picture.")
		return true
	}
	var content body
	if err == nil {
		content.tag, err = s.tagCard(p)
	}
	if err == nil && !matches(r.Header.Get("If-None-Match"), content.tag) {
		content.Plain, err = s.cards.find(r.Context(), content.tag, func(ctx context.Context) ([]byte, error) { return s.drawCard(ctx, p) })
	}
	if err != nil {
		s.log.Error("share card not drawn", "path", r.URL.Path, "error", err)
		w.Header().Set("Retry-After", "10")
		s.plain(w, http.StatusServiceUnavailable, "This picture cannot be drawn at the moment.")
		return true
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", cacheCheck)
	if r.URL.Query().Get("v") == content.tag {
		w.Header().Set("Cache-Control", cacheForever)
	}
	// Networks show the card on pages of their own.
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	content.write(w, r, http.StatusOK)
	return true
}

func isCard(path string) bool {
	return path == homeCard || path == workshopCard || courseCard.MatchString(path) || lessonCard.MatchString(path) || certificateCard.MatchString(path)
}

// dateCard makes the address of a page's card name what stands on it: networks keep pictures by address, for years. A
// page without a card of its own shows that of the house.
func (s *Site) dateCard(ctx context.Context, r *rendered) error {
	if !isCard(r.Image) || r.Status != http.StatusOK {
		r.Image = homeCard
	}
	p, err := s.poster(ctx, r.Image)
	if errors.Is(err, errNoRow) {
		// The course went between the page's data and this.
		r.Image = homeCard
		p, err = s.poster(ctx, r.Image)
	}
	if err != nil {
		return fmt.Errorf("the page's card: %w", err)
	}
	tag, err := s.tagCard(p)
	r.Image += "?v=" + tag
	r.ImageAlt = p.Alt
	return err
}

// poster reads what stands on a card.
func (s *Site) poster(ctx context.Context, path string) (poster, error) {
	switch path {
	case homeCard:
		return poster{
			Card: card.Card{
				Kicker: "The room before the stage", Title: "Courses for people who create and perform",
				By: "Acting, film, AI tools, content and business",
			},
			Still: s.still(homePicture, ""),
			Alt:   "Greenroom: courses for people who create and perform",
		}, nil
	case workshopCard:
		return s.workshopPoster(ctx)
	}
	if code := certificateCard.FindStringSubmatch(path); code != nil {
		return s.certificatePoster(ctx, code[1])
	}
	if ids := lessonCard.FindStringSubmatch(path); ids != nil {
		return s.lessonPoster(ctx, ids[1], ids[2])
	}
	return s.coursePoster(ctx, courseCard.FindStringSubmatch(path)[1])
}

func (s *Site) coursePoster(ctx context.Context, id string) (poster, error) {
	if !uuid.MatchString(id) {
		return poster{}, errNoRow
	}
	var c struct {
		Title, Instructor, Category, Thumbnail string
		Rating                                 float64
		ComingSoon                             bool `json:"coming_soon"`
	}
	err := s.row(ctx, "courses", "title,instructor,category,thumbnail,rating,coming_soon", url.Values{"id": {"eq." + id}}, &c)
	gel := strings.Trim(notInAGel.ReplaceAllString(strings.ToLower(c.Category), "-"), "-")
	return poster{
		Card: card.Card{
			Gel: gel, Kicker: c.Category, Title: c.Title, Instead: "A course on Greenroom", By: c.Instructor, Rating: c.Rating, Soon: c.ComingSoon,
		},
		Still: s.still(c.Thumbnail, gel),
		Alt:   fmt.Sprintf("%s, a course by %s on Greenroom", c.Title, c.Instructor),
	}, err
}

// certificatePoster shows who completed what, before the still of the course, if that is still there.
func (s *Site) certificatePoster(ctx context.Context, code string) (poster, error) {
	body, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		return poster{}, err
	}
	rec, err := s.call(ctx, certificates, body)
	if err != nil {
		return poster{}, err
	}
	var c struct {
		State, Holder string
		Title         string `json:"course_title"`
		Course        string `json:"course_id"`
	}
	switch {
	case rec.status == http.StatusNotFound:
		return poster{}, errNoRow
	case rec.status != http.StatusOK:
		return poster{}, fmt.Errorf("the function certificate answered %d", rec.status)
	}
	if err := json.Unmarshal(rec.body.Bytes(), &c); err != nil {
		return poster{}, err
	}
	if c.State != "valid" {
		return poster{}, errNoRow
	}
	course, err := s.coursePoster(ctx, c.Course)
	if err != nil && !errors.Is(err, errNoRow) {
		return poster{}, err
	}
	return poster{
		Card:  card.Card{Gel: course.Card.Gel, Kicker: "Certificate of completion", Title: c.Holder, Instead: "A certificate from Greenroom", By: c.Title},
		Still: course.Still,
		Alt:   fmt.Sprintf("%s completed the course %s on Greenroom", c.Holder, c.Title),
	}, nil
}

func (s *Site) workshopPoster(ctx context.Context) (poster, error) {
	var w struct {
		Title, Host string
		Date        string `json:"date_text"`
		Time        string `json:"time_text"`
	}
	err := s.row(ctx, "workshops", "title,host,date_text,time_text", url.Values{"order": {"id.asc"}}, &w)
	return poster{
		Card: card.Card{
			Kicker: "Workshop · " + w.Date + " · " + w.Time, Title: w.Title, Instead: "A live workshop on Greenroom", By: w.Host,
		},
		Still: s.still("/art/workshop.webp", ""),
		Alt:   fmt.Sprintf("%s, a live workshop with %s on Greenroom", w.Title, w.Host),
	}, err
}

// row asks the data API for one row, as a stranger.
func (s *Site) row(ctx context.Context, table, columns string, query url.Values, into any) error {
	query.Set("select", columns)
	query.Set("limit", "1")
	rec, err := s.fetch(ctx, &url.URL{Path: "/rest/v1/" + table, RawQuery: query.Encode()}, http.Header{})
	if err != nil {
		return err
	}
	if rec.status != http.StatusOK {
		return fmt.Errorf("the data API answered %d", rec.status)
	}
	var rows []json.RawMessage
	if err := json.Unmarshal(rec.body.Bytes(), &rows); err != nil {
		return err
	}
	if len(rows) == 0 {
		return errNoRow
	}
	return json.Unmarshal(rows[0], into)
}

// still finds the file of the build that a course's picture is: its own, else its category's. An address elsewhere is
// never fetched, as whoever writes a course would then choose what this server asks for.
func (s *Site) still(thumbnail, gel string) string {
	for _, address := range []string{thumbnail, "/art/" + gel + ".webp"} {
		if _, ok := s.assets[address]; ok && ownStill.MatchString(address) {
			return address
		}
	}
	return ""
}

func (s *Site) drawCard(ctx context.Context, p poster) ([]byte, error) {
	if p.read != nil {
		file, err := p.read(ctx)
		if err != nil {
			return nil, err
		}
		if p.Card.Still, err = picture.Open(file); err == nil {
			return p.Card.Draw()
		}
		// A picture that nobody can read, or that takes too long, is none: the course's stands for it.
	}
	file, err := s.loadStill(p)
	if err != nil {
		return nil, err
	}
	if p.Still != "" {
		if p.Card.Still, err = webp.Decode(bytes.NewReader(file.Plain)); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Still, err)
		}
	}
	return p.Card.Draw()
}

// find gives the kept card or draws it, in turn. Whoever asks for the same card meanwhile finds it kept.
func (c *cards) find(ctx context.Context, tag string, draw func(context.Context) ([]byte, error)) ([]byte, error) {
	if content := c.get(tag); content != nil {
		return content, nil
	}
	select {
	case c.queue <- struct{}{}:
		defer func() { <-c.queue }()
	default:
		return nil, errTooMany
	}
	late := time.NewTimer(cardWait)
	defer late.Stop()
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-late.C:
		return nil, errTooMany
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if content := c.get(tag); content != nil {
		return content, nil
	}
	content, err := draw(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept.put(tag, 0, &page{content: body{Packed: web.Packed{Plain: content}}})
	return content, nil
}

func (c *cards) get(tag string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.kept.get(tag, 0); p != nil {
		return p.content.Plain
	}
	return nil
}

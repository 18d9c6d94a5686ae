package video

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"time"

	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"

	"github.com/google/uuid"
)

// Prefix is where videos are shown. What follows is a grant, then the video, then the name of a file: relative addresses in a
// playlist keep both, in players that know neither headers nor cookies.
const Prefix = "/media/"

// grantLife is how long an address works. The session behind it may end sooner, and then so does the address.
const grantLife = 4 * time.Hour

// grant is who may see a video, until when. Without a person it is anybody, for what is public.
type grant struct {
	user, session uuid.UUID
	until         time.Time
}

// The bytes of a grant on the wire: a version, the moment it ends, the person, the session, the seal.
const (
	grantVersion = 1
	sealBytes    = 16
	saidBytes    = 1 + 8 + 16 + 16
)

func (g grant) said() []byte {
	said := make([]byte, 0, saidBytes+sealBytes)
	said = append(said, grantVersion)
	said = binary.BigEndian.AppendUint64(said, uint64(g.until.Unix()))
	said = append(said, g.user[:]...)
	return append(said, g.session[:]...)
}

// seal binds what a grant says to its video.
func seal(key, said []byte, video uuid.UUID) []byte {
	sum := hmac.New(sha256.New, key)
	sum.Write(said)
	sum.Write(video[:])
	return sum.Sum(nil)[:sealBytes]
}

func (g grant) token(key []byte, video uuid.UUID) string {
	said := g.said()
	return base64.RawURLEncoding.EncodeToString(append(said, seal(key, said, video)...))
}

// readGrant reads a token and tells whether it is one of ours for this video that still counts. Of one that did, the end is told.
func readGrant(key []byte, token string, video uuid.UUID, now time.Time) (g grant, ok bool) {
	if len(token) != base64.RawURLEncoding.EncodedLen(saidBytes+sealBytes) {
		return g, false
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || text[0] != grantVersion {
		return g, false
	}
	said, sealed := text[:saidBytes], text[saidBytes:]
	if subtle.ConstantTimeCompare(sealed, seal(key, said, video)) != 1 {
		return g, false
	}
	g.until = time.Unix(int64(binary.BigEndian.Uint64(said[1:9])), 0)
	copy(g.user[:], said[9:25])
	copy(g.session[:], said[25:])
	return g, now.Before(g.until)
}

// key is what seals grants. It is asked for when the first is made or shown, and kept.
func (s *Service) key(ctx context.Context) ([]byte, error) {
	s.secret.Lock()
	defer s.secret.Unlock()
	if s.signs == nil {
		text, err := s.Secret(ctx)
		if err != nil {
			return nil, err
		}
		s.signs = []byte(text)
	}
	return s.signs, nil
}

// Play is what a player needs.
type Play struct {
	Video string `json:"video"`
	State State  `json:"state"`
	// HLS is the address of the playlist, empty while there is none; File that of the upload itself.
	HLS      string  `json:"hls"`
	File     string  `json:"file"`
	Poster   string  `json:"poster"`
	Thumbs   string  `json:"thumbs"`
	Captions []Track `json:"captions"`
	Seconds  float64 `json:"seconds"`
	Problem  string  `json:"problem"`
	// Upload is what the upload's own header tells, while nothing was made of it.
	Upload  *Outline  `json:"upload"`
	Expires time.Time `json:"expires_at"`
}

// Track is captions in a language.
type Track struct {
	Language string `json:"language"`
	Label    string `json:"label"`
	URL      string `json:"url"`
}

// Grant gives somebody the addresses of a video, if they may see it.
func (s *Service) Grant(ctx context.Context, a who.Actor, video string) (Play, error) {
	name, err := uuid.Parse(video)
	if err != nil {
		return Play{}, errNoVideo
	}
	key, err := s.key(ctx)
	if err != nil {
		return Play{}, err
	}
	if allowed, err := s.Allowed(ctx, a, name.String()); err != nil || !allowed {
		if err == nil {
			err = errNoVideo
		}
		return Play{}, err
	}
	shown, err := s.show(ctx, name.String())
	if err != nil {
		return Play{}, err
	}
	g := grant{until: s.DB.Clock.Now().Add(grantLife).Truncate(time.Second)}
	if a.SignedIn() {
		if g.user, err = uuid.Parse(a.UserID); err == nil {
			g.session, err = uuid.Parse(a.SessionID)
		}
		if err != nil {
			return Play{}, err
		}
	}
	return shown.play(Prefix+g.token(key, name)+"/"+name.String()+"/", g.until), nil
}

// play names the addresses below a prefix.
func (s showing) play(prefix string, until time.Time) Play {
	p := Play{Video: s.film.ID, State: s.film.State, Problem: s.film.Problem, Expires: until, Captions: []Track{}}
	if s.film.Facts != nil {
		p.Seconds = s.film.Facts.Seconds
	}
	if p.Upload = s.outline; p.Upload != nil {
		p.Seconds, p.Problem = max(p.Seconds, p.Upload.Seconds), cmp.Or(p.Problem, p.Upload.problem())
	}
	if len(s.offers) > 0 {
		p.HLS = prefix + masterName
	}
	if s.source != nil {
		p.File = prefix + sourceName
	}
	if m, ok := s.poster(); ok {
		p.Poster = prefix + m.name()
	}
	for name, m := range s.files {
		if m.Role == thumbsRole {
			p.Thumbs = prefix + name
		}
	}
	for _, c := range s.captions {
		p.Captions = append(p.Captions, Track{c.Language, c.Label, prefix + captionName(c.Language)})
	}
	return p
}

// nobody tells whether a grant is for anybody.
func (g grant) nobody() bool { return g.user == uuid.MustParse(id.Nil) }

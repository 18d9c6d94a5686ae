package app

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"greenroom/internal/account"
	"greenroom/internal/key"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
	"greenroom/internal/video"
)

func (d *domains) openVideo() *video.Service {
	a := d.app
	return video.New(video.Options{
		DB: a.db, Storage: d.storage, Limits: d.limits, Scratch: video.Scratch(a.config.Data), Tools: video.FindTools(), Off: !a.config.VideoWork, Log: a.log,
		Secret: func(ctx context.Context) (string, error) { return key.Kept(ctx, a.db, a.box, "video", id.Secret) },
		Session: func(ctx context.Context, user, session string) (who.Actor, error) {
			actor, err := a.accounts.Caller(ctx, key.Claims{Subject: user, SessionID: session})
			if errors.Is(err, account.ErrSessionEnded) {
				err = video.ErrNoSession
			}
			return actor, err
		},
		Allowed: func(ctx context.Context, actor who.Actor, video string) (bool, error) {
			return d.learn.Allowed(ctx, actor, video)
		},
	})
}

// lessonPicture gives the picture that the video of a lesson shows before it plays, if strangers may see it: what it is known by, and
// how to read it.
func (d *domains) lessonPicture(ctx context.Context, lesson string) (tag string, read func(context.Context) ([]byte, error), err error) {
	film, err := d.learn.Film(ctx, who.Actor{Role: who.Anonymous}, lesson)
	if err != nil || film == "" {
		return "", nil, err
	}
	found, err := d.video.Poster(ctx, film)
	if fault.Is(err, fault.NotFound) {
		return "", nil, nil // it went meanwhile
	}
	return found.Tag, found.Read, err
}

// showing puts videos before everything else: the grant in their address is a permission, and neither the log nor a redirect of
// the mux may tell it.
func (a *App) showing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, video.Prefix) {
			if masked := video.Masked(r.URL.Path); masked != r.URL.Path { // the address of a video, written otherwise
				defer func() { r.URL.Path, r.URL.RawPath = masked, "" }()
			}
			next.ServeHTTP(w, r)
			return
		}
		inner, address := as(r, who.Actor{Role: who.Anonymous, Address: a.addresses.Of(r)}), *r.URL
		inner.URL = &address
		r.URL.Path, r.URL.RawPath = video.Masked(r.URL.Path), ""
		pass, err := a.cores.Enter()
		if err != nil {
			web.Quiet(w)
			notReady(w, fault.Of(err).Message)
			return
		}
		a.cores.Leave(pass) // a transfer waits for the network, and would stand in the way of those who need a core
		a.domains.video.ServeHTTP(w, inner)
		r.Pattern = inner.Pattern
	})
}

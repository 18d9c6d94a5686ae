package app

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"greenroom/internal/account"
	"greenroom/internal/key"
	"greenroom/internal/platform/crowd"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/storage"
)

// What pages of other origins may send to the storage and read of it.
const (
	storageAllow = "authorization, apikey, content-type, cache-control, x-client-info, x-upsert, x-metadata, x-signature, " +
		"tus-resumable, upload-length, upload-offset, upload-metadata, upload-defer-length, range, if-none-match"
	storageExpose = "Location, Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires, " +
		"Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Complete, Content-Range, ETag"
)

func (d *domains) openStorage() *storage.Service {
	a := d.app
	return storage.New(storage.Options{
		DB: a.db, Bytes: a.shelf, Identify: a.bearer,
		Secret: func(ctx context.Context) (string, error) { return key.Kept(ctx, a.db, a.box, "storage", id.Secret) },
		Away:   func() func() { a.cores.Leave(crowd.Pass{}); return a.cores.Return },
		Opens: func(ctx context.Context, actor who.Actor, lesson, object string) (bool, error) {
			return d.learn.Opens(ctx, actor, lesson, object)
		},
		Secure:   strings.HasPrefix(a.config.SiteURL, "https:"),
		QuotaAll: a.config.StorageQuota, QuotaUser: a.config.StorageUserQuota, Log: a.log,
	})
}

// storing puts the storage before everything else: the mux would clean its paths, in which a//b and a/b are two objects.
func (a *App) storing(next http.Handler) http.Handler {
	inside := a.origins.SharedWith(web.Recovered(http.HandlerFunc(a.store), a.log, storage.WriteError), storageAllow, storageExpose)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, storage.Prefix+"/") {
			storage.Announce(w.Header(), r.URL.Path) // also to those who only ask what may be sent
			inside.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// store is the way of a request to the storage. A bearer does without an API key there, and a link needs neither; a key that
// is given must be one.
func (a *App) store(w http.ResponseWriter, r *http.Request) {
	inner := as(r, who.Actor{Role: who.Anonymous, Address: a.addresses.Of(r)})
	pass, err := a.cores.Enter()
	if err != nil {
		web.Quiet(w)
		storage.WriteError(w, inner, err)
		return
	}
	defer a.cores.Leave(pass)
	if given := r.Header.Get("Apikey"); given != "" {
		if _, known := a.keys.Role(given); !known {
			rest.WriteError(w, inner, rest.BadAPIKey)
			return
		}
	}
	a.domains.storage.ServeHTTP(w, inner)
	r.Pattern = inner.Pattern
}

// bearer finds the caller behind a token, or the application behind a key.
func (a *App) bearer(r *http.Request) (who.Actor, error) {
	actor := who.From(r.Context())
	found, err := a.identify(surface{badToken: storageToken}, r, actor)
	if err == nil && !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
		return actor, storage.BadToken(storage.Undecodable)
	}
	return found, err
}

func storageToken(err error) error {
	switch {
	case errors.Is(err, account.ErrSessionEnded):
		return storage.BadToken("The session has ended")
	case errors.Is(err, key.ErrExpired):
		return storage.BadToken(storage.Expired)
	}
	return storage.BadToken(storage.Undecodable)
}

package web

import (
	"net/http"
	"net/url"
)

// Origins are the web origins whose pages may call the APIs. No credentials: tokens travel in a header that a
// foreign page does not have.
type Origins map[string]bool

// OriginsOf collects the origins of web addresses.
func OriginsOf(addresses ...string) Origins {
	origins := Origins{}
	for _, address := range addresses {
		if u, err := url.Parse(address); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
			origins[u.Scheme+"://"+u.Host] = true
		}
	}
	return origins
}

const (
	allowMethods  = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
	allowHeaders  = "authorization, apikey, content-type, x-client-info, prefer, accept, accept-profile, content-profile, range, range-unit, x-retry-count, x-region, x-supabase-api-version"
	exposeHeaders = "Content-Range, Content-Location, Content-Disposition, Location, Range-Unit, Retry-After, X-Request-Id, X-Supabase-Api-Version, X-Total-Count, Link, Preference-Applied"
)

// Shared lets pages of the allowed origins read the answers, errors included, and answers preflight requests.
func (o Origins) Shared(next http.Handler) http.Handler {
	return o.SharedWith(next, allowHeaders, exposeHeaders)
}

// SharedWith is Shared with the headers that pages may send, and read.
func (o Origins) SharedWith(next http.Handler, allow, expose string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		allowed := o.Share(w.Header(), r)
		if allowed {
			w.Header().Set("Access-Control-Expose-Headers", expose)
		}
		if r.Method == http.MethodOptions {
			if header := w.Header(); allowed {
				header.Set("Access-Control-Allow-Methods", allowMethods)
				header.Set("Access-Control-Allow-Headers", allow)
				header.Set("Access-Control-Max-Age", "7200")
			}
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Share lets the page of an allowed origin read an answer, and tells whether it is one.
func (o Origins) Share(header http.Header, r *http.Request) bool {
	header["Vary"] = append(header["Vary"], "Origin")
	origin := r.Header["Origin"]
	if len(origin) == 0 || !o[origin[0]] {
		return false
	}
	header.Set("Access-Control-Allow-Origin", origin[0])
	header.Set("Access-Control-Expose-Headers", exposeHeaders)
	return true
}

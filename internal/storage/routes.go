package storage

import (
	"net/http"
	"strings"

	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
)

// audience says who gets as far as the rights in the query.
type audience string

const (
	anyone   audience = "anyone"                     // the route asks for no bearer
	lenient  audience = "anyone, or by right"        // a missing or bad bearer is nobody's
	bearers  audience = "by right"                   // a good bearer is needed
	services audience = "holders of the service key" // and of nobody else
)

// call is a request on its way, with the names of its path.
type call struct {
	*http.Request
	w           http.ResponseWriter
	bucket, key string
	actor       who.Actor
	link        claims // of an upload that comes by one
	editor      string // the caller, where they may change a course
}

// Route is one way in.
type Route struct {
	Method, Path string
	For          audience
	run          func(s *Service, c *call) error
}

// tus is a route of uploads in several requests: its refusals are plain text.
func tus(run func(s *Service, c *call) error) func(s *Service, c *call) error {
	return func(s *Service, c *call) error {
		err := run(s, c)
		if err != nil {
			err = text{err}
		}
		return err
	}
}

// Routes is every way in, on one page; the first that fits is taken. {key} is all that is left of a path.
func Routes() []Route {
	return []Route{
		{"GET", "/status", anyone, (*Service).status},
		{"GET", "/version", anyone, (*Service).version},
		{"GET", "/bucket", bearers, (*Service).listBuckets},
		{"POST", "/bucket", bearers, (*Service).createBucket},
		{"GET", "/bucket/{bucket}", bearers, (*Service).getBucket},
		{"PUT", "/bucket/{bucket}", bearers, (*Service).updateBucket},
		{"DELETE", "/bucket/{bucket}", bearers, (*Service).deleteBucket},
		{"POST", "/bucket/{bucket}/empty", services, (*Service).emptyBucket},
		{"DELETE", "/cdn/{bucket}", services, (*Service).purge},
		{"DELETE", "/cdn/{bucket}/{key}", services, (*Service).purge},

		{"GET", "/object/public/{bucket}/{key}", anyone, (*Service).readPublic},
		{"HEAD", "/object/public/{bucket}/{key}", anyone, (*Service).readPublic},
		{"GET", "/object/authenticated/{bucket}/{key}", bearers, (*Service).read},
		{"HEAD", "/object/authenticated/{bucket}/{key}", bearers, (*Service).read},
		{"GET", "/object/info/public/{bucket}/{key}", anyone, (*Service).infoPublic},
		{"GET", "/object/info/authenticated/{bucket}/{key}", bearers, (*Service).info},
		{"GET", "/object/info/{bucket}/{key}", lenient, (*Service).info},
		{"POST", "/object/list/{bucket}", bearers, (*Service).list},
		{"POST", "/object/list-v2/{bucket}", bearers, (*Service).listV2},
		{"POST", "/object/move", bearers, (*Service).move},
		{"POST", "/object/copy", bearers, (*Service).copy},

		{"GET", "/object/sign/{bucket}/{key}", anyone, (*Service).readSigned},
		{"HEAD", "/object/sign/{bucket}/{key}", anyone, (*Service).readSigned},
		{"POST", "/object/sign/{bucket}", bearers, (*Service).signMany},
		{"POST", "/object/sign/{bucket}/{key}", bearers, (*Service).signOne},
		{"POST", "/object/upload/sign/{bucket}/{key}", bearers, (*Service).signUpload},
		{"PUT", "/object/upload/sign/{bucket}/{key}", anyone, (*Service).uploadSigned},

		{"POST", "/picture/{bucket}", bearers, (*Service).addPicture},
		{"POST", "/upload/resumable", bearers, tus((*Service).tusCreate)},
		{"POST", "/upload/resumable/sign", anyone, tus((*Service).tusCreateSigned)},
		{"HEAD", "/upload/resumable/{upload}", bearers, tus((*Service).tusHead)},
		{"PATCH", "/upload/resumable/{upload}", bearers, tus((*Service).tusPatch)},
		{"DELETE", "/upload/resumable/{upload}", bearers, tus((*Service).tusDelete)},
		{"HEAD", "/upload/resumable/sign/{upload}", anyone, tus((*Service).tusHead)},
		{"PATCH", "/upload/resumable/sign/{upload}", anyone, tus((*Service).tusPatch)},
		{"DELETE", "/upload/resumable/sign/{upload}", anyone, tus((*Service).tusDelete)},

		{"GET", "/object/{bucket}/{key}", lenient, (*Service).read},
		{"HEAD", "/object/{bucket}/{key}", lenient, (*Service).read},
		{"POST", "/object/{bucket}/{key}", bearers, (*Service).upload},
		{"PUT", "/object/{bucket}/{key}", bearers, (*Service).replace},
		{"DELETE", "/object/{bucket}", bearers, (*Service).removeMany},
		{"DELETE", "/object/{bucket}/{key}", bearers, (*Service).removeOne},
	}
}

// match tells whether a path is the route's, and which names it has.
func (t Route) match(path string) (bucket, key string, ok bool) {
	for form := range strings.SplitSeq(t.Path[1:], "/") {
		path, ok = strings.CutPrefix(path, "/")
		if !ok {
			return "", "", false
		}
		if form == "{key}" {
			return bucket, path, true
		}
		part := path
		if end := strings.IndexByte(path, '/'); end >= 0 {
			part = path[:end]
		}
		switch path = path[len(part):]; {
		case form == "{bucket}" && part != "", form == "{upload}" && part != "":
			bucket = part
		case form != part:
			return "", "", false
		}
	}
	return bucket, key, path == ""
}

// mayTouch tells whether a request may be about objects of a bucket: it names it, or says which it is in its body, or asks for all.
func (t Route) mayTouch(one, named string) bool {
	return named == one || t.Path == "/object/move" || t.Path == "/object/copy" || t.Method == http.MethodGet && t.Path == "/bucket"
}

// ServeHTTP answers a request. It stands before the mux of the installation, which would make one key of a//b and a/b.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Pattern = Prefix + "/"
	Announce(w.Header(), r.URL.Path)
	if err := s.serve(w, r); err != nil {
		said := of(err)
		s.counters.refuse(said)
		if said.HTTP >= http.StatusInternalServerError && r.Context().Err() == nil {
			s.Log.ErrorContext(r.Context(), "storage failed", "id", web.RequestID(r.Context()), "error", err)
		}
		WriteError(w, r, err)
	}
}

func (s *Service) serve(w http.ResponseWriter, r *http.Request) error {
	path := strings.TrimPrefix(r.URL.Path, Prefix)
	for _, route := range Routes() {
		if route.Method != r.Method {
			continue
		}
		bucket, key, ok := route.match(path)
		if !ok {
			continue
		}
		r.Pattern = r.Method + " " + Prefix + route.Path
		c := &call{Request: r, w: w, bucket: bucket, key: key, actor: who.From(r.Context())}
		if err := s.admit(route.For, c); err != nil {
			return err
		}
		if strings.Contains(route.Path, "{bucket}") && !isBucketName(bucket) {
			return errBucketName
		}
		if route.mayTouch(taught, bucket) {
			if err := s.edits(r.Context(), c); err != nil {
				return err
			}
		}
		return route.run(s, c)
	}
	return noRoute(r)
}

// admit finds out who asks, as far as the route wants to know.
func (s *Service) admit(who audience, c *call) error {
	if who == anyone {
		return nil
	}
	if len(c.Header.Values("Authorization")) == 0 {
		if who == lenient {
			return nil
		}
		return errNoBearer
	}
	actor, err := s.Identify(c.Request)
	if err != nil {
		if said := of(err); who == lenient && said.Status == "403" {
			return nil
		}
		return err
	}
	c.actor = actor
	if who == services && !isService(actor) {
		return errServiceOnly
	}
	return nil
}

func isService(a who.Actor) bool { return a.Role == who.Service }

func (s *Service) status(c *call) error {
	c.w.WriteHeader(http.StatusOK)
	return nil
}

// version names the dialect: that of this version of the reference.
func (s *Service) version(c *call) error {
	c.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = c.w.Write([]byte("greenroom"))
	return nil
}

// purge has nothing to do: nothing is kept between the disk and the client.
func (s *Service) purge(c *call) error {
	return web.JSON(c.w, http.StatusOK, map[string]string{"message": "success"})
}

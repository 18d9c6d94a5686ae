package site

import (
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

// Builds name the files under assets/ after their content, so those never change. Pictures keep their names and are
// replaced by releases at most.
const (
	cacheForever = "public, max-age=31536000, immutable"
	cacheWeek    = "public, max-age=604800"
	cacheHour    = "public, max-age=3600"
	cacheCheck   = "no-cache"
	cacheNever   = "no-store"
)

// contentTypes are ours and not the machine's, whose table differs from one to the next.
var contentTypes = map[string]string{
	".avif":        "image/avif",
	".css":         "text/css; charset=utf-8",
	".gif":         "image/gif",
	".ico":         "image/x-icon",
	".jpg":         "image/jpeg",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml; charset=utf-8",
	".txt":         "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json; charset=utf-8",
	".webp":        "image/webp",
	".woff2":       "font/woff2",
	".xml":         "application/xml; charset=utf-8",
}

// asset is one file of the build with its packed forms, read when it is first asked for.
type asset struct {
	contentType string
	cache       string
	load        func() (body, error)
}

// findAssets lists what the build offers to browsers, by URL path. The template and the build's own notes are not offered.
func findAssets(client fs.FS) (map[string]asset, error) {
	found := map[string]asset{}
	err := fs.WalkDir(client, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		ext := path.Ext(name)
		contentType, known := contentTypes[ext]
		switch {
		case name == "index.html", strings.HasPrefix(entry.Name(), "."), ext == ".br", ext == ".gz", ext == ".map":
			return nil
		case !known:
			if contentType = mime.TypeByExtension(ext); contentType == "" {
				return fmt.Errorf("%s: a file of unknown type in the web build", name)
			}
		}
		found["/"+name] = asset{contentType: contentType, cache: cacheOf(name), load: sync.OnceValues(func() (body, error) {
			return readAsset(client, name)
		})}
		return nil
	})
	return found, err
}

func cacheOf(name string) string {
	switch {
	case strings.HasPrefix(name, "assets/"):
		return cacheForever
	case strings.HasPrefix(name, "art/"):
		return cacheWeek
	}
	return cacheHour
}

// readAsset reads a file and the packed forms that the build put beside it.
func readAsset(client fs.FS, name string) (body, error) {
	plain, err := fs.ReadFile(client, name)
	if err != nil {
		return body{}, err
	}
	b := plainBody(plain)
	for suffix, into := range map[string]*[]byte{".br": &b.Brotli, ".gz": &b.Gzip} {
		packed, err := fs.ReadFile(client, name+suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return body{}, err
		}
		*into = packed
	}
	return b, nil
}

func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	content, err := a.load()
	if err != nil {
		// The files are part of the binary, so this is a broken build and not the visitor's doing.
		http.Error(w, "This file cannot be read.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", a.contentType)
	w.Header().Set("Cache-Control", a.cache)
	content.write(w, r, http.StatusOK)
}

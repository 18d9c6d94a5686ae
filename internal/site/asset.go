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

	"greenroom/internal/platform/web"
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
		name = strings.TrimSuffix(name, packedSuffix)
		ext := path.Ext(name)
		contentType, known := contentTypes[ext]
		switch {
		case name == "index.html", strings.HasPrefix(entry.Name(), "."), ext == ".map":
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

// Asset is where the file of the build is whose name begins so; "" where there is none.
func (s *Site) Asset(name string) string {
	for address := range s.assets {
		if strings.HasPrefix(address, "/assets/"+name) {
			return address
		}
	}
	return ""
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

// packedSuffix ends the name of a file that the build has packed, with brotli at its best; it is there instead of the
// plain one.
const packedSuffix = ".br"

// readPlain reads the text of a file of the build.
func readPlain(build fs.FS, name string) ([]byte, error) {
	packed, err := fs.ReadFile(build, name+packedSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return fs.ReadFile(build, name)
	}
	if err != nil {
		return nil, err
	}
	return web.Unpack(packed)
}

// readAsset reads a file, in whichever form the build has it.
func readAsset(client fs.FS, name string) (body, error) {
	packed, err := fs.ReadFile(client, name+packedSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		plain, err := fs.ReadFile(client, name)
		return plainBody(plain), err
	}
	if err != nil {
		return body{}, err
	}
	forms, err := web.Repack(packed)
	return body{forms, tagOf(packed)}, err
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

// Package web is the React app, built and embedded into the binary. `make build` fills dist; without it the package still
// compiles, and the server says what to do.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Dist gives the built app: client/ for browsers and server/render.js.br for the pages. It is empty before the first build.
func Dist() fs.FS {
	build, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // the folder is part of the embedding above
	}
	return build
}

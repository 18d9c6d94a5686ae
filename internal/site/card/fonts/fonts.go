// Package fonts holds the app's own families as plain TrueType files, for what the server draws: share cards and certificates.
// make.py says where the files come from, docs/NOTICES.md under which licence.
package fonts

import _ "embed" // the files

// Serif is Instrument Serif, which has the Latin letters; Sans is Geist, which has the Cyrillic and Vietnamese ones as well.
var (
	//go:embed instrument-serif-400.ttf
	Serif []byte
	//go:embed geist-500.ttf
	Sans []byte
)

// Package shelf says what a place for bytes does, whether it is a folder (storage/disk) or S3-compatible storage (storage/cloud).
//
// Bytes lie there by version, an id of ours and never a name that somebody chose. A version is there whole or not at all, and
// never changes once it is. Who reads and writes has a row for it in the database; a place knows nothing of rows.
package shelf

import (
	"context"
	"errors"
	"hash"
	"io"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// Shelf is a place for bytes.
type Shelf interface {
	// Write stores what a reader gives under a new version.
	Write(ctx context.Context, version string, from io.Reader) (Wrote, error)
	// Link gives the bytes of a version, so many, to another one as well.
	Link(ctx context.Context, version, from string, size int64) error
	// Open reads a version from a byte on; so many bytes are going to be read. Where there is none the error is fs.ErrNotExist.
	Open(ctx context.Context, version string, begin, length int64) (io.ReadCloser, error)
	// Has tells whether a version is there, as far as the number of its bytes tells.
	Has(ctx context.Context, version string, size int64) (bool, error)
	// Remove takes a version away, whole or begun. One that is not there is away already.
	Remove(ctx context.Context, version string) error
	// Each names every version that is there, whole or begun, once; the size of one that is begun says nothing.
	Each(ctx context.Context, fn func(version string, size int64) error) error
	// Place is an id that tells one place from another, whoever uses it.
	Place(ctx context.Context) (string, error)
	// Check tries all of this on something of its own.
	Check(ctx context.Context) error
	// Path is the folder on this machine's disk, and of a version the file there; empty where the bytes lie elsewhere.
	Path(version string) string
	// String names the place for people; there is no secret in it.
	String() string

	Pieces
}

// Pieces is how a version comes in several requests, perhaps to several instances. What a place has to remember of it in between is
// a text that the caller keeps (mark), in the transaction that says how many bytes have come.
type Pieces interface {
	// Stretch is how many bytes, from a position on, should be appended at once.
	Stretch(at int64) int64
	// Append adds to a version that is not whole yet, from a position on, and to the hash of what was there before. What arrived is
	// stored when it returns, also where the reader broke off, whose error is then given back; with any other error nothing was added.
	Append(ctx context.Context, version, mark string, at int64, from io.Reader, sum hash.Hash) (added int64, next string, err error)
	// Head is the beginning of what has been appended, so many bytes if there are.
	Head(ctx context.Context, version, mark string, bytes int) ([]byte, error)
	// Settle makes a version of what has been appended, which is so many bytes. One that is there already is left.
	Settle(ctx context.Context, version, mark string, size int64) error
}

// Wrote says what a write has stored.
type Wrote struct {
	Size int64
	Hash string
}

// ErrMissing says that bytes which were stored before are not there.
var ErrMissing = errors.New("the bytes that came before are missing")

// away is the code of a fault that is the place's.
const away = "storage_away"

// Away makes a failure of a place elsewhere one that is over by itself.
func Away(err error) error {
	return fault.Coded(fault.Unavailable, away, "Stored files cannot be reached right now. Please try again in a minute.").Because(err)
}

// IsAway tells whether a place did not answer.
func IsAway(err error) bool {
	said, ok := errors.AsType[*fault.Error](err)
	return ok && said.Code == away
}

// IsVersion tells whether a text is the name of a version.
func IsVersion(text string) bool {
	parsed, ok := id.Parse(text)
	return ok && parsed == text
}

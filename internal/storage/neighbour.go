package storage

import (
	"context"
	"net/url"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// What a neighbour needs that keeps bytes of its own in our folder, under rows of its own. The order is that of an object:
// Hold, the bytes, and then Settle in the transaction that writes the neighbour's row.

// Hold gives bytes a row before there are any, if there is room for them. They must be settled within two hours.
func (s *Service) Hold(ctx context.Context, bytes int64) (version string, err error) {
	return s.begin(ctx, wish{expected: bytes})
}

// Settle takes the row of bytes that are about to be the neighbour's.
func Settle(ctx context.Context, tx *db.Tx, version string) error { return settled(ctx, tx, version) }

// Abandon gives up bytes that were held and will not be settled.
func (s *Service) Abandon(ctx context.Context, version string) { s.abandon(ctx, version) }

// Discard gives bytes that were the neighbour's to the sweeper.
func Discard(ctx context.Context, tx *db.Tx, version string, size int64) error {
	if err := turn(ctx, tx); err != nil {
		return err
	}
	gone := object{Version: version, Size: size}
	if err := count(ctx, tx, gone.Owner, size); err != nil { // what is a neighbour's counts nowhere
		return err
	}
	return garbage(ctx, tx, gone)
}

// Linked is an object in one version, as a neighbour that knows of it read it.
type Linked struct{ ID, Version, Bucket, Name string }

// Link gives somebody the address that reads a file of a lesson for so long. Whether they may is the neighbour's to know, and it is asked
// at each use. The service role's has nobody who could lose the right.
func (s *Service) Link(ctx context.Context, a who.Actor, lesson string, o Linked, lives time.Duration) (string, error) {
	place := o.Bucket + "/" + o.Name
	said := claims{URL: place, Scope: download, ID: o.ID, Version: o.Version}
	if !isService(a) {
		said.Lesson = lesson
		said.Owner, _ = owner(a).(string)
	}
	token, err := s.sign(ctx, said, lives)
	return Prefix + "/object/sign/" + (&url.URL{Path: place}).EscapedPath() + "?token=" + token, err
}

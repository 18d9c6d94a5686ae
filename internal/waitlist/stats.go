package waitlist

import (
	"context"

	"greenroom/internal/platform/db"
)

// Spots are those of a workshop.
type Spots struct {
	Workshop  string
	All, Left int
}

// mostWatched bounds the workshops that are told of.
const mostWatched = 50

// Spots tells how many there are and are left in each workshop.
func (l *Lists) Spots(ctx context.Context) (all []Spots, err error) {
	err = l.d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select title, spots, spots_left from workshops order by id limit $1", []any{mostWatched}, func(scan func(...any) error) error {
			var one Spots
			err := scan(&one.Workshop, &one.All, &one.Left)
			all = append(all, one)
			return err
		})
	})
	return all, err
}

package waitlist

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/rest"
)

// workshops declares the workshops: anyone reads them, admins change them.
func (l *Lists) workshops() rest.Table {
	return rest.Table{
		Name: "workshops",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID},
			{Name: "title", Type: rest.Text, Write: rest.OnUpdate},
			{Name: "host", Type: rest.Text, Write: rest.OnUpdate},
			{Name: "about", Type: rest.Text, Write: rest.OnUpdate},
			{Name: "learn", Type: rest.Text, Write: rest.OnUpdate},
			{Name: "date_text", Type: rest.Text, Write: rest.OnUpdate},
			{Name: "time_text", Type: rest.Text, Write: rest.OnUpdate},
			{Name: "duration_minutes", Type: rest.Int, Write: rest.OnUpdate},
			{Name: "starts_at", Type: rest.Timestamp, Nullable: true, Write: rest.OnUpdate},
			{Name: "spots", Type: rest.Int, Write: rest.OnUpdate},
			{Name: "spots_left", Type: rest.Int},
			{Name: "created_at", Type: rest.Timestamp},
		},
		Uniques: []rest.Unique{{Columns: []string{"title"}}},
		Read:    rest.All(),
		Update:  rest.Update{If: rest.Admins(), After: l.workshopWritten},
	}
}

const (
	maxSpots     = 100_000
	maxShortText = 200
	maxLongText  = 5000
)

// workshopWritten holds a changed workshop to the rules and gives new spots to those who wait. The update has locked
// the row, so nobody takes a spot meanwhile.
func (l *Lists) workshopWritten(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	for _, row := range rows {
		if err := checkWorkshop(row); err != nil {
			return err
		}
		if err := l.resize(ctx, tx, row.Text("id"), row.Int("spots")); err != nil {
			return err
		}
	}
	return l.workshopChanged(ctx, tx)
}

func checkWorkshop(row rest.Row) error {
	for _, text := range []struct {
		column string
		most   int
	}{
		{"title", maxTitle},
		{"host", maxShortText},
		{"about", maxLongText},
		{"learn", maxLongText},
		{"date_text", maxShortText},
		{"time_text", maxShortText},
	} {
		value := row.Text(text.column)
		if strings.TrimSpace(value) == "" || utf8.RuneCountInString(value) > text.most {
			return refused("%s must be 1 to %d characters long.", text.column, text.most)
		}
	}
	if minutes := row.Int("duration_minutes"); minutes < 1 || minutes > 24*60 {
		return refused("duration_minutes must be a number from 1 to %d.", 24*60)
	}
	if row.Int("spots") > maxSpots {
		return refused("spots must be a number from 0 to %d.", maxSpots)
	}
	return nil
}

// resize makes spots_left follow spots, and promotes where there is room. A number that somebody holds stays.
func (l *Lists) resize(ctx context.Context, tx *db.Tx, workshop string, spots int64) error {
	var confirmed, highest int64
	err := tx.QueryRow(ctx, "select count(spot), coalesce(max(spot), 0) from course_waitlist where workshop_id = $1 and spot is not null", workshop).
		Scan(&confirmed, &highest)
	if err != nil {
		return fmt.Errorf("count the confirmed: %w", err)
	}
	if spots < highest {
		return refused("Spot %d is taken: the workshop cannot have fewer than %d spots.", highest, highest)
	}
	if _, err := tx.Exec(ctx, "update workshops set spots_left = $2 where id = $1", workshop, spots-confirmed); err != nil {
		return fmt.Errorf("resize a workshop: %w", err)
	}
	return l.promote(ctx, tx, workshop)
}

// leaving locks the workshops of registrations that are about to go. Whoever gives out spots locks the workshop and then
// the registrations; in the other order the two could wait for each other.
func leaving(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	workshops := map[string]int{}
	for _, row := range rows {
		if !row.Null("workshop_id") {
			workshops[row.Text("workshop_id")]++
		}
	}
	return lockAll(ctx, tx, workshops)
}

// lockAll locks workshops in one order for everybody.
func lockAll(ctx context.Context, tx *db.Tx, workshops map[string]int) error {
	for _, workshop := range slices.Sorted(maps.Keys(workshops)) {
		if _, _, err := lock(ctx, tx, workshop); err != nil {
			return err
		}
	}
	return nil
}

// left frees the spots of deleted registrations for those who wait.
func (l *Lists) left(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	freed := map[string]int{}
	for _, row := range rows {
		if !row.Null("workshop_id") && !row.Null("spot") {
			freed[row.Text("workshop_id")]++
		}
	}
	return l.free(ctx, tx, freed)
}

// free gives back spots, by workshop, and promotes those who wait.
func (l *Lists) free(ctx context.Context, tx *db.Tx, freed map[string]int) error {
	if len(freed) == 0 {
		return nil
	}
	for _, workshop := range slices.Sorted(maps.Keys(freed)) {
		if _, err := tx.Exec(ctx, "update workshops set spots_left = spots_left + $2 where id = $1", workshop, freed[workshop]); err != nil {
			return fmt.Errorf("free a spot: %w", err)
		}
		if err := l.promote(ctx, tx, workshop); err != nil {
			return err
		}
	}
	return l.workshopChanged(ctx, tx)
}

// Install puts the workshop into an empty database, once.
func (l *Lists) Install(ctx context.Context) error {
	var done int
	err := l.d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select count(*) from versions where name = 'workshops installed'").Scan(&done)
	})
	if err != nil || done > 0 {
		return err
	}
	err = l.d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		first, err := tx.Exec(ctx, "insert into versions (name, number) values ('workshops installed', 1) on conflict do nothing")
		if err != nil || first == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `insert into workshops (id, title, host, about, learn, date_text, time_text, duration_minutes, spots, spots_left, created_at)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10) on conflict do nothing`,
			id.Named("workshop screen-acting"), "Screen Acting and Professional Preparation Workshop",
			"Naledi Carter, lead of the streaming series Low Tide", about, learn, "Late November 2025", "13:30 to 14:15", 45, 12, db.At(tx.Now))
		if err != nil {
			return err
		}
		return l.workshopChanged(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("install the workshop: %w", err)
	}
	return nil
}

const about = "Forty-five minutes online with a working series lead, in a group small enough that everyone gets seen. " +
	"Naledi Carter walks through one audition scene from three seasons of Low Tide: how she prepared it, what changed on set, " +
	"and what the camera kept. Then the group works: short takes, direct notes, and time for your questions."

const learn = `Break down a scene the night before, and know what to leave open for the set
Scale a performance for a close-up, a two-shot and a wide
Tape an audition at home that is lit, framed and heard well
Take a redirect in the room and show the difference at once
Prepare the call sheet, the contract and yourself for a first day on set`

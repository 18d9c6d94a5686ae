package db

import (
	"context"
	"fmt"
)

// Risks says how the database may lose what it has acknowledged, one sentence for each of its settings that allows that. A
// SQLite file has none: we set it up ourselves.
func (d *DB) Risks(ctx context.Context) (risks []string, err error) {
	if d.Engine != Postgres {
		return nil, nil
	}
	err = d.Read(ctx, func(ctx context.Context, tx *Tx) error {
		risks = nil
		var fsync, pages, commit, standbys string
		err := tx.QueryRow(ctx, `select current_setting('fsync'), current_setting('full_page_writes'),
			current_setting('synchronous_commit'), current_setting('synchronous_standby_names')`).Scan(&fsync, &pages, &commit, &standbys)
		if fsync == "off" {
			risks = append(risks, risk("fsync", fsync, "a crash of its machine loses acknowledged rows, or all of them"))
		}
		if pages == "off" {
			risks = append(risks, risk("full_page_writes", pages, "a crash of its machine may leave pages half written"))
		}
		switch {
		case commit == "off":
			risks = append(risks, risk("synchronous_commit", commit, "a crash loses the newest acknowledged rows"))
		case commit == "local" && standbys != "":
			risks = append(risks, risk("synchronous_commit", commit, "a failover to the standby loses the newest acknowledged rows"))
		}
		return err
	})
	return risks, err
}

func risk(setting, value, what string) string {
	return fmt.Sprintf("PostgreSQL has %s = %s: %s. Set it to on, for the server, the database or the role.", setting, value, what)
}

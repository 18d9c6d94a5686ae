package db

import (
	"database/sql"
	"sync/atomic"
	"time"
)

// commits counts what was written.
type commits struct{ number, writes, nanos atomic.Int64 }

func (c *commits) count(writes int, took time.Duration) {
	c.number.Add(1)
	c.writes.Add(int64(writes))
	c.nanos.Add(int64(took))
}

// Stats is how a database stands, for those who watch it.
type Stats struct {
	// Pools are its connections by what they are for.
	Pools map[string]sql.DBStats
	// Reading and Writing are how many wait for a connection, and for the writer or a connection to write on.
	Reading, Writing int64
	// ReadsRefused and WritesRefused are how many were turned away from there so far.
	ReadsRefused, WritesRefused int64
	// Commits are the transactions that ended, Writes the requests in them, Busy the time that took: on SQLite of the whole
	// group, on PostgreSQL of the commit alone.
	Commits, Writes int64
	Busy            time.Duration
}

// Stats asks the database nothing.
func (d *DB) Stats() Stats {
	s := Stats{
		Reading: d.reading.Length(), Writing: d.writing.Length(), ReadsRefused: d.reading.Refused(), WritesRefused: d.writing.Refused(),
		Commits: d.committed.number.Load(), Writes: d.committed.writes.Load(), Busy: time.Duration(d.committed.nanos.Load()),
	}
	if d.Engine == Postgres {
		s.Pools = map[string]sql.DBStats{"both": d.read.Stats()}
	} else {
		s.Pools = map[string]sql.DBStats{"read": d.read.Stats(), "write": d.write.Stats()}
	}
	return s
}

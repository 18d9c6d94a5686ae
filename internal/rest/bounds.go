package rest

import "time"

// What one request may ask for.
const (
	maxURL     = 16 << 10
	maxBody    = 1 << 20
	maxPage    = 1000 // rows of one answer
	maxAnswer  = 8 << 20
	maxName    = 63     // bytes of a column's name in the answer, as PostgreSQL's own
	maxRows    = 1000   // rows of one insert by an admin
	someRows   = 100    // and by anybody else
	maxTouched = 10_000 // rows of one update or delete
	maxFilters = 50
	maxDepth   = 5    // of and() and or()
	maxItems   = 1000 // values of one list
	maxPattern = 4096 // bytes of a like
	maxNesting = 64   // of a JSON body
	maxFields  = 100  // names of one object in it

	statementTime = 5 * time.Second
)

// Package migrations holds the schema of both engines as numbered SQL files with the same names. They only go
// forward, each in one transaction; a test holds the two schemas equal.
package migrations

import "embed"

// Files are sqlite/NNNN_name.sql and postgres/NNNN_name.sql.
//
//go:embed sqlite/*.sql postgres/*.sql
var Files embed.FS

package main

import (
	"fmt"
	"strings"
	"time"

	"greenroom/internal/platform/db"
)

// spell writes a row's number, id and moment in an engine's own words. The moments lie half a second apart and end
// today, so that nothing is old enough to be swept.
func spell(values string, engine db.Engine) string {
	begin := time.Now().Add(-60 * 24 * time.Hour).UTC().Truncate(time.Second)
	id, at := "printf('%08x-0000-4000-8000-%012x', i, i)", fmt.Sprintf("(%d + i * 500000)", begin.UnixMicro())
	if engine == db.Postgres {
		id = "(lpad(to_hex(i), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(i), 12, '0'))::uuid"
		at = "(timestamptz '" + begin.Format(time.RFC3339) + "' + i * interval '0.5 seconds')"
	}
	return strings.NewReplacer("{i}", "i", "{id}", id, "{at}", at).Replace(values)
}

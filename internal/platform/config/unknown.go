package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const prefix = "GREENROOM_"

// linked are the names that Kubernetes and Docker set by themselves for a service called greenroom.
var linked = regexp.MustCompile(`^GREENROOM_(SERVICE_HOST|SERVICE_PORT|SERVICE_PORT_[A-Z0-9_]+|PORT|PORT_[0-9]+_(TCP|UDP|SCTP)(_[A-Z]+)?)$`)

// unknown finds a name that looks like a setting and is none.
func (r *reader) unknown() error {
	for _, name := range slices.Sorted(maps.Keys(r.values)) {
		if !strings.HasPrefix(strings.ToUpper(name), prefix) || r.asked[name] || linked.MatchString(name) {
			continue
		}
		if strings.HasPrefix(name, "GREENROOM_OIDC_") && !r.ofProvider(name) {
			return fmt.Errorf("%s is not a setting: GREENROOM_OIDC names no such provider", name)
		}
		return fmt.Errorf("%s is not a setting: the closest one is %s", name, r.nearest(name))
	}
	return nil
}

// ofProvider tells whether a name belongs to a provider that GREENROOM_OIDC names.
func (r *reader) ofProvider(name string) bool {
	for provider := range strings.SplitSeq(r.values["GREENROOM_OIDC"], ",") {
		if provider = strings.ToUpper(strings.TrimSpace(provider)); provider != "" && strings.HasPrefix(name, "GREENROOM_OIDC_"+provider+"_") {
			return true
		}
	}
	return false
}

func (r *reader) nearest(name string) string {
	return slices.MinFunc(slices.Sorted(maps.Keys(r.asked)), func(a, b string) int { return distance(name, a) - distance(name, b) })
}

// distance is how many letters must be put in, taken out, changed or swapped with their neighbour.
func distance(a, b string) int {
	var before, above []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, above, row = above, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := above[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

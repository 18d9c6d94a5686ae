//go:build faults

package auth

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// TestSecurity12UnknownAndKnownAddressesTakeAlikeLong measures sign-ins and recoveries at full cost, one of each in
// turn, and asks whether anybody could tell the two apart.
func TestSecurity12UnknownAndKnownAddressesTakeAlikeLong(t *testing.T) {
	const rounds = 500
	h := openHouse(t, dbtest.Location(t, db.SQLite), func(o *Options) { o.Hashing = defaultCost }, nil)
	h.beat = answerBeat
	h.signedUp("ada@example.com")
	for _, path := range []string{"/token?grant_type=password", "/recover"} {
		var known, unknown []time.Duration
		for range rounds {
			for _, one := range []struct {
				email string
				took  *[]time.Duration
			}{{"ada@example.com", &known}, {"nobody@example.com", &unknown}} {
				begun := time.Now()
				h.post(path, m{"email": one.email, "password": "wrong one here"})
				*one.took = append(*one.took, time.Since(begun))
			}
		}
		p := alike(known, unknown)
		a, b := middle(known), middle(unknown)
		t.Logf("%s: known %v, unknown %v, p = %.3f", path, a, b, p)
		if apart := math.Abs(float64(a-b)) / float64(b); p <= 0.01 || apart >= 0.05 {
			t.Errorf("%s: known %v, unknown %v, %.1f %% apart, p = %.4f", path, a, b, 100*apart, p)
		}
	}
}

func middle(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

// alike is the p value of Mann and Whitney's test: how likely two samples of one distribution differ this much.
func alike(a, b []time.Duration) float64 {
	type ranked struct {
		took time.Duration
		ofA  bool
	}
	var all []ranked
	for _, took := range a {
		all = append(all, ranked{took, true})
	}
	for _, took := range b {
		all = append(all, ranked{took, false})
	}
	slices.SortFunc(all, func(x, y ranked) int { return cmp.Compare(x.took, y.took) })
	var ranks float64
	for i, one := range all {
		if one.ofA {
			ranks += float64(i + 1)
		}
	}
	n, m := float64(len(a)), float64(len(b))
	u := ranks - n*(n+1)/2
	z := (u - n*m/2) / math.Sqrt(n*m*(n+m+1)/12)
	return math.Erfc(math.Abs(z) / math.Sqrt2)
}

package auth

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/internal/platform/id"
)

func testRules(t *testing.T, list string) rules {
	t.Helper()
	r, err := newRules(Options{SiteName: "Greenroom", SiteURL: testSite, PasswordList: list})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSecurity4PasswordRules(t *testing.T) {
	t.Parallel()
	r := testRules(t, "")
	for _, c := range []struct {
		password, code, reason string
	}{
		{"", "validation_failed", ""},
		{"123456789", "weak_password", "length"},
		{"ninechars", "weak_password", "length"},
		{"tencharss!", "", ""},
		{"\u00e9\u00e9\u00e9\u00e9\u00e9", "weak_password", "length"}, // five characters of ten bytes
		{strings.Repeat("\U0001f600", 10), "", ""},
		{strings.Repeat("\U0001f600", 128), "", ""},
		{strings.Repeat("x", 129), "validation_failed", ""},
		{"with spaces in it", "", ""},
		{"nul\x00in the middle", "validation_failed", ""},
		{"broken \xff letters", "validation_failed", ""},
		{"1234567890", "weak_password", "pwned"},
		{"QwertyUiop", "weak_password", "pwned"},
		{"greenroom2026!!", "weak_password", "pwned"},
		{"Green-Room-2026", "", ""},
		{"courses.example", "weak_password", "pwned"},
		{"adaada12345", "weak_password", "pwned"},
		{"ada@lovelace.org", "weak_password", "pwned"},
		{"Lovelace1815", "weak_password", "pwned"},
		{"Byron-1815-Ada", "weak_password", "pwned"},
		{"ada likes long walks", "", ""},
	} {
		err := r.check(c.password, "ada@lovelace.org", "Ada Byron")
		f, _ := asFailure(err)
		switch {
		case c.code == "" && err != nil, c.code != "" && (f == nil || f.code != c.code):
			t.Errorf("%q: %v", c.password, err)
		case c.reason != "" && (len(f.reasons) != 1 || f.reasons[0] != c.reason):
			t.Errorf("%q: reasons %v", c.password, f.reasons)
		}
	}
}

func TestSecurity3EmbeddedListIsLongAndSorted(t *testing.T) {
	t.Parallel()
	n := len(commonSums) / 8
	if len(commonSums)%8 != 0 || n < 80_000 {
		t.Fatalf("%d bytes", len(commonSums))
	}
	for i := 1; i < n; i++ {
		if embeddedSum(i-1) >= embeddedSum(i) {
			t.Fatalf("out of order at %d", i)
		}
	}
	for range 1000 {
		if random := id.Secret()[:16]; (commonList{}).has(random) {
			t.Errorf("%s was refused", random)
		}
	}
}

func TestOperatorsListIsAdded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(file, []byte("our old door code\r\nsecond entry\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := testRules(t, file)
	for password, common := range map[string]bool{"Our Old Door Code": true, "second entry": true, "1234567890": true, "third entry": false} {
		if got := r.check(password) != nil; got != common {
			t.Errorf("%q refused: %v", password, got)
		}
	}
	if _, err := openList(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("an absent list was taken")
	}
}

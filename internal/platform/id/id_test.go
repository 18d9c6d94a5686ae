package id_test

import (
	"testing"

	"github.com/google/uuid"

	"greenroom/internal/platform/id"
)

func TestNewIDsAreRandomOnes(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		made := id.New()
		parsed, err := uuid.Parse(made)
		if err != nil || parsed.Version() != 4 || parsed.Variant() != uuid.RFC4122 || seen[made] {
			t.Fatalf("%s: %v", made, err)
		}
		seen[made] = true
	}
}

func TestIDsInOrderAre(t *testing.T) {
	t.Parallel()
	last := ""
	for range 1000 {
		made := id.InOrder()
		if parsed, err := uuid.Parse(made); err != nil || parsed.Version() != 7 || made <= last {
			t.Fatalf("%s after %s: %v", made, last, err)
		}
		last = made
	}
}

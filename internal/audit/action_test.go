package audit

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"greenroom/internal/platform/db"
)

// TestPanelHasWordsForEveryAction compares the list with what the admin panel shows.
func TestPanelHasWordsForEveryAction(t *testing.T) {
	t.Parallel()
	if !slices.IsSorted(actions) {
		t.Fatal("the actions are looked up by halves: keep them sorted")
	}
	text, err := os.ReadFile("../../web/src/features/admin/acts.json")
	if err != nil {
		t.Fatal(err)
	}
	var words map[string]string
	if err := json.Unmarshal(text, &words); err != nil {
		t.Fatal(err)
	}
	if shown := slices.Sorted(maps.Keys(words)); !slices.Equal(shown, actions) {
		t.Errorf("the panel has words for %q,\nthe trail records %q", shown, actions)
	}
}

func TestUnknownActionIsNotRecorded(t *testing.T) {
	t.Parallel()
	if err := Record(t.Context(), &db.Tx{}, Entry{Action: "user.levitate", Result: OK}); err == nil {
		t.Fatal("recorded")
	}
}

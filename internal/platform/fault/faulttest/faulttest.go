// Package faulttest keeps count of the faults that tests inject, so that a long run ends with one line for each.
package faulttest

import (
	"fmt"
	"os"
	"testing"
)

// summary names the file that the lines go to; `make faults` sets it, and shows the file at its end.
const summary = "FAULTS_SUMMARY"

// Survived notes how often a fault was tried and how often what must hold held, with figures that are worth knowing. It
// fails the test where the two differ.
func Survived(t testing.TB, what string, tried, survived int, figures ...any) {
	t.Helper()
	line := fmt.Sprintf("%-60s tried %7d, survived %7d", what, tried, survived)
	if len(figures) > 0 {
		line += "; " + fmt.Sprint(figures...)
	}
	t.Log(line)
	if survived != tried {
		t.Errorf("%s: %d of %d did not survive", what, tried-survived, tried)
	}
	name := os.Getenv(summary)
	if name == "" {
		return
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Error(err)
		return
	}
	defer file.Close()
	if _, err := fmt.Fprintln(file, line); err != nil {
		t.Error(err)
	}
}

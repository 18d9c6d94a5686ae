//go:build faults

package main

import (
	"io"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"
)

// shorter is the part of the usual time and number that a run takes: FAULTS_SHORT=10 makes all of them a tenth, to try the tests
// themselves.
func shorter() int {
	by, _ := strconv.Atoi(os.Getenv("FAULTS_SHORT"))
	return max(1, by)
}

// faultTime is how long something lasts, and faultTimes how often it is done.
func faultTime(usual time.Duration) time.Duration { return usual / time.Duration(shorter()) }

func faultTimes(usual int) int { return max(2, usual/shorter()) }

func readAll(t *testing.T, answer *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

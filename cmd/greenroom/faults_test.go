//go:build faults

package main

import (
	"io"
	"net/http"
	"os"
	"testing"
	"time"
)

// faultTime is how long something lasts in a long run. FAULTS_SHORT=1 makes all of them a tenth, to try the tests themselves.
func faultTime(usual time.Duration) time.Duration {
	if os.Getenv("FAULTS_SHORT") != "" {
		return usual / 10
	}
	return usual
}

// faultTimes is how often; as faultTime.
func faultTimes(usual int) int {
	if os.Getenv("FAULTS_SHORT") != "" {
		return max(2, usual/10)
	}
	return usual
}

func readAll(t *testing.T, answer *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

package s3

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
)

// TestSignaturesAreThoseOfTheSpecification takes an example of AWS's own ("Signature Calculations for the Authorization
// Header", listing a bucket).
func TestSignaturesAreThoseOfTheSpecification(t *testing.T) {
	t.Parallel()
	b, err := Open("https://AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI%2FK7MDENG%2FbPxRfiCYEXAMPLEKEY@examplebucket.s3.amazonaws.com/x")
	if err != nil {
		t.Fatal(err)
	}
	b.clock = clock.NewManual(time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC))
	r, _ := http.NewRequest("GET", "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", nil)
	b.sign(r, empty)
	const want = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
	if got := r.Header.Get("Authorization"); got != want {
		t.Errorf("\n%s\n%s", got, want)
	}
}

func TestAddressesOfBuckets(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{"", "s3://k:s@bucket", "https://host/bucket", "https://k@host/bucket", "https://k:s@host/", "https://k:a/b@host/bucket"} {
		if b, err := Open(wrong); err == nil || strings.Contains(fmt.Sprint(err), "k:") {
			t.Errorf("%s: %v %v", wrong, b, err)
		}
	}
	b, err := Open("https://k:se%2Fcret@host:9000/bucket/one/two/?region=eu-central-1")
	if err != nil || b.secret != "se/cret" || b.region != "eu-central-1" || b.folder != "one/two/" || b.String() != "https://host:9000/bucket/one/two" {
		t.Errorf("%+v %v", b, err)
	}
	if got := escaped("/bucket/a b+ü/c~d"); got != "/bucket/a%20b%2B%C3%BC/c~d" {
		t.Error(got)
	}
}

// TestASendingThatDoesNotGoOnIsCut has a storage that takes the head of a request and nothing else.
func TestASendingThatDoesNotGoOnIsCut(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	storage := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	t.Cleanup(storage.Close)
	t.Cleanup(func() { close(over) })
	b, err := Open(strings.Replace(storage.URL, "://", "://key:secret@", 1) + "/bucket")
	if err != nil {
		t.Fatal(err)
	}
	b.stall = 100 * time.Millisecond
	file := filepath.Join(t.TempDir(), "file")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Truncate(file, 64<<20)); err != nil { // more than lies between two sockets
		t.Fatal(err)
	}
	if err := b.Put(t.Context(), "name", file); !errors.Is(err, errStalled) {
		t.Error(err)
	}
}

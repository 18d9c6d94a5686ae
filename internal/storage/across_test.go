package storage

import (
	"fmt"
	"strings"
	"testing"
)

// Nobody takes from, puts into or looks into a bucket that is not theirs by way of one that is; nor brings a type where it is refused.
func TestSecurity62RightsHoldAcrossBuckets(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.do("service", "POST", "/bucket", strings.NewReader(`{"name":"other"}`), "Content-Type", "application/json")
		for _, bucket := range []string{"other", "lessons"} {
			s.do("service", "POST", "/object/"+bucket+"/a", strings.NewReader("text"), "Content-Type", "text/plain")
		}
		ask := func(as, method, path, body string) string {
			return s.do(as, method, path, strings.NewReader(body), "Content-Type", "application/json").Body.String()
		}
		for _, act := range []string{"copy", "move"} {
			for from, to := range map[string]string{"lessons": "other", "other": "lessons"} {
				if got := ask("admin", "POST", "/object/"+act, fmt.Sprintf(`{"bucketId":%q,"sourceKey":"a","destinationBucket":%q,"destinationKey":"b"}`, from, to)); !strings.Contains(got, `"40`) {
					t.Errorf("%s from %s to %s: %s", act, from, to, got)
				}
			}
			if got := ask("service", "POST", "/object/"+act, `{"bucketId":"lessons","sourceKey":"a","destinationBucket":"artwork","destinationKey":"b"}`); !strings.Contains(got, `"415"`) {
				t.Errorf("%s a text among pictures: %s", act, got)
			}
		}
		if got := ask("service", "POST", "/object/copy", `{"bucketId":"lessons","sourceKey":"a","destinationKey":"c","copyMetadata":false,"metadata":{"mimetype":"image/png"}}`); !strings.Contains(got, `"415"`) {
			t.Errorf("a text as a picture: %s", got)
		}
		for _, as := range []string{"anon", "user", "guest"} {
			if got := ask(as, "POST", "/object/list-v2/lessons", `{}`); !strings.Contains(got, `"objects":[]`) {
				t.Errorf("%s sees %s", as, got)
			}
			if got := ask(as, "DELETE", "/object/lessons", `{"prefixes":["a"]}`); got != "[]" {
				t.Errorf("%s removes %s", as, got)
			}
		}
		if n := s.count(t, "select count(*) from storage_objects"); n != 2 {
			t.Errorf("%d objects", n)
		}
	})
}

package storage

import (
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
)

// list is a body with a thousand names.
func list(field string, most int) string {
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprintf(`"%04d%s"`, i, strings.Repeat("x", most-4))
	}
	return `{"expiresIn":60,"` + field + `":[` + strings.Join(names, ",") + `]}`
}

// Who may do nothing anywhere is told that nothing was found, without the database, and what they send is not kept.
func TestAStrangersListsCostNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		d := s.DB
		for _, who := range []string{"anon", "user", "guest"} {
			s.DB = nil // whoever asks it anything panics
			if w := s.do(who, "DELETE", "/object/artwork", strings.NewReader(list("prefixes", 30)), "Content-Type", "application/json"); w.Code != 200 || w.Body.String() != "[]" {
				t.Errorf("%s removes: %d %s", who, w.Code, w.Body)
			}
			w := s.do(who, "POST", "/object/sign/artwork", strings.NewReader(list("paths", 30)), "Content-Type", "application/json")
			if w.Code != 200 || strings.Count(w.Body.String(), `"signedURL":null`) != 1000 {
				t.Errorf("%s signs: %d %.200s", who, w.Code, w.Body)
			}
			for path, method := range map[string]string{"/object/artwork": "DELETE", "/object/sign/artwork": "POST", "/object/list/artwork": "POST", "/bucket": "POST"} {
				body := &counted{left: 2 << 20}
				r := httptest.NewRequestWithContext(t.Context(), method, Prefix+path, body)
				r.ContentLength = -1
				r.Header.Set("Authorization", "Bearer "+who)
				r.Header.Set("Content-Type", "application/json")
				s.ServeHTTP(httptest.NewRecorder(), r)
				if body.read > 100<<10 {
					t.Errorf("%d bytes of %s's were read at %s", body.read, who, path)
				}
			}
			s.DB = d
		}
	})
}

// Those who may have all of a thousand long names removed, and linked to.
func TestAThousandLongNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		for _, n := range []string{"0000", "0100", "0999"} {
			s.do("admin", "POST", "/object/lessons/"+n+strings.Repeat("x", mostKey-4), strings.NewReader("text"), "Content-Type", "text/plain")
		}
		w := s.do("admin", "POST", "/object/sign/lessons", strings.NewReader(list("paths", mostKey)), "Content-Type", "application/json")
		if got := strings.Count(w.Body.String(), `"error":null`); got != 3 {
			t.Errorf("%d links", got)
		}
		w = s.do("admin", "DELETE", "/object/lessons", strings.NewReader(list("prefixes", mostKey)), "Content-Type", "application/json")
		if got := strings.Count(w.Body.String(), `"bucket_id"`); got != 3 {
			t.Errorf("%d went: %.200s", got, w.Body)
		}
		s.whole(t)
	})
}

func TestManyRefusalsAreFewEntries(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		for i := range 100 {
			s.do("anon", "DELETE", "/object/artwork", strings.NewReader(`{"prefixes":["a"]}`), "Content-Type", "application/json")
			s.do("user", "POST", fmt.Sprintf("/object/artwork/%d", i), strings.NewReader("x"), "Content-Type", "image/png")
		}
		if before := s.count(t, "select count(*) from audit_entries"); before > 0 {
			t.Errorf("%d refusals were a write each", before)
		}
		if err := s.writeRefusals(t.Context()); err != nil {
			t.Fatal(err)
		}
		told := s.count(t, "select sum(times) from audit_entries where result = 'forbidden'")
		if alone := s.count(t, "select count(*) from audit_entries where actor_id is not null"); told != 200 || alone > 11 {
			t.Errorf("%d of 200, the user's in %d entries", told, alone)
		}
	})
}

// watched is a body that looks around when it is read.
type watched struct {
	io.Reader
	look func()
}

func (w watched) Read(into []byte) (int, error) {
	w.look()
	return w.Reader.Read(into)
}

// A transfer waits for the network, and everything else needs a core.
func TestOnlyTransfersAreAway(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		away, times := 0, 0
		s.Away = func() func() { away++; times++; return func() { away-- } }
		body := func(text string, want int) io.Reader {
			return watched{strings.NewReader(text), func() {
				if away != want {
					t.Errorf("away %d times instead of %d", away, want)
				}
			}}
		}
		s.do("admin", "POST", "/object/lessons/a", body("text", 1), "Content-Type", "text/plain")
		s.do("admin", "GET", "/object/lessons/a", nil)
		s.tus("admin", "POST", tusPath, body("123456789", 1), "Upload-Length", "9", "Content-Type", chunk, "Upload-Metadata", said("bucketName", "lessons", "objectName", "b", "contentType", "text/plain"))
		if away != 0 || times != 4 { // the last piece is put together after it came
			t.Errorf("%d still away after %d transfers", away, times)
		}
		s.do("admin", "POST", "/object/sign/lessons", body(list("paths", 20), 0), "Content-Type", "application/json")
		s.do("admin", "POST", "/object/list/lessons", body(`{"prefix":""}`, 0), "Content-Type", "application/json")
		s.do("admin", "DELETE", "/object/lessons", body(`{"prefixes":["a","b"]}`, 0), "Content-Type", "application/json")
		if times != 4 {
			t.Errorf("%d transfers", times)
		}
		s.whole(t)
	})
}

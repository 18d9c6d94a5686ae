package storage

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// The migration makes the buckets that are declared.
func TestTheBucketsAreThoseThatAreDeclared(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		for _, want := range Buckets() {
			var got bucket
			err := s.DB.Read(t.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
				got, _, err = findBucket(ctx, tx, who.Actor{}, want.ID, "")
				return err
			})
			if err != nil || got.Public != want.Public || got.Limit.Int64 != want.Limit || !slices.Equal(got.Types, want.Types) {
				t.Errorf("%+v instead of %+v: %v", got, want, err)
			}
		}
	})
}

// The rights of every role in every bucket are those that are declared.
func TestSecurity62RightsAreAsDeclared(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.do("service", "POST", "/bucket", strings.NewReader(`{"name":"other"}`), "Content-Type", "application/json")
		s.do("service", "POST", "/bucket", strings.NewReader(`{"name":"open","public":true}`), "Content-Type", "application/json")
		declared := map[string]Declared{"other": {ID: "other"}, "open": {ID: "open", Public: true}}
		for _, b := range Buckets() {
			declared[b.ID] = b
		}
		n := 0
		for id, b := range declared {
			for name, a := range actors {
				may := func(verbs ...Verb) bool {
					for _, v := range verbs {
						if a.Role != who.Service && !b.Admits(a, v) {
							return false
						}
					}
					return true
				}
				n++
				here := fmt.Sprintf("%s/there-%d.png", id, n)
				if w := s.do("service", "POST", "/object/"+here, bytes.NewReader(png), "Content-Type", "image/png"); w.Code != 200 {
					t.Fatalf("%s: %d %s", here, w.Code, w.Body)
				}
				json := []string{"Content-Type", "application/json"}
				image := []string{"Content-Type", "image/png"}
				for _, one := range []struct {
					verb, method, path string
					body               string
					headers            []string
					want               bool
				}{
					{"read", "GET", "/object/" + here, "", nil, b.Public || may(Select)},
					{"read", "GET", "/object/authenticated/" + here, "", nil, b.Public || may(Select)},
					{"read in public", "GET", "/object/public/" + here, "", nil, b.Public},
					{"info", "GET", "/object/info/" + here, "", nil, b.Public || may(Select)},
					{"sign", "POST", "/object/sign/" + here, `{"expiresIn":5}`, json, may(Select)},
					{"sign an upload", "POST", "/object/upload/sign/" + here + "x", "{}", json, may(Insert)},
					{"upload", "POST", "/object/" + here + "y", string(png), image, may(Insert)},
					{"upsert", "POST", "/object/" + here, string(png), append(image, "X-Upsert", "true"), may(Insert, Select, Update)},
					{"replace", "PUT", "/object/" + here, string(png), image, may(Insert, Select, Update)},
					{"copy", "POST", "/object/copy", fmt.Sprintf(`{"bucketId":%q,"sourceKey":"there-%d.png","destinationKey":"copy-%d"}`, id, n, n), json, may(Select, Insert)},
					{"move", "POST", "/object/move", fmt.Sprintf(`{"bucketId":%q,"sourceKey":"there-%d.png","destinationKey":"there-%d.png"}`, id, n, n), json, may(Select, Update)},
					{"see the bucket", "GET", "/bucket/" + id, "", nil, may(Select)},
					{"change the bucket", "PUT", "/bucket/" + id, "{}", json, a.Role == who.Service},
					{"remove", "DELETE", "/object/" + here, "", nil, may(Select, Delete)},
				} {
					w := s.do(name, one.method, one.path, strings.NewReader(one.body), one.headers...)
					if (w.Code == 200) != one.want || w.Code >= 500 {
						t.Errorf("%s in %s as %s: %d %s", one.verb, id, name, w.Code, w.Body)
					}
				}
				w := s.do(name, "POST", "/object/list/"+id, strings.NewReader(`{"prefix":""}`), json...)
				if (w.Body.String() != "[]") != may(Select) {
					t.Errorf("list %s as %s: %s", id, name, w.Body)
				}
			}
		}
		if err := s.writeRefusals(t.Context()); err != nil {
			t.Error(err)
		}
		if refused := s.count(t, "select count(*) from audit_entries where result = 'forbidden'"); refused < 10 {
			t.Errorf("%d refused writes are in the trail", refused)
		}
		s.whole(t)
	})
}

func TestSecurity62AThousandNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		random := rand.New(rand.NewPCG(1, 2))
		pieces := []string{"..", ".", "/", "//", "\x00", "\n", "%2e%2e", "\\", "ä", "🎬", "a", "B", "9", " ", "'", "\"", "<", ">", "|", ":", "*", "?", "#", "\u202e", "con", "~", "-", "_", strings.Repeat("x", 300), "\x7f", "\xff", ";", "&", "$", "@"}
		for range 1000 {
			var key strings.Builder
			for range 1 + random.IntN(6) {
				key.WriteString(pieces[random.IntN(len(pieces))])
			}
			w := s.do("service", "POST", "/object/lessons/"+key.String(), strings.NewReader("text"), "Content-Type", "text/plain", "X-Upsert", "true")
			if good := isKey(key.String()); good != (w.Code == 200) || w.Code >= 500 {
				t.Fatalf("%q: %d %s", key.String(), w.Code, w.Body)
			}
			if w.Code == 200 {
				if got := s.do("service", "GET", "/object/lessons/"+key.String(), nil); got.Body.String() != "text" {
					t.Fatalf("%q came back as %d %s", key.String(), got.Code, got.Body)
				}
			}
		}
		// a//b and a/b are two objects.
		s.do("service", "PUT", "/object/lessons/a//b", strings.NewReader("two"), "Content-Type", "text/plain")
		s.do("service", "PUT", "/object/lessons/a/b", strings.NewReader("one"), "Content-Type", "text/plain")
		if one, two := s.do("service", "GET", "/object/lessons/a/b", nil), s.do("service", "GET", "/object/lessons/a//b", nil); one.Body.String() != "one" || two.Body.String() != "two" {
			t.Errorf("%s %s", one.Body, two.Body)
		}
		s.whole(t)
	})
}

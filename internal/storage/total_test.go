package storage

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/migrations"
)

// totals holds what is kept of totals against the sums.
func (s *stage) totals(t *testing.T) {
	t.Helper()
	const all = `select (select bytes from storage_turn) - (select coalesce(sum(size + told), 0) from storage_objects) - (select coalesce(sum(size), 0) from storage_versions)`
	if off := s.count(t, all); off != 0 {
		t.Fatalf("the total is %d bytes too large", off)
	}
	const each = `select coalesce(sum(abs(u.off)), 0) from (select (select coalesce(sum(bytes), 0) from storage_shares where owner = users.id)
		- (select coalesce(sum(size + told), 0) from storage_objects where owner = users.id) - (select coalesce(sum(size), 0) from storage_versions where owner = users.id) as off from users) as u`
	if off := s.count(t, each); off != 0 {
		t.Fatalf("the totals of accounts are %d bytes off", off)
	}
}

// Whatever is done and wherever it ends, what is kept of totals is what the sums are.
func TestTotalsAreTheSums(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		seed := rand.Uint64()
		dice := rand.New(rand.NewPCG(seed, 1))
		t.Logf("seed %d", seed)
		words := func() string {
			return base64.StdEncoding.EncodeToString([]byte(`{"a":"` + strings.Repeat("x", dice.IntN(300)) + `"}`))
		}
		who := func() string { return []string{"admin", "service"}[dice.IntN(2)] }
		key := func() string { return strconv.Itoa(dice.IntN(5)) }
		some := func() []byte { return make([]byte, dice.IntN(3000)) }
		json := []string{"Content-Type", "application/json"}
		journey := func(act string) {
			s.do(who(), "POST", "/object/"+act, strings.NewReader(fmt.Sprintf(`{"bucketId":"lessons","sourceKey":%q,"destinationKey":%q}`, key(), key())), append(json, "X-Upsert", "true")...)
		}
		acts := []func(){
			func() {
				s.do(who(), "PUT", "/object/lessons/"+key(), bytes.NewReader(some()), "Content-Type", "video/mpeg", "X-Metadata", words())
			},
			func() { // of unknown length
				s.do(who(), "PUT", "/object/lessons/"+key(), watched{bytes.NewReader(some()), func() {}}, "Content-Type", "video/mpeg")
			},
			func() { journey("move") },
			func() { journey("copy") },
			func() { s.do("service", "DELETE", "/object/lessons/"+key(), nil) },
			func() {
				s.do("service", "DELETE", "/object/lessons", strings.NewReader(`{"prefixes":["1","2","3"]}`), json...)
			},
			func() {
				content := some()
				as := who()
				w := s.tus(as, "POST", tusPath, nil, "Upload-Length", strconv.Itoa(len(content)), "X-Upsert", "true", "Upload-Metadata", said("bucketName", "lessons", "objectName", key(), "contentType", "video/mpeg", "metadata", `{"b":1}`))
				path := strings.TrimPrefix(w.Header().Get("Location"), "http://example.com"+Prefix)
				half := len(content) / 2
				s.tus(as, "PATCH", path, bytes.NewReader(content[:half]), "Upload-Offset", "0")
				if dice.IntN(3) > 0 {
					s.tus(as, "PATCH", path, bytes.NewReader(content[half:]), "Upload-Offset", strconv.Itoa(half))
				} else {
					s.tus(as, "DELETE", path, nil)
				}
			},
			func() {
				w := s.tus("admin", "POST", tusPath, nil, "Upload-Defer-Length", "1", "Upload-Metadata", said("bucketName", "lessons", "objectName", "late"+key(), "contentType", "video/mpeg"))
				s.tus("admin", "PATCH", strings.TrimPrefix(w.Header().Get("Location"), "http://example.com"+Prefix), bytes.NewReader(some()), "Upload-Offset", "0")
			},
			func() {
				_ = s.DB.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error { return s.drop(ctx, tx, "name = $1", key()) })
			},
			func() { s.hands.Advance(grace); _ = s.Sweep(context.Background()) },
			func() {
				if dice.IntN(5) == 0 {
					_ = s.DB.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error { return Forget(ctx, tx, actors["admin"].UserID, "") })
				}
			},
			func() {
				if version, err := s.Hold(context.Background(), 100); err == nil {
					err = s.DB.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error { return Settle(ctx, tx, version) })
					if err == nil {
						_ = s.DB.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error { return Discard(ctx, tx, version, 100) })
					}
				}
			},
		}
		for range 150 {
			left := dice.IntN(30) // steps until the process ends; mostly it does not
			s.ending(func(string) error {
				if left--; left == 0 {
					panic("the process ends")
				}
				return nil
			})
			func() {
				defer func() { _ = recover() }()
				acts[dice.IntN(len(acts))]()
			}()
			s.ending(nil)
			s.Service = New(s.Options) // another process
			s.totals(t)
		}
		if n := s.count(t, "select bytes from storage_turn"); n == 0 {
			t.Error("nothing was stored")
		}
		s.hands.Advance(resumableTime) // unfinished uploads are over
		s.whole(t)
	})
}

// TestTotalsOfBeforeAreCounted takes an installation back to the schema without them, and forward again.
func TestTotalsOfBeforeAreCounted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		for i, as := range []string{"admin", "service", "admin"} {
			s.do(as, "PUT", "/object/lessons/"+strconv.Itoa(i), bytes.NewReader(make([]byte, 100+i)), "Content-Type", "video/mpeg", "X-Metadata", base64.StdEncoding.EncodeToString([]byte(`{"a":1}`)))
		}
		s.do("admin", "DELETE", "/object/lessons/2", nil)
		s.upload(t, "admin", "lessons/begun", 1000)
		had := s.count(t, "select bytes from storage_turn")
		for _, back := range []string{"alter table storage_turn drop column bytes", "drop table storage_shares", "delete from schema_migrations where name = '0058_storage_totals'"} {
			write(t, s.DB, back)
		}
		if applied, err := s.DB.Migrate(t.Context(), migrations.Files); err != nil || len(applied) != 1 {
			t.Fatal(applied, err)
		}
		if now := s.count(t, "select bytes from storage_turn"); now != had || had != 100+7+101+7+102+1000 {
			t.Errorf("%d, and %d before", now, had)
		}
		s.totals(t)
	})
}

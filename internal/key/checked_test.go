package key

import (
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func openSet(t *testing.T, d *db.DB) (set *Set, token string, now time.Time) {
	t.Helper()
	box, err := OpenBox(filepath.Join(t.TempDir(), "secret"))
	if err != nil {
		t.Fatal(err)
	}
	if set, err = OpenSet(t.Context(), d, box, ""); err != nil {
		t.Fatal(err)
	}
	now = d.Clock.Now()
	token, err = set.Sign(Claims{Issuer: "us", Subject: "s", Audience: Audience, IssuedAt: now.Unix(), Expires: now.Add(time.Hour).Unix()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Verify(token, "us", now); err != nil {
		t.Fatal(err)
	}
	return set, token, now
}

func TestSignatureIsCheckedOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		set, token, now := openSet(t, d)
		for sum, one := range set.checked.young {
			one.claims.Subject = "as remembered"
			set.checked.young[sum] = one
		}
		if got, err := set.Verify(token, "us", now); err != nil || got.Subject != "as remembered" {
			t.Errorf("the second time it was %q, %v", got.Subject, err)
		}
	})
}

func TestCheckedTokenIsJudgedAtEveryUse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		set, token, now := openSet(t, d)
		if _, err := set.Verify(token, "us", now.Add(2*time.Hour)); !errors.Is(err, ErrExpired) {
			t.Errorf("after its end: %v", err)
		}
		if _, err := set.Verify(token, "us", now.Add(-time.Hour)); !errors.Is(err, ErrFuture) {
			t.Errorf("before it was issued: %v", err)
		}
		if _, err := set.Verify(token, "them", now); !errors.Is(err, ErrAudience) {
			t.Errorf("for another issuer: %v", err)
		}
		if _, err := set.Verify(token+"A", "us", now); err == nil {
			t.Error("a longer token was accepted")
		}
	})
}

func TestTokenOfARetiredKeyIsRefusedThoughItWasChecked(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		set, token, now := openSet(t, d)
		if err := set.Rotate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := set.Verify(token, "us", now); err != nil {
			t.Errorf("after the rotation: %v", err)
		}
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "update signing_keys set retired_at = $1 where retired_at is not null", db.At(tx.Now.Add(-time.Second)))
			return err
		})
		if err = errors.Join(err, set.Load(t.Context())); err != nil {
			t.Fatal(err)
		}
		if _, err := set.Verify(token, "us", now); !errors.Is(err, ErrSignature) {
			t.Errorf("after the key was retired: %v", err)
		}
	})
}

func TestCheckedTokensAreBounded(t *testing.T) {
	t.Parallel()
	var c checked
	var first, last [32]byte
	const each = 1000
	for n := range 3 * mostChecked / each {
		binary.BigEndian.PutUint64(last[:], uint64(n))
		c.put(last, signed{bytes: each})
		c.get(first) // what is asked for stays
	}
	if held := (len(c.young) + len(c.old)) * each; held > mostChecked {
		t.Errorf("%d bytes are held", held)
	}
	if _, ok := c.get(last); !ok {
		t.Error("the newest is gone")
	}
	if _, ok := c.get(first); !ok {
		t.Error("what is asked for all the time is gone")
	}
	binary.BigEndian.PutUint64(last[:], 1)
	if _, ok := c.get(last); ok {
		t.Error("what nobody asked for is still there")
	}
}

func BenchmarkVerify(b *testing.B) {
	d := dbtest.Open(b, db.SQLite, nil)
	box, err := OpenBox(filepath.Join(b.TempDir(), "secret"))
	if err != nil {
		b.Fatal(err)
	}
	set, err := OpenSet(b.Context(), d, box, "")
	if err != nil {
		b.Fatal(err)
	}
	now := d.Clock.Now()
	token, err := set.Sign(Claims{Audience: Audience, IssuedAt: now.Unix(), Expires: now.Add(time.Hour).Unix()})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := set.Verify(token, "", now); err != nil {
			b.Fatal(err)
		}
	}
}

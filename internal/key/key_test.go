package key_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"greenroom/internal/key"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

const issuer = "http://localhost:8080/auth/v1"

func open(t *testing.T, d *db.DB) (*key.Set, *key.Box) {
	t.Helper()
	box, err := key.OpenBox(filepath.Join(t.TempDir(), "secret"))
	if err != nil {
		t.Fatal(err)
	}
	set, err := key.OpenSet(t.Context(), d, box, "")
	if err != nil {
		t.Fatal(err)
	}
	return set, box
}

func claims(now time.Time) key.Claims {
	return key.Claims{Issuer: issuer, Subject: "s", Audience: key.Audience, Role: "authenticated", IssuedAt: now.Unix(), Expires: now.Add(time.Hour).Unix()}
}

func TestTokenComesBackAsItWent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		set, _ := open(t, d)
		now := time.Now()
		token, err := set.Sign(claims(now))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := set.Verify(token, issuer, now); err != nil || got.Subject != "s" {
			t.Fatalf("%+v, %v", got, err)
		}
	})
}

func TestSecurity31WrongClaimsAreRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		set, _ := open(t, d)
		now := time.Now()
		for name, c := range map[string]struct {
			change func(*key.Claims)
			want   error
		}{
			"expired":        {func(c *key.Claims) { c.Expires = now.Add(-time.Minute).Unix() }, key.ErrExpired},
			"no expiry":      {func(c *key.Claims) { c.Expires = 0 }, key.ErrExpired},
			"not yet valid":  {func(c *key.Claims) { c.NotBefore = now.Add(time.Minute).Unix() }, key.ErrEarly},
			"from tomorrow":  {func(c *key.Claims) { c.IssuedAt = now.Add(time.Hour).Unix() }, key.ErrFuture},
			"other audience": {func(c *key.Claims) { c.Audience = "other" }, key.ErrAudience},
			"other issuer":   {func(c *key.Claims) { c.Issuer = "https://elsewhere" }, key.ErrAudience},
		} {
			wrong := claims(now)
			c.change(&wrong)
			token, err := set.Sign(wrong)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := set.Verify(token, issuer, now); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestSecurity29And30OnlyOurSignatureAndOurKeysCount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		set, _ := open(t, d)
		now := time.Now()
		good, err := set.Sign(claims(now))
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(good, ".")
		header := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
		kid := set.Public().Keys[0].KeyID
		public, err := json.Marshal(set.Public().Keys[0])
		if err != nil {
			t.Fatal(err)
		}
		hmac, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: public}, (&jose.SignerOptions{}).WithHeader("kid", kid))
		if err != nil {
			t.Fatal(err)
		}
		signed, err := hmac.Sign([]byte(`{"sub":"s"}`))
		if err != nil {
			t.Fatal(err)
		}
		confused, _ := signed.CompactSerialize()
		for name, token := range map[string]string{
			"alg none":             header(`{"alg":"none"}`) + "." + parts[1] + ".",
			"empty signature":      parts[0] + "." + parts[1] + ".",
			"lower case alg":       header(`{"alg":"es256","kid":"`+kid+`"}`) + "." + parts[1] + "." + parts[2],
			"HMAC with public key": confused,
			"swapped payload":      parts[0] + "." + header(`{"sub":"other"}`) + "." + parts[2],
			"kid as a path":        header(`{"alg":"ES256","kid":"../../etc/passwd"}`) + "." + parts[1] + "." + parts[2],
			"kid as SQL":           header(`{"alg":"ES256","kid":"' or 1=1 --"}`) + "." + parts[1] + "." + parts[2],
			"key in the token":     header(`{"alg":"ES256","jwk":`+string(public)+`}`) + "." + parts[1] + "." + parts[2],
			"no token":             "",
			"two parts":            "a.b",
		} {
			if _, err := set.Verify(token, issuer, now); err == nil {
				t.Errorf("%s was accepted", name)
			}
		}
		for i := range len(good) * 6 {
			flipped := []byte(good)
			flipped[i/6] ^= 1 << (i % 6)
			if string(flipped) == good {
				continue
			}
			if got, err := set.Verify(string(flipped), issuer, now); err == nil && !sameBytes(string(flipped), good) {
				t.Fatalf("a flipped bit at %d was accepted: %+v", i/6, got)
			}
		}
	})
}

// sameBytes tells whether two tokens decode to the same bytes: the last character of base64 has unused bits.
func sameBytes(a, b string) bool {
	pa, pb := strings.Split(a, "."), strings.Split(b, ".")
	for i := range pa {
		da, errA := base64.RawURLEncoding.DecodeString(pa[i])
		db, errB := base64.RawURLEncoding.DecodeString(pb[i])
		if errA != nil || errB != nil || string(da) != string(db) {
			return false
		}
	}
	return true
}

func TestSecurity40RotationSignsNobodyOut(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		set, box := open(t, d)
		other, err := key.OpenSet(t.Context(), d, box, "")
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		before, err := set.Sign(claims(now))
		if err != nil {
			t.Fatal(err)
		}
		if err := set.Rotate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := other.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		after, err := set.Sign(claims(now))
		if err != nil {
			t.Fatal(err)
		}
		for _, instance := range []*key.Set{set, other} {
			for _, token := range []string{before, after} {
				if _, err := instance.Verify(token, issuer, now); err != nil {
					t.Error(err)
				}
			}
			if n := len(instance.Public().Keys); n != 2 {
				t.Errorf("the public set has %d keys, want 2", n)
			}
		}
	})
}

func TestForeignSecretFileIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, _ = open(t, d)
		box, err := key.OpenBox(filepath.Join(t.TempDir(), "another"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := key.OpenSet(t.Context(), d, box, ""); err == nil || !strings.Contains(err.Error(), "GREENROOM_SECRET_FILE") {
			t.Fatalf("got %v", err)
		}
	})
}

func TestSecretFileIsPrivateAndKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sub", "secret")
	first, err := key.OpenBox(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := key.OpenBox(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := second.Open("x", first.Seal("x", []byte("hello"))); err != nil || string(got) != "hello" {
		t.Fatalf("%q, %v", got, err)
	}
	if _, err := second.Open("y", first.Seal("x", []byte("hello"))); err == nil {
		t.Fatal("a sealed value opened in another place")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info.Mode(), err)
	}
}

func TestAPIKeysAreMadeOnceAndTellTheirRole(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, box := open(t, d)
		first, err := key.OpenAPI(t.Context(), d, box, key.API{})
		if err != nil {
			t.Fatal(err)
		}
		second, err := key.OpenAPI(t.Context(), d, box, key.API{})
		if err != nil || first != second {
			t.Fatalf("%v %v, %v", first, second, err)
		}
		if _, ok := first.Role(first.Publishable + "x"); ok {
			t.Error("a foreign key was accepted")
		}
	})
}

package key_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
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

// keyFile writes a key set as an operator has one.
func keyFile(t *testing.T, keys ...jose.JSONWebKey) string {
	t.Helper()
	text, err := json.Marshal(jose.JSONWebKeySet{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func rsaKey(t *testing.T, bits int) *rsa.PrivateKey {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return private
}

func ecKey(t *testing.T, curve elliptic.Curve) *ecdsa.PrivateKey {
	t.Helper()
	private, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return private
}

func TestKeysOfAFileSignByTheirOwnAlgorithm(t *testing.T) {
	t.Parallel()
	wide, curve := jose.JSONWebKey{Key: rsaKey(t, 2048), KeyID: "wide"}, jose.JSONWebKey{Key: ecKey(t, elliptic.P256()), KeyID: "curve"}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Now()
		for _, first := range []jose.JSONWebKey{wide, curve} {
			set, err := key.OpenSet(t.Context(), d, nil, keyFile(t, append([]jose.JSONWebKey{first}, others(first, wide, curve)...)...))
			if err != nil {
				t.Fatal(err)
			}
			token, err := set.Sign(claims(now))
			if err != nil {
				t.Fatal(err)
			}
			got, err := set.Verify(token, issuer, now)
			if err != nil || got.Subject != "s" {
				t.Fatalf("%s: %+v, %v", first.KeyID, got, err)
			}
			for _, one := range set.Public().Keys {
				if want := map[string]string{"wide": "RS256", "curve": "ES256"}[one.KeyID]; one.Algorithm != want || !one.IsPublic() {
					t.Errorf("%s is shown as %s", one.KeyID, one.Algorithm)
				}
			}
			// The name of one key over the signature of another opens nothing.
			swapped := signedBy(t, wide.Key, jose.RS256, "curve", now)
			if _, err := set.Verify(swapped, issuer, now); !errors.Is(err, key.ErrSignature) {
				t.Errorf("a key under another's name: %v", err)
			}
			if _, err := set.Verify(signedBy(t, wide.Key, jose.PS256, "wide", now), issuer, now); err == nil {
				t.Error("an algorithm that is not ours was taken")
			}
		}
	})
}

func others(first jose.JSONWebKey, all ...jose.JSONWebKey) (rest []jose.JSONWebKey) {
	for _, one := range all {
		if one.KeyID != first.KeyID {
			rest = append(rest, one)
		}
	}
	return rest
}

func signedBy(t *testing.T, private any, by jose.SignatureAlgorithm, kid string, now time.Time) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: by, Key: private}, (&jose.SignerOptions{}).WithHeader("kid", kid))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(claims(now))
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(text)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestAKeyFileThatCannotSignIsRefusedWithAReason(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		good := jose.JSONWebKey{Key: ecKey(t, elliptic.P256()), KeyID: "a"}
		for name, file := range map[string]string{
			"none":          keyFile(t),
			"no kid":        keyFile(t, jose.JSONWebKey{Key: good.Key}),
			"one kid twice": keyFile(t, good, good),
			"another curve": keyFile(t, jose.JSONWebKey{Key: ecKey(t, elliptic.P384()), KeyID: "a"}),
			"few bits":      keyFile(t, jose.JSONWebKey{Key: rsaKey(t, 1024), KeyID: "a"}),
			"public half":   keyFile(t, good.Public()),
			"another use":   keyFile(t, jose.JSONWebKey{Key: good.Key, KeyID: "a", Algorithm: "PS256"}),
			"a shared key":  keyFile(t, jose.JSONWebKey{Key: []byte("secret"), KeyID: "a"}),
		} {
			if _, err := key.OpenSet(t.Context(), d, nil, file); err == nil || !strings.Contains(err.Error(), "GREENROOM_JWT_KEYS") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

package key

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// Set is the key set: the newest key that every instance knows signs, all that are not retired verify.
type Set struct {
	db   *db.DB
	box  *Box
	file string
	keys atomic.Pointer[[]held] // newest first
	// checked is a cache.
	checked checked
}

// held is a key, and the moment from which it signs: it verifies before that, so that no instance meets a token of a
// key that it has not read yet.
type held struct {
	jose.JSONWebKey
	from   time.Time
	signer jose.Signer
}

// ready makes the key one that can sign.
func (h *held) ready() (err error) {
	h.signer, err = jose.NewSigner(jose.SigningKey{Algorithm: h.algorithm(), Key: h.JSONWebKey}, (&jose.SignerOptions{}).WithType("JWT"))
	return err
}

// algorithm is what a key signs by; "" for one that we do not use. More bits than 4096 would make every request slow.
func (h held) algorithm() jose.SignatureAlgorithm {
	switch private := h.Key.(type) {
	case *ecdsa.PrivateKey:
		if private.Curve == elliptic.P256() {
			return jose.ES256
		}
	case *rsa.PrivateKey:
		if bits := private.N.BitLen(); bits >= 2048 && bits <= 4096 {
			return jose.RS256
		}
	}
	return ""
}

// refreshEvery is how soon an instance learns of a key that another one made.
const refreshEvery = time.Second

// adoptAfter is how long a new key only verifies: a few reloads of every instance.
const adoptAfter = 5 * refreshEvery

// retireAfter is how long a replaced key still verifies: longer than any access token lives.
const retireAfter = 2 * time.Hour

// OpenSet loads the key set, makes the first key in an empty database, and refuses a secret file that does not
// fit. A key file (GREENROOM_JWT_KEYS) takes the place of the database's keys.
func OpenSet(ctx context.Context, d *db.DB, box *Box, file string) (*Set, error) {
	s := &Set{db: d, box: box, file: file}
	if file != "" {
		return s, s.loadFile()
	}
	var n int
	count := func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select count(*) from signing_keys").Scan(&n)
	}
	if err := d.Read(ctx, count); err != nil {
		return nil, fmt.Errorf("count the signing keys: %w", err)
	}
	if n > 0 {
		return s, s.Load(ctx)
	}
	err := d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := count(ctx, tx); err != nil || n > 0 {
			return err
		}
		// Two instances that start at once both come here; the fixed id lets one of them win.
		return s.add(ctx, tx, id.Named("first signing key"))
	})
	if err != nil {
		return nil, fmt.Errorf("make the first signing key: %w", err)
	}
	return s, s.Load(ctx)
}

// Rotate adds a key that signs once every instance knows it. The older ones verify until every token of theirs has
// expired.
func (s *Set) Rotate(ctx context.Context) error {
	if s.file != "" {
		return fmt.Errorf("the keys come from GREENROOM_JWT_KEYS: rotate them there")
	}
	err := s.db.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		retire := db.At(tx.Now.Add(retireAfter))
		if _, err := tx.Exec(ctx, "update signing_keys set retired_at = $1 where retired_at is null", retire); err != nil {
			return err
		}
		return s.add(ctx, tx, id.New())
	})
	if err != nil {
		return err
	}
	return s.Load(ctx)
}

func (s *Set) add(ctx context.Context, tx *db.Tx, keyID string) error {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	text, err := json.Marshal(jose.JSONWebKey{Key: private, KeyID: keyID, Algorithm: string(jose.ES256), Use: "sig"})
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `insert into signing_keys (id, sealed, created_at) values ($1, $2, $3) on conflict (id) do nothing`,
		keyID, s.box.Seal("signing key "+keyID, text), db.At(tx.Now))
	return err
}

// Load reads the database's keys.
func (s *Set) Load(ctx context.Context) error {
	var keys []held
	err := s.db.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, `select id, sealed, created_at from signing_keys
			where retired_at is null or retired_at > $1 order by created_at desc, id`, []any{db.At(tx.Now)},
			func(scan func(...any) error) error {
				var keyID string
				var sealed []byte
				var created db.Time
				if err := scan(&keyID, &sealed, &created); err != nil {
					return err
				}
				text, err := s.box.Open("signing key "+keyID, sealed)
				if err != nil {
					return err
				}
				one := held{from: created.Add(adoptAfter)}
				if err := json.Unmarshal(text, &one.JSONWebKey); err != nil {
					return fmt.Errorf("signing key %s: %w", keyID, err)
				}
				if err := one.ready(); err != nil {
					return fmt.Errorf("signing key %s: %w", keyID, err)
				}
				keys = append(keys, one)
				return nil
			})
	})
	if err != nil {
		return err
	}
	s.keys.Store(&keys)
	return nil
}

// Watch keeps up with keys that other instances make, until the context ends.
func (s *Set) Watch(ctx context.Context, failed func(error)) {
	if s.file != "" {
		return
	}
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := s.Load(ctx); err != nil && ctx.Err() == nil {
				failed(fmt.Errorf("reload signing keys: %w", err))
			}
		}
	}
}

func (s *Set) loadFile() error {
	text, err := os.ReadFile(s.file)
	if err != nil {
		return fmt.Errorf("GREENROOM_JWT_KEYS cannot be read: %w", err)
	}
	var set jose.JSONWebKeySet
	if err := json.Unmarshal(text, &set); err != nil || len(set.Keys) == 0 {
		return fmt.Errorf("GREENROOM_JWT_KEYS must be a JWK set with at least one private ES256 or RS256 key")
	}
	var keys []held
	for _, each := range set.Keys {
		one := held{JSONWebKey: each}
		known := one.algorithm()
		if known == "" || one.KeyID == "" || slices.ContainsFunc(keys, func(other held) bool { return other.KeyID == one.KeyID }) {
			return fmt.Errorf("GREENROOM_JWT_KEYS: each key must be a private EC key on P-256, or a private RSA key of 2048 to 4096 bits, with a kid of its own")
		}
		if one.Algorithm != "" && one.Algorithm != string(known) {
			return fmt.Errorf("GREENROOM_JWT_KEYS: the key %s is for %s, and we sign with ES256 or RS256", one.KeyID, one.Algorithm)
		}
		if err := one.ready(); err != nil {
			return fmt.Errorf("GREENROOM_JWT_KEYS: the key %s cannot sign: %w", one.KeyID, err)
		}
		keys = append(keys, one)
	}
	s.keys.Store(&keys)
	return nil
}

// Public is the set that anyone may see, newest first.
func (s *Set) Public() jose.JSONWebKeySet {
	set := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{}}
	for _, one := range *s.keys.Load() {
		public := one.Public()
		public.Algorithm, public.Use = string(one.algorithm()), "sig"
		set.Keys = append(set.Keys, public)
	}
	return set
}

// Fits tells whether a secret file opens a database's keys. It changes neither.
func Fits(ctx context.Context, d *db.DB, path string) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("the secret file %s cannot be read: %w", path, err)
	}
	box, err := OpenBox(path)
	if err != nil {
		return err
	}
	return (&Set{db: d, box: box}).Load(ctx)
}

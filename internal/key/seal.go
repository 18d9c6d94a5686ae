// Package key holds what opens and signs: the secret file that seals everything else at rest, the key set that
// signs access tokens, and the API keys. All instances share the database's keys; a copy of the database alone
// opens nothing.
package key

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Box seals secrets with AES-256-GCM under the secret file's key.
type Box struct{ gcm cipher.AEAD }

// OpenBox reads the secret file and makes it on the first start.
func OpenBox(path string) (*Box, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = makeSecret(path)
	}
	if err != nil {
		return nil, fmt.Errorf("the secret file %s cannot be read: %w", path, err)
	}
	secret, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(secret) != 32 {
		return nil, fmt.Errorf("the secret file %s must hold 64 hexadecimal digits: restore it from your backup", path)
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	return &Box{gcm}, err
}

// makeSecret writes a new secret whole or not at all, and takes another process's if that was faster.
func makeSecret(path string) ([]byte, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // crypto/rand never fails: it ends the process instead
	draft, err := os.CreateTemp(filepath.Dir(path), ".secret-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(draft.Name())
	_, err = draft.WriteString(hex.EncodeToString(secret[:]) + "\n")
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(draft.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return os.ReadFile(path)
}

// Seal encrypts a secret; what binds it to its place, so that one sealed value cannot stand for another.
func (b *Box) Seal(what string, secret []byte) []byte {
	return b.gcm.Seal(nil, nil, secret, []byte(what))
}

// Open decrypts what Seal made for the same place.
func (b *Box) Open(what string, sealed []byte) ([]byte, error) {
	secret, err := b.gcm.Open(nil, nil, sealed, []byte(what))
	if err != nil {
		return nil, fmt.Errorf("the secret file does not fit this database: restore the one that it was made with (GREENROOM_SECRET_FILE)")
	}
	return secret, nil
}

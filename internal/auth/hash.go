package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"

	"greenroom/internal/platform/crowd"
)

// Cost is how much work one guess at a password takes.
type Cost struct {
	MemoryKiB uint32
	Passes    uint32
}

// defaultCost takes about a tenth of a second of one core.
var defaultCost = Cost{MemoryKiB: 32 << 10, Passes: 3}

const (
	saltBytes = 16
	hashBytes = 32
	// queueFor bounds how long a sign-in waits for its turn at the hash, in a rush; standingQueue, where the rush does not end.
	queueFor      = 10 * time.Second
	standingQueue = 300 * time.Millisecond
	// mostQueued is how many may wait, whatever they wait for.
	mostQueued = 2000
)

// hasher hashes passwords, a few at a time: half of the cores at most, so that a storm of sign-ins queues here while
// everything else goes on.
type hasher struct {
	cost  Cost
	turns chan struct{}
	line  *crowd.Line
	// dummy is what the password of an unknown person is compared with, so that they take as long as a known one.
	dummy string
}

func newHasher(cost Cost) *hasher {
	if cost == (Cost{}) {
		cost = defaultCost
	}
	h := &hasher{cost: cost, turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), line: &crowd.Line{
		Busy: "Too many people are signing in right now. Please try again in a moment.", Most: mostQueued, Moment: standingQueue,
	}}
	h.dummy = h.encode(make([]byte, saltBytes), make([]byte, hashBytes))
	return h
}

// hash makes a new hash of a password, in PHC form.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // crypto/rand never fails: it ends the process instead
	var hashed string
	err := h.inTurn(ctx, func() {
		hashed = h.encode(salt, argon2.IDKey([]byte(password), salt, h.cost.Passes, h.cost.MemoryKiB, 1, hashBytes))
	})
	return hashed, err
}

// matches compares a password with a stored hash. An empty hash stands for nobody and costs as much as any.
func (h *hasher) matches(ctx context.Context, stored, password string) (bool, error) {
	nobody := stored == ""
	if nobody {
		stored = h.dummy
	}
	var equal bool
	err := h.inTurn(ctx, func() { equal = compare(stored, password) })
	return equal && !nobody, err
}

// outdated tells whether a hash was made with other means than today's and should be made anew.
func (h *hasher) outdated(stored string) bool {
	p, err := parsePHC(stored)
	return err != nil || p.cost != h.cost
}

// full refuses, before anything is looked up, those whose password would not get its turn.
func (h *hasher) full() error { return h.line.Refuses(queueFor) }

func (h *hasher) inTurn(ctx context.Context, work func()) error {
	end, err := h.line.Turn(ctx, h.turns, queueFor)
	if err != nil {
		return err
	}
	defer end()
	work()
	return nil
}

// HashRefused is how many were turned away so far because too many passwords waited.
func (s *Service) HashRefused() int64 { return s.hasher.line.Refused() }

// HashQueue tells how many passwords are hashed right now, how many may be at once, and how many wait for it.
func (s *Service) HashQueue() (running, most, waiting int) {
	return len(s.hasher.turns), cap(s.hasher.turns), int(s.hasher.line.Length())
}

func (h *hasher) encode(salt, sum []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, h.cost.MemoryKiB, h.cost.Passes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
}

// compare judges a password by the stored hash's own kind: argon2id of ours, bcrypt of imported users.
func compare(stored, password string) bool {
	if isBcrypt(stored) {
		// bcrypt sees 72 bytes. What it cut off at the old home was never part of the password.
		return bcrypt.CompareHashAndPassword([]byte(stored), []byte(password)[:min(72, len(password))]) == nil
	}
	p, err := parsePHC(stored)
	if err != nil {
		return false
	}
	sum := argon2.IDKey([]byte(password), p.salt, p.cost.Passes, p.cost.MemoryKiB, p.threads, uint32(len(p.sum)))
	return subtle.ConstantTimeCompare(sum, p.sum) == 1
}

func isBcrypt(stored string) bool {
	return strings.HasPrefix(stored, "$2a$") || strings.HasPrefix(stored, "$2b$") || strings.HasPrefix(stored, "$2y$")
}

type phc struct {
	cost    Cost
	threads uint8
	salt    []byte
	sum     []byte
}

var errHash = errors.New("the stored password hash is of an unknown kind")

// parsePHC reads "$argon2id$v=19$m=…,t=…,p=…$salt$sum" and refuses costs that would stall the server.
func parsePHC(stored string) (phc, error) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return phc{}, errHash
	}
	var p phc
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.cost.MemoryKiB, &p.cost.Passes, &p.threads); err != nil {
		return phc{}, errHash
	}
	var errSalt, errSum error
	p.salt, errSalt = base64.RawStdEncoding.DecodeString(parts[4])
	p.sum, errSum = base64.RawStdEncoding.DecodeString(parts[5])
	if errSalt != nil || errSum != nil || len(p.salt) < 8 || len(p.sum) < 16 || len(p.sum) > 64 {
		return phc{}, errHash
	}
	if p.cost.Passes < 1 || p.cost.Passes > 10 || p.threads < 1 || p.cost.MemoryKiB < 8*uint32(p.threads) || p.cost.MemoryKiB > 256<<10 {
		return phc{}, errHash
	}
	return p, nil
}

package auth

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"greenroom/internal/platform/fault"
)

// cheap makes tests fast; the default cost is tried once, in TestSecurity7.
var cheap = Cost{MemoryKiB: 64, Passes: 1}

func TestSecurity7PasswordsAreStoredAsArgon2idWithASaltEach(t *testing.T) {
	t.Parallel()
	h := newHasher(Cost{})
	first, err := h.hash(t.Context(), "a long enough password")
	if err != nil {
		t.Fatal(err)
	}
	second, _ := h.hash(t.Context(), "a long enough password")
	if !strings.HasPrefix(first, "$argon2id$v=19$m=32768,t=3,p=1$") || first == second {
		t.Fatalf("%s\n%s", first, second)
	}
	for password, want := range map[string]bool{"a long enough password": true, "a long enough passwor": false, "A long enough password": false, "": false} {
		if got, err := h.matches(t.Context(), first, password); err != nil || got != want {
			t.Errorf("%q matches: %v, %v", password, got, err)
		}
	}
}

func TestNobodysPasswordMatchesNothing(t *testing.T) {
	t.Parallel()
	h := newHasher(cheap)
	for _, stored := range []string{"", "plain", "$argon2id$v=19$m=64,t=1,p=1$$", "$argon2id$v=19$m=4294967295,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA", "$2a$10$short"} {
		if got, err := h.matches(t.Context(), stored, ""); got || err != nil {
			t.Errorf("%q matched: %v", stored, err)
		}
	}
}

func TestImportedBcryptHashIsAcceptedAndOutdated(t *testing.T) {
	t.Parallel()
	h := newHasher(cheap)
	long := strings.Repeat("x", 80)
	for _, password := range []string{"from the old home", long} {
		old, err := bcrypt.GenerateFromPassword([]byte(password)[:min(72, len(password))], bcrypt.MinCost)
		if err != nil {
			t.Fatal(err)
		}
		if ok, _ := h.matches(t.Context(), string(old), password); !ok || !h.outdated(string(old)) {
			t.Errorf("%q: matches %v, outdated %v", password, ok, h.outdated(string(old)))
		}
	}
	fresh, _ := h.hash(t.Context(), long)
	if h.outdated(fresh) {
		t.Error("a fresh hash is outdated")
	}
	if ok, _ := h.matches(t.Context(), fresh, long[:79]); ok {
		t.Error("a password was cut")
	}
}

func TestHashingLeavesHalfOfTheCores(t *testing.T) {
	t.Parallel()
	h := newHasher(cheap)
	var running, most atomic.Int32
	var wait sync.WaitGroup
	for range 40 {
		wait.Go(func() {
			_ = h.inTurn(t.Context(), func() {
				now := running.Add(1)
				for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
				}
				time.Sleep(time.Millisecond)
				running.Add(-1)
			})
		})
	}
	wait.Wait()
	if allowed := max(1, runtime.NumCPU()/2); int(most.Load()) > allowed {
		t.Fatalf("%d at once, allowed %d", most.Load(), allowed)
	}
}

// Who would not get a turn is told before anything is looked up for them.
func TestWhoWouldGetNoTurnIsToldAtOnce(t *testing.T) {
	t.Parallel()
	h := newHasher(cheap)
	h.line.Most = 1
	for range cap(h.turns) {
		h.turns <- struct{}{}
	}
	if err := h.full(); err != nil {
		t.Fatalf("nobody waits: %v", err)
	}
	place, err := h.line.Join(queueFor)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.full(); !fault.Is(err, fault.Unavailable) {
		t.Errorf("as many wait as may: %v", err)
	}
	place.Left()
}

func TestWaitingForTheHashEndsWithTheRequest(t *testing.T) {
	t.Parallel()
	h := newHasher(cheap)
	for range cap(h.turns) {
		h.turns <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.hash(ctx, "x"); err == nil {
		t.Fatal("hashed without a turn")
	}
}

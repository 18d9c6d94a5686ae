package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

// A device that was signed in carries a mark of the account. Strangers who fill an account's limit with wrong passwords
// do not fill the mark's own, so they lock nobody out who has been here before. The mark opens nothing: it still takes
// the password, and its few tries are counted. docs/decisions/012-known-devices.md says why it looks as it does.
const (
	deviceCookie = "greenroom-device"
	deviceLife   = 180 * 24 * time.Hour
	// mostMarks is how many people of one browser are remembered.
	mostMarks = 4

	stampBytes = 8 + 16 // when it was made, and what makes it unlike any other
	markBytes  = stampBytes + 16
)

// deviceMark is one mark: a stamp and the proof that we made it for an account.
type deviceMark []byte

// A strong mark is of a device that has passed the second step. Whoever has only the password gets none.
const (
	weakMark   = "device"
	strongMark = "strong device"
)

// markFor makes a device's mark of an account.
func (s *Service) markFor(u *User, strength string) deviceMark {
	mark := make(deviceMark, stampBytes, markBytes)
	binary.BigEndian.PutUint64(mark, uint64(s.DB.Clock.Now().Unix()))
	_, _ = rand.Read(mark[8:]) // crypto/rand never fails: it ends the process instead
	return append(mark, s.markProof(u, strength, mark)...)
}

// markProof binds a stamp to an account and its password: a change of password ends every mark.
func (s *Service) markProof(u *User, strength string, stamp []byte) []byte {
	mac := hmac.New(sha256.New, s.Pepper)
	mac.Write([]byte(strength + "\x00" + u.ID + "\x00" + u.passwordHash + "\x00"))
	mac.Write(stamp)
	return mac.Sum(nil)[:markBytes-stampBytes]
}

// marks tells whether a device's mark is one of this account.
func (s *Service) marks(u *User, mark deviceMark) bool {
	return s.marksAs(u, weakMark, mark) || s.marksAs(u, strongMark, mark)
}

func (s *Service) marksAs(u *User, strength string, mark deviceMark) bool {
	made := time.Unix(int64(binary.BigEndian.Uint64(mark)), 0)
	return u.passwordHash != "" && hmac.Equal(mark[stampBytes:], s.markProof(u, strength, mark[:stampBytes])) && s.DB.Clock.Now().Sub(made) < deviceLife
}

// marksOf reads what a device carries, newest first. Anything that cannot be a mark is left out.
func (s *Service) marksOf(r *http.Request) (all []deviceMark) {
	cookie, err := r.Cookie(s.deviceCookie("", 0).Name)
	if err != nil {
		return nil
	}
	for text := range strings.SplitSeq(cookie.Value, ".") {
		mark, err := base64.RawURLEncoding.DecodeString(text)
		if err == nil && len(mark) == markBytes && len(all) < mostMarks {
			all = append(all, mark)
		}
	}
	return all
}

func (s *Service) deviceCookie(value string, age time.Duration) *http.Cookie {
	cookie := &http.Cookie{
		Name: deviceCookie, Value: value, Path: Prefix, MaxAge: int(age / time.Second), HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
	if s.redirects.site.Scheme == "https" {
		cookie.Name, cookie.Path, cookie.Secure = "__Host-"+deviceCookie, "/", true
	}
	return cookie
}

// remember marks the device that somebody is signed in on, and leaves the marks of others who use it. Who has no
// password cannot be kept from using it. A strong mark stays until another takes its place: were it made anew by every
// password, its tries would have no end.
func (s *Service) remember(w http.ResponseWriter, r *http.Request, u *User, strong bool) {
	if u.passwordHash == "" {
		return
	}
	strength := weakMark
	if strong {
		strength = strongMark
	}
	carried := []string{base64.RawURLEncoding.EncodeToString(s.markFor(u, strength))}
	for _, mark := range s.marksOf(r) {
		keep := !s.marks(u, mark) || (!strong && s.marksAs(u, strongMark, mark))
		if len(carried) < mostMarks && keep {
			carried = append(carried, base64.RawURLEncoding.EncodeToString(mark))
		}
	}
	http.SetCookie(w, s.deviceCookie(strings.Join(carried, "."), deviceLife))
}

// allowKnown lets a device of the account try although strangers have used up the account's tries. refusal is what
// everybody else gets.
func (s *Service) allowKnown(r *http.Request, from origin, email string, refusal error) error {
	carried := s.marksOf(r)
	if len(carried) == 0 {
		return refusal
	}
	var u *User
	err := s.DB.Read(r.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		u, err = found(userBy(ctx, tx, "email", email))
		return err
	})
	if err != nil {
		return err
	}
	for _, mark := range carried {
		if u == nil || !s.marks(u, mark) {
			continue
		}
		stamp := base64.RawURLEncoding.EncodeToString(mark[:stampBytes])
		err := s.Limits.Allow(r.Context(), limit.SignInPerAddress.By(from.address), limit.SignInPerDevice.By(stamp))
		if fault.Is(err, fault.TooMany) {
			return refusal
		}
		return err
	}
	return refusal
}

// allowStrong lets a device that has passed the second step before try it although somebody who has the password has used
// up the account's tries. refusal is what everybody else gets.
func (s *Service) allowStrong(r *http.Request, u *User, rule limit.Rule, refusal error) error {
	for _, mark := range s.marksOf(r) {
		if !s.marksAs(u, strongMark, mark) {
			continue
		}
		err := s.Limits.Allow(r.Context(), rule.By(base64.RawURLEncoding.EncodeToString(mark[:stampBytes])))
		if fault.Is(err, fault.TooMany) {
			return refusal
		}
		return err
	}
	return refusal
}

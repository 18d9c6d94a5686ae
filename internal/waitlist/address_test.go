package waitlist_test

import (
	"net/http"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/rest/resttest"
)

// TestAnAddressThatLooksAlikeTakesNobodysPlace registers addresses that Unicode's lower case would make one of.
func TestAnAddressThatLooksAlikeTakesNobodysPlace(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		s.register(t, "Kelvin", "\u212aara@example.org").Want(t, http.StatusBadRequest, "23514")
		s.register(t, "Decomposed", "re\u0301ne@example.org").Want(t, http.StatusBadRequest, "23514")
		s.register(t, "Kara", "Kara@Example.org").Want(t, http.StatusCreated, "")
		s.register(t, "Kara again", "kara@example.org").Want(t, http.StatusCreated, "")
		s.spots(t, 1, 0, 11)
		s.register(t, "One", "Örn@example.org").Want(t, http.StatusCreated, "")
		s.register(t, "Another", "örn@example.org").Want(t, http.StatusCreated, "")
		s.spots(t, 3, 0, 9)
		kara := s.person(t, "kara@example.org")
		like := kara
		like.Email = "\u212aara@example.org"
		resttest.Call(t, s.api, kara, "POST", "/course_waitlist", join(like, "Documentary Filmmaking")).Want(t, http.StatusForbidden, "42501")
		resttest.Call(t, s.api, kara, "POST", "/course_waitlist", join(kara, "Documentary Filmmaking")).Want(t, http.StatusCreated, "")
	})
}

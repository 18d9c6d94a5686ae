package auth

import (
	"testing"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// TestASecondRunIsAnsweredForItself: PostgreSQL undoes a transaction that met another one, and it runs again. Where the
// first run refused and the second did not, only what the second did is in the database.
func TestASecondRunIsAnsweredForItself(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]func(t *testing.T, h *house){
		"a letter": func(t *testing.T, h *house) {
			h.signedUp("ada@example.com")
			want(t, h.post("/otp", m{"email": "ada@example.com"}), 200, "")
			h.undoFirstCode()
			want(t, h.verify("magiclink", "ada@example.com", last[mail.MagicLink](h).Code), 200, "")
		},
		"a proof of the address": func(t *testing.T, h *house) {
			token := h.signedUp("ada@example.com").str("access_token")
			want(t, h.get("/reauthenticate", token), 200, "")
			h.undoFirstCode()
			want(t, h.proveAddress(token, m{"code": last[mail.Reauthenticate](h).Code, "password": password}), 200, "")
		},
		"a second step": func(t *testing.T, h *house) {
			token := h.signedUp("ada@example.com").str("access_token")
			phone := h.enrol(token, "phone")
			// The first run finds the time step used, the second does not.
			h.undoFirst("audit_entries", "after insert", "new.result = 'refused'")
			h.atFirst("mfa_used_codes", "before insert", "return null;")
			want(t, phone.verify(token, 0), 200, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := openHouse(t, dbtest.Location(t, db.Postgres), nil, nil)
			try(t, h)
			if runs := h.count("select last_value from runs"); runs != 2 {
				t.Errorf("it ran %d times", runs)
			}
		})
	}
}

// undoFirstCode makes the next mailed code a wrong one, and then undoes that.
func (h *house) undoFirstCode() {
	h.t.Helper()
	h.undoFirst("one_time_tokens", "after update", "new.code_hash = 'another'")
	h.atFirst("one_time_tokens", "before update", "new.code_hash := 'another';")
}

// atFirst runs a statement in a trigger the first time. A sequence outlives what is undone.
func (h *house) atFirst(table, when, do string) {
	h.t.Helper()
	h.exec("create sequence runs")
	h.exec("create function at_first() returns trigger language plpgsql as $f$ begin if nextval('runs') = 1 then " + do + " end if; return new; end $f$")
	h.exec("create trigger at_first " + when + " on " + table + " for each row execute function at_first()")
}

// undoFirst fails the commit of a transaction with such a row as one that met another.
func (h *house) undoFirst(table, when, row string) {
	h.t.Helper()
	h.exec("create function undo() returns trigger language plpgsql as $f$ begin raise exception 'undone' using errcode = '40001'; end $f$")
	h.exec("create constraint trigger undo " + when + " on " + table + " deferrable initially deferred for each row when (" + row + ") execute function undo()")
}

package mail

import (
	"context"
	"strings"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// TestNobodyElsesWordsStandInALetter has a stranger type names for addresses of others, known and unknown.
func TestNobodyElsesWordsStandInALetter(t *testing.T) {
	t.Parallel()
	const words = "— your card was charged, cancel at evil\u200b.com/refund"
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t, dbtest.Open(t, engine, clock.System{}), newBox(t), &journal{})
			o.proven = func(_ *db.Batch, address string, found func(string)) {
				if address == "grace@example.com" {
					found("Grace")
				}
			}
			for to, hello := range map[string]string{"victim@example.com": "Hello,", "grace@example.com": "Hello Grace,"} {
				for _, letter := range []Letter{
					WorkshopConfirmed{To: to, Name: words, Workshop: "W"},
					WorkshopConfirmed{To: to, Name: words, Workshop: "W", Promoted: true},
					WorkshopWaiting{To: to, Name: words, Workshop: "W"},
					WaitlistJoined{To: to, Name: words, Course: "C"},
					CourseLaunched{To: to, Name: words, Course: "C"},
					QuestionsAsked{To: to, Name: words, Course: "C", Many: 1},
					QuestionAnswered{To: to, Name: words, Course: "C", Many: 1},
				} {
					enqueue(t, o, letter)
					if text := o.written(t, to); strings.Contains(text, "refund") || !strings.Contains(text, hello) {
						t.Errorf("%T to %s: %s", letter, to, text)
					}
				}
			}
			// What somebody calls their second step, or their question, is their own word, once the address is theirs.
			for to, shown := range map[string]bool{"victim@example.com": false, "grace@example.com": true} {
				for _, letter := range []Letter{FactorAdded{To: to, Factor: "evil phone"}, FactorRemoved{To: to, Factor: "evil phone"}, QuestionAnswered{To: to, Question: "evil phone", Course: "C"}} {
					enqueue(t, o, letter)
					if text := o.written(t, to); strings.Contains(text, "evil phone") != shown {
						t.Errorf("%T to %s: %s", letter, to, text)
					}
				}
			}
		})
	}
}

// written takes the one letter to an address from the outbox, and gives its text.
func (o *Outbox) written(t *testing.T, to string) (text string) {
	t.Helper()
	err := o.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		var row stored
		if err := tx.QueryRow(ctx, "select id, kind, body from outbox where recipient = $1", to).Scan(&row.ID, &row.Kind, &row.Body); err != nil {
			return err
		}
		content, err := o.box.Open(place(row.ID), row.Body)
		if err != nil {
			return err
		}
		letter, err := kinds[row.Kind].read(content)
		if err != nil {
			return err
		}
		if _, text, err = render(letter, o.house); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "delete from outbox where recipient = $1", to)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

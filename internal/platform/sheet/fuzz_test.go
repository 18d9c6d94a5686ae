package sheet

import (
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCell: whatever is in a cell, a reader of the file gets it back, and it cannot run as a formula.
func FuzzCell(f *testing.F) {
	for _, text := range []string{"", "=1+1", "a\"b", "a,b", "two\nlines", "\r", "＝x", "'", "\ufeff", "שלום"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		// The API refuses what is no UTF-8 before it gets here.
		text = strings.ToValidUTF8(text, "?")
		line := append(Text(nil, text), ",x\r\n"...)
		record, err := csv.NewReader(strings.NewReader(string(line))).Read()
		if err != nil || len(record) != 2 || record[1] != "x" {
			t.Fatalf("%q reads as %q, %v", line, record, err)
		}
		// The reader makes LF of CR LF inside a cell, as RFC 4180's readers may.
		got, want := record[0], strings.ReplaceAll(text, "\r\n", "\n")
		if got != want && got != "'"+want {
			t.Fatalf("%q came back as %q", text, got)
		}
		if first, _ := utf8.DecodeRuneInString(got); got != "" && strings.ContainsRune(formulas, first) {
			t.Fatalf("%q runs as a formula", got)
		}
	})
}

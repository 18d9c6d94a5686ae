package auth

import (
	"strings"
	"testing"
	"unicode"
)

func TestAddressesAreStoredInOneForm(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"ada@example.com", "ada@example.com"}, {" Ada@Example.COM ", "ada@example.com"}, {"a+b.c@x.co", "a+b.c@x.co"}, {"o'hara@x-y.example", "o'hara@x-y.example"},
	} {
		if got, err := parseEmail(c[0]); err != nil || got != c[1] {
			t.Errorf("%q: %q, %v", c[0], got, err)
		}
	}
	for _, given := range []string{
		"", "ada", "ada@", "@example.com", "ada@example", "ada@@example.com", "a b@example.com", "ada@exa mple.com", "ada@example.com\n", "\tada@example.com",
		"ada\x00@example.com", "ada@example.com\x00", "ada@example.com\r\nBcc: x@y.z", "ada@-example.com", "ada@example-.com", "ada@example..com", "ada@.example.com",
		".ada@example.com", "ada.@example.com", "a..da@example.com", "<ada@example.com>", "\"ada\"@example.com", "ada@[127.0.0.1]", "ad\u0430@example.com",
		"\u212ara@example.com", strings.Repeat("a", 65) + "@example.com", "a@" + strings.Repeat("a.", 130) + "com", "ada@example.com,bob@example.com",
	} {
		if got, err := parseEmail(given); err == nil {
			t.Errorf("%q was taken as %q", given, got)
		}
	}
}

func FuzzEmail(f *testing.F) {
	f.Add("Ada@Example.com")
	f.Add("a\x00b@c.d")
	f.Fuzz(func(t *testing.T, given string) {
		got, err := parseEmail(given)
		if err != nil {
			return
		}
		if strings.Count(got, "@") != 1 || strings.ToLower(got) != got || strings.IndexFunc(got, func(c rune) bool { return c > unicode.MaxASCII || c <= ' ' }) >= 0 {
			t.Fatalf("%q was stored as %q", given, got)
		}
		if again, err := parseEmail(got); err != nil || again != got {
			t.Fatalf("%q became %q: %v", got, again, err)
		}
	})
}

package certificate

import (
	"strings"
	"testing"
)

func TestACodeIsReadHoweverItIsTyped(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"7K2M-9QXR-4T0B": "7K2M-9QXR-4T0B", "7k2m9qxr4t0b": "7K2M-9QXR-4T0B", "7k2m 9qxr–4t0b": "7K2M-9QXR-4T0B",
		"7K2M-9QXR-4TOB": "7K2M-9QXR-4T0B", "IL0O-1234-UVWX": "1100-1234-VVWX",
		"": "", "7K2M": "", "7K2M-9QXR-4T0BB": "", "7K2M-9QXR-4T0!": "", "ßßßß-ßßßß-ßßßß": "", strings.Repeat("7", 1<<20): "", "\x00": "",
	} {
		if got, ok := Read(typed); got != want || ok != (want != "") {
			t.Errorf("%.20q: %q, %v", typed, got, ok)
		}
	}
	seen := map[string]bool{}
	for range 1000 {
		code := newCode()
		if read, ok := Read(code); !ok || read != code || seen[code] {
			t.Fatalf("%q is read as %q", code, read)
		}
		seen[code] = true
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"7K2M-9QXR-4T0B", "il0o 1234 uvwx", "ı-ſ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		code, ok := Read(typed)
		if again, same := Read(code); ok && (again != code || !same || len(code) != 14) {
			t.Errorf("%q is %q, which is %q", typed, code, again)
		}
	})
}

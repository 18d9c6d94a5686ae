package auth

import (
	"net/url"
	"strings"
	"testing"
)

const testSite = "https://courses.example.com"

func testRedirects(t testing.TB) redirects {
	t.Helper()
	r, err := newRedirects(testSite, []string{
		"https://app.example.org/callback", "https://*.preview.example.org/**", "https://deep.example.org/a/*/z",
		"greenroom://callback", "http://localhost:*/**", "https://origin.example.net",
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAllowedRedirectsAreKept(t *testing.T) {
	t.Parallel()
	r := testRedirects(t)
	for wanted, want := range map[string]string{
		"https://courses.example.com":                                "",
		"https://courses.example.com/":                               "",
		"https://courses.example.com/auth/reset-password":            "",
		"https://courses.example.com/a?b=c&d=e":                      "",
		"https://courses.example.com/auth#old":                       "https://courses.example.com/auth",
		"https://courses.example.com//evil.example":                  "",
		"https://app.example.org/callback":                           "",
		"https://app.example.org/callback?next=1":                    "",
		"https://one.preview.example.org/x/y.z":                      "",
		"https://deep.example.org/a/b/z":                             "",
		"greenroom://callback":                                       "",
		"http://localhost:5173/auth":                                 "",
		"https://origin.example.net":                                 "",
		"https://origin.example.net/any/page.html":                   "",
		"https://courses.example.com/?redirect=https://evil.example": "",
	} {
		if want == "" {
			want = wanted
		}
		if got := r.allow(wanted); got != want {
			t.Errorf("%s became %s", wanted, got)
		}
	}
}

func TestSecurity41RedirectsLeadOnlyToTheAllowList(t *testing.T) {
	t.Parallel()
	r := testRedirects(t)
	for _, wanted := range []string{
		"", "/", "/auth", "auth", "//evil.example", "///evil.example", "////evil.example/", "/\\evil.example", "\\\\evil.example", "\\/evil.example",
		"https:evil.example", "https:/evil.example", "https:///evil.example", "https:\\\\evil.example", "https:/\\evil.example",
		"https://evil.example", "https://evil.example/https://courses.example.com", "https://evil.example#https://courses.example.com",
		"https://courses.example.com@evil.example", "https://courses.example.com:x@evil.example/", "https://user@courses.example.com/",
		"https://user:pass@courses.example.com/", "https://@courses.example.com/",
		"https://courses.example.com.evil.example", "https://courses.example.comevil.example", "https://evilcourses.example.com",
		"https://courses.example.com.", "https://courses.example.com./auth", "https://courses.example.com:8443/", "https://courses.example.com:443.evil.example/",
		"https://courses.example.com:/", "https://courses.example.com:0443/",
		"http://courses.example.com/", "ftp://courses.example.com/", "HTTPS://courses.example.com/", "https://COURSES.example.com/",
		"%2f%2fevil.example", "https://%65vil.example", "https://courses.example.com%2f@evil.example", "https://courses.example.com%00.evil.example",
		"https%3a%2f%2fevil.example", "https://evil.example%2fcourses.example.com",
		"https://courses.example.com\t@evil.example", "https://courses\n.example.com/", "\thttps://courses.example.com/", " https://courses.example.com/",
		"https://courses.example.com/\r\nSet-Cookie: a=b", "https://courses.example.com/\x00", "https://courses.example.com/\x7f",
		"javascript:alert(1)", "JavaScript:alert(1)", "javascript://courses.example.com/%0aalert(1)", "java\tscript:alert(1)",
		"data:text/html,<script>alert(1)</script>", "vbscript:x", "file:///etc/passwd", "blob:https://courses.example.com/x", "about:blank",
		"https://c\u043eurses.example.com/", "https://courses\u3002example.com/", "https://courses.example.com\uff0f@evil.example", "https://xn--curses-xya.example.com/",
		"https://[::1]/", "https://127.0.0.1/", "https://2130706433/", "https://0x7f000001/",
		"https://app.example.org/callback/", "https://app.example.org/callback/../evil", "https://app.example.org/callbackevil", "https://app.example.org/",
		"https://a.b.preview.example.org/", "https://preview.example.org/", "https://evil.example/.preview.example.org/", "https://evil.example?.preview.example.org/",
		"https://deep.example.org/a/b/c/z", "https://deep.example.org/a/b.c/z", "https://deep.example.org/a/b?/z",
		"greenroom://evil", "greenroom://callback.evil", "greenroom:callback", "other://callback",
		"http://localhost.evil.example:80/", "http://localhost:80@evil.example/", "https://origin.example.net.evil.example/",
		"https://courses.example.com/" + strings.Repeat("a", 3000),
	} {
		if got := r.allow(wanted); got != testSite {
			t.Errorf("%q led to %s", wanted, got)
		}
	}
}

func TestBadRedirectListIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "*", "example.com", "javascript://x", "https://a b", "//x", "https://x:y/"} {
		if _, err := newRedirects(testSite, []string{text}); (err == nil) != (text == "https://a b") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzRedirect(f *testing.F) {
	for _, seed := range []string{"https://courses.example.com/a", "https://x.preview.example.org/", "//evil", "greenroom://callback"} {
		f.Add(seed)
	}
	r := testRedirects(f)
	f.Fuzz(func(t *testing.T, wanted string) {
		got := r.allow(wanted)
		u, err := url.Parse(got)
		if err != nil || strings.ContainsAny(got, "\r\n\t \\#") {
			t.Fatalf("%q led to the unreadable %q", wanted, got)
		}
		if u.Scheme == "greenroom" && u.Host == "callback" {
			return
		}
		host := u.Hostname()
		if host != "courses.example.com" && host != "app.example.org" && !strings.HasSuffix(host, ".preview.example.org") &&
			host != "deep.example.org" && host != "localhost" && host != "origin.example.net" {
			t.Fatalf("%q led to %q", wanted, got)
		}
	})
}

package auth

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"greenroom/internal/platform/web"
)

// A link in a mail is read by more than people: scanners and previews open it too. So GET uses nothing up. It answers
// a page whose script presses its one button, which scanners do not, and which a person can press without a script.
const (
	pageScript = `document.forms[0].submit()`
	// A PKCE link is worth something only in the browser that keeps the verifier. Elsewhere the page waits, because
	// to go on would use up the link and the letter's code for nothing.
	pkceScript = `if(Object.keys(localStorage).some(function(k){return k.includes('-code-verifier')}))document.forms[0].submit()`
	pageStyle  = `:root{color-scheme:dark}body{margin:0;min-height:100vh;display:grid;place-items:center;background:oklch(0.155 0.012 265);` +
		`color:oklch(0.975 0.004 265);font:16px/1.5 system-ui,sans-serif}main{max-width:26rem;padding:24px;text-align:center}` +
		`h1{font-size:28px;line-height:1.2;margin:0 0 24px}p{margin:24px 0 0;color:oklch(0.76 0.015 265)}` +
		`button{font:inherit;font-weight:600;min-height:48px;padding:0 32px;border:0;border-radius:999px;background:oklch(0.74 0.17 52);` +
		`color:oklch(0.18 0.04 52);cursor:pointer}button:focus-visible{outline:2px solid oklch(0.975 0.004 265);outline-offset:3px}`
)

var verifyPage = template.Must(template.New("verify").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{{.Title}}</title>
<style>{{.Style}}</style>
</head>
<body>
<main>
<h1>{{.Title}}</h1>
<form method="post" action="{{.Action}}">
<input type="hidden" name="token" value="{{.Token}}">
<input type="hidden" name="type" value="{{.Type}}">
<input type="hidden" name="redirect_to" value="{{.Redirect}}">
<button>Continue</button>
</form>
{{if .PKCE}}<p>This link only works in the browser where you asked for it. On another device, enter the code from the email there instead.</p>{{end}}
</main>
<script>{{.Script}}</script>
</body>
</html>
`))

var pageTitles = map[string]string{
	"signup": "Confirm your email", "invite": "Accept your invitation", "recovery": "Reset your password",
	"magiclink": "Sign in", "email": "Sign in", "email_change": "Confirm your email address",
}

// showVerify answers the page behind a link. It looks nothing up: the page is the same for a good link and a bad one.
func (s *Service) showVerify(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	token, typ := q.Get("token"), q.Get("type")
	if token == "" {
		token = q.Get("token_hash")
	}
	if token == "" || typ == "" {
		return invalid("Verify requires a verification type and a token")
	}
	title, known := pageTitles[typ]
	if !known || len(token) > 256 {
		return invalid("Verify requires a verification type that is known")
	}
	to := s.redirects.target(r, "")
	pkce, script := strings.HasPrefix(token, pkcePrefix), pageScript
	if pkce {
		script = pkceScript
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Content-Security-Policy", "default-src 'none'; script-src "+web.PolicyHash(script)+"; style-src "+web.PolicyHash(pageStyle)+
		"; form-action 'self' "+originOfURL(to)+"; base-uri 'none'; frame-ancestors 'none'")
	return verifyPage.Execute(w, map[string]any{
		"Title": title, "Style": template.CSS(pageStyle), "Script": template.JS(script), //nolint:gosec // our own constants
		"Action": Prefix + "/verify", "Token": token, "Type": typ, "Redirect": to, "PKCE": pkce,
	})
}

// originOfURL names an allowed redirect for form-action, which browsers apply to the redirect after the form too.
func originOfURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "'none'"
	}
	if u.Scheme == "http" || u.Scheme == "https" {
		return u.Scheme + "://" + u.Host
	}
	return u.Scheme + ":"
}

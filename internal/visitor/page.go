package visitor

import (
	_ "embed"
	"html/template"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/email"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/web"
)

//go:embed page.css
var styles string

//go:embed page.html
var layout string

var pages = template.Must(template.New("page").Parse(layout))

// view is what a page shows: the form, what follows it, the two choices behind a link, or how it ended.
type view struct {
	Title, Lead string
	// Wrong is what to mend in the form, Email what was typed into it.
	Wrong, Email string
	Ask, Again   bool
	Token        string
	Button       string // sends the page back to where it came from
	Style        template.CSS
	Path         string
}

const mostBody = 8 << 10

// Handler serves the pages. Nothing on them needs a script, and no other site's page can send their forms.
func (d *Desk) Handler() http.Handler {
	d.style = face("Geist", "100 900", d.Asset("geist-")) + face("Instrument Serif", "400", d.Asset("instrument-serif-")) + styles
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Path, func(w http.ResponseWriter, r *http.Request) { d.show(w, r, http.StatusOK, asking("", "")) })
	mux.HandleFunc("POST "+Path, d.postAsk)
	mux.HandleFunc("GET "+Path+"/open", func(w http.ResponseWriter, r *http.Request) {
		d.show(w, r, http.StatusOK, choosing(r.URL.Query().Get("token"), ""))
	})
	mux.HandleFunc("POST "+Path+"/open", d.postOpen)
	mux.HandleFunc("GET "+LeavePath+"{token}", d.showLeave)
	mux.HandleFunc("POST "+LeavePath+"{token}", d.postLeave)
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		mux.ServeHTTP(w, r)
	}))
}

// face brings in one of the product's fonts, if the build has it.
func face(family, weight, address string) string {
	if address == "" {
		return ""
	}
	return `@font-face{font-family:"` + family + `";font-weight:` + weight + `;font-display:swap;src:url("` + address + `") format("woff2")}`
}

func asking(address, wrong string) view {
	return view{
		Title: "Your data, without an account", Ask: true, Email: address, Wrong: wrong,
		Lead: "If you registered for a workshop or sent us a message, enter the email address you used. We’ll send you a link that lets you download what we have stored, or erase it.",
	}
}

// choosing is the page behind a link. It looks nothing up: it is the same for a good link and a bad one.
func choosing(token, wrong string) view {
	if len(token) > 256 {
		token = ""
	}
	return view{
		Title: "What would you like to do?", Token: token, Wrong: wrong,
		Lead: "This is about what we have stored under your email address without an account: workshop registrations, messages, and a record of the emails we sent you.",
	}
}

func (d *Desk) postAsk(w http.ResponseWriter, r *http.Request) {
	address := strings.TrimSpace(r.PostFormValue("email"))
	if !mail.Deliverable(address) {
		d.show(w, r, http.StatusBadRequest, asking(audit.Text(address), "Invalid email address"))
		return
	}
	if err := d.ask(r.Context(), email.Key(address), d.from(r)); err != nil {
		d.fail(w, r, err)
		return
	}
	d.show(w, r, http.StatusOK, view{
		Title: "Check your inbox",
		Lead:  "If we have anything stored under that address, a link is on its way. It works for one hour.",
	})
}

func (d *Desk) postOpen(w http.ResponseWriter, r *http.Request) {
	token := r.PostFormValue("token")
	switch r.PostFormValue("do") {
	case "export":
		data, err := d.export(r.Context(), token, d.from(r))
		if err != nil {
			d.fail(w, r, err)
			return
		}
		w.Header().Set("Content-Disposition", `attachment; filename="greenroom-my-data.json"`)
		if err := web.JSON(w, http.StatusOK, data); err != nil {
			d.fail(w, r, err)
		}
	case "erase":
		if r.PostFormValue("sure") != "yes" {
			d.show(w, r, http.StatusBadRequest, choosing(token, "Please check the box to confirm."))
			return
		}
		if err := d.erase(r.Context(), token, d.from(r)); err != nil {
			d.fail(w, r, err)
			return
		}
		d.show(w, r, http.StatusOK, view{Title: "It’s gone.", Lead: "Everything we had stored under your email address has been erased. If you held a workshop spot, it goes to the next person in line."})
	default:
		d.show(w, r, http.StatusBadRequest, choosing(token, "Please choose one of the two."))
	}
}

func (d *Desk) from(r *http.Request) client {
	return client{audit.Text(d.Address(r)), audit.Text(r.UserAgent())}
}

// statuses is the status table of these pages.
var statuses = map[fault.Kind]int{
	fault.Invalid: http.StatusBadRequest, fault.NotFound: http.StatusGone, fault.TooLarge: http.StatusRequestEntityTooLarge,
	fault.TooMany: http.StatusTooManyRequests, fault.Unavailable: http.StatusServiceUnavailable,
}

func (d *Desk) fail(w http.ResponseWriter, r *http.Request, err error) {
	if web.Gone(w, r) {
		return
	}
	f := fault.Of(err)
	status, known := statuses[f.Kind]
	if !known {
		status = http.StatusInternalServerError
	}
	if f.Kind == fault.TooMany || f.Kind == fault.Unavailable {
		w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(f.RetryAfter.Seconds())))))
	}
	if status >= http.StatusInternalServerError {
		slog.ErrorContext(r.Context(), "a visitor's data", "id", web.RequestID(r.Context()), "error", err)
	}
	d.show(w, r, status, view{Title: "That didn’t work", Lead: f.Message, Again: !strings.HasPrefix(r.URL.Path, LeavePath)})
}

func (d *Desk) show(w http.ResponseWriter, r *http.Request, status int, v view) {
	v.Style, v.Path = template.CSS(d.style), Path //nolint:gosec // our own constant
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("X-Robots-Tag", "noindex")
	// The forms say where they come from, and only to us.
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src "+web.PolicyHash(d.style)+
		"; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	w.WriteHeader(status)
	if err := pages.Execute(w, v); err != nil {
		slog.WarnContext(r.Context(), "a visitor's page", "error", err) // mostly a client that left
	}
}

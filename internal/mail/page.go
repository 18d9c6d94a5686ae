package mail

import (
	"embed"
	"fmt"
	"html/template"
	"net/url"
	"strings"
	texttemplate "text/template"
)

// page is what a letter says, in the order in which it is read. All of it is text: the layout escapes it.
type page struct {
	// Preview is what a list of mails shows beside the subject.
	Preview string
	Kicker  string
	Title   string
	Hello   string
	Lines   []string
	Facts   []fact
	// Quote are the words of somebody else, with their line ends.
	Quote string
	Code  string
	// Button is the one thing to do.
	Button button
	// Notes are the small print.
	Notes []string
}

type fact struct{ Label, Value string }

type button struct{ Text, URL string }

//go:embed layout.html layout.txt
var layouts embed.FS

var (
	htmlLayout = template.Must(template.New("layout.html").Funcs(template.FuncMap{"paragraphs": paragraphs}).ParseFS(layouts, "layout.html"))
	textLayout = texttemplate.Must(texttemplate.New("layout.txt").Funcs(texttemplate.FuncMap{"indent": indent}).ParseFS(layouts, "layout.txt"))
)

// render writes a letter as HTML and as plain text.
func render(letter Letter, h house) (html, text string, err error) {
	data := struct {
		page
		House house
		Host  string
	}{letter.page(h), h, host(h.Site)}
	if data.Button.URL != "" && host(data.Button.URL) == "" {
		return "", "", fmt.Errorf("a letter's link must be a web address")
	}
	var asHTML, asText strings.Builder
	if err := htmlLayout.Execute(&asHTML, data); err != nil {
		return "", "", fmt.Errorf("write the letter as HTML: %w", err)
	}
	if err := textLayout.Execute(&asText, data); err != nil {
		return "", "", fmt.Errorf("write the letter as text: %w", err)
	}
	return asHTML.String(), strings.TrimSpace(asText.String()) + "\n", nil
}

// host is the host of a web address, and empty for anything else.
func host(link string) string {
	parsed, err := url.Parse(link)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		return ""
	}
	return parsed.Host
}

func paragraphs(text string) []string { return strings.Split(text, "\n") }

// indent sets a quotation apart in plain text.
func indent(text string) string {
	return "> " + strings.ReplaceAll(text, "\n", "\n> ")
}

package site

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"greenroom/internal/site/card"
)

// rendered is what the app's script says about a page.
type rendered struct {
	Status      int               `json:"status"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Canonical   string            `json:"canonical"`
	Robots      string            `json:"robots"`
	HTML        string            `json:"html"`
	State       json.RawMessage   `json:"state"`
	LD          json.RawMessage   `json:"jsonld"`
	Image       string            `json:"image"` // the path of the share card
	ImageAlt    string            `json:"-"`
	Page        string            `json:"page"` // the route's module
	Preload     []json.RawMessage `json:"preload"`
}

// hoisted are the links that React puts before the markup for the pictures that a page opens with. They belong into the
// head, where the browser finds them first.
var hoisted = regexp.MustCompile(`^(?:<link\b[^>]*>)+`)

// takeLinks parts the markup from the links before it.
func (r *rendered) takeLinks() string {
	links := hoisted.FindString(r.HTML)
	r.HTML = r.HTML[len(links):]
	return links
}

// head writes the page's title and what search engines, share cards and the browser's loader read.
func (r *rendered) head(siteURL string) (string, error) {
	var b strings.Builder
	element := func(format string, values ...string) {
		escaped := make([]any, len(values))
		for i, v := range values {
			escaped[i] = html.EscapeString(v)
		}
		fmt.Fprintf(&b, format, escaped...)
	}
	element(`<title>%s</title>`, r.Title)
	if r.Description != "" {
		element(`<meta name="description" content="%s">`, r.Description)
	}
	if r.Robots != "" {
		element(`<meta name="robots" content="%s">`, r.Robots)
	}
	if r.Canonical != "" {
		address := absolute(siteURL, r.Canonical)
		element(`<link rel="canonical" href="%s"><meta property="og:url" content="%s">`, address, address)
	}
	element(`<meta property="og:type" content="website"><meta property="og:site_name" content="Greenroom">`)
	element(`<meta property="og:title" content="%s">`, r.Title)
	if r.Description != "" {
		element(`<meta property="og:description" content="%s">`, r.Description)
	}
	if r.Image != "" {
		element(`<meta property="og:image" content="%s">`, absolute(siteURL, r.Image))
		element(`<meta property="og:image:width" content="%s"><meta property="og:image:height" content="%s">`, strconv.Itoa(card.Width), strconv.Itoa(card.Height))
		element(`<meta property="og:image:alt" content="%s"><meta name="twitter:card" content="summary_large_image">`, r.ImageAlt)
	}
	if err := r.writeLD(&b); err != nil {
		return "", err
	}
	links := r.takeLinks()
	b.WriteString(links)
	for _, link := range r.Preload {
		if err := writeLink(&b, link, links); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// writeLD writes the page's schema.org data. Compacting with Marshal escapes what could end the block.
func (r *rendered) writeLD(b *strings.Builder) error {
	if slices.Contains([]string{"", "null", "[]"}, string(r.LD)) {
		return nil
	}
	data, err := json.Marshal(r.LD)
	if err != nil {
		return fmt.Errorf("jsonld: %w", err)
	}
	b.WriteString(`<script type="application/ld+json">`)
	b.Write(data)
	b.WriteString(`</script>`)
	return nil
}

// linkAttributes are those that a preload may have.
var linkAttributes = []string{
	"rel", "href", "as", "type", "media", "crossorigin", "fetchpriority", "imagesrcset", "imagesizes", "integrity",
}

// writeLink writes a preload unless the links already there name the same file.
func writeLink(b *strings.Builder, raw json.RawMessage, there string) error {
	var link map[string]any
	if err := json.Unmarshal(raw, &link); err != nil {
		return fmt.Errorf("preload: %w", err)
	}
	values := map[string]string{}
	for name, value := range link {
		switch value := value.(type) {
		case string:
			values[strings.ToLower(name)] = value
		case bool:
			if value {
				values[strings.ToLower(name)] = ""
			}
		}
	}
	if values["rel"] == "" {
		values["rel"] = "preload"
	}
	if rel := values["rel"]; !slices.Contains([]string{"preload", "modulepreload", "prefetch"}, rel) {
		return fmt.Errorf("preload: a link of the kind %q", rel)
	}
	if href := values["href"]; href != "" && strings.Contains(there, `href="`+html.EscapeString(href)+`"`) {
		return nil
	}
	b.WriteString("<link")
	for _, name := range linkAttributes {
		if value, ok := values[name]; ok {
			fmt.Fprintf(b, ` %s="%s"`, name, html.EscapeString(value))
		}
	}
	b.WriteString(">")
	return nil
}

func absolute(siteURL, address string) string {
	if strings.HasPrefix(address, "/") {
		return siteURL + address
	}
	return address
}

package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// template is the app's index.html, cut at its three marks, with its stylesheet taken in.
type template struct {
	before, afterHead, afterApp, afterState []byte
	css                                     string
	fonts                                   []string
}

const (
	headMark  = "<!--head-->"
	appMark   = "<!--app-->"
	stateMark = "<!--state-->"
)

var (
	stylesheet = regexp.MustCompile(`\s*<link\b[^>]*\brel="?stylesheet"?[^>]*>`)
	hrefOf     = regexp.MustCompile(`\bhref="([^"]+)"`)
	titleTag   = regexp.MustCompile(`(?s)\s*<title>.*?</title>`)
)

// readTemplate reads what the build made of index.html.
func readTemplate(client fs.FS) (*template, error) {
	index, err := fs.ReadFile(client, "index.html")
	if err != nil {
		return nil, err
	}
	t := &template{}
	if index, err = t.takeStyles(client, index); err != nil {
		return nil, err
	}
	index = titleTag.ReplaceAll(index, nil)
	rest := index
	for _, cut := range []struct {
		mark string
		into *[]byte
	}{{headMark, &t.before}, {appMark, &t.afterHead}, {stateMark, &t.afterApp}} {
		before, after, found := bytes.Cut(rest, []byte(cut.mark))
		if !found {
			return nil, fmt.Errorf("index.html: the mark %s is missing", cut.mark)
		}
		*cut.into, rest = before, after
	}
	t.afterState = rest
	t.fonts, err = findFonts(client)
	return t, err
}

// takeStyles takes the stylesheets out of the page: inlined they spare the first paint a round trip.
func (t *template) takeStyles(client fs.FS, index []byte) ([]byte, error) {
	var css strings.Builder
	for _, link := range stylesheet.FindAll(index, -1) {
		href := hrefOf.FindSubmatch(link)
		if href == nil {
			return nil, fmt.Errorf("index.html: a stylesheet without an address: %s", link)
		}
		text, err := fs.ReadFile(client, strings.TrimPrefix(string(href[1]), "/"))
		if err != nil {
			return nil, fmt.Errorf("index.html: %w", err)
		}
		if bytes.Contains(bytes.ToLower(text), []byte("</style")) {
			return nil, fmt.Errorf("%s: holds the end of a style element", href[1])
		}
		css.Write(bytes.TrimSpace(text))
	}
	t.css = css.String()
	return stylesheet.ReplaceAll(index, nil), nil
}

// findFonts names the fonts that the first page needs: those of the entry's stylesheet.
func findFonts(client fs.FS) ([]string, error) {
	text, err := fs.ReadFile(client, ".vite/manifest.json")
	if err != nil {
		return nil, err
	}
	var chunks map[string]struct {
		IsEntry bool     `json:"isEntry"`
		Assets  []string `json:"assets"`
	}
	if err := json.Unmarshal(text, &chunks); err != nil {
		return nil, fmt.Errorf(".vite/manifest.json: %w", err)
	}
	var fonts []string
	for _, chunk := range chunks {
		for _, name := range chunk.Assets {
			if chunk.IsEntry && strings.HasSuffix(name, ".woff2") {
				fonts = append(fonts, "/"+name)
			}
		}
	}
	slices.Sort(fonts)
	return slices.Compact(fonts), nil
}

// fill puts a page together. The head is markup, app is the app's markup, and state becomes a block of data.
func (t *template) fill(head, app string, state any) ([]byte, error) {
	// Marshal escapes <, >, & and the two line separators, so no text can end the block.
	data, err := json.Marshal(state)
	if err != nil {
		return nil, fmt.Errorf("write the page's data: %w", err)
	}
	var page bytes.Buffer
	page.Grow(len(t.before) + len(head) + len(t.css) + len(t.afterHead) + len(app) + len(data) + 1024)
	page.Write(t.before)
	page.WriteString(head)
	for _, font := range t.fonts {
		page.WriteString(`<link rel="preload" as="font" type="font/woff2" crossorigin href="` + html.EscapeString(font) + `">`)
	}
	if t.css != "" {
		page.WriteString("<style>" + t.css + "</style>")
	}
	page.Write(t.afterHead)
	page.WriteString(app)
	page.Write(t.afterApp)
	page.WriteString(`<script type="application/json" id="greenroom">`)
	page.Write(data)
	page.WriteString("</script>")
	page.Write(t.afterState)
	return page.Bytes(), nil
}

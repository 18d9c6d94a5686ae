package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// template is the app's index.html, cut at its three marks, with its stylesheet taken in.
type template struct {
	before, afterHead, afterApp, afterState []byte
	css                                     string
	fonts                                   []string
	scripts                                 []string            // the elements that start the app
	modules                                 map[string][]string // the elements that fetch each route's own files, by its name
	styles                                  map[string]string   // the elements of each route's own stylesheets, by its name
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
	scriptTag  = regexp.MustCompile(`\s*<(?:script\b[^>]*\btype="module"[^>]*></script>|link\b[^>]*\brel="modulepreload"[^>]*>)`)
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
	for _, tag := range scriptTag.FindAll(index, -1) {
		t.scripts = append(t.scripts, string(bytes.TrimSpace(tag)))
	}
	rest := scriptTag.ReplaceAll(index, nil)
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
	return t, t.readManifest(client)
}

// takeStyles takes the stylesheets out of the page: inlined they spare the first paint a round trip.
func (t *template) takeStyles(client fs.FS, index []byte) ([]byte, error) {
	var css strings.Builder
	for _, link := range stylesheet.FindAll(index, -1) {
		href := hrefOf.FindSubmatch(link)
		if href == nil {
			return nil, fmt.Errorf("index.html: a stylesheet without an address: %s", link)
		}
		text, err := readPlain(client, strings.TrimPrefix(string(href[1]), "/"))
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

// chunk is one file of the app and what it stands on, as the build notes it.
type chunk struct {
	File    string   `json:"file"`
	IsEntry bool     `json:"isEntry"`
	Imports []string `json:"imports"`
	Assets  []string `json:"assets"`
	CSS     []string `json:"css"`
}

// readManifest finds what a page needs besides its entry: the fonts of the stylesheet, and the files of each route.
func (t *template) readManifest(client fs.FS) error {
	text, err := fs.ReadFile(client, ".vite/manifest.json")
	if err != nil {
		return err
	}
	var chunks map[string]chunk
	if err := json.Unmarshal(text, &chunks); err != nil {
		return fmt.Errorf(".vite/manifest.json: %w", err)
	}
	entry := files{}
	for name, c := range chunks {
		if !c.IsEntry {
			continue
		}
		entry.collect(chunks, name)
		for _, asset := range c.Assets {
			if strings.HasSuffix(asset, ".woff2") {
				t.fonts = append(t.fonts, "/"+asset)
			}
		}
	}
	slices.Sort(t.fonts)
	t.modules, t.styles = map[string][]string{}, map[string]string{}
	for name := range chunks {
		page, ok := strings.CutPrefix(name, "src/routes/")
		if !ok {
			continue
		}
		own := files{}
		own.collect(chunks, name)
		// The entry's own files are in the template already.
		maps.DeleteFunc(own, func(file string, _ bool) bool { return entry[file] })
		page = strings.TrimSuffix(page, ".tsx")
		for _, file := range slices.Sorted(maps.Keys(own)) {
			href := ` crossorigin href="` + html.EscapeString(file) + `">`
			if strings.HasSuffix(file, ".css") {
				t.styles[page] += `<link rel="stylesheet"` + href
			} else {
				t.modules[page] = append(t.modules[page], `<link rel="modulepreload"`+href)
			}
		}
	}
	return nil
}

// files are addresses of the app's files.
type files map[string]bool

// collect gathers a chunk's script and stylesheets, and those of what it imports.
func (f files) collect(chunks map[string]chunk, name string) {
	c, ok := chunks[name]
	if !ok || f["/"+c.File] {
		return
	}
	f["/"+c.File] = true
	for _, sheet := range c.CSS {
		f["/"+sheet] = true
	}
	for _, imported := range c.Imports {
		f.collect(chunks, imported)
	}
}

// fill puts a page together. The head is markup, app is the app's markup of one of its pages, and state becomes a block of
// data.
func (t *template) fill(head, page, app string, state any) ([]byte, error) {
	// Marshal escapes <, >, & and the two line separators, so no text can end the block.
	data, err := json.Marshal(state)
	if err != nil {
		return nil, fmt.Errorf("write the page's data: %w", err)
	}
	var b bytes.Buffer
	b.Grow(len(t.before) + len(head) + len(t.css) + len(t.afterHead) + len(app) + len(data) + 1024)
	b.Write(t.before)
	b.WriteString(head)
	for _, font := range t.fonts {
		b.WriteString(`<link rel="preload" as="font" type="font/woff2" crossorigin href="` + html.EscapeString(font) + `">`)
	}
	// The app waits for the route's module before it takes over.
	scripts := slices.Concat(t.modules[page], t.scripts)
	if app == "" {
		b.WriteString(strings.Join(scripts, ""))
	}
	if t.css != "" {
		b.WriteString("<style>" + t.css + "</style>")
	}
	b.WriteString(t.styles[page])
	b.Write(t.afterHead)
	b.WriteString(app)
	b.Write(t.afterApp)
	b.WriteString(`<script type="application/json" id="greenroom">`)
	b.Write(data)
	b.WriteString("</script>")
	if app != "" {
		b.WriteString(later(scripts))
	}
	b.Write(t.afterState)
	return b.Bytes(), nil
}

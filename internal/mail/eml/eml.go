// Package eml reads letters back as a mail program does, so that tests judge what a reader would see.
package eml

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Letter is a letter that arrived.
type Letter struct {
	Header  netmail.Header
	Subject string
	Text    string
	HTML    string
}

var links = regexp.MustCompile(`https?://\S+`)

// Link is the first web address in the letter's text.
func (l Letter) Link() string { return links.FindString(l.Text) }

var codes = regexp.MustCompile(`\b\d{6}\b`)

// Code is the six-digit code in the letter's text, links aside.
func (l Letter) Code() string { return codes.FindString(links.ReplaceAllString(l.Text, "")) }

// ReadFolder reads the letters to an address out of a folder, oldest first. An empty address means all.
func ReadFolder(folder, email string) ([]Letter, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.eml"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var found []Letter
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		letter, err := Parse(string(content))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		to, err := letter.Header.AddressList("To")
		if err != nil || len(to) != 1 {
			return nil, fmt.Errorf("%s: recipients %v, %w", name, to, err)
		}
		if email == "" || strings.EqualFold(to[0].Address, email) {
			found = append(found, letter)
		}
	}
	return found, nil
}

// Parse reads a letter as a mail program does.
func Parse(content string) (Letter, error) {
	parsed, err := netmail.ReadMessage(strings.NewReader(content))
	if err != nil {
		return Letter{}, err
	}
	letter := Letter{Header: parsed.Header}
	if letter.Subject, err = new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject")); err != nil {
		return letter, err
	}
	kind, parameters, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		return letter, fmt.Errorf("content type %q: %w", kind, err)
	}
	parts := multipart.NewReader(parsed.Body, parameters["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return letter, nil
		}
		if err != nil {
			return letter, err
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			return letter, err
		}
		text := strings.ReplaceAll(string(body), "\r\n", "\n")
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			letter.HTML = text
		} else {
			letter.Text = text
		}
	}
}

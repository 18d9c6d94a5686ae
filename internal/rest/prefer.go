package rest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// preferences are what Prefer asks for, in PostgREST's words; empty means not said.
type preferences struct {
	resolution  string
	missing     string
	returning   string
	count       string
	transaction string
	handling    string
	timezone    string
	maxAffected int // -1 when not said
}

// parsePrefer reads all Prefer headers. The first of a kind counts, as in PostgREST.
func parsePrefer(headers []string) (preferences, *Error) {
	p := preferences{maxAffected: -1}
	var unknown []string
	for _, header := range headers {
		for part := range strings.SplitSeq(header, ",") {
			if part = strings.TrimSpace(part); part != "" && !p.read(part) {
				unknown = append(unknown, part)
			}
		}
	}
	if p.handling == "strict" && len(unknown) > 0 {
		return p, refuse(http.StatusBadRequest, "PGRST122", "Invalid preferences given with handling=strict").
			details("Invalid preferences: %s", strings.Join(unknown, ", "))
	}
	if p.transaction == "rollback" {
		return p, notImplemented("The preference tx=rollback is not available.")
	}
	return p, nil
}

// read takes one preference and tells whether it is known.
func (p *preferences) read(text string) bool {
	name, value, _ := strings.Cut(text, "=")
	choose := func(into *string, choices ...string) bool {
		if !slices.Contains(choices, value) {
			return false
		}
		if *into == "" {
			*into = value
		}
		return true
	}
	switch name {
	case "resolution":
		return choose(&p.resolution, "merge-duplicates", "ignore-duplicates")
	case "missing":
		return choose(&p.missing, "default", "null")
	case "return":
		return choose(&p.returning, "minimal", "representation", "headers-only")
	case "count":
		return choose(&p.count, "exact", "planned", "estimated")
	case "tx":
		return choose(&p.transaction, "commit", "rollback")
	case "handling":
		return choose(&p.handling, "strict", "lenient")
	case "timezone":
		return choose(&p.timezone, "UTC", "Etc/UTC", "GMT")
	case "max-affected":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return false
		}
		if p.maxAffected < 0 {
			p.maxAffected = n
		}
		return true
	}
	return false
}

// limited tells whether a write may touch only so many rows; PostgREST heeds that in strict handling only.
func (p preferences) limited() bool { return p.handling == "strict" && p.maxAffected >= 0 }

// applied lists the preferences that an answer to this method honours, in PostgREST's order.
func (p preferences) applied(method string) string {
	var list []string
	add := func(name, value string) {
		if value != "" {
			list = append(list, name+"="+value)
		}
	}
	read := method == http.MethodGet || method == http.MethodHead
	if method == http.MethodPost {
		add("resolution", p.resolution)
		add("missing", p.missing)
	}
	if !read {
		add("return", p.returning)
	}
	add("count", p.count)
	add("handling", p.handling)
	add("timezone", p.timezone)
	if p.limited() && !read && method != http.MethodPost {
		add("max-affected", strconv.Itoa(p.maxAffected))
	}
	return strings.Join(list, ", ")
}

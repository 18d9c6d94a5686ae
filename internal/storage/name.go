package storage

import "strings"

// Bounds of what a caller may name.
const (
	mostKey    = 1024
	mostBucket = 100
)

// marks are the characters beside letters, digits and the underscore that names may have; keys also have slashes.
const marks = "!-.*'() &$@=;:+,?"

func named(text, more string) bool {
	for _, c := range []byte(text) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' {
			continue
		}
		if !strings.Contains(marks+more, string(rune(c))) {
			return false
		}
	}
	return text != ""
}

// isKey tells whether a text names an object. It is never a path on a disk; dots are refused for those who make it one.
func isKey(key string) bool {
	if len(key) > mostKey || !named(key, "/") {
		return false
	}
	for segment := range strings.SplitSeq(key, "/") {
		if segment == "." || segment == ".." {
			return false
		}
	}
	return true
}

func isBucketName(name string) bool {
	return len(name) <= mostBucket && named(name, "") && strings.TrimSpace(name) == name && name != "." && name != ".."
}

// checkPlace refuses what names no place for an object.
func checkPlace(bucket, key string) error {
	if !isBucketName(bucket) {
		return errBucketName
	}
	if !isKey(key) {
		return badKey(shown(key))
	}
	return nil
}

// shown is a key as a refusal repeats it: short, and text.
func shown(key string) string {
	if len(key) > 200 {
		key = key[:200] + "..."
	}
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return '?'
		}
		return c
	}, strings.ToValidUTF8(key, "?"))
}

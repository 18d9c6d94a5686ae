// Package demo holds the sample curriculum that greenroom demo puts into one of the built-in courses: lessons, films with
// captions, a quiz, and a worksheet. course.json says what goes where. The films are made by art/film.
package demo

import "embed"

// Files are the curriculum. It weighs at most 5 MB: every binary carries it.
//
//go:embed course.json lessons quizzes files films
var Files embed.FS

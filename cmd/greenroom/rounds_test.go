//go:build !faults

package main

// killRounds is how often a server is killed; the long run does it more often.
const killRounds = 3

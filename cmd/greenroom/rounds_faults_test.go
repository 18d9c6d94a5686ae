//go:build faults

package main

const killRounds = 100

//go:build !linux

package main

// lookAtTime has nobody to ask here.
func lookAtTime() finding { return finding{} }

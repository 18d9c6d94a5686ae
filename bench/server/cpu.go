package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of /proc's times: USER_HZ, which is 100 on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// process is what /proc tells of one.
type process struct {
	pid, parent int
	used        time.Duration
}

// processes reads all of the machine.
func processes() []process {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	all := make([]process, 0, len(files))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended meanwhile
		}
		// "pid (name) state parent …"; the name may hold anything.
		after := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(after) < 15 {
			continue
		}
		p := process{}
		p.pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(file)))
		p.parent, _ = strconv.Atoi(after[1])
		// Its own time in both modes, and that of the children that have ended.
		for _, field := range after[11:15] {
			ticks, _ := strconv.ParseInt(field, 10, 64)
			p.used += time.Duration(ticks) * tick
		}
		all = append(all, p)
	}
	return all
}

// familyOf gives the processes of a system: its roots and whatever they started.
func familyOf(roots []int) []process {
	all := processes()
	in := map[int]bool{}
	for _, root := range roots {
		in[root] = true
	}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if in[p.parent] && !in[p.pid] {
				in[p.pid], grown = true, true
			}
		}
	}
	var family []process
	for _, p := range all {
		if in[p.pid] {
			family = append(family, p)
		}
	}
	return family
}

// cpuOf is the processor time that a system has used so far, in all its processes.
func cpuOf(roots []int) time.Duration {
	var used time.Duration
	for _, p := range familyOf(roots) {
		used += p.used
	}
	return used
}

// memoryOf is the resident memory of one process in bytes; its database's is not in it.
func memoryOf(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, _ := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// settle waits until a system is quiet again (letters sent, pages written back), and gives what that took.
func settle(roots []int, most time.Duration) time.Duration {
	first := cpuOf(roots)
	last, end := first, time.Now().Add(most)
	for quiet := 0; quiet < 3 && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
		if now := cpuOf(roots); now-last > tick/2 {
			last, quiet = now, 0
		} else {
			quiet++
		}
	}
	return last - first
}

package main

import "syscall"

// lookAtTime asks the kernel whether something sets the clock by others'. Codes of authenticator apps and tokens of other
// instances depend on it.
func lookAtTime() finding {
	state, err := syscall.Adjtimex(&syscall.Timex{})
	const adrift = 5 // TIME_ERROR
	switch {
	case err != nil:
		return finding{about: "time", said: "the kernel does not say whether the clock is set by others'", advice: err.Error()}
	case state == adrift:
		return finding{about: "time", said: "nothing sets this machine's clock by others'", advice: "Codes of authenticator apps fail when it drifts: timedatectl set-ntp true"}
	}
	return finding{about: "time", said: "is set by others' clocks"}
}

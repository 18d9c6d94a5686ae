// Command listgen makes internal/auth/common.bin, the list of passwords that nobody may choose: the first 8 bytes of
// the SHA-256 of each lower-cased password, sorted. It reads JSON arrays of strings and text files of one password a
// line; docs/NOTICES.md names the sources.
//
//	go run ./internal/auth/listgen passwords.json 75.txt > internal/auth/common.bin
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"greenroom/internal/auth"
)

func main() {
	var sums []uint64
	for _, name := range os.Args[1:] {
		passwords, err := read(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, "listgen:", err)
			os.Exit(1)
		}
		for _, password := range passwords {
			if password = strings.TrimRight(password, "\r"); password != "" {
				sums = append(sums, auth.PasswordSum(password))
			}
		}
	}
	slices.Sort(sums)
	var out []byte
	for _, sum := range slices.Compact(sums) {
		out = binary.BigEndian.AppendUint64(out, sum)
	}
	if _, err := os.Stdout.Write(out); err != nil {
		fmt.Fprintln(os.Stderr, "listgen:", err)
		os.Exit(1)
	}
}

func read(name string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(name, ".json") {
		return strings.Split(string(text), "\n"), nil
	}
	var passwords []string
	return passwords, json.Unmarshal(text, &passwords)
}

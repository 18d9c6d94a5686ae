package auth

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
)

// commonSums is what listgen made.
//
//go:embed common.bin
var commonSums string

// PasswordSum is how a password stands in the list: whoever reads the list cannot read the passwords out of it, and
// a look-up is a binary search over 8-byte words.
func PasswordSum(password string) uint64 {
	sum := sha256.Sum256([]byte(strings.ToLower(password)))
	return binary.BigEndian.Uint64(sum[:8])
}

// commonList knows the passwords that everybody tries first.
type commonList struct{ further []uint64 }

// openList takes the embedded list and the operator's own, a text file of one password a line.
func openList(file string) (commonList, error) {
	if file == "" {
		return commonList{}, nil
	}
	opened, err := os.Open(file)
	if err != nil {
		return commonList{}, fmt.Errorf("GREENROOM_PASSWORD_LIST cannot be read: %w", err)
	}
	defer opened.Close()
	var list commonList
	lines := bufio.NewScanner(opened)
	for lines.Scan() {
		if line := strings.TrimRight(lines.Text(), "\r"); line != "" {
			list.further = append(list.further, PasswordSum(line))
		}
	}
	if err := lines.Err(); err != nil {
		return commonList{}, fmt.Errorf("GREENROOM_PASSWORD_LIST must be a text file of one password a line: %w", err)
	}
	slices.Sort(list.further)
	return list, nil
}

func (l commonList) has(password string) bool {
	sum := PasswordSum(password)
	at := sort.Search(len(commonSums)/8, func(i int) bool { return embeddedSum(i) >= sum })
	if at < len(commonSums)/8 && embeddedSum(at) == sum {
		return true
	}
	_, found := slices.BinarySearch(l.further, sum)
	return found
}

func embeddedSum(i int) uint64 { return binary.BigEndian.Uint64([]byte(commonSums[8*i : 8*i+8])) }

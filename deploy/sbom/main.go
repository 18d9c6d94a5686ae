// Command sbom writes the bill of materials of a built binary, in CycloneDX: the Go modules that are in it, as the binary
// itself tells, and the packages of the app that it carries, as the lock file does.
//
//	sbom BINARY PACKAGE-LOCK > FILE
//
// It holds no date and no random number: the same build has the same bill.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

type bill struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl,omitempty"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "sbom BINARY PACKAGE-LOCK")
		os.Exit(2)
	}
	b, err := makeBill(os.Args[1], os.Args[2])
	if err == nil {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		err = out.Encode(b)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func makeBill(binary, lock string) (bill, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return bill{}, err
	}
	parts := []component{{"library", "stdlib", info.GoVersion, "pkg:golang/stdlib@" + strings.TrimPrefix(info.GoVersion, "go")}}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		parts = append(parts, component{"library", module.Path, module.Version, "pkg:golang/" + module.Path + "@" + module.Version})
	}
	packages, err := packagesOf(lock)
	if err != nil {
		return bill{}, err
	}
	product := component{"application", info.Main.Path, info.Main.Version, ""}
	return bill{"CycloneDX", "1.5", 1, metadata{product}, append(parts, packages...)}, nil
}

// packagesOf are the packages that the app may carry: those that are not only for its making.
func packagesOf(lock string) ([]component, error) {
	text, err := os.ReadFile(lock)
	if err != nil {
		return nil, err
	}
	var content struct {
		Packages map[string]struct {
			Version string `json:"version"`
			Dev     bool   `json:"dev"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(text, &content); err != nil {
		return nil, err
	}
	var parts []component
	for path, one := range content.Packages {
		at := strings.LastIndex(path, "node_modules/")
		if at < 0 || one.Dev {
			continue
		}
		name := path[at+len("node_modules/"):]
		parts = append(parts, component{"library", name, one.Version, "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + one.Version})
	}
	slices.SortFunc(parts, func(a, b component) int { return strings.Compare(a.URL, b.URL) })
	return parts, nil
}

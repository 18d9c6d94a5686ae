package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/config"
)

// stage is a part of the Dockerfile, from one FROM to the next.
type stage struct {
	from  string
	lines []string
}

func (s stage) has(instruction string) []string {
	var all []string
	for _, line := range s.lines {
		if rest, ok := strings.CutPrefix(line, instruction+" "); ok {
			all = append(all, rest)
		}
	}
	return all
}

func stages(t *testing.T) (all []stage) {
	t.Helper()
	for line := range strings.SplitSeq(read(t, "deploy/Dockerfile"), "\n") {
		if from, ok := strings.CutPrefix(line, "FROM "); ok {
			all = append(all, stage{from: from})
		} else if line != "" && !strings.HasPrefix(line, "#") {
			all[len(all)-1].lines = append(all[len(all)-1].lines, line)
		}
	}
	return all
}

// TestTheImageHoldsToItsRules is for machines on which no image can be built: what a good one has is read in its recipe.
func TestTheImageHoldsToItsRules(t *testing.T) {
	t.Parallel()
	all := stages(t)
	last := all[len(all)-1]
	user, health := strings.Join(last.has("USER"), ""), strings.Join(last.has("HEALTHCHECK"), "")
	for rule, holds := range map[string]bool{
		"nothing but the program inside":            last.from == "scratch",
		"nobody's user, by number":                  regexp.MustCompile(`^[1-9]\d{3,}:[1-9]\d{3,}$`).MatchString(user),
		"the data folder belongs to that user":      slices.Contains(last.has("COPY"), "--from=server --chown="+user+" /data /data"),
		"data outlives the container":               slices.Equal(last.has("VOLUME"), []string{"/data"}) && slices.Contains(last.has("ENV"), "GREENROOM_DATA=/data"),
		"it asks itself whether it is well":         strings.HasSuffix(health, `CMD ["/greenroom", "health"]`),
		"signals reach the program: no shell":       slices.Equal(last.has("ENTRYPOINT"), []string{`["/greenroom"]`}) && slices.Equal(last.has("CMD"), []string{`["serve"]`}),
		"certificates of other servers are trusted": strings.Contains(strings.Join(last.has("COPY"), "\n"), "ca-certificates.crt"),
		"nothing is run in the last stage":          last.has("RUN") == nil,
	} {
		if !holds {
			t.Errorf("not so: %s", rule)
		}
	}
	language := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))[1]
	node := regexp.MustCompile(`"node": ">=(\d+)"`).FindStringSubmatch(read(t, "web/package.json"))[1]
	for _, s := range all[:len(all)-1] {
		if s.from == "debian:bookworm-slim AS work" { // beside ffmpeg; else as the last one
			if !slices.Equal(s.has("USER"), last.has("USER")) || !slices.Equal(s.has("ENTRYPOINT"), last.has("ENTRYPOINT")) || !slices.Equal(s.has("CMD"), []string{`["work"]`}) ||
				len(s.has("RUN")) != 1 || !strings.HasSuffix(s.has("RUN")[0], "install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*") {
				t.Errorf("not so: %v", s.lines)
			}
			continue
		}
		if !strings.HasPrefix(s.from, "golang:"+language+"-") && !strings.HasPrefix(s.from, "node:"+node+"-") {
			t.Errorf("%s is another release than the project's", s.from)
		}
	}
	for _, s := range all {
		for _, line := range s.lines {
			if strings.HasPrefix(line, "ADD ") || strings.Contains(line, "curl") || strings.Contains(line, "sudo") {
				t.Errorf("fetches or grants something: %s", line)
			}
			if strings.Contains(line, "npm install") && !strings.Contains(line, "--ignore-scripts") {
				t.Errorf("lets packages run scripts: %s", line)
			}
		}
	}
	ignored := strings.Split(read(t, ".dockerignore"), "\n")
	for _, name := range []string{"/data", "**/secret", "/.git", "**/node_modules", "**/.env*", "**/*.db"} {
		if !slices.Contains(ignored, name) {
			t.Errorf("%s goes into the image", name)
		}
	}
}

// TestDeploymentsUseSettingsThatThereAre reads every file for operators.
func TestDeploymentsUseSettingsThatThereAre(t *testing.T) {
	t.Parallel()
	names := config.Names()
	for _, file := range []string{"deploy/Dockerfile", "deploy/compose.yml", "deploy/greenroom.service", "deploy/Caddyfile", "deploy/nginx.conf"} {
		for _, name := range regexp.MustCompile(`GREENROOM_[A-Z0-9_]+`).FindAllString(read(t, file), -1) {
			if !slices.Contains(names, name) {
				t.Errorf("%s: %s is no setting", file, name)
			}
		}
	}
}

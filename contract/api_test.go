package contract

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
)

// The page for those who use the API is one program. It does what it says, and prints what it says.
func TestTheExamplesOfTheAPIPageRun(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	var program strings.Builder
	for _, block := range regexp.MustCompile("(?s)\n```js\n(.*?)\n```\n").FindAllStringSubmatch(string(text), -1) {
		program.WriteString(block[1] + "\n")
	}
	var promised []string
	for _, shown := range regexp.MustCompile(`(?m)^console\.log\(.*\) // (.*)$`).FindAllStringSubmatch(program.String(), -1) {
		promised = append(promised, shown[1])
	}
	if said := strings.Count(program.String(), "console.log("); len(promised) != said || said < 10 {
		t.Fatalf("%d of %d lines say what they print", len(promised), said)
	}
	binary := build(t)
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			environment := start(t, binary, engine)
			node := exec.CommandContext(t.Context(), "node", "--input-type=module", "-")
			node.Env = environment
			node.Stdin = strings.NewReader(strings.NewReplacer(
				"'https://courses.example.com'", "process.env.CONTRACT_URL", "'sb_publishable_your_key'", "process.env.CONTRACT_KEY",
			).Replace(program.String()))
			out, err := node.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			printed := strings.Split(strings.TrimSpace(string(out)), "\n")
			for i := range max(len(printed), len(promised)) {
				if i >= len(printed) || i >= len(promised) || printed[i] != promised[i] {
					t.Fatalf("printed:  %q\npromised: %q", printed, promised)
				}
			}
		})
	}
}

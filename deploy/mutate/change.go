package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
)

// mutant is one change.
type mutant struct {
	id    int
	where string
}

// helper is what the changed files call.
const helper = `

import (
	"os"
	"strconv"
	"sync"
)

var (
	mutantID, _ = strconv.Atoi(os.Getenv("MUTANT"))
	mutantSeen  = os.Getenv("MUTANT_SEEN")
	mutantKnown sync.Map
)

func mutantAt(id int) bool {
	if mutantSeen != "" {
		if _, known := mutantKnown.LoadOrStore(id, true); !known {
			if file, err := os.OpenFile(mutantSeen, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
				_, _ = file.WriteString(strconv.Itoa(id) + "\n")
				_ = file.Close()
			}
		}
	}
	return id == mutantID
}

func mutantPick[T any](id int, usual, other T) T {
	if mutantAt(id) {
		return other
	}
	return usual
}
`

// edit puts text at a place of a file.
type edit struct {
	at    int
	order int // of those at one place: ends before beginnings, and what is inside ends first
	text  string
}

// changer collects the changes of one file.
type changer struct {
	text  string
	set   *token.FileSet
	first int
	found []mutant
	edits []edit
}

// change gives a file with all its changes, each switched on by its number.
func change(file string, first int) (text, name string, found []mutant, err error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return "", "", nil, err
	}
	c := &changer{text: string(source), set: token.NewFileSet(), first: first}
	parsed, err := parser.ParseFile(c.set, file, source, 0)
	if err != nil {
		return "", "", nil, err
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && f.Type.TypeParams == nil {
			ast.Inspect(f.Body, c.visit)
		}
	}
	slices.SortStableFunc(c.edits, func(a, b edit) int { return cmp.Or(a.at-b.at, a.order-b.order) })
	var b strings.Builder
	last := 0
	for _, e := range c.edits {
		b.WriteString(c.text[last:e.at] + e.text)
		last = e.at
	}
	return b.String() + c.text[last:], parsed.Name.Name, c.found, nil
}

func (c *changer) at(p token.Pos) int { return c.set.Position(p).Offset }

func (c *changer) of(n ast.Node) string { return c.text[c.at(n.Pos()):c.at(n.End())] }

// put wraps a piece of the file; the words are given its number.
func (c *changer) put(n ast.Node, what, before, after string) {
	id := c.first + len(c.found) + 1
	where := c.set.Position(n.Pos())
	line, _, _ := strings.Cut(c.of(n), "\n")
	c.found = append(c.found, mutant{id, fmt.Sprintf("%s:%d: %s: %.100s", where.Filename, where.Line, what, line)})
	c.edits = append(c.edits, edit{c.at(n.Pos()), id, fmt.Sprintf(before, id)}, edit{c.at(n.End()), -id, after})
}

func (c *changer) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.CONST // what must be known when it is compiled cannot be switched
	case *ast.IfStmt:
		if b, ok := n.Cond.(*ast.BinaryExpr); ok && edge[b.Op] != "" {
			break // is changed as what it compares
		}
		c.put(n.Cond, "the opposite", "(mutantAt(%d) != (", "))")
	case *ast.BinaryExpr:
		if other := edge[n.Op]; other != "" && plain(n.X) && plain(n.Y) {
			c.put(n, "with "+other, "mutantPick(%d, ", ", "+c.of(n.X)+" "+other+" "+c.of(n.Y)+")")
			return false
		}
	case *ast.BlockStmt:
		for _, s := range n.List {
			c.leaveOut(s)
		}
	case *ast.ReturnStmt:
		for _, r := range n.Results {
			if word, ok := r.(*ast.Ident); ok && (word.Name == "true" || word.Name == "false") {
				c.put(r, "the opposite", "(mutantAt(%d) != ", ")")
			}
		}
	case *ast.BasicLit:
		c.query(n)
	}
	return true
}

var edge = map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}

// plain tells whether something may be looked at twice.
func plain(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return plain(e.X)
	case *ast.CallExpr:
		name, ok := e.Fun.(*ast.Ident)
		return ok && name.Name == "len" && plain(e.Args[0])
	}
	return false
}

// leaveOut makes a statement one that can be left out, where the rest still compiles.
func (c *changer) leaveOut(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && c.of(call.Fun) != "panic" {
			c.put(s, "left out", "if !mutantAt(%d) { ", " }")
		}
	case *ast.AssignStmt:
		if _, field := s.Lhs[0].(*ast.SelectorExpr); field && s.Tok == token.ASSIGN && len(s.Lhs) == 1 {
			c.put(s, "left out", "if !mutantAt(%d) { ", " }")
		}
	case *ast.IncDecStmt:
		c.put(s, "left out", "if !mutantAt(%d) { ", " }")
	}
}

var inQueries = [][2]string{{" and ", " or "}, {" is null", " is not null"}, {" is not null", " is null"}, {" <= ", " < "}, {" >= ", " > "}, {" < ", " <= "}, {" > ", " >= "}, {" desc", " asc"}}

// query changes the SQL in a text.
func (c *changer) query(n *ast.BasicLit) {
	if n.Kind != token.STRING || !strings.Contains(n.Value, " where ") && !strings.Contains(n.Value, "$1") && !strings.Contains(n.Value, "order by") {
		return
	}
	for _, pair := range inQueries {
		if before, after, found := strings.Cut(n.Value, pair[0]); found {
			c.put(n, strings.TrimSpace(pair[0])+" becomes "+strings.TrimSpace(pair[1]), "mutantPick(%d, ", ", "+before+pair[1]+after+")")
			return
		}
	}
}

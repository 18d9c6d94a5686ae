package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// Data answers /rest/v1 for the declared tables.
type Data struct {
	db     *db.DB
	tables map[string]*Table
	kept   memory
	totals totals
	// matching holds the one read by patterns that is under way; see patternTurn.
	matching chan struct{}
	// replica is where strangers may read, and shown tells which version it has seen; see Follow.
	replica *db.Replica
	shown   func(ctx context.Context, tx *db.Tx) (int64, error)
}

// Handler serves the declared tables under /rest/v1/. The caller comes in the context (platform/who). A declaration
// that contradicts itself is a mistake of the program, so it panics.
func Handler(d *db.DB, tables ...Table) *Data {
	h := &Data{db: d, tables: map[string]*Table{}, matching: make(chan struct{}, 1)}
	for _, t := range tables {
		if err := t.prepare(); err != nil {
			panic("rest: " + err.Error())
		}
		t.route = "/rest/v1/" + t.Name
		h.tables[t.Name] = &t
	}
	return h
}

// request is one call, parsed and checked against the declaration.
type request struct {
	*Data
	http  *http.Request
	table *Table
	actor who.Actor
	query Query
	prefs preferences
	form  form
	// version is that of the answer, known before it is read; 0 where nothing of it may be kept.
	version int64
}

func (h *Data) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked, version := h.asked(r)
	if found := h.kept.find(asked, version); found != nil {
		found.write(w, r)
		return
	}
	if version != 0 {
		h.kept.misses.Add(1)
	}
	ctx, cancel := context.WithTimeout(r.Context(), statementTime)
	defer cancel()
	answered, err := h.serve(ctx, r)
	switch {
	case err == nil:
		h.kept.keep(asked, version, answered)
		answered.write(w, r)
	case errors.Is(r.Context().Err(), context.Canceled):
		// The client is gone, and with it whoever could read an answer.
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		WriteError(w, r, late(err))
	default:
		WriteError(w, r, err)
	}
}

func (h *Data) serve(ctx context.Context, r *http.Request) (*response, error) {
	req, err := h.request(r)
	if err != nil {
		return nil, err
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return req.read(ctx)
	case http.MethodPost:
		return req.insert(ctx)
	case http.MethodPatch:
		return req.update(ctx)
	case http.MethodDelete:
		return req.delete(ctx)
	default:
		return &response{status: http.StatusOK, header: http.Header{"Allow": {"OPTIONS,GET,HEAD,POST,PATCH,DELETE"}}}, nil
	}
}

// request parses all of a call but its body.
func (h *Data) request(r *http.Request) (*request, error) {
	if len(r.URL.Path)+len(r.URL.RawQuery) > maxURL {
		return nil, refuse(http.StatusRequestURITooLong, "54000", "The URL is longer than 16 KB")
	}
	if err := checkMethod(r.Method); err != nil {
		return nil, err
	}
	table, err := h.find(r)
	if err != nil {
		return nil, err
	}
	req := &request{Data: h, http: r, table: table, actor: who.From(r.Context())}
	req.version = table.version(req.actor)
	if err := checkProfile(r); err != nil {
		return nil, err
	}
	var failed *Error
	if req.form, failed = negotiate(r.Header.Values("Accept")); failed != nil {
		return nil, failed
	}
	if req.prefs, failed = parsePrefer(r.Header.Values("Prefer")); failed != nil {
		return nil, failed
	}
	if req.query, failed = parseQuery(r.URL.RawQuery); failed != nil {
		return nil, failed
	}
	if failed = table.bind(&req.query, h.tables); failed != nil {
		return nil, failed
	}
	req.query.Count = req.prefs.count != ""
	return req, nil
}

func checkMethod(method string) error {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return nil
	}
	return refuse(http.StatusMethodNotAllowed, "PGRST117", "Unsupported HTTP method: "+method)
}

// checkProfile takes the one schema there is.
func checkProfile(r *http.Request) error {
	header := "Content-Profile"
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		header = "Accept-Profile"
	}
	if profile := r.Header.Get(header); profile != "" && profile != "public" {
		return refuse(http.StatusNotAcceptable, "PGRST106", "Invalid schema: "+profile).
			hint("Only the following schemas are exposed: public")
	}
	return nil
}

// find looks the path's table up.
func (h *Data) find(r *http.Request) (*Table, error) {
	path := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/rest/v1"), "/")
	name, more, deeper := strings.Cut(path, "/")
	switch {
	case path == "":
		return nil, refuse(http.StatusNotFound, "PGRST126", "Root endpoint metadata is disabled")
	case name == "rpc" && more != "" && !strings.Contains(more, "/"):
		return nil, unknownFunction(r, more)
	case deeper:
		return nil, refuse(http.StatusNotFound, "PGRST125", "Invalid path specified in request URL")
	}
	if table := h.tables[name]; table != nil {
		r.Pattern = table.route
		return table, nil
	}
	refused := refuse(http.StatusNotFound, "PGRST205", fmt.Sprintf("Could not find the table 'public.%s' in the schema cache", name))
	if near := h.nearest(name); near != "" {
		refused.Hint = "Perhaps you meant the table 'public." + near + "'"
	}
	return nil, refused
}

// unknownFunction says that there is no such function; there are none.
func unknownFunction(r *http.Request, name string) error {
	signature, searched := name+" without parameters", "without parameters"
	if params, err := splitQuery(r.URL.RawQuery); err == nil && len(params) > 0 && r.Method != http.MethodPost {
		names := make([]string, 0, len(params))
		for _, p := range params {
			names = append(names, p.name)
		}
		list := strings.Join(names, ", ")
		signature, searched = name+"("+list+")", "with parameters "+list
	}
	return refuse(http.StatusNotFound, "PGRST202", "Could not find the function public."+signature+" in the schema cache").
		details("Searched for the function public.%s %s, but no matches were found in the schema cache.", name, searched)
}

// nearest gives the table whose name differs in no more than a quarter of its letters.
func (h *Data) nearest(name string) string {
	best, found := 0.75, ""
	if len(name) > 64 {
		return ""
	}
	for known := range h.tables {
		longest := max(len(known), len(name))
		if alike := 1 - float64(distance(known, name))/float64(longest); alike > best || alike == best && known < found {
			best, found = alike, known
		}
	}
	return found
}

// distance counts the letters to insert, drop or change between two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

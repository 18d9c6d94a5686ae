package demo

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// answer is what a call of the API gave.
type answer struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (a *answer) Header() http.Header             { return a.header }
func (a *answer) Write(bytes []byte) (int, error) { return a.body.Write(bytes) }
func (a *answer) WriteHeader(status int)          { a.status = status }

// call asks the API something and gives the answer, if it is no refusal.
func (w *work) call(method, address string, header http.Header, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(w.ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header = header
	got := &answer{status: http.StatusOK, header: http.Header{}}
	w.api.ServeHTTP(got, r)
	if got.status < 300 {
		return got.body.Bytes(), nil
	}
	var said struct {
		Message string `json:"message"`
		Error   string `json:"error"`
	}
	if json.Unmarshal(got.body.Bytes(), &said) != nil || said.Message+said.Error == "" {
		said.Message = got.body.String()
	}
	return nil, fmt.Errorf("%s %s: %d %s", method, r.URL.Path, got.status, cmp.Or(said.Message, said.Error))
}

// read gives rows of the data API.
func (w *work) read(query string, into any) error {
	got, err := w.call(http.MethodGet, "/rest/v1/"+query, http.Header{}, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(got, into)
}

// send is a call with a JSON body. It counts as a change.
func (w *work) send(method, address string, values map[string]any, into any) error {
	body, err := json.Marshal(values)
	if err != nil {
		return err
	}
	w.done.Changes++
	got, err := w.call(method, address, http.Header{"Content-Type": {"application/json"}, "Prefer": {"return=representation"}}, body)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(got, into)
}

func (w *work) add(table string, values map[string]any) (made row, err error) {
	var rows []row
	if err := w.send(http.MethodPost, "/rest/v1/"+table, values, &rows); err != nil {
		return row{}, err
	}
	if len(rows) != 1 {
		return row{}, fault.Newf(fault.Internal, "%d rows were added to %s.", len(rows), table)
	}
	return rows[0], nil
}

func (w *work) change(query string, values map[string]any) error {
	return w.send(http.MethodPatch, "/rest/v1/"+query, values, nil)
}

// function calls one of the studio's functions.
func (w *work) function(name string, ask map[string]any) error {
	return w.send(http.MethodPost, "/functions/v1/"+name, ask, nil)
}

// look is function for those that change nothing.
func (w *work) look(name string, ask map[string]any, into any) error {
	before := w.done.Changes
	err := w.send(http.MethodPost, "/functions/v1/"+name, ask, into)
	w.done.Changes = before
	return err
}

// store uploads a file into the folder of a lesson. Its name is the same every time: a run that was cut short leaves nothing over.
func (w *work) store(folder, file, contentType string) (string, error) {
	content, err := fs.ReadFile(w.files, file)
	if err != nil {
		return "", err
	}
	name := path.Join(w.done.Course, folder, id.Named("demo "+file)+path.Ext(file))
	w.done.Changes++
	_, err = w.call(http.MethodPost, "/storage/v1/object/lessons/"+name, http.Header{"Content-Type": {contentType}, "X-Upsert": {"true"}}, content)
	return name, err
}

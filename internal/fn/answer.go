package fn

import (
	"bufio"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Answer is what a function answers with: a JSON value, a file that is written as it is made, or nothing.
type Answer struct {
	value  any
	stream func(w io.Writer) error
	media  string
	file   string
}

// JSON answers with a value.
func JSON(value any) Answer { return Answer{value: value} }

// Empty answers with nothing.
func Empty() Answer { return Answer{} }

// File answers with a download that write makes piece by piece. A file that cannot be finished is cut off, so that
// no client takes it for whole.
func File(name, media string, write func(w io.Writer) error) Answer {
	return Answer{stream: write, media: media, file: name}
}

func (a Answer) write(w http.ResponseWriter) error {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	switch {
	case a.stream != nil:
		return a.send(w)
	case a.value == nil:
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	text, err := json.Marshal(a.value)
	if err != nil {
		return err
	}
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(text) // the client may be gone; there is nobody left to tell
	return nil
}

// send streams the file. Up to the first full buffer a failure can still be answered as one.
func (a Answer) send(w http.ResponseWriter) error {
	out := &stream{to: w, control: http.NewResponseController(w), answer: a}
	buffered := bufio.NewWriterSize(out, pieceBytes)
	err := a.stream(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	switch {
	case err == nil:
		out.start()
		return nil
	case !out.started:
		return err
	}
	panic(http.ErrAbortHandler)
}

// stream writes the headers with the first piece, and gives each piece its own time: the server's limit is for
// answers that are made at once.
type stream struct {
	to      http.ResponseWriter
	control *http.ResponseController
	answer  Answer
	started bool
}

// Bounds of a piece: a client that takes none of it in this time is gone, however slow its line.
const (
	pieceBytes = 32 << 10
	pieceTime  = 10 * time.Second
)

func (s *stream) start() {
	if s.started {
		return
	}
	s.started = true
	header := s.to.Header()
	header.Set("Content-Type", s.answer.media)
	header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": s.answer.file}))
	s.to.WriteHeader(http.StatusOK)
}

func (s *stream) Write(data []byte) (int, error) {
	s.start()
	written := 0
	for piece := range slices.Chunk(data, pieceBytes) {
		//nolint:forbidigo // a network deadline is in the machine's own time; a writer without deadlines needs none
		_ = s.control.SetWriteDeadline(time.Now().Add(pieceTime))
		n, err := s.to.Write(piece)
		if written += n; err != nil {
			return written, err
		}
		_ = s.control.Flush()
	}
	return written, nil
}

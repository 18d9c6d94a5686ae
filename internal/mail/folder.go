package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// folder keeps letters as files that a mail program can open, for a machine without a mail server.
type folder struct{ path string }

// draftPrefix begins the name of a file that is being written.
const draftPrefix = ".letter-"

func (f folder) describe() string { return "files in " + f.path }

func (f folder) open(context.Context) (session, error) {
	if f.path == "" {
		return nil, errors.New("there is neither a mail server nor a folder for letters")
	}
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for letters cannot be made: %w", err)
	}
	return f, nil
}

// many are no more than a folder takes in a moment: a letter that goes again replaces its file.
func (folder) many() int { return 32 }

// send writes the whole file under another name first: whoever watches the folder never sees half a letter. The
// name is the letter's, so that a repeated attempt replaces the file.
func (f folder) send(_ context.Context, m message) error {
	var text bytes.Buffer // the library writes line by line
	text.Grow(letterBytes)
	_, err := m.WriteTo(&text)
	if err == nil {
		err = f.write(m.name+".eml", text.Bytes())
	}
	if err != nil {
		return fmt.Errorf("the letter cannot be written: %w", err)
	}
	return nil
}

// letterBytes is a bit more than most letters have.
const letterBytes = 24 << 10

func (f folder) write(name string, text []byte) error {
	draft, err := os.CreateTemp(f.path, draftPrefix+"*") // private to the owner
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	if err = errors.Join(err, draft.Sync(), draft.Close()); err == nil {
		err = os.Rename(draft.Name(), filepath.Join(f.path, name))
	}
	if err != nil {
		_ = os.Remove(draft.Name())
	}
	return err
}

func (f folder) probe() error {
	draft, err := os.CreateTemp(f.path, draftPrefix+"*")
	if err != nil {
		return fmt.Errorf("letters cannot be written: %w", err)
	}
	return errors.Join(draft.Close(), os.Remove(draft.Name()))
}

func (folder) close() {}

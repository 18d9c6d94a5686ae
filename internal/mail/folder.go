package mail

import (
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

// send writes the whole file under another name first: whoever watches the folder never sees half a letter. The
// name is the letter's, so that a repeated attempt replaces the file.
func (f folder) send(_ context.Context, m message) error {
	draft, err := os.CreateTemp(f.path, draftPrefix+"*") // private to the owner
	if err != nil {
		return fmt.Errorf("the letter cannot be written: %w", err)
	}
	defer os.Remove(draft.Name())
	_, err = m.WriteTo(draft)
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return fmt.Errorf("the letter cannot be written: %w", err)
	}
	if err := os.Rename(draft.Name(), filepath.Join(f.path, m.name+".eml")); err != nil {
		return fmt.Errorf("the letter cannot be written: %w", err)
	}
	return nil
}

func (f folder) probe() error {
	draft, err := os.CreateTemp(f.path, draftPrefix+"*")
	if err != nil {
		return fmt.Errorf("letters cannot be written: %w", err)
	}
	return errors.Join(draft.Close(), os.Remove(draft.Name()))
}

func (folder) close() {}

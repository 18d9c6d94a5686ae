package video

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"greenroom/internal/platform/db"
	"greenroom/internal/storage"
)

// The endings and names of roles.
const (
	mediaEnding = ".mp4"
	listEnding  = ".m3u8"
	posterRole  = "poster.jpg"
	thumbsRole  = "thumbs.vtt"
	listType    = "application/vnd.apple.mpegurl"
	thumbsType  = "text/vtt; charset=utf-8"
)

// output is a file that is about to be published. Its text may need the name of another, which is known by then.
type output struct {
	role, kind string
	path       string
	text       func(name func(role string) string) []byte
	about      any
}

// sized are the files of sizes: each its media and its list.
func (u *under) sized(sizes []Made) (all []output) {
	for _, m := range sizes {
		u.counts.millis.Add(int64(m.list.seconds() * 1000))
		media := strconv.Itoa(m.Lines) + mediaEnding
		all = append(all,
			output{role: media, kind: "video/mp4", path: m.media},
			output{role: strconv.Itoa(m.Lines) + listEnding, kind: listType, about: m, text: func(name func(string) string) []byte {
				return m.list.write(name(media))
			}})
	}
	return all
}

// pictures are the poster, the sheets and their index.
func (u *under) pictures(poster string, tiles sprite) []output {
	all := []output{{role: posterRole, kind: "image/jpeg", path: poster}}
	for i, path := range tiles.sheets {
		all = append(all, output{role: sheetRole(i), kind: "image/jpeg", path: path})
	}
	return append(all, output{role: thumbsRole, kind: thumbsType, text: func(name func(string) string) []byte {
		var names []string
		for i := range tiles.sheets {
			names = append(names, name(sheetRole(i)))
		}
		return tiles.index(*u.film.Facts, names)
	}})
}

func sheetRole(i int) string { return fmt.Sprintf("sprite-%d.jpg", i+1) }

// publish brings files onto the storage's shelf, and then says so in one transaction: with the state of the video, and only
// while the job is ours. Whatever ends in between leaves bytes that the storage's sweeper knows of.
func (u *under) publish(ctx context.Context, state State, outputs []output) (err error) {
	rows := make([]made, len(outputs))
	defer func() {
		for _, row := range rows {
			if err != nil && row.Version != "" {
				u.Storage.Abandon(ctx, row.Version)
			}
		}
	}()
	named := map[string]string{}
	for i, o := range outputs { // files before texts: these name those
		if o.path == "" {
			continue
		}
		if err := u.keepFile(ctx, o, &rows[i]); err != nil {
			return err
		}
		named[o.role] = rows[i].name()
	}
	for i, o := range outputs {
		if o.path != "" {
			continue
		}
		text := o.text(func(role string) string { return named[role] })
		if err := u.keepBytes(ctx, o, bytes.NewReader(text), int64(len(text)), &rows[i]); err != nil {
			return err
		}
	}
	if err := u.at("publish"); err != nil {
		return err
	}
	err = u.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return u.reveal(ctx, tx, state, rows) })
	if err == nil {
		u.shown.forget(u.job.Video)
	}
	return err
}

func (u *under) keepFile(ctx context.Context, o output, row *made) error {
	file, err := os.Open(o.path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return u.keepBytes(ctx, o, file, info.Size(), row)
}

func (u *under) keepBytes(ctx context.Context, o output, from io.Reader, size int64, row *made) (err error) {
	if row.Version, err = u.Storage.Hold(ctx, size); err != nil {
		return err
	}
	wrote, err := u.bytes().Write(ctx, row.Version, from)
	if err != nil {
		return err
	}
	row.Role, row.Type, row.Size, row.Hash = o.role, o.kind, wrote.Size, wrote.Hash
	if o.about != nil {
		text, err := json.Marshal(o.about)
		if err != nil {
			return err
		}
		row.About = string(text)
	}
	return nil
}

// reveal makes files a part of the video.
func (u *under) reveal(ctx context.Context, tx *db.Tx, state State, rows []made) error {
	if err := u.job.holds(ctx, tx); err != nil {
		return err
	}
	for _, m := range rows {
		if err := storage.Settle(ctx, tx, m.Version); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "insert into video_files (version, video_id, role, mimetype, size, hash, about, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)",
			m.Version, u.job.Video, m.Role, m.Type, m.Size, m.Hash, m.About, db.At(tx.Now))
		if err != nil {
			return err
		}
	}
	if state == Ready {
		return u.finish(ctx, tx)
	}
	_, err := tx.Exec(ctx, "update videos set state = $2, problem = '' where id = $1", u.job.Video, string(state))
	return err
}

// finish says that all is done.
func (u *under) finish(ctx context.Context, tx *db.Tx) error {
	if err := u.job.end(ctx, tx, Done, "", ""); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "update videos set state = 'ready', problem = '' where id = $1", u.job.Video)
	return err
}

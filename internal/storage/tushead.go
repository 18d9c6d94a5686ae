package storage

import (
	"database/sql"
	"encoding/base64"
	"strconv"
	"strings"
)

// mostSaid bounds what a client says of an upload: metadata of 64 KiB do not fit into a header in any case.
const mostSaid = 32 << 10

// uploadWanted reads what a new upload is to be.
func (c *call) uploadWanted() (p pending, err error) {
	if c.Header.Get("Tus-Resumable") != "1.0.0" {
		return p, errNoTus
	}
	if p.Length, err = c.length(); err != nil {
		return p, err
	}
	p.Said = c.Header.Get("Upload-Metadata")
	if p.Said == "" {
		return p, errNoMetadata
	}
	fields, ok := saidOf(p.Said)
	if !ok {
		return p, errBadMetadata
	}
	p.Bucket, p.Name = fields["bucketName"], fields["objectName"]
	if p.About.stated = fields["contentType"]; p.About.stated == "" {
		p.About.stated = "application/octet-stream"
	}
	p.About.cache = "no-cache"
	if seconds := fields["cacheControl"]; seconds != "" && len(seconds) <= 10 && strings.Trim(seconds, "0123456789") == "" {
		p.About.cache = "max-age=" + seconds
	}
	if told := fields["metadata"]; told != "" {
		err = p.About.say([]byte(told))
	}
	return p, err
}

// length is how many bytes an upload is to have, which it may say later.
func (c *call) length() (length sql.NullInt64, err error) {
	given := c.Header.Get("Upload-Length")
	if given == "" {
		if c.Header.Get("Upload-Defer-Length") == "1" {
			return length, nil
		}
		return length, errNoLength
	}
	n, err := strconv.ParseUint(given, 10, 63)
	if err != nil || c.Header.Get("Upload-Defer-Length") != "" {
		return length, errBadLength
	}
	return sql.NullInt64{Int64: int64(n), Valid: true}, nil
}

// saidOf reads pairs of a name and a value in base64, with commas between them.
func saidOf(text string) (map[string]string, bool) {
	fields := map[string]string{}
	if len(text) > mostSaid {
		return nil, false
	}
	for pair := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), " ")
		plain, err := base64.StdEncoding.DecodeString(value)
		if _, twice := fields[name]; name == "" || err != nil || twice || strings.ContainsFunc(name, func(c rune) bool { return c < '!' || c > '~' }) {
			return nil, false
		}
		fields[name] = string(plain)
	}
	return fields, true
}

// offset is from where on a request adds.
func (c *call) offset() (int64, error) {
	switch given := c.Header.Get("Upload-Offset"); {
	case c.Header.Get("Tus-Resumable") != "1.0.0":
		return 0, errNoTus
	case given == "":
		return 0, errNoOffset
	case bare(c.Header.Get("Content-Type")) != chunk:
		return 0, errContentType
	default:
		n, err := strconv.ParseUint(given, 10, 63)
		if err != nil {
			return 0, errBadOffset
		}
		return int64(n), nil
	}
}

package s3test

import (
	"encoding/xml"
	"net/http"
	"strconv"
	"strings"
)

// begun is a file that comes in parts.
type begun struct {
	name  string
	parts map[int][]byte
}

// Begun is how many files came in parts and are not whole.
func (s *Storage) Begun() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.begun)
}

func (s *Storage) inParts(w http.ResponseWriter, r *http.Request, name string, body []byte) {
	id := r.URL.Query().Get("uploadId")
	upload := s.begun[id]
	switch {
	case r.Method == http.MethodGet:
		s.listBegun(w, r)
	case r.Method == http.MethodPost && id == "":
		s.uploads++
		id = "upload-" + strconv.Itoa(s.uploads) + "-" + name
		s.begun[id] = &begun{name, map[int][]byte{}}
		answer(w, struct {
			XMLName  xml.Name `xml:"InitiateMultipartUploadResult"`
			UploadID string   `xml:"UploadId"`
		}{UploadID: id})
	case upload == nil || upload.name != name:
		refuse(w, http.StatusNotFound, "NoSuchUpload")
	case r.Method == http.MethodDelete:
		delete(s.begun, id)
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPut:
		n, _ := strconv.Atoi(r.URL.Query().Get("partNumber"))
		if r.Header.Get("X-Amz-Copy-Source") != "" {
			body, _ = s.source(r)
			answer(w, struct {
				XMLName xml.Name `xml:"CopyPartResult"`
				ETag    string
			}{ETag: etag(body)})
		} else {
			w.Header().Set("Etag", etag(body))
		}
		upload.parts[n] = body
	default:
		s.complete(w, id, upload, body)
	}
}

func (s *Storage) complete(w http.ResponseWriter, id string, upload *begun, body []byte) {
	var list struct {
		Part []struct {
			PartNumber int
			ETag       string
		}
	}
	_ = xml.Unmarshal(body, &list)
	var whole []byte
	for i, one := range list.Part {
		part := upload.parts[one.PartNumber]
		if etag(part) != one.ETag || one.PartNumber != i+1 {
			refuse(w, http.StatusBadRequest, "InvalidPart")
			return
		}
		if i < len(list.Part)-1 && (len(part) < s.LeastPart || len(part) != len(upload.parts[1])) {
			refuse(w, http.StatusBadRequest, "EntityTooSmall")
			return
		}
		whole = append(whole, part...)
	}
	s.files[upload.name] = whole
	delete(s.begun, id)
	answer(w, struct {
		XMLName xml.Name `xml:"CompleteMultipartUploadResult"`
		ETag    string
	}{ETag: etag(whole)})
}

func (s *Storage) listBegun(w http.ResponseWriter, r *http.Request) {
	type one struct {
		Key      string
		UploadID string `xml:"UploadId"`
	}
	var list struct {
		XMLName xml.Name `xml:"ListMultipartUploadsResult"`
		Upload  []one
	}
	for id, upload := range s.begun {
		if strings.HasPrefix(upload.name, r.URL.Query().Get("prefix")) {
			list.Upload = append(list.Upload, one{upload.name, id})
		}
	}
	answer(w, list)
}

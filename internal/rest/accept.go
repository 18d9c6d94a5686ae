package rest

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// form is the shape of an answer's body.
type form struct {
	media  string
	single bool // one bare object
	strip  bool // without the keys that are null
	csv    bool
}

const (
	mediaJSON   = "application/json"
	mediaObject = "application/vnd.pgrst.object+json"
	mediaArray  = "application/vnd.pgrst.array+json"
	mediaCSV    = "text/csv"
)

// negotiate picks the acceptable form of the highest quality, the first of equals.
func negotiate(headers []string) (form, *Error) {
	asked := strings.Join(headers, ", ")
	if asked = strings.TrimSpace(asked); asked == "" || asked == "*/*" {
		return form{media: mediaJSON}, nil
	}
	var best form
	highest := 0.0
	for part := range strings.SplitSeq(asked, ",") {
		media, params, err := mime.ParseMediaType(strings.TrimSuffix(strings.TrimSpace(part), ";"))
		if err != nil {
			continue
		}
		quality := 1.0
		if text, given := params["q"]; given {
			quality, _ = strconv.ParseFloat(text, 64)
		}
		if f, ok := formOf(media, params["nulls"] == "stripped"); ok && quality > highest {
			best, highest = f, quality
		}
	}
	if highest == 0 {
		return form{}, refuse(http.StatusNotAcceptable, "PGRST107", "None of these media types are available: "+asked)
	}
	return best, nil
}

func formOf(media string, strip bool) (form, bool) {
	switch media {
	case "*/*", "application/*", mediaJSON:
		return form{media: mediaJSON}, true
	case mediaObject, "application/vnd.pgrst.object":
		return form{media: withNulls(mediaObject, strip), single: true, strip: strip}, true
	case mediaArray, "application/vnd.pgrst.array":
		return form{media: withNulls(mediaArray, strip), strip: strip}, true
	case mediaCSV, "text/*":
		return form{media: mediaCSV, csv: true}, true
	}
	return form{}, false
}

func withNulls(media string, strip bool) string {
	if strip {
		return media + ";nulls=stripped"
	}
	return media
}

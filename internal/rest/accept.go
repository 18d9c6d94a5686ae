package rest

import (
	"mime"
	"net/http"
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

// negotiate picks the first acceptable form; media types of equal standing count in their order.
func negotiate(headers []string) (form, *Error) {
	asked := strings.Join(headers, ", ")
	if strings.TrimSpace(asked) == "" {
		return form{media: mediaJSON}, nil
	}
	for part := range strings.SplitSeq(asked, ",") {
		media, params, err := mime.ParseMediaType(strings.TrimSuffix(strings.TrimSpace(part), ";"))
		if err != nil || params["q"] == "0" {
			continue
		}
		strip := params["nulls"] == "stripped"
		switch media {
		case "*/*", "application/*", mediaJSON:
			return form{media: mediaJSON}, nil
		case mediaObject, "application/vnd.pgrst.object":
			return form{media: withNulls(mediaObject, strip), single: true, strip: strip}, nil
		case mediaArray, "application/vnd.pgrst.array":
			return form{media: withNulls(mediaArray, strip), strip: strip}, nil
		case mediaCSV, "text/*":
			return form{media: mediaCSV, csv: true}, nil
		}
	}
	return form{}, refuse(http.StatusNotAcceptable, "PGRST107", "None of these media types are available: "+asked)
}

func withNulls(media string, strip bool) string {
	if strip {
		return media + ";nulls=stripped"
	}
	return media
}

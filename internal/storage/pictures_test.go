package storage

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"strings"
	"testing"
)

func TestAPictureIsStoredInEveryWidth(t *testing.T) {
	t.Parallel()
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewRGBA(image.Rect(0, 0, 1600, 900)), nil); err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, s *stage) {
		bring := func(as string, file []byte) (int, string) {
			w := s.do(as, "POST", "/picture/artwork", bytes.NewReader(file), "Content-Type", "image/jpeg")
			return w.Code, w.Body.String()
		}
		_, answer := bring("admin", photo.Bytes())
		largest, ok := strings.CutPrefix(strings.TrimSuffix(strings.TrimSpace(answer), `"}`), `{"Key":"`)
		if !ok || !strings.HasSuffix(largest, "/1280.jpg") {
			t.Fatal(answer)
		}
		for _, width := range []int{320, 640, 1280} {
			w := s.do("", "GET", "/object/public/"+strings.Replace(largest, "1280", map[int]string{320: "320", 640: "640", 1280: "1280"}[width], 1), nil)
			if about, err := jpeg.DecodeConfig(w.Body); err != nil || about.Width != width || w.Header().Get("Cache-Control") != asLongAsThere || w.Header().Get("Content-Type") != "image/jpeg" {
				t.Errorf("%d: %d %v %v", width, w.Code, w.Header(), err)
			}
		}
		for as, code := range map[string]string{"user": "AccessDenied", "anon": "AccessDenied", "guest": "AccessDenied"} {
			if _, answer := bring(as, photo.Bytes()); !strings.Contains(answer, code) {
				t.Errorf("%s: %s", as, answer)
			}
		}
		for want, file := range map[string][]byte{
			"read this file as a picture": []byte("<svg/>"), "EntityTooLarge": make([]byte, mostPicture+1),
		} {
			if _, answer := bring("admin", file); !strings.Contains(answer, want) {
				t.Errorf("%s: %s", want, answer)
			}
		}
		before := s.count(t, "select count(*) from storage_objects")
		steps := 0
		s.step = func(step string) error { // the second width fails
			if steps++; step == "commit" && steps > 4 {
				return errors.New("the disk is on fire")
			}
			return nil
		}
		if code, answer := bring("admin", photo.Bytes()); code != 500 || s.count(t, "select count(*) from storage_objects") != before {
			t.Errorf("half a picture is left: %s", answer)
		}
		s.step = nil
		s.whole(t)
	})
}

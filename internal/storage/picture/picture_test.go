package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"
)

// half is red on its left and blue on its right.
func half(width, height int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{200, 0, 0, 255}
			if x >= width/2 {
				c = color.RGBA{0, 0, 200, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

func asJPEG(t *testing.T, m image.Image, more ...byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return append(append(append([]byte{}, b.Bytes()[:2]...), more...), b.Bytes()[2:]...)
}

// exif is what a camera writes before the picture: how it was held, and a mark.
func exif(turn byte, mark string) []byte {
	body := append([]byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"+string(turn)+"\x00\x00\x00\x00\x00\x00"), mark...)
	return append(binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(body)+2)), body...)
}

func TestAPictureComesInEveryWidthAndWithoutWhatItsCameraWrote(t *testing.T) {
	t.Parallel()
	made, err := Make(asJPEG(t, half(1600, 900), exif(1, "GPS 52.5 N, by Ada")...))
	if err != nil || len(made) != 3 {
		t.Fatal(len(made), err)
	}
	for i, want := range []image.Point{{1280, 720}, {640, 360}, {320, 180}} {
		about, format, err := image.DecodeConfig(bytes.NewReader(made[i].JPEG))
		if err != nil || format != "jpeg" || about.Width != want.X || about.Height != want.Y || made[i].Width != want.X {
			t.Errorf("%d: %s of %dx%d, %v", made[i].Width, format, about.Width, about.Height, err)
		}
		if bytes.Contains(made[i].JPEG, []byte("Ada")) || bytes.Contains(made[i].JPEG, []byte("Exif")) {
			t.Error("what the camera wrote is still in it")
		}
	}
}

func TestAPictureStandsUpright(t *testing.T) {
	t.Parallel()
	// Where the red half is to be seen, of a picture that has it on its left.
	for turn, at := range map[byte]image.Point{1: {1, 5}, 2: {9, 5}, 3: {9, 5}, 4: {1, 5}, 5: {5, 1}, 6: {5, 1}, 7: {5, 9}, 8: {5, 9}} {
		made, err := Make(asJPEG(t, half(800, 800), exif(turn, "")...))
		if err != nil {
			t.Fatal(turn, err)
		}
		m, err := jpeg.Decode(bytes.NewReader(made[0].JPEG))
		if err != nil {
			t.Fatal(err)
		}
		if r, _, b, _ := m.At(at.X*80, at.Y*80).RGBA(); r < b {
			t.Errorf("turned as %d it is not red at %v", turn, at)
		}
	}
	if made, err := Make(asJPEG(t, half(1600, 900), exif(6, "")...)); err != nil {
		t.Error(err)
	} else if about, _, _ := image.DecodeConfig(bytes.NewReader(made[1].JPEG)); about.Width != 640 || about.Height != 1138 {
		t.Errorf("%dx%d", about.Width, about.Height)
	}
}

func TestOtherFormsAndClearPictures(t *testing.T) {
	t.Parallel()
	var one, two bytes.Buffer
	if err := errors.Join(png.Encode(&one, image.NewRGBA(image.Rect(0, 0, 700, 400))), gif.Encode(&two, half(700, 400), nil)); err != nil {
		t.Fatal(err)
	}
	for _, file := range [][]byte{one.Bytes(), two.Bytes()} {
		made, err := Make(file)
		if err != nil {
			t.Fatal(err)
		}
		if about, _, _ := image.DecodeConfig(bytes.NewReader(made[0].JPEG)); about.Width != 700 {
			t.Errorf("it was made larger: %d", about.Width)
		}
	}
}

// header is a PNG that says how large it is and has nothing.
func header(width, height uint32) []byte {
	head := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	head = append(binary.BigEndian.AppendUint32(head, height), 8, 6, 0, 0, 0)
	file := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), 13)
	return binary.BigEndian.AppendUint32(append(file, head...), crc32.ChecksumIEEE(head))
}

func TestSecurity62BombsAreRefusedByTheirHead(t *testing.T) {
	t.Parallel()
	whole := asJPEG(t, half(800, 600))
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"nothing":           {nil, ErrUnreadable},
		"a document":        {[]byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), ErrUnreadable},
		"a bomb":            {header(60_000, 60_000), ErrTooLarge},
		"a ribbon":          {header(1_000_000, 1), ErrTooLarge},
		"just too much":     {header(5_000, 4_001), ErrTooLarge},
		"beyond a number":   {header(1<<31-1, 1<<31-1), ErrUnreadable},
		"a head alone":      {header(800, 600), ErrUnreadable},
		"cut in the middle": {whole[:len(whole)/2], ErrUnreadable},
		"a hundred scans":   {scans(t, whole, 100), ErrUnreadable},
		"too small":         {asJPEG(t, half(639, 400)), ErrTooSmall},
		"narrow, upright":   {asJPEG(t, half(800, 600), exif(6, "")...), ErrTooSmall},
	} {
		if made, err := Make(c.file); !errors.Is(err, c.want) {
			t.Errorf("%s: %d made, %v", name, len(made), err)
		}
	}
}

// scans makes a JPEG say so many times more that its pixels follow.
func scans(t *testing.T, file []byte, n int) []byte {
	t.Helper()
	at := bytes.Index(file, []byte("\xff\xda"))
	head := file[at : at+2+int(binary.BigEndian.Uint16(file[at+2:]))]
	return slices.Concat(file[:at], bytes.Repeat(head, n), file[at:])
}

func TestAPictureOfThirtyScansIsRead(t *testing.T) {
	t.Parallel()
	whole := asJPEG(t, half(800, 600))
	if _, err := Open(whole); err != nil {
		t.Error(err)
	}
	if _, err := check(scans(t, whole, mostScans-1)); err != nil {
		t.Error(err)
	}
	for _, file := range [][]byte{scans(t, whole, mostScans), header(60_000, 60_000)} {
		if _, err := Open(file); err == nil {
			t.Error("a bomb was opened")
		}
	}
}

func FuzzPictures(f *testing.F) {
	f.Add(exif(6, "x"))
	f.Add(header(700, 10))
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x10Exif\x00\x00II*\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if turn := orientation(file); turn < 1 || turn > 8 {
			t.Error(turn)
		}
		if about, _, err := image.DecodeConfig(bytes.NewReader(file)); err != nil || about.Width*about.Height > 1<<20 {
			return // decoders are Go's own; what is ours is what comes before and after
		}
		_, _ = Make(file)
	})
}

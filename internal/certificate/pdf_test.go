package certificate

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"
)

// The names of the corpus, by the face that they are set in.
var (
	inSerif = []string{
		"Ada Lovelace", "José Ángel Núñez", "François Lefèvre", "Zoë Brontë", "Jürgen Groß", "Åsa Öberg", "Søren Kjærgård", "Þórunn Ægisdóttir",
		"Łukasz Żółć", "Agnieszka Źdźbło", "Jiří Dvořák", "Šárka Čížková", "Ľubomír Ďurčo", "Győző Űrhegyi", "Ștefan Brâncuși", "Bùi Xuân Quý",
		"Ģirts Ķēniņš", "Ūla Žemaitė", "Ėglė Įsakė", "Mārtiņš Līdaks", "Ülo Õunapuu", "İbrahim Çağlar Yıldız", "Siân Ŵynne ap Ŷr", "Seán Ó Súilleabháin",
		"Nuala Ní Dhomhnaill", "Ġorġ Ħaż-Żebbuġ", "Miķelis O'Brien", "Conceição Gonçalves", "Iñaki Etxeberria", "Đorđe Đurić", "D’Arcy O’Connor-Smythe",
		"Anaïs Peña-Łoś", "Jean-Luc Œuvrard", "María José de la Cruz y Ñusta", "Sir Alfred H. Whitcombe, Jr.",
	}
	inSans = []string{
		"Nguyễn Thị Ánh Tuyết", "Trần Đức Phương", "Lê Hữu Phước", "Phạm Quỳnh Nga", "Vũ Thế Đẵng", "Đặng Ngọc Ưởng", "Hoàng Trọng Nghĩa", "Ţiriac Şerban",
		"Анна Петрова", "Фёдор Щербаков", "Юлія Ґонтар-Їжак", "Ольга Євтушенко", "Ђорђе Љубичић", "Ќирил Ѓоргиев", "Цветелина Ъглова", "Владзімір Ўласаў",
	}
	inNeither = []string{
		"Γιώργος Παπαδόπουλος", "王小明", "山田 太郎", "김민준", "دانا الخطيب", "דנה כהן", "प्रिया शर्मा", "สมชาย ใจดี", "Ọlá Adébáyọ̀",
	}
)

func sample(name string) Certificate {
	return Certificate{
		State: valid, Code: "7K2M-9QXR-4T0B", Holder: cleanName(name), Title: "The Self-Tape Lab: Auditions from Home", Instructor: "Rosalind Mbeki",
		Lessons: 12, Seconds: 12000, Issued: time.Date(2026, 11, 16, 13, 30, 0, 0, time.UTC),
	}
}

// readBack draws a certificate and reads it as others do. With GREENROOM_PAPERS the files stay in that folder, to be looked at.
func readBack(t *testing.T, name string, c Certificate) string {
	t.Helper()
	file, err := draw(c, "https://greenroom.example/certificate/"+c.Code)
	if err != nil {
		t.Fatal(err)
	}
	folder := os.Getenv("GREENROOM_PAPERS")
	if folder == "" {
		folder = t.TempDir()
	}
	path := filepath.Join(folder, strings.ReplaceAll(name, "/", " ")+".pdf")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	var told bytes.Buffer
	command := exec.CommandContext(t.Context(), "pdftotext", "-enc", "UTF-8", path, "-")
	command.Stderr = &told
	text, err := command.Output()
	if err != nil || told.Len() > 0 {
		t.Fatalf("pdftotext: %v %s", err, told.String())
	}
	return norm.NFC.String(string(text))
}

// TestNamesAreOnPaperAsTheyAreWritten reads a corpus of names back out of the PDF.
func TestNamesAreOnPaperAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	if n := len(inSerif) + len(inSans) + len(inNeither); n != 60 {
		t.Errorf("%d names", n)
	}
	for face, names := range map[string][]string{"serif": inSerif, "sans": inSans, "": inNeither} {
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				// As some keyboards type it: letters and marks apart.
				c := sample(norm.NFD.String(name))
				f, _ := choose(c.Holder, "")
				want := strings.ReplaceAll(norm.NFC.String(name), "'", "’")
				if face == "" {
					f.name, want = "", "The holder named on the page below"
				}
				text := readBack(t, name, c)
				if f.name != face || !strings.Contains(text, "\n"+want+"\n") {
					t.Errorf("set in %q: %q", f.name, text)
				}
			})
		}
	}
}

func TestAPaperSaysAllThatIsKnown(t *testing.T) {
	t.Parallel()
	text := readBack(t, "whole", sample("Ada Lovelace"))
	for _, want := range []string{
		"Greenroom", "CERTIFICATE OF COMPLETION", "This certifies that", "completed the course", "The Self-Tape Lab: Auditions from Home",
		"Taught by Rosalind Mbeki · 12 lessons · 3 hours 20 minutes", "Issued", "November 16, 2026", "Certificate code", "7K2M-9QXR-4T0B",
		"Verify at greenroom.example/certificate/7K2M-9QXR-4T0B",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("%q is missing in %q", want, text)
		}
	}
}

// Whatever people call themselves and their courses, there is a paper.
func TestNoTextBreaksThePaper(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing": "", "signs": "🎬🎭👩‍🎤", "sign in a name": "Ana 🎭 Sol", "a placeholder": "{nb}", "marks": strings.Repeat("e\u0301\u0323", 40), "controls": "A\x00\x01\u202eB",
		"an endless word": strings.Repeat("Wm", 300), "many words": strings.Repeat("Anna ", 300), "long": "Maximiliana Konstantina Wilhelmina Theodora von und zu Habsburg-Lothringen-Österreich",
		"long Cyrillic": strings.Repeat("Щербаков ", 30), "beyond": "𝒜𝒹𝒶 𝐋", "brackets": `A (B\) <</C>>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := sample(text)
			c.Title, c.Instructor, c.Lessons, c.Seconds = text, text, 1, 61
			if read := readBack(t, "odd "+name, c); !strings.Contains(read, "7K2M-9QXR-4T0B") {
				t.Error(read)
			}
		})
	}
}

func BenchmarkDraw(b *testing.B) {
	c := sample("Ada Lovelace")
	for b.Loop() {
		file, err := draw(c, "https://greenroom.example/certificate/"+c.Code)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(file)), "bytes")
	}
}

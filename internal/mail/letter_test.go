package mail

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"net"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"greenroom/internal/mail/eml"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestEveryLetterIsWritten(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, letter := range samples {
		seen[letter.kind()] = true
		asHTML, asText, err := render(letter, testHouse)
		if err != nil {
			t.Fatalf("%s: %v", letter.kind(), err)
		}
		p := letter.page(testHouse)
		for _, want := range append([]string{p.Title, p.Hello, p.Code, p.Button.Text, p.Button.URL, "support@greenroom.example"}, p.Lines...) {
			if !strings.Contains(asText, want) {
				t.Errorf("%s: the text lacks %q", letter.kind(), want)
			}
			if !strings.Contains(html.UnescapeString(asHTML), want) {
				t.Errorf("%s: the HTML lacks %q", letter.kind(), want)
			}
		}
		// Bigger letters are cut off by the largest mail service, and its readers see no footer.
		if len(asHTML) > 40_000 || strings.Contains(asHTML, "ZgotmplZ") || strings.Contains(asText, "<") {
			t.Errorf("%s: %d bytes of HTML, or an escape that failed", letter.kind(), len(asHTML))
		}
		if letter.subject() == "" || utf8.RuneCountInString(letter.subject()) > 78 || p.Preview == "" {
			t.Errorf("%s: subject %q, preview %q", letter.kind(), letter.subject(), p.Preview)
		}
	}
	for kind := range kinds {
		if !seen[kind] {
			t.Errorf("%s has no sample", kind)
		}
	}
	if len(seen) != len(kinds) {
		t.Errorf("%d kinds in the samples, %d can be read", len(seen), len(kinds))
	}
}

func TestLetterComesBackOutOfTheOutbox(t *testing.T) {
	t.Parallel()
	o := newOutbox(t, dbtest.Open(t, db.SQLite, clock.System{}), newBox(t), &journal{})
	o.proven = func(_ *db.Batch, _ string, found func(string)) { found("Ada") }
	enqueue(t, o, samples...)
	work(t, o)
	waitFor(t, o, Sent, len(samples))
	got, err := eml.ReadFolder(o.sender.(folder).path, "")
	if err != nil || len(got) != len(samples) {
		t.Fatalf("%d letters, %v", len(got), err)
	}
	var want, have []string
	for i := range samples {
		sent := samples[i]
		if words, ok := sent.(worded); ok {
			sent = words.inWordsOf("Ada", true)
		}
		_, text, err := render(sent, testHouse)
		if err != nil {
			t.Fatal(err)
		}
		want, have = append(want, samples[i].subject()+text), append(have, got[i].Subject+got[i].Text)
	}
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(want, have) {
		t.Fatal("what arrived is not what was written")
	}
}

// hostile are texts that try to become something else than text.
var hostile = []string{
	"Ada\r\nBcc: eve@example.com", "Ada\nBcc: eve@example.com", "Ada\rBcc: eve@example.com", "Ada%0aBcc: eve@example.com",
	"Ada\u2028Bcc: eve@example.com", "Ada\u2029Bcc: eve@example.com", "Ada\u0085Bcc: eve@example.com", "Ada\x00Bcc: eve@example.com",
	"Ada\r\n\r\n<p>new body</p>", "Ada\r\n.\r\nMAIL FROM:<eve@example.com>", strings.Repeat("A", 2000), strings.Repeat("Ä ", 900),
	"=?utf-8?q?Ada=0D=0ABcc:_eve@example.com?=", "Ada <eve@example.com>, \"x\" <y@example.com>", "\"\\\r\n\"", "Zoë 🎭 Ōkuma",
	"\u202eadA", "\xff\xfe", "{{.Secret}}", `{{template "x"}}`, "{{define `x`}}", `<a href="https://evil.example">Ada</a>`,
	"<script>alert(1)</script>", `" onmouseover="alert(1)`, "javascript:alert(1)", "${7*7}", "%s%n", "",
}

var headers = []string{"Auto-Submitted", "Content-Type", "Date", "From", "Message-Id", "Mime-Version", "Subject", "To", "X-Auto-Response-Suppress"}

// TestSecurity56HeadersCannotBeInjected sends hostile names, subjects and addresses to a real server.
func TestSecurity56HeadersCannotBeInjected(t *testing.T) {
	t.Parallel()
	office := openPostOffice(t, nil, false)
	o := newOutbox(t, dbtest.Open(t, db.SQLite, clock.System{}), newBox(t), &journal{})
	var err error
	if o.sender, err = newSMTP("smtp://" + office.address); err != nil {
		t.Fatal(err)
	}
	work(t, o)
	sent := 0
	for _, text := range hostile {
		enqueue(t, o,
			Inquiry{Form: text, Name: text, Email: text, Company: text, Phone: text, Subject: text, Message: text},
			Inquiry{Form: "help", Name: text, Email: "grace@example.com", Subject: "Hello " + text, Message: text},
			WaitlistJoined{To: "ada@example.com", Name: text, Course: text, Link: text},
			WorkshopConfirmed{To: "ada@example.com", Name: text, Workshop: text, Host: text, When: text},
			FactorAdded{To: "ada@example.com", Factor: text},
			EmailChanged{To: "ada@example.com", NewEmail: text},
		)
		sent += 6
	}
	waitFor(t, o, Sent, sent)
	for _, got := range office.letters() {
		checkHonest(t, got)
	}
}

// checkHonest holds a delivered letter to what we meant to send: one recipient, our headers, well-formed lines.
func checkHonest(t *testing.T, got delivery) {
	t.Helper()
	if len(got.To) != 1 || (got.To[0] != "ada@example.com" && got.To[0] != "inbox@greenroom.example") {
		t.Errorf("recipients %q", got.To)
	}
	letter, err := eml.Parse(got.Content)
	if err != nil {
		t.Fatalf("%v in %q", err, got.Content)
	}
	names := slices.Sorted(maps.Keys(letter.Header))
	if at, found := slices.BinarySearch(names, "Reply-To"); found {
		names = slices.Delete(names, at, at+1)
		if reply, err := letter.Header.AddressList("Reply-To"); err != nil || len(reply) != 1 || reply[0].Address != "grace@example.com" {
			t.Errorf("Reply-To %v, %v", reply, err)
		}
	}
	if !slices.Equal(names, headers) {
		t.Errorf("headers %q", names)
	}
	for name, values := range letter.Header {
		if len(values) != 1 {
			t.Errorf("%s stands %d times", name, len(values))
		}
	}
	if strings.ContainsFunc(letter.Subject, hidden) || utf8.RuneCountInString(letter.Subject) > maxSubject {
		t.Errorf("subject %q", letter.Subject)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(got.Content, "\r\n"), "\r\n") {
		if len(line) > 998 || strings.ContainsAny(line, "\r\n\x00") || strings.ContainsFunc(line, func(r rune) bool { return r > 126 }) {
			t.Errorf("a line that a mail server may spoil: %q", line)
		}
	}
}

// TestSecurity57TemplatesNeverRunUserText looks for the hostile text as text.
func TestSecurity57TemplatesNeverRunUserText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"{{.Secret}}", `{{template "x"}}`, "{{define `x`}}", "{{.House}}", `<a href="//evil">Ada</a>`,
		"<script>alert(1)</script>", `" onmouseover="alert(1)`, "</td></table><h1>x",
	} {
		for _, letter := range []Letter{
			WorkshopConfirmed{To: "ada@example.com", Name: text, Workshop: text, Host: text, When: text},
			WorkshopWaiting{To: "ada@example.com", Name: text, Workshop: text},
			WaitlistJoined{To: "ada@example.com", Name: text, Course: text},
			CourseLaunched{To: "ada@example.com", Name: text, Course: text, Instructor: text},
			Inquiry{Form: "help", Name: text, Email: text, Company: text, Subject: text, Message: "one\n" + text},
			FactorAdded{To: "ada@example.com", Factor: text},
			EmailChanged{To: "ada@example.com", NewEmail: text},
		} {
			asHTML, asText, err := render(letter, testHouse)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(asText, text) {
				t.Errorf("%s: the text does not print %q", letter.kind(), text)
			}
			if strings.ContainsAny(text, "<\"") && strings.Contains(asHTML, text) {
				t.Errorf("%s: %q stands in the HTML as it is", letter.kind(), text)
			}
			if !strings.Contains(html.UnescapeString(asHTML), text) {
				t.Errorf("%s: the HTML does not show %q", letter.kind(), text)
			}
		}
	}
}

func TestReadersAreGreetedByName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Ada": "Hello Ada,", " Ada \n Lovelace ": "Hello Ada Lovelace,", "J. R. Hartley Jr.": "Hello J. R. Hartley Jr.,",
		"Zoë O'Neil-Ōkuma": "Hello Zoë O'Neil-Ōkuma,", "": "Hello,", "Ada 1815": "Hello Ada 1815,", "李 小龍": "Hello 李 小龍,",
		"Martin Luther King, Jr.": "Hello Martin Luther King, Jr.,", "आरती": "Hello आरती,",
		// What somebody else could say through us.
		"your card was charged, cancel at evil.example": "Hello,", "evil.example": "Hello,", "https://evil.example": "Hello,",
		"call 555 0123 456": "Hello,", "ada@example.com": "Hello,", "Ada & the account team": "Hello,", "claim the prize that waits for you today": "Hello,",
	} {
		if got := greeting(name); got != want {
			t.Errorf("%q is greeted as %q, want %q", name, got, want)
		}
	}
}

func TestBodyArrivesLineByLine(t *testing.T) {
	t.Parallel()
	office := openPostOffice(t, nil, false)
	office.follow(script{data: func(net.Conn) error { return nil }})
	o := newOutbox(t, dbtest.Open(t, db.SQLite, clock.System{}), newBox(t), &journal{})
	var err error
	if o.sender, err = newSMTP("smtp://" + office.address); err != nil {
		t.Fatal(err)
	}
	work(t, o)
	enqueue(t, o, Inquiry{Form: "help", Name: "Grace", Email: "grace@example.com", Message: "one\r\n.\r\n..\n.two\n\nFrom here\r" + strings.Repeat("long ", 400) + "\u2028end"})
	waitFor(t, o, Sent, 1)
	letter, err := eml.Parse(office.letters()[0].Content)
	if err != nil {
		t.Fatal(err)
	}
	want := "> one\n> .\n> ..\n> .two\n> \n> From here\n> " + strings.Repeat("long ", 400) + "\n> end\n"
	if !strings.Contains(letter.Text, want) {
		t.Fatalf("got %q", letter.Text)
	}
}

func TestAddressesAreTakenOrRefusedWhole(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"ada@example.com", "ada+tag@example.co.uk", "o'neil@example.com", "ada.lovelace@sub.example.com", "a@b", "ädä@example.com", "ada@exämple.com",
		"{{.Secret}}@example.com", "a%0ab@example.com",
	} {
		if !validAddress(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"", "ada", "@example.com", "ada@", "ada@@example.com", "Ada <ada@example.com>", "<ada@example.com>", "ada@example.com, eve@example.com",
		"ada@example.com\r\nBcc: eve@example.com", "ada@example.com\n", " ada@example.com", "ada@example.com ", "ada@exa mple.com", "\"a b\"@example.com",
		"ada@example.com\x00", "ada\u2028@example.com", "ada(comment)@example.com", "ada@[127.0.0.1]\r\n", "ada@example.com>", "\xff@example.com",
		"\u202eada@example.com", strings.Repeat("a", 250) + "@example.com", "ada@example.com;eve@example.com",
	} {
		if validAddress(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

// FuzzHeaders: whatever is typed, the letter has our headers and one recipient.
func FuzzHeaders(f *testing.F) {
	for _, text := range hostile {
		f.Add(text, text, "grace@example.com", text)
		f.Add("Grace", "Hello", text, text)
	}
	o := &Outbox{house: testHouse}
	f.Fuzz(func(t *testing.T, name, subject, email, body string) {
		letter := Inquiry{Form: "contact", Name: name, Email: email, Subject: subject, Message: body}
		m, err := o.write(letter, stored{ID: "1", Recipient: testHouse.Inbox, MessageID: "1@greenroom.example"})
		if err != nil {
			t.Fatal(err)
		}
		var content bytes.Buffer
		if _, err := m.WriteTo(&content); err != nil {
			t.Fatal(err)
		}
		read, err := eml.Parse(content.String())
		if err != nil {
			t.Fatalf("%v in %q", err, content.String())
		}
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(read.Header)), func(name string) bool { return name == "Reply-To" })
		if !slices.Equal(names, headers) || strings.ContainsFunc(read.Subject, hidden) {
			t.Fatalf("headers %q, subject %q", names, read.Subject)
		}
		if want := fmt.Sprintf("<%s>", testHouse.Inbox); read.Header.Get("To") != want {
			t.Fatalf("to %q", read.Header.Get("To"))
		}
		if reply := read.Header.Get("Reply-To"); reply != "" {
			list, err := read.Header.AddressList("Reply-To")
			if err != nil || len(list) != 1 || list[0].Address != email || !validAddress(email) {
				t.Fatalf("reply to %q, %v", reply, err)
			}
		}
	})
}

package rest

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
)

// What is kept of public reads, in bytes.
const (
	keptBytes    = 8 << 20 // of a generation; there are two
	keptLargest  = 512 << 10
	keptQuestion = 2 << 10
	keptOverhead = 1 << 10 // of an answer, besides its texts
	packedFrom   = 1 << 10 // what is smaller travels in one packet anyway
)

// question is a read as it came: all that shapes the answer to a read that everybody may make. So a kept answer is found
// before anything is parsed.
type question struct{ path, query, accept, prefer, span, profile string }

// kept is an answer that was made once and is given to many.
type kept struct {
	version int64
	status  int
	header  []headerLine
	plain   []byte
	packed  atomic.Pointer[web.Packed] // made when somebody who takes it asks a second time
}

// packing is whoever packs an answer: that takes megabytes, so it is one at a time, and nobody waits for it.
var packing = make(chan struct{}, 1)

type headerLine struct {
	name   string
	values []string
}

// memory keeps the answers to reads of tables that have a Version, each for as long as the version stays. What is used
// lives in the young generation; when that is full it becomes the old one, and what nobody asked for meanwhile goes. So
// answers that many want outlive any number of those that somebody makes up.
type memory struct {
	mu         sync.RWMutex
	young, old map[question]*kept
	held       int // bytes of the young
	heldOld    int

	hits, misses atomic.Int64
}

// Kept is how the answers that are kept stand.
type Kept struct{ Hits, Misses, Bytes int64 }

// KeptAnswers tells how often a public read was answered from memory, how often it was not, and what is held.
func (h *Data) KeptAnswers() Kept {
	m := &h.kept
	m.mu.RLock()
	defer m.mu.RUnlock()
	return Kept{m.hits.Load(), m.misses.Load(), int64(m.held + m.heldOld)}
}

// Kept answers a stranger's read from memory, if it is there; who may call at all is for the caller to know. It needs
// nothing of what a request is made ready with, so it is asked first.
func (h *Data) Kept(w http.ResponseWriter, r *http.Request, share func(http.Header, *http.Request) bool) bool {
	found := h.kept.find(h.asked(r))
	if found == nil {
		return false
	}
	share(w.Header(), r)
	found.write(w, r)
	return true
}

// asked gives a request as a question and the version of its answer; 0 where none may be kept.
func (h *Data) asked(r *http.Request) (q question, version int64) {
	if r.Method != http.MethodGet {
		return q, 0
	}
	t := h.tables[strings.TrimPrefix(r.URL.Path, "/rest/v1/")]
	if t == nil || t.Version == nil {
		return q, 0
	}
	r.Pattern = t.route
	q = question{path: t.Name, query: r.URL.RawQuery}
	if !single(r.Header["Accept"], &q.accept) || !single(r.Header["Prefer"], &q.prefer) ||
		!single(r.Header["Range"], &q.span) || !single(r.Header["Accept-Profile"], &q.profile) || q.size() > keptQuestion {
		return q, 0
	}
	return q, t.version(who.From(r.Context()))
}

// version is that of what the actor reads; 0 where none of it may be kept. Whoever writes such a table reads the table
// itself: their next read may reach another instance than their write did.
func (t *Table) version(actor who.Actor) int64 {
	if t.Version == nil || actor.Admin || actor.Role == who.Service {
		return 0
	}
	return t.Version()
}

// single takes a header that came once or not at all.
func single(values []string, into *string) bool {
	if len(values) == 1 {
		*into = values[0]
	}
	return len(values) <= 1
}

func (q *question) size() int {
	return len(q.query) + len(q.accept) + len(q.prefer) + len(q.span) + len(q.profile)
}

// find gives the answer of this version, or nil.
func (m *memory) find(q question, version int64) *kept {
	if version == 0 {
		return nil
	}
	m.mu.RLock()
	found, young := m.young[q]
	if !young {
		found = m.old[q]
	}
	m.mu.RUnlock()
	if found == nil || found.version != version {
		return nil
	}
	m.hits.Add(1)
	if !young {
		m.put(q, found)
	}
	return found
}

// keep notes an answer that was read after its version was: it shows that version or a newer one.
func (m *memory) keep(q question, version int64, a *response) {
	if version == 0 || !a.table || len(a.body) > keptLargest {
		return
	}
	k := &kept{version: version, status: a.status, header: []headerLine{{"Cache-Control", noStore}}, plain: bytes.Clone(a.body)}
	for name, values := range a.header {
		k.header = append(k.header, headerLine{name, values})
	}
	m.put(question{
		path: q.path, query: strings.Clone(q.query), accept: strings.Clone(q.accept),
		prefer: strings.Clone(q.prefer), span: strings.Clone(q.span), profile: strings.Clone(q.profile),
	}, k)
}

func (m *memory) put(q question, k *kept) {
	size := keptOverhead + q.size() + 2*len(k.plain) // the packed ones are smaller, together, than the plain
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held += size; m.held > keptBytes || m.young == nil {
		m.heldOld = m.held - size
		m.old, m.young, m.held = m.young, map[question]*kept{}, size
	}
	m.young[q] = k
}

// content is the answer as a client takes it.
func (k *kept) content(accept string) (body []byte, encoding string) {
	if accept == "" || len(k.plain) < packedFrom {
		return k.plain, ""
	}
	if k.packed.Load() == nil {
		select {
		case packing <- struct{}{}:
			packed := web.Pack(k.plain)
			<-packing
			packed.Plain = k.plain
			k.packed.Store(&packed)
		default:
			return k.plain, ""
		}
	}
	return k.packed.Load().Pick(accept)
}

func (k *kept) write(w http.ResponseWriter, r *http.Request) {
	body, encoding := k.content(r.Header.Get("Accept-Encoding"))
	header := w.Header()
	for _, line := range k.header {
		set(header, line.name, line.values)
	}
	if encoding != "" {
		header["Content-Encoding"] = []string{encoding}
		header.Add("Vary", "Accept-Encoding")
	}
	_ = send(w, k.status, body) // it is nobody's buffer
}

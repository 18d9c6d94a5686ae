package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
)

// work is a line of the table: something that people make the server do all day.
type work struct {
	name, title string
	// must is what the line has to reach: so many microseconds, or so many times the bare handler. Zero is no promise.
	mustMicros, mustBare float64
	// writes says that it leaves something behind, such as a letter that is sent later.
	writes bool
	ours   func(s *scene) *script
}

const newest = "/rest/v1/courses?select=*&order=created_at.desc&limit=28"

var works = []work{
	{
		name: "courses", title: "28 courses, newest first, data API", mustBare: 1.5,
		ours: func(s *scene) *script { return same(200, raw("GET", newest, "", s.stranger()...)) },
	},
	{
		name: "courses-br", title: "the same, as a browser asks (br)", mustBare: 1.5,
		ours: func(s *scene) *script {
			return same(200, raw("GET", newest, "", s.stranger("Accept-Encoding", "gzip, deflate, br")...))
		},
	},
	{name: "course", title: "one course by id", mustMicros: 40, ours: oneCourse},
	{name: "saved", title: "own saved courses, with a token and a row policy", mustMicros: 80, ours: ownSaved},
	{name: "save", title: "durable insert with a row policy (saved_courses)", mustMicros: 200, writes: true, ours: insertSaved},
	{name: "join", title: "insert into course_waitlist with its letter", mustMicros: 400, writes: true, ours: joinWaitlist},
	{name: "progress", title: "a player's report of 15 s, durable (save-progress)", writes: true, ours: reportProgress},
	{name: "user", title: "GET /auth/v1/user", mustMicros: 60, ours: ownUser},
	{name: "refresh", title: "token refresh with rotation, durable", mustMicros: 300, writes: true, ours: refreshToken},
	{
		name: "home", title: "home page, complete HTML", mustBare: 1.4,
		ours: func(*scene) *script {
			return same(200, raw("GET", "/", "", "Accept", "text/html", "Accept-Encoding", "gzip, deflate, br"))
		},
	},
	{
		name: "page", title: "a page of 28, sorted by rating, without a count",
		ours: func(s *scene) *script { return same(200, raw("GET", byRating, "", s.stranger()...)) },
	},
	{
		name: "count", title: "the same page with an exact count",
		ours: func(s *scene) *script {
			return same(counted, raw("GET", byRating, "", s.stranger("Prefer", "count=exact")...))
		},
	},
}

const byRating = "/rest/v1/courses?select=*&order=rating.desc,created_at.desc,id&limit=28"

// same asks the same every time.
func same(status int, request []byte) *script {
	return &script{status: status, request: func(int, int) []byte { return request }}
}

// stranger is what the official client sends without a session.
func (s *scene) stranger(more ...string) []string {
	headers := []string{"Apikey", s.apikey, "X-Client-Info", "supabase-js-web/2"}
	if !slices.Contains(more, "Accept") {
		headers = append(headers, "Accept", "application/json")
	}
	return append(headers, more...)
}

// signed is what it sends for a person; the address is the proxy's word.
func (s *scene) signed(p *person, more ...string) []string {
	return s.stranger(append([]string{"Authorization", "Bearer " + p.access, "X-Forwarded-For", p.address}, more...)...)
}

func oneCourse(s *scene) *script {
	var requests [][]byte
	for _, c := range s.courses {
		requests = append(requests, raw("GET", "/rest/v1/courses?select=*&id=eq."+c.id, "", s.stranger("Accept", "application/vnd.pgrst.object+json")...))
	}
	return &script{status: 200, request: func(client, n int) []byte { return requests[(client+n)%len(requests)] }}
}

func ownSaved(s *scene) *script {
	var requests [][]byte
	for i := range s.people[:readers] {
		p := &s.people[i]
		requests = append(requests, raw("GET", "/rest/v1/saved_courses?select=*&user_id=eq."+p.id+"&order=created_at.desc", "", s.signed(p)...))
	}
	return &script{status: 200, request: func(client, n int) []byte { return requests[(client*7+n)%len(requests)] }}
}

// turn gives the client's nth pair of a person and a course, each pair once. The readers' lists stay as they are.
func (s *scene) turn(client, n int) (*person, course, bool) {
	free := (len(s.people) - readers) / connections
	p := &s.people[readers+client*free+n%free]
	if n/free >= len(s.courses) {
		return p, course{}, false
	}
	return p, s.courses[n/free], true
}

func insertSaved(s *scene) *script {
	return &script{status: 201, request: func(client, n int) []byte {
		p, c, ok := s.turn(client, n)
		if !ok {
			return nil
		}
		return raw("POST", "/rest/v1/saved_courses", fmt.Sprintf(`{"user_id":%q,"course_id":%q}`, p.id, c.id), s.signed(p, "Prefer", "return=minimal")...)
	}}
}

// joinWaitlist stays below the letters that one account gets in an hour: every insert writes its own.
func joinWaitlist(s *scene) *script {
	return &script{status: 201, request: func(client, n int) []byte {
		p, c, ok := s.turn(client, n)
		if !ok {
			return nil
		}
		return raw("POST", "/rest/v1/course_waitlist", fmt.Sprintf(`{"user_id":%q,"course_title":%q,"email":%q}`, p.id, c.title, p.email),
			s.signed(p, "Prefer", "return=minimal")...)
	}}
}

func ownUser(s *scene) *script {
	var requests [][]byte
	for i := range s.people[:readers] {
		requests = append(requests, raw("GET", "/auth/v1/user", "", s.signed(&s.people[i])...))
	}
	return &script{status: 200, request: func(client, n int) []byte { return requests[(client*7+n)%len(requests)] }}
}

// refreshToken trades each person's refresh token for the next. A person belongs to one client, so none is used twice.
func refreshToken(s *scene) *script {
	each := len(s.people) / connections
	of := func(client, n int) *person { return &s.people[client*each+n%each] }
	return &script{
		status: 200,
		request: func(client, n int) []byte {
			p := of(client, n)
			return raw("POST", "/auth/v1/token?grant_type=refresh_token", fmt.Sprintf(`{"refresh_token":%q}`, p.refresh), s.stranger("X-Forwarded-For", p.address)...)
		},
		answered: func(client, n int, body []byte) error {
			var got struct {
				Refresh string `json:"refresh_token"`
			}
			err := json.Unmarshal(body, &got)
			of(client, n).refresh = got.Refresh
			return err
		},
	}
}

// reportProgress tells of each person's next fifteen seconds, as a player does while somebody watches. A person belongs to one
// client.
func reportProgress(s *scene) *script {
	each := len(s.people) / connections
	return &script{status: 200, request: func(client, n int) []byte {
		p, at := &s.people[client*each+n%each], n/each%(lessonSteps/3)*3
		bits := make([]byte, (at+2)/8+1)
		for step := at; step < at+3; step++ {
			bits[step/8] |= 1 << (step % 8)
		}
		return raw("POST", "/functions/v1/save-progress", fmt.Sprintf(`{"lesson":%q,"position_seconds":%d,"covered":%q}`, s.lesson, at*5+15, base64.StdEncoding.EncodeToString(bits)),
			s.signed(p)...)
	}}
}

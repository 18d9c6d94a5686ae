package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// byHand gives the systems that somebody else has started, named by the environment:
//
//	BENCH_POSTGREST="127.0.0.1:3000 PID PID…"        with our schema; the processes are its own and its database's
//	BENCH_GOTRUE="127.0.0.1:9999 PID PID… TOKEN"     with an access token of a user of its
func byHand() ([]*system, error) {
	var all []*system
	for _, one := range []struct{ setting, name string }{{"BENCH_POSTGREST", "postgrest"}, {"BENCH_GOTRUE", "gotrue"}} {
		words := strings.Fields(os.Getenv(one.setting))
		if len(words) == 0 {
			continue
		}
		s := &system{name: one.name, address: words[0], scripts: map[string]*script{}, stop: func() {}}
		token := ""
		for _, word := range words[1:] {
			pid, err := strconv.Atoi(word)
			if err != nil {
				token = word
				continue
			}
			s.roots = append(s.roots, pid)
		}
		if len(s.roots) == 0 {
			return nil, fmt.Errorf("%s must name an address and the processes to count", one.setting)
		}
		if one.name == "gotrue" {
			s.scripts["user"] = same(200, raw("GET", "/user", "", "Authorization", "Bearer "+token))
		} else {
			s.scripts["courses"] = same(200, raw("GET", strings.TrimPrefix(newest, "/rest/v1"), ""))
			s.scripts["page"] = same(200, raw("GET", strings.TrimPrefix(byRating, "/rest/v1"), ""))
			s.scripts["count"] = same(counted, raw("GET", strings.TrimPrefix(byRating, "/rest/v1"), "", "Prefer", "count=exact"))
		}
		all = append(all, s)
	}
	return all, nil
}

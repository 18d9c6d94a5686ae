package config

import (
	"net/netip"
	"net/url"
	"strings"
)

// unguarded gives a host of a PostgreSQL address that is reached over a network although the address does not say
// sslmode: the driver would then send everything in clear to whoever says that they know no TLS. Hosts may be
// several, in the address or in its query; usual is the one that counts where there is none.
func unguarded(address, usual string) string {
	_, rest, _ := strings.Cut(address, "://")
	rest, query, _ := strings.Cut(rest, "?")
	said, _ := url.ParseQuery(query)
	if said.Get("sslmode") != "" {
		return ""
	}
	authority, _, _ := strings.Cut(rest, "/")
	authority = authority[strings.LastIndex(authority, "@")+1:]
	hosts := []string{}
	for _, list := range []string{authority, said.Get("host")} {
		if list != "" {
			hosts = append(hosts, strings.Split(list, ",")...)
		}
	}
	if len(hosts) == 0 {
		hosts = strings.Split(usual, ",")
	}
	for _, host := range hosts {
		if host = bare(host); !local(host) {
			return host
		}
	}
	return ""
}

// bare is a host without its port.
func bare(host string) string {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		host, _, _ = strings.Cut(inner, "]")
		return host
	}
	if plain, err := url.PathUnescape(host); err == nil {
		host = plain
	}
	if strings.HasPrefix(host, "/") || strings.Count(host, ":") > 1 {
		return host
	}
	host, _, _ = strings.Cut(host, ":")
	return host
}

// local tells whether a host is this machine: a socket's folder, or the loopback.
func local(host string) bool {
	if host == "" || strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// startNginx serves the answers that depend on nothing as files, with the settings of Debian's package.
func startNginx(answers map[string]answer, within string) (*system, error) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(within, "nginx")
	if err := os.MkdirAll(filepath.Join(folder, "files"), 0o700); err != nil {
		return nil, err
	}
	address, err := freePort()
	if err != nil {
		return nil, err
	}
	for _, name := range static {
		if err := os.WriteFile(filepath.Join(folder, "files", name), answers[name].Body, 0o600); err != nil {
			return nil, err
		}
	}
	user := ""
	if os.Getuid() == 0 {
		user = "user root;" // its workers must read our files
	}
	file := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, nginxSettings, user, address), 0o600); err != nil {
		return nil, err
	}
	s, err := launch(folder, address, "/courses", nil, program, "-p", folder, "-e", "error.log", "-c", file)
	if err != nil {
		return nil, err
	}
	s.name, s.binary = "nginx", program
	for _, name := range static {
		s.scripts[name] = same(200, raw("GET", "/"+name, ""))
	}
	return s, nil
}

// static are the works whose answer is the same for everybody.
var static = []string{"courses", "course", "home", "page"}

const nginxSettings = `%s
daemon off; worker_processes auto; pid nginx.pid;
events { worker_connections 768; }
http {
  sendfile on; tcp_nopush on; access_log access.log; default_type application/json; keepalive_requests 1000000000;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  server { listen %s; root files; }
}
`

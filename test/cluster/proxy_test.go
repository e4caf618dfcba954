package cluster_test

import (
	"encoding/csv"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// haproxy asks each replica four times a second and takes one out after two answers that are not 200. It sends no request twice.
const haproxy = `
global
    maxconn %d
    stats socket %s mode 600 level admin
defaults
    mode http
    retries 0
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    timeout tunnel 5m
    timeout check 5s
    option forwardfor
frontend site
    bind %s
    default_backend replicas
backend replicas
    balance roundrobin
    option httpchk GET /readyz
    default-server check inter 250ms fall 2 rise 1
%s`

// proxy is HAProxy in front of the replicas r1, r2 and so on.
type proxy struct {
	*testing.T
	socket string // for its operator
}

// startProxy starts HAProxy on an address, for so many connections.
func startProxy(t *testing.T, front string, replicas []*testkit.Site, connections int) *proxy {
	t.Helper()
	dir, err := os.MkdirTemp("", "proxy") // the path of a socket is short
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p := &proxy{t, filepath.Join(dir, "socket")}
	var servers strings.Builder
	for i, r := range replicas {
		fmt.Fprintf(&servers, "    server r%d %s\n", i+1, strings.TrimPrefix(r.URL, "http://"))
	}
	config := filepath.Join(dir, "haproxy.cfg")
	must(t, os.WriteFile(config, fmt.Appendf(nil, haproxy, connections, p.socket, front, servers.String()), 0o600))
	program, err := exec.LookPath("haproxy")
	if err != nil {
		program = "/usr/sbin/haproxy" // Debian's place
	}
	run(t, exec.CommandContext(t.Context(), program, "-f", config))
	for i := range replicas {
		p.waitFor(i, "UP")
	}
	return p
}

// tell gives HAProxy a command and returns its answer, "" if it does not run yet.
func (p *proxy) tell(command string) string {
	p.Helper()
	conn, err := net.Dial("unix", p.socket)
	if err != nil {
		return ""
	}
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, command+"\n")
	must(p.T, err)
	answer, err := io.ReadAll(conn)
	must(p.T, err)
	return string(answer)
}

// server returns the state of a replica and how many connections it has.
func (p *proxy) server(replica int) (status, connections string) {
	p.Helper()
	rows, err := csv.NewReader(strings.NewReader(p.tell("show stat"))).ReadAll()
	must(p.T, err)
	for _, row := range rows {
		if row[0] == "replicas" && row[1] == fmt.Sprintf("r%d", replica+1) {
			return row[17], row[4]
		}
	}
	return "", ""
}

// waitFor waits until the proxy has noticed the state of a replica.
func (p *proxy) waitFor(replica int, state string) {
	p.Helper()
	testkit.Eventually(p.T, waitTimeout, func() bool {
		status, _ := p.server(replica)
		return status == state
	}, "HAProxy does not take r%d as %s", replica+1, state)
}

// drain takes a replica out, as an operator does by hand, and waits for the requests under way.
func (p *proxy) drain(replica int) {
	p.Helper()
	p.set(replica, "drain")
	testkit.Eventually(p.T, waitTimeout, func() bool {
		_, connections := p.server(replica)
		return connections == "0"
	}, "requests of r%d do not end", replica+1)
}

// set gives a replica's server a state: "drain" or "ready".
func (p *proxy) set(replica int, state string) {
	p.Helper()
	if answer := p.tell(fmt.Sprintf("set server replicas/r%d state %s", replica+1, state)); strings.TrimSpace(answer) != "" {
		p.Fatalf("HAProxy: %s", answer)
	}
}

// caddyfile asks each replica four times a second. It sends no request twice.
const caddyfile = `
{
	admin off
	auto_https off
}
http://%s {
	reverse_proxy %s {
		lb_policy round_robin
		health_uri /readyz
		health_interval 250ms
		health_timeout 5s
	}
}
`

// startCaddy starts Caddy in front of the replicas.
func startCaddy(t *testing.T, front string, replicas []*testkit.Site) {
	t.Helper()
	dir := t.TempDir()
	var servers []string
	for _, r := range replicas {
		servers = append(servers, strings.TrimPrefix(r.URL, "http://"))
	}
	config := filepath.Join(dir, "Caddyfile")
	must(t, os.WriteFile(config, fmt.Appendf(nil, caddyfile, front, strings.Join(servers, " ")), 0o600))
	cmd := exec.CommandContext(t.Context(), "caddy", "run", "--config", config, "--adapter", "caddyfile")
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	var log testkit.Log
	cmd.Stderr = &log
	run(t, cmd)
	testkit.Eventually(t, waitTimeout, func() bool {
		return player.Visitor("http://"+front).Call(t.Context(), "GET", "/api/config", nil, nil) == nil
	}, "Caddy does not answer: %s", &log)
}

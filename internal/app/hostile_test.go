package app

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Requests that no browser sends get standard responses (RFC 9110, 9112, 6585): no internals are shown, no redirect
// leads to another site, and no input is echoed in a page or a header.
func TestHostileInput_GetsStandardResponses(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	// The server lingers half a second over refused connections.
	var open sync.WaitGroup
	s.app.server.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			open.Add(1)
		case http.StateClosed, http.StateHijacked:
			open.Done()
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- s.app.server.Serve(listener) }()
	t.Cleanup(func() {
		_ = s.app.server.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
		open.Wait()
	})
	const host = "\r\nHost: portal.example"
	for what, c := range map[string]struct {
		request string // without the final empty line
		status  int
		leads   string // Location
	}{
		"up and away":                  {"GET /../../etc/passwd HTTP/1.1" + host, 307, "/etc/passwd"},
		"up and away, encoded":         {"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1" + host, 404, ""},
		"up and away, slashes encoded": {"GET /assets/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1" + host, 404, ""},
		"up and away, encoded twice":   {"GET /assets/%252e%252e%252fetc%252fpasswd HTTP/1.1" + host, 404, ""},
		"backslashes":                  {`GET /assets\..\..\etc\passwd HTTP/1.1` + host, 404, ""},
		"a zero byte":                  {"GET /login%00.html HTTP/1.1" + host, 404, ""},
		"a broken escape":              {"GET /login%zz HTTP/1.1" + host, 400, ""},
		"another site, by two slashes": {"GET //evil.example/ HTTP/1.1" + host, 307, "/evil.example/"},
		"another site, by a backslash": {`GET /\evil.example/ HTTP/1.1` + host, 404, ""},
		"another site, by an escape":   {"GET /%2f%2fevil.example/ HTTP/1.1" + host, 404, ""},
		"another site's whole address": {"GET http://evil.example/login/ HTTP/1.1" + host, 308, "/login"},
		"another host":                 {"GET /login/ HTTP/1.1\r\nHost: evil.example", 308, "/login"},
		"no host":                      {"GET / HTTP/1.1", 400, ""},
		"two hosts":                    {"GET / HTTP/1.1" + host + "\r\nHost: evil.example", 400, ""},
		"a header's end in the query": {
			"GET /login/?from=%0d%0aSet-Cookie:%20a=b HTTP/1.1" + host, 308, "/login?from=%0d%0aSet-Cookie:%20a=b",
		},
		"a script in the query":           {"GET /login?from=%3Cscript%3Ealert(7)%3C/script%3E HTTP/1.1" + host, 200, ""},
		"a script in the path":            {"GET /%3Cscript%3Ealert(7)%3C/script%3E HTTP/1.1" + host, 404, ""},
		"a script in a call's path":       {"GET /api/%3Cscript%3Ealert(7)%3C/script%3E HTTP/1.1" + host, 404, ""},
		"an endless header":               {"GET / HTTP/1.1" + host + "\r\nX-Long: " + strings.Repeat("a", 64<<10), 431, ""},
		"an endless address":              {"GET /?q=" + strings.Repeat("a", 64<<10) + " HTTP/1.1" + host, 431, ""},
		"headers without end":             {"GET / HTTP/1.1" + host + strings.Repeat("\r\nX-Many: a", 8<<10), 431, ""},
		"a header that is folded":         {"GET / HTTP/1.1" + host + "\r\nX-Fold: a\r\n b", 200, ""},
		"a blank before a header's colon": {"GET / HTTP/1.1" + host + "\r\nX-Blank : a", 400, ""},
		"two lengths":                     {"POST /api/auth/login HTTP/1.1" + host + "\r\nContent-Length: 2\r\nContent-Length: 3", 400, ""},
		"an unknown transfer coding":      {"POST /api/auth/login HTTP/1.1" + host + "\r\nTransfer-Encoding: gzip", 501, ""},
		"echo":                            {"TRACE / HTTP/1.1" + host + "\r\nCookie: secret7Q", 405, ""},
		"a method of one's own":           {"BREW /login HTTP/1.1" + host, 405, ""},
		"a protocol of one's own":         {"GET / HTTP/7.1" + host, 505, ""},
		"a thousand ranges": {
			"GET /robots.txt HTTP/1.1" + host + "\r\nRange: bytes=" + strings.TrimSuffix(strings.Repeat("0-,", 1000), ","), 200, "",
		},
		"a range beyond the end": {"GET /robots.txt HTTP/1.1" + host + "\r\nRange: bytes=1000000-", 416, ""},
		"a range of nonsense":    {"GET /robots.txt HTTP/1.1" + host + "\r\nRange: bytes=z-a", 416, ""},
		"another protocol on a page": {
			"GET /login HTTP/1.1" + host + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13",
			200, "",
		},
		"a body that is not what it says": {
			"POST /api/auth/login HTTP/1.1" + host + "\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n{]}", 400, "",
		},
		"a call's answer without its body": {"HEAD /api/config HTTP/1.1" + host, 200, ""},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(conn, strings.Replace(c.request, host, host+"\r\nConnection: close", 1)+
				"\r\n\r\n"); err != nil && c.status != 431 {
				t.Fatal(err)
			}
			method, _, _ := strings.Cut(c.request, " ")
			res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != c.status || res.Header.Get("Location") != c.leads {
				t.Errorf("%d to %q, want %d to %q: %.120s", res.StatusCode, res.Header.Get("Location"), c.status, c.leads, body)
			}
			if method == http.MethodHead && len(body) > 0 {
				t.Errorf("the answer to HEAD has a body: %.120s", body)
			}
			for _, echo := range []string{"<script>alert", "//evil.example", "secret7Q", "root:x:", "\nSet-Cookie"} {
				if strings.Contains(string(body), echo) {
					t.Errorf("the page has %s: %.400s", echo, body)
				}
			}
			if len(res.Cookies()) > 0 {
				t.Errorf("a cookie was set: %v", res.Cookies())
			}
		})
	}
}

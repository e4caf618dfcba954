package app

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
)

// answer is what a server says to a request that is sent as it is written.
func answer(t *testing.T, address, request string) (status int, location string) {
	t.Helper()
	conn := dial(t, address)
	say(t, conn, request)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	_ = response.Body.Close()
	return response.StatusCode, response.Header.Get("Location")
}

// Whatever a request names, it is redirected to https at a host of the site, or not at all.
// Spec: RUN-29
func TestPlain_RedirectsLeadToTheSameHost(t *testing.T) {
	t.Parallel()
	hosts := []string{"portal.example", "www.portal.example"}
	plain, odd := httptest.NewServer(namedHost(hosts, toEncrypted(""))), httptest.NewServer(namedHost(hosts, toEncrypted("8443")))
	t.Cleanup(plain.Close)
	t.Cleanup(odd.Close)
	for request, want := range map[string]struct {
		status   int
		location string
	}{
		"GET / HTTP/1.1\r\nHost: portal.example\r\n\r\n":                           {308, "https://portal.example/"},
		"HEAD / HTTP/1.1\r\nHost: portal.example\r\n\r\n":                          {308, "https://portal.example/"},
		"GET /a%2Fb?c=d&e=%0d%0a HTTP/1.1\r\nHost: portal.example:80\r\n\r\n":      {308, "https://portal.example/a%2Fb?c=d&e=%0d%0a"},
		"POST /api/x HTTP/1.1\r\nHost: WWW.portal.example.\r\n\r\n":                {308, "https://www.portal.example/api/x"},
		"GET //evil.example/ HTTP/1.1\r\nHost: portal.example\r\n\r\n":             {308, "https://portal.example//evil.example/"},
		"GET /\\evil.example/ HTTP/1.1\r\nHost: portal.example\r\n\r\n":            {308, "https://portal.example/%5Cevil.example/"},
		"GET https:@evil.example/ HTTP/1.1\r\nHost: portal.example\r\n\r\n":        {308, "https://portal.example"},
		"GET https:.evil.example/ HTTP/1.1\r\nHost: portal.example\r\n\r\n":        {308, "https://portal.example"},
		"OPTIONS * HTTP/1.1\r\nHost: portal.example\r\n\r\n":                       {200, ""}, // answered by net/http
		"CONNECT evil.example:443 HTTP/1.1\r\nHost: portal.example\r\n\r\n":        {421, ""},
		"GET http://evil.example/ HTTP/1.1\r\nHost: portal.example\r\n\r\n":        {421, ""},
		"GET http://portal.example/a HTTP/1.1\r\nHost: evil.example\r\n\r\n":       {308, "https://portal.example/a"}, // RFC 9112, section 3.2.2
		"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n":                             {421, ""},
		"GET / HTTP/1.1\r\nHost: portal.example.evil.example\r\n\r\n":              {421, ""},
		"GET / HTTP/1.1\r\nHost: portal.example@evil.example\r\n\r\n":              {400, ""},
		"GET / HTTP/1.1\r\nHost: portal.example:80@evil.example\r\n\r\n":           {400, ""},
		"GET / HTTP/1.1\r\nHost: portal.example\r\nHost: evil.example\r\n\r\n":     {400, ""},
		"GET / HTTP/1.1\r\nHost: portal.example\r\nX-Forwarded-Host: evil\r\n\r\n": {308, "https://portal.example/"},
		"GET / HTTP/1.1\r\n\r\n": {400, ""},
		"GET / HTTP/1.0\r\n\r\n": {421, ""},
	} {
		if status, location := answer(t, plain.Listener.Addr().String(), request); status != want.status || location != want.location {
			t.Errorf("%q: %d to %q, want %d to %q", request, status, location, want.status, want.location)
		}
	}
	_, location := answer(t, odd.Listener.Addr().String(), "GET /a HTTP/1.1\r\nHost: portal.example:80\r\n\r\n")
	if location != "https://portal.example:8443/a" {
		t.Errorf("with a port: %s", location)
	}
}

// The site has one host; its pages would not work at another.
func TestEncrypted_OtherHostsLeadToTheSite(t *testing.T) {
	t.Parallel()
	e := &encryption{site: &url.URL{Scheme: "https", Host: "portal.example:8443"}}
	handler := e.oneHost([]string{"portal.example", "www.portal.example"}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "the site")
	}))
	for host, want := range map[string]struct {
		status   int
		location string
	}{
		"portal.example:8443": {200, ""}, "PORTAL.example": {200, ""},
		"www.portal.example": {308, "https://portal.example:8443/a?b"}, "evil.example": {421, ""}, "": {421, ""}, "127.0.0.1": {421, ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/a?b", nil)
		r.Host = host
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != want.status || w.Header().Get("Location") != want.location {
			t.Errorf("%s: %d to %q", host, w.Code, w.Header().Get("Location"))
		}
	}
}

func TestListen_SaysWhichSettingAndWhatToDo(t *testing.T) {
	t.Parallel()
	denied := &net.OpError{Op: "listen", Net: "tcp", Err: os.NewSyscallError("bind", syscall.EACCES)}
	const want = "LISTEN_ADDR: listen tcp: bind: permission denied: ports below 1024 need the capability CAP_NET_BIND_SERVICE. Set " +
		"AmbientCapabilities=CAP_NET_BIND_SERVICE in the service of systemd, run `setcap cap_net_bind_service=+ep` on the program, or " +
		"choose another port"
	if err := explainListen("LISTEN_ADDR", denied); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	l, err := listenOn("HTTP_ADDR", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if _, err := listenOn("HTTP_ADDR", l.Addr().String()); err == nil || !strings.HasPrefix(err.Error(), "HTTP_ADDR: listen tcp 127.0.0.1:") ||
		!strings.HasSuffix(err.Error(), "address already in use") {
		t.Errorf("in use: %v", err)
	}
}

// Spec: RUN-29
func TestCheck_TriesTheAuthority(t *testing.T) {
	t.Parallel()
	_, c := configure(t, map[string]string{
		"TLS_DOMAIN": "portal.example.invalid", "PUBLIC_URL": "", "TLS_ACME_URL": "https://127.0.0.1:1/directory",
	})
	c.TLS.Directory = "https://127.0.0.1:1/directory"
	for _, connection := range CheckConnections(t.Context(), c) {
		if connection.Name != "certificate" {
			continue
		}
		if err := connection.Err; err == nil || !strings.HasPrefix(err.Error(), "TLS_ACME_URL: Get \"https://127.0.0.1:1/directory\": dial tcp") {
			t.Errorf("the authority does not answer: %v", err)
		}
		if !strings.HasPrefix(connection.Note, "there is none for portal.example.invalid yet: pantheon serve orders it; portal.example.invalid "+
			"does not resolve") {
			t.Errorf("the notes are %q", connection.Note)
		}
		return
	}
	t.Error("the certificate is not checked")
}

// The plain port answers probes by IP address, and nothing else.
func TestPlain_ProbesByAddressAreAnswered(t *testing.T) {
	t.Parallel()
	probes := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the state") })
	handler := probed(probes, namedHost([]string{"portal.example"}, toEncrypted("")))
	for address, want := range map[string]int{
		"http://127.0.0.1:80/readyz": 200, "http://[::1]:80/healthz": 200, "http://192.0.2.1/readyz": 200, "http://192.0.2.1/": 421,
		"http://192.0.2.1/api/config": 421, "http://evil.example/readyz": 421, "http://portal.example/readyz": 308,
	} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))
		if w.Code != want {
			t.Errorf("%s: %d, want %d", address, w.Code, want)
		}
	}
}

package metadata_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/metadata"
)

// host serves a handler under an address that the fetcher may read.
func host(t *testing.T, h http.HandlerFunc) (address string, f *metadata.Fetcher) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	f = metadata.NewFetcher(metadata.FetcherOptions{Private: []string{s.URL}, Timeout: 2 * time.Second, Hedge: 50 * time.Millisecond})
	t.Cleanup(f.Close)
	return s.URL, f
}

func at(addresses ...string) metadata.Location { return metadata.Location{Addresses: addresses} }

func faultOf(t *testing.T, err error) *metadata.Fault {
	t.Helper()
	f, ok := errors.AsType[*metadata.Fault](err)
	if !ok {
		t.Fatalf("the error is %v", err)
	}
	return f
}

// A URI is a stranger's: it must not lead into the operator's network.
// Spec: MARKET-24
func TestFetch_ReadsFromPublicHostsOnly(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(inside.Close)
	port := inside.URL[strings.LastIndex(inside.URL, ":"):]
	outside, f := host(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	})
	for _, address := range []string{
		inside.URL, "https://127.0.0.1" + port, "https://localhost" + port, "https://[::1]" + port, "https://[::ffff:127.0.0.1]" + port,
		"https://0.0.0.0" + port, "https://127.1" + port, "https://2130706433" + port, "https://10.0.0.1/", "https://172.16.0.1/",
		"https://192.168.1.1/", "https://169.254.169.254/latest/meta-data", "https://100.64.0.1/", "https://[fd00::1]/", "https://[fe80::1]/",
		"https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/", "https://192.0.2.1/", "https://224.0.0.1/", "https://255.255.255.255/",
		outside + "/?to=" + inside.URL, outside + "/?to=https://127.0.0.1" + port, outside + "/?to=file:///etc/passwd",
		outside + "/?to=https://169.254.169.254/", outside + "/?to=" + outside + "/?to=" + outside + "/loop",
	} {
		if a, err := f.Fetch(t.Context(), at(address), 1000, ""); err == nil {
			t.Errorf("%s answers %q", address, a.Body)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("a host in the private network was asked %d times", n)
	}
}

func TestFetch_AnswersAreBoundedAndFaultsSayWhatToDo(t *testing.T) {
	t.Parallel()
	address, f := host(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		switch r.URL.Path {
		case "/good":
			if r.Header.Get("If-None-Match") == `"one"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			fmt.Fprint(w, "good")
		case "/large":
			w.Header().Set("Content-Length", "2000")
			fmt.Fprint(w, strings.Repeat("x", 2000))
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := fmt.Fprint(w, strings.Repeat("x", 100)); err != nil {
					return
				}
			}
		case "/slow":
			<-r.Context().Done()
		case "/limited":
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		case "/date":
			w.Header().Set("Retry-After", time.Now().Add(2*time.Hour).UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/broken":
			w.WriteHeader(http.StatusBadGateway)
		default:
			http.NotFound(w, r)
		}
	})
	get := func(path, etag string) (metadata.Answer, error) {
		return f.Fetch(t.Context(), at(address+path), 1000, etag)
	}
	if a, err := get("/good", ""); err != nil || string(a.Body) != "good" || a.ETag != `"one"` || a.Unchanged {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := get("/good", `"one"`); err != nil || !a.Unchanged || len(a.Body) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
	for path, want := range map[string]metadata.Fault{
		"/large":   {Reason: "it is larger than 1000 bytes", Final: true},
		"/endless": {Reason: "it is larger than 1000 bytes", Final: true},
		"/slow":    {Reason: "the host takes too long", Overloaded: true, Timeout: true},
		"/limited": {Reason: "the host answers 429", Overloaded: true, RetryAfter: 7 * time.Second},
		"/date":    {Reason: "the host answers 503", Overloaded: true, RetryAfter: time.Hour},
		"/broken":  {Reason: "the host answers 502"},
		"/gone":    {Reason: "the host answers 404", Final: true},
	} {
		_, err := get(path, "")
		got := *faultOf(t, err)
		if isLarge := strings.HasPrefix(want.Reason, "it is larger"); isLarge != (len(got.Head) > 0) {
			t.Errorf("%s begins with %d bytes", path, len(got.Head))
		}
		if got.Head = nil; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
	_, err := f.Fetch(t.Context(), metadata.Location{Data: make([]byte, 1001)}, 1000, "")
	if faultOf(t, err).Reason != "it is larger than 1000 bytes" {
		t.Errorf("a long data URI: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Fetch(gone, at(address+"/good"), 1000, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// A gateway in the operator's network is read for contents, and for nothing else that a stranger names.
// Spec: MARKET-24
func TestFetch_OfGatewaysOnlyContentsAreRead(t *testing.T) {
	t.Parallel()
	const content = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); fmt.Fprint(w, "good") }))
	t.Cleanup(s.Close)
	f := metadata.NewFetcher(metadata.FetcherOptions{Gateways: metadata.Gateways{
		IPFS: []string{s.URL + "/gw/"}, Arweave: []string{s.URL + "/ar"},
	}})
	t.Cleanup(f.Close)
	for _, path := range []string{
		"/gw/ipfs/" + content + "/1.json", "/gw/ipns/names.example/1", "/ar/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE/1",
	} {
		if a, err := f.Fetch(t.Context(), at(s.URL+path), 100, ""); err != nil || string(a.Body) != "good" {
			t.Errorf("%s: %q, %v", path, a.Body, err)
		}
	}
	asked.Store(0)
	https := "https" + strings.TrimPrefix(s.URL, "http")
	for _, address := range []string{
		s.URL + "/", s.URL + "/admin", s.URL + "/gw/", s.URL + "/gw/ipfs/admin", s.URL + "/gw/ipfs/" + content + "/../../admin",
		s.URL + "/gw/ipfs/" + content + "/%2e%2e/%2e%2e/admin", s.URL + "/ar/admin", https + "/admin",
	} {
		if a, err := f.Fetch(t.Context(), at(address), 100, ""); err == nil {
			t.Errorf("%s answers %q", address, a.Body)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("pages of the gateway were asked for %d times", n)
	}
}

// Gateways fail and are slow: the next one is asked when one does not answer, and the first answer counts.
func TestFetch_AsksTheNextGatewayWhenOneIsSlowOrFails(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	address, f := host(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.URL.Path {
		case "/slow":
			<-r.Context().Done()
		case "/good":
			fmt.Fprint(w, "good")
		case "/broken":
			w.WriteHeader(http.StatusBadGateway)
		default:
			http.NotFound(w, r)
		}
	})
	get := func(paths ...string) (metadata.Answer, error) {
		var l metadata.Location
		for _, p := range paths {
			l.Addresses = append(l.Addresses, address+p)
		}
		return f.Fetch(t.Context(), l, 1000, "")
	}
	for _, paths := range [][]string{{"/slow", "/good"}, {"/gone", "/good"}, {"/broken", "/slow", "/good"}} {
		if a, err := get(paths...); err != nil || string(a.Body) != "good" {
			t.Errorf("%v: %q, %v", paths, a.Body, err)
		}
	}
	asked.Store(0)
	if _, err := get("/good", "/slow", "/gone"); err != nil || asked.Load() != 1 {
		t.Errorf("%d gateways were asked, %v", asked.Load(), err)
	}
	// One that lacks the content says little while another is broken.
	if _, err := get("/gone", "/broken"); faultOf(t, err).Final {
		t.Errorf("%v is final", err)
	}
}

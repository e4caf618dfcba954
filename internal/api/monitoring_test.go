package api_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"pantheon/internal/api"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/monitoring"
	"pantheon/internal/store"
)

const (
	visit      = "3f1c0c52-9a4e-4f7e-8d0e-0a1b2c3d4e5f"
	rumForward = "/api/v2/rum?ddsource=browser&dd-api-key=pubOTHER&dd-evp-origin-version=7.16.2" +
		"&dd-evp-origin=browser&dd-request-id=1&batch_time=2&_dd.api=fetch"
	browserView = `{"type":"view","session":{"id":"` + visit + `"},"view":{"url":"https://portal.example/"}}`
)

func reporting(forward, body string) request {
	return request{
		method: http.MethodPost, path: "/api/monitoring?ddforward=" + url.QueryEscape(forward), body: body,
		header: http.Header{"Content-Type": {"text/plain;charset=UTF-8"}},
	}
}

// watched opens a portal and returns a channel of its forwarded reports.
func watched(t *testing.T, change ...func(*api.Options)) (*portal, chan monitoring.Report) {
	t.Helper()
	sent := make(chan monitoring.Report, 100)
	p := open(t, append([]func(*api.Options){func(o *api.Options) {
		o.Monitoring = monitoring.NewService(monitoring.Options{Intake: wire(sent), Meter: uncounted{}, Clock: o.Clock})
	}}, change...)...)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.api.Monitoring.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		p.ok(<-done)
	})
	return p, sent
}

type wire chan monitoring.Report

func (w wire) Send(_ context.Context, r monitoring.Report) error {
	w <- r
	return nil
}

// Spec: MON-6
func TestMonitoring_ReportIsTakenWithoutWhoSendsIt(t *testing.T) {
	t.Parallel()
	p, sent := watched(t)
	r := reporting(rumForward, browserView+"\n"+browserView)
	r.authorization, r.from, r.forwarded = "Bearer "+marker, "203.0.113.77:1", "203.0.113.78"
	r.header.Set("Cookie", "session="+marker)
	if a := p.mustSucceed(r, http.StatusAccepted); a.text != "" || len(a.header["Set-Cookie"]) != 0 {
		t.Errorf("answered with %q %v", a.text, a.header)
	}
	got := <-sent
	if got.Kind != monitoring.RUM || len(got.Events) != 0 || string(got.Body) != browserView+"\n"+browserView ||
		got.Session != visit || got.Address != "" {
		t.Errorf("passed on is %+v", got)
	}
	if all := got.Parameters.Encode() + string(got.Body) + got.ContentType; strings.Contains(all, marker) ||
		strings.Contains(all, "pubOTHER") || strings.Contains(all, "203.0.113") {
		t.Errorf("passed on is %s", all)
	}
}

func TestMonitoring_AddressIsPassedOnWhereThatIsConfigured(t *testing.T) {
	t.Parallel()
	p, sent := watched(t, func(o *api.Options) {
		o.PassAddress, o.Trusted = true, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	r := reporting(rumForward, browserView)
	r.from, r.forwarded = proxyAddress, visitor
	p.mustSucceed(r, http.StatusAccepted)
	if got := <-sent; got.Address != visitor {
		t.Errorf("the address is %q", got.Address)
	}
}

// Spec: MON-1
func TestMonitoring_CompressedReportsAndRecordingsAreTaken(t *testing.T) {
	t.Parallel()
	p, sent := watched(t)
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write([]byte(browserView))
	p.ok(err)
	p.ok(w.Close())
	p.mustSucceed(reporting(rumForward+"&dd-evp-encoding=deflate", b.String()), http.StatusAccepted)
	if got := <-sent; string(got.Body) != b.String() || got.Session != visit {
		t.Errorf("passed on is %+v", got)
	}
	recording := reporting("/api/v2/replay?ddsource=browser",
		"--b\r\nContent-Disposition: form-data; name=\"segment\"; filename=\"x\"\r\n\r\n\x00\xff\r\n"+
			"--b\r\nContent-Disposition: form-data; name=\"event\"\r\n\r\n{\"session\":{\"id\":\""+visit+"\"}}\r\n--b--\r\n")
	recording.header.Set("Content-Type", "multipart/form-data; boundary=b")
	p.mustSucceed(recording, http.StatusAccepted)
	if got := <-sent; got.Kind != monitoring.Replay || got.Session != visit || string(got.Body) != recording.body {
		t.Errorf("passed on is %+v", got)
	}
}

// Reports are forwarded after the response, while the server reads other requests.
func TestMonitoring_QueuedReportHoldsNothingOfLaterRequests(t *testing.T) {
	t.Parallel()
	p, sent := watched(t)
	p.mustSucceed(reporting(rumForward, browserView), http.StatusAccepted)
	for range 50 { // which of them reuses the memory is chance
		p.send(request{
			method: http.MethodPost, path: "/api/auth/login",
			body: `{"email":"anna@example.org","password":"` + strings.Repeat(marker, 20) + `"}`,
		})
	}
	if got := <-sent; string(got.Body) != browserView {
		t.Errorf("passed on is %q", got.Body)
	}
}

// Spec: MON-1
func TestMonitoring_BadReportsAreRefused(t *testing.T) {
	t.Parallel()
	p := open(t)
	var bomb bytes.Buffer
	w := zlib.NewWriter(&bomb)
	for range 64 {
		_, err := w.Write(bytes.Repeat([]byte(" "), 1<<20))
		p.ok(err)
	}
	p.ok(w.Close())
	for what, c := range map[string]struct {
		r      request
		status int
	}{
		"no forward":        {request{method: "POST", path: "/api/monitoring", body: browserView}, 400},
		"another host":      {reporting("https://evil.example/api/v2/rum?"+marker, browserView), 400},
		"a host of its own": {reporting("//evil.example/api/v2/rum", browserView), 400},
		"another path":      {reporting("/api/v2/profile", browserView), 400},
		"a path to climb":   {reporting("/api/v2/rum/../../../x", browserView), 400},
		"a long forward":    {reporting("/api/v2/rum?x="+strings.Repeat("x", 3000), browserView), 400},
		"no body":           {reporting(rumForward, ""), 400},
		"no JSON":           {reporting(rumForward, marker), 400},
		"too large":         {reporting(rumForward, strings.Repeat(browserView+"\n", 12000)), 413},
		"a bomb":            {reporting(rumForward+"&dd-evp-encoding=deflate", bomb.String()), 400},
		"another method":    {request{method: "GET", path: "/api/monitoring?ddforward=%2Fapi%2Fv2%2Frum"}, 405},
	} {
		a := p.send(c.r)
		p.mustBeProblem(what, a, c.status)
		if strings.Contains(a.text, marker) {
			t.Errorf("%s: the answer repeats it: %s", what, a.text)
		}
	}
	off := open(t, func(o *api.Options) {
		o.Monitoring = monitoring.NewService(monitoring.Options{Meter: uncounted{}, Clock: o.Clock})
	})
	off.mustBeProblem("where nothing is monitored", off.send(reporting(rumForward, browserView)), http.StatusNotFound)
}

func TestMonitoring_ReportsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) { o.Limits.ReportsPerMinute = 3 })
	for range 3 {
		p.mustSucceed(reporting(rumForward, browserView), http.StatusAccepted)
	}
	a := p.send(reporting(rumForward, browserView))
	p.mustBeProblem("the fourth", a, http.StatusTooManyRequests)
	other := reporting(rumForward, browserView)
	other.from = "198.51.100.9:1"
	p.mustSucceed(other, http.StatusAccepted)
}

// A failure is logged with its visit; anything but a visit's id is not logged.
// Spec: MON-9
func TestMonitoring_LogNamesTheVisitOfAFailure(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		visit: "visit=" + visit, marker: `visit=""`, "": `visit=""`, visit + "\nlevel=ERROR": `visit=""`,
	} {
		p := open(t, func(o *api.Options) { o.Art = failing{} })
		p.send(request{method: "GET", path: "/metadata/0x1/1", header: http.Header{"X-Session-Id": {header}}})
		if log := p.log.String(); !strings.Contains(log, want) || strings.Contains(log, marker) {
			t.Errorf("%q: logged %s, want %s", header, log, want)
		}
	}
}

// failing fails to describe and draw tokens.
type failing struct{}

func (failing) Metadata(context.Context, string, string) ([]byte, error) {
	return nil, fault.New(fault.Unavailable, "Not now.").Because(context.DeadlineExceeded)
}

func (failing) CollectionTexts(ctx context.Context) (map[eth.Address]string, error) {
	_, err := failing{}.Metadata(ctx, "", "")
	return nil, err
}

func (failing) ItemText(ctx context.Context, contract, id string) (api.ItemText, error) {
	_, err := failing{}.Metadata(ctx, contract, id)
	return api.ItemText{}, err
}

func (failing) Image(ctx context.Context, contract, id string, _ int) (api.Picture, error) {
	_, err := failing{}.Metadata(ctx, contract, id)
	return api.Picture{}, err
}

func (failing) Refresh(ctx context.Context, contract, id string) error {
	_, err := failing{}.Metadata(ctx, contract, id)
	return err
}

// Reports are stored unchanged, without their sender.
func TestMonitoring_ReportsAreKeptWithoutWhoSentThem(t *testing.T) {
	t.Parallel()
	p := open(t)
	r := reporting(rumForward, browserView)
	r.authorization, r.from = "Bearer "+marker, "203.0.113.77:1"
	r.header.Set("Cookie", marker)
	p.mustSucceed(r, http.StatusAccepted)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	p.ok(p.api.Monitoring.Run(ctx)) // stores what is queued
	kept, err := store.Monitoring{DB: p.db}.Reports(t.Context(), monitoring.Filter{}, 10)
	p.ok(err)
	if len(kept) != 1 || kept[0].Session != visit || len(kept[0].Events) != 1 || string(kept[0].Events[0]) != browserView ||
		!kept[0].ReceivedAt.Equal(opening) {
		t.Errorf("kept is %+v", kept)
	}
}

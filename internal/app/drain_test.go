package app

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/testkit"
)

// ran starts a portal that runs until the returned function stops it, which waits for its end.
func ran(t *testing.T, env map[string]string) (a *App, url string, stop func()) {
	s, c := configure(t, env)
	a = s.start(c, s.options())
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return a, "http://" + a.Addr(), stop
}

// proxy sends requests while the portal is ready, as a reverse proxy does: it asks /readyz now and then, and keeps connections.
type proxy struct {
	client   http.Client
	url      string
	isReady  atomic.Bool
	requests atomic.Int64
	failed   atomic.Int64
	closed   atomic.Int64 // responses that ended their connection
}

func (p *proxy) get(ctx context.Context, path string) (status int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+path, nil)
	if err != nil {
		return 0, err
	}
	response, err := p.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.Close {
		p.closed.Add(1)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// A proxy that notices within DRAIN_TIME sends no request that fails: the replica says first that it stops, and closes later.
// Spec: RUN-17
func TestDrain_NoRequestFailsBehindAProxyThatNotices(t *testing.T) {
	t.Parallel()
	_, url, stop := ran(t, map[string]string{"DRAIN_TIME": "2s"})
	p := &proxy{url: url, client: http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}}
	defer p.client.CloseIdleConnections()
	probe := func() bool {
		status, err := p.get(context.Background(), "/readyz")
		p.isReady.Store(err == nil && status == http.StatusOK)
		return p.isReady.Load()
	}
	testkit.Eventually(t, time.Minute, probe, "the portal is not ready")
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for p.isReady.Load() {
				p.requests.Add(1)
				if status, err := p.get(context.Background(), "/api/config"); err != nil || status != http.StatusOK {
					p.failed.Add(1)
					t.Errorf("%d, %v", status, err)
				}
			}
		})
	}
	work.Go(func() {
		for probe() {
			time.Sleep(200 * time.Millisecond) // the interval of the proxy's health check, not a wait for a condition
		}
	})
	testkit.Eventually(t, time.Minute, func() bool { return p.requests.Load() > 200 }, "there are no requests")
	began := time.Now()
	stop()
	work.Wait()
	if took := time.Since(began); took < 2*time.Second {
		t.Errorf("it has stopped after %s", took)
	}
	if n, failed := p.requests.Load(), p.failed.Load(); failed > 0 || p.closed.Load() == 0 {
		t.Errorf("%d of %d requests failed; %d responses ended their connection", failed, n, p.closed.Load())
	}
}

func TestDrain_TheReplicaIsUnreadyAndAnswers(t *testing.T) {
	t.Parallel()
	a, url, _ := ran(t, map[string]string{"DRAIN_TIME": "0s"})
	p := &proxy{url: url}
	defer p.client.CloseIdleConnections()
	testkit.Eventually(t, time.Minute, func() bool { status, _ := p.get(t.Context(), "/readyz"); return status == http.StatusOK }, "not ready")
	a.health.Drain()
	for path, want := range map[string]int{
		"/readyz": http.StatusServiceUnavailable, "/healthz": http.StatusOK, "/api/config": http.StatusOK, "/": http.StatusOK,
	} {
		if status, err := p.get(t.Context(), path); err != nil || status != want {
			t.Errorf("%s: %d, %v, want %d", path, status, err, want)
		}
	}
}

// Spec: RUN-15
func TestStart_WithMigrateOffTheSchemaStaysAsItIs(t *testing.T) {
	t.Parallel()
	s, c := configure(t, map[string]string{"MIGRATE": "off"})
	c.DataDir = t.TempDir()
	if _, _, err := MakeSignerKey(t.Context(), c, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := New(t.Context(), c, s.options()); err == nil || !strings.Contains(err.Error(), "there is none at "+c.DataDir) {
		t.Errorf("without a database: %v", err)
	}
}

// Spec: RUN-16
func TestStart_IsRefusedWhereTheContractsDoNotFit(t *testing.T) {
	t.Parallel()
	node := newNode(t)
	node.id.Store("0x66eee") // it has no contracts
	s, c := configure(t, map[string]string{"GAME_CHAIN_RPC_URL": node.URL, "GAME_CHAIN_ID": "421614"})
	if _, _, err := MakeSignerKey(t.Context(), c, ""); err != nil {
		t.Fatal(err)
	}
	_, err := New(t.Context(), c, s.options())
	for _, want := range []string{
		"game chain:\n", "PAYMASTER_ADDRESS: there is no contract at 0x", "ENTRY_POINT_ADDRESS: there is no contract at 0x",
		"PIGGY_MARKETPLACE_ADDRESS: there is no contract at 0x", "on chain 421614: correct the address, or deploy it",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

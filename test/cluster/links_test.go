package cluster_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// link is the network between the replicas and a part: it can add latency, reset connections, or drop everything.
type link struct {
	*testing.T
	proxy *toxiproxy.Proxy
}

// newLink makes a link to an address.
func newLink(t *testing.T, to string) *link {
	t.Helper()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	l := &link{t, toxiproxy.NewProxy(server, "link", "127.0.0.1:0", to)}
	must(t, l.proxy.Start())
	t.Cleanup(l.proxy.Stop)
	return l
}

// address is where the replicas reach the part.
func (l *link) address() string { return l.proxy.Listen }

// slow delays what the part sends by so many milliseconds, give or take a half.
func (l *link) slow(ms int) {
	l.Helper()
	l.toxic("latency", fmt.Sprintf(`{"latency":%d,"jitter":%d}`, ms, ms/2))
}

// blackhole drops everything: connections stay open, and nobody answers.
func (l *link) blackhole() {
	l.Helper()
	l.toxic("timeout", `{"timeout":0}`)
}

func (l *link) toxic(kind, attributes string) {
	l.Helper()
	_, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(fmt.Sprintf(`{"name":"fault","type":%q,"attributes":%s}`, kind, attributes)))
	must(l.T, err)
}

// cut closes all connections and refuses new ones.
func (l *link) cut() { l.proxy.Stop() }

// restore ends every fault.
func (l *link) restore() {
	l.Helper()
	l.proxy.Toxics.ResetToxics(context.Background())
	if !l.proxy.Enabled {
		must(l.T, l.proxy.Start())
	}
}

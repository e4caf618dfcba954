package cluster_test

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// collected are the spans that a collector has got of one trace.
type collected struct {
	trace string

	mu       sync.Mutex
	names    []string
	replicas map[string]bool
	metrics  bool
}

// startCollector starts an OpenTelemetry collector.
func startCollector(t *testing.T, trace string) (endpoint string, c *collected) {
	t.Helper()
	c = &collected{trace: trace, replicas: map[string]bool{}}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.URL.Path == "/v1/metrics" {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.metrics = true
			return
		}
		var got collector.ExportTraceServiceRequest
		if err := proto.Unmarshal(body, &got); err != nil {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		c.add(&got)
	}))
	t.Cleanup(server.Close)
	return server.URL, c
}

func (c *collected) add(got *collector.ExportTraceServiceRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, of := range got.GetResourceSpans() {
		replica := ""
		for _, a := range of.GetResource().GetAttributes() {
			if a.GetKey() == "service.instance.id" {
				replica = a.GetValue().GetStringValue()
			}
		}
		for _, scope := range of.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				if hex.EncodeToString(span.GetTraceId()) == c.trace {
					c.names = append(c.names, span.GetName())
					c.replicas[replica] = true
				}
			}
		}
	}
}

// lacks returns which of the names no span has.
func (c *collected) lacks(names ...string) (missing []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range names {
		if !slices.Contains(c.names, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// A purchase is one trace from the player's requests to the messages that tell of it, through both replicas and the chain, and operators
// find it by the order.
// Spec: RUN-22
func TestCluster_APurchaseIsOneTrace(t *testing.T) {
	t.Parallel()
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	endpoint, spans := startCollector(t, trace)
	c := start(t, 2, "OTEL_EXPORTER_OTLP_ENDPOINT="+endpoint, "OTEL_BSP_SCHEDULE_DELAY=100", "OTEL_METRIC_EXPORT_INTERVAL=500")
	p, err := player.Register(t.Context(), c.url)
	must(t, err)
	p.Trace = "00-" + trace + "-00f067aa0ba902b7-01"
	orders := c.pay(p)
	c.settled(orders...)
	var missing []string
	testkit.Eventually(t, waitTimeout, func() bool {
		missing = spans.lacks("addToCart", "startCheckout", "sql SaveOrder", "bundler", "paymaster", "batch", "sql InsertGasOperation",
			"bundle operation", "send transaction", "eth_sendRawTransaction", "transaction mined", "operation included", "settle order",
			"publish message")
		return len(missing) == 0
	}, "the trace lacks %v; it has %v", &missing, &spans.names)
	spans.mu.Lock()
	defer spans.mu.Unlock()
	if len(spans.replicas) != 2 {
		t.Errorf("spans of %d replicas, want 2", len(spans.replicas))
	}
	if !spans.metrics {
		t.Error("no metrics are exported")
	}
	out, err := c.replicas[0].Command("order", "show", orders[0].placed.OrderID).Output()
	if err != nil || !strings.Contains(string(out), "\ntrace    "+trace+"\n") {
		t.Errorf("order show: %v\n%s", err, out)
	}
}

package cluster_test

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"flag"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

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
	parts    []part
	replicas map[string]bool
	metrics  bool
}

// part is a span: what was done, by which replica, and when, in nanoseconds.
type part struct {
	name, replica string
	begin, end    uint64
}

var pictureFlag = flag.String("picture", "", "the file for a picture of a purchase's trace, SVG; none when empty")

// shortest is how short a statement of SQL may be that is left out of the picture.
const shortest = uint64(2 * time.Millisecond)

// draw returns a picture of a trace, from the cart on, without what the test asks again and again: a bar for each part, in the order in
// which they began, coloured by replica.
func draw(parts []part) []byte {
	cart := uint64(0)
	for _, p := range parts {
		if p.name == "addToCart" {
			cart = p.begin
		}
	}
	parts = slices.DeleteFunc(slices.Clone(parts), func(p part) bool {
		return p.begin < cart || p.name == "getOrder" || strings.HasPrefix(p.name, "sql") && p.end-p.begin < shortest
	})
	slices.SortFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(b.end, a.end)) })
	first, last := parts[0].begin, uint64(0)
	colours := map[string]string{}
	for _, p := range parts {
		last = max(last, p.end)
		if colours[p.replica] == "" {
			colours[p.replica] = []string{"#3b6ea5", "#c2703d", "#4d8f5b"}[len(colours)%3]
		}
	}
	const width, names, row, head = 1000, 260, 16, 24
	scale := float64(width-names-20) / float64(last-first)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+"\n",
		width, head+row*len(parts)+8)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#fff"/><text x="8" y="16">%s in all; a colour for each replica</text>`+"\n",
		time.Duration(last-first).Round(time.Millisecond))
	for i, p := range parts {
		y, x := head+row*i, names+float64(p.begin-first)*scale
		took := time.Duration(p.end - p.begin)
		fmt.Fprintf(&b, `<text x="8" y="%d">%s</text><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"><title>%s</title></rect>`+"\n",
			y+12, html.EscapeString(p.name), x, y+2, max(1, float64(p.end-p.begin)*scale), row-4, colours[p.replica], took)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
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
					c.parts = append(c.parts, part{span.GetName(), replica, span.GetStartTimeUnixNano(), span.GetEndTimeUnixNano()})
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
	spans.check(t)
	out, err := c.replicas[0].Command("order", "show", orders[0].placed.OrderID).Output()
	if err != nil || !strings.Contains(string(out), "\ntrace    "+trace+"\n") {
		t.Errorf("order show: %v\n%s", err, out)
	}

	// The reward of a burn belongs to the burn's trace.
	var banks []player.Holding
	testkit.Eventually(t, waitTimeout, func() bool {
		banks, err = p.Holdings(t.Context(), "listPiggyBanks")
		return c.accepted(err) && len(banks) > 0
	}, "there is no piggy bank to burn")
	id, err := strconv.ParseInt(banks[0].TokenID, 10, 64)
	must(t, err)
	testkit.Eventually(t, waitTimeout, func() bool { // the purchase may not be told to the player yet
		_, err := p.BurnTokens(t.Context(), player.Burn{Contract: banks[0].Contract, TokenID: id, Amount: 1})
		return c.accepted(err)
	}, "the burn is refused")
	testkit.Eventually(t, waitTimeout, func() bool {
		missing = spans.lacks("give reward", "reward done")
		return len(missing) == 0
	}, "the trace lacks %v; it has %v", &missing, &spans.names)
}

// check checks what has got the spans, and draws them if it is asked to.
func (c *collected) check(t *testing.T) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.replicas) != 2 {
		t.Errorf("spans of %d replicas, want 2", len(c.replicas))
	}
	if !c.metrics {
		t.Error("no metrics are exported")
	}
	if *pictureFlag != "" {
		must(t, os.WriteFile(*pictureFlag, draw(c.parts), 0o600))
	}
}

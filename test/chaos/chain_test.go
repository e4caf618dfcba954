package chaos_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"pantheon/internal/app"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// gate is a chain's endpoint, reached by URL, that can be cut off at a chosen request and restored.
type gate struct {
	chain http.Handler

	mu    sync.Mutex
	off   bool
	at    string        // the method of the request at which the endpoint is lost; "" for none
	after bool          // whether that request still reaches the chain
	lost  chan struct{} // closed when the endpoint is lost and, with after, the request has reached the chain
}

// loseAt makes the endpoint unreachable at the next request of the method, before or after it has reached the chain.
func (g *gate) loseAt(method string, after bool) (lost <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.at, g.after, g.lost = method, after, make(chan struct{})
	return g.lost
}

// find restores the endpoint.
func (g *gate) find() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.off = false
}

// pass reports whether a request reaches the chain, and whether it is the one at which the endpoint is lost.
func (g *gate) pass(body []byte) (through, last bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	last = !g.off && g.at != "" && bytes.Contains(body, []byte(`"`+g.at+`"`))
	if !last {
		return !g.off, false
	}
	g.off, g.at = true, ""
	return g.after, true
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	through, last := g.pass(body)
	answer := httptest.NewRecorder()
	if through {
		r.Body = io.NopCloser(bytes.NewReader(body))
		g.chain.ServeHTTP(answer, r)
	}
	if last {
		close(g.lost)
	}
	if last || !through {
		panic(http.ErrAbortHandler) // breaks the connection
	}
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// shifted is the system clock, shifted forward.
type shifted struct{ by atomic.Int64 }

func (s *shifted) Now() time.Time              { return time.Now().UTC().Add(time.Duration(s.by.Load())) }
func (s *shifted) putForward(by time.Duration) { s.by.Add(int64(by)) }

// portal is a whole portal in this process whose game chain is reached by URL.
type portal struct {
	*testing.T
	url   string
	chain *devnet.Chain
	gate  *gate
	clock *shifted
	log   *testkit.Log
}

// endpointKey is part of the endpoint's URL and must not be shown.
const endpointKey = "k3yOfTheEndpoint"

func startPortal(t *testing.T) *portal {
	t.Helper()
	p := &portal{T: t, clock: &shifted{}, log: &testkit.Log{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p.url = "http://" + listener.Addr().String()
	c, err := config.Load([]string{
		"DATA_DIR=" + t.TempDir(), "PUBLIC_URL=" + p.url, "LIMIT_LOGINS=0", "DEV_BLOCK_LEAD=1m", "DEV_BEACON_PORT=0", "DRAIN_TIME=1s",
	}, brandtest.Pantheon())
	must(t, err)
	o := app.Options{Log: slog.New(slog.NewTextHandler(p.log, nil)), Clock: p.clock, Listener: listener}
	world, err := app.StartDevelopment(t.Context(), &c, &o, io.Discard)
	must(t, err)
	t.Cleanup(func() { must(t, world.Close()) })

	p.chain = world.Chains()[0]
	handler, err := p.chain.Handler()
	must(t, err)
	p.gate = &gate{chain: handler}
	endpoint := httptest.NewServer(p.gate)
	t.Cleanup(endpoint.Close)
	delete(o.Endpoints, c.GameChain.ChainID())
	c.GameChain.RPCURL = config.Secret(endpoint.URL + "/" + endpointKey)

	a, err := app.New(t.Context(), c, o)
	must(t, err)
	t.Cleanup(func() { must(t, a.Close()) })
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		must(t, <-ended)
		http.DefaultClient.CloseIdleConnections()
	})
	p.ready()
	return p
}

// readiness returns the response of /readyz.
func (p *portal) readiness() (status int, checks map[string]string, text string) {
	p.Helper()
	response, err := http.Get(p.url + "/readyz")
	must(p.T, err)
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	must(p.T, err)
	var body struct{ Checks map[string]string }
	must(p.T, json.Unmarshal(b, &body))
	return response.StatusCode, body.Checks, string(b)
}

func (p *portal) ready() {
	p.Helper()
	testkit.Eventually(p.T, waitTimeout, func() bool {
		status, checks, _ := p.readiness()
		return status == http.StatusOK && checks["game chain"] == "ok" && checks["main chain"] == "ok" && checks["messages"] == "ok"
	}, "not ready:\n%s", p.log)
}

func (p *portal) newPlayer(ctx context.Context) *player.Player {
	p.Helper()
	n, err := player.Register(ctx, p.url)
	must(p.T, err)
	testkit.Eventually(p.T, waitTimeout, func() bool { return giftsArrived(ctx, p.T, n) }, "the welcome gifts did not arrive")
	return n
}

// pending is a purchase that is ready to be paid.
type pending struct {
	*player.Player
	listing player.Listing
	order   player.Order
	pay     func() (eth.Hash, error)
}

// prepare creates a player and goes up to the payment.
func (p *portal) prepare(ctx context.Context) pending {
	p.Helper()
	n := pending{Player: p.newPlayer(ctx)}
	n.listing = p.free(ctx, n.Player)
	must(p.T, n.Hold(ctx, n.listing))
	n.bill(ctx, p.T)
	return n
}

// bill creates the order and the signed operation that pays it.
func (n *pending) bill(ctx context.Context, t *testing.T) {
	t.Helper()
	must(t, n.RenewWallet(ctx))
	var err error
	n.order, err = n.Checkout(ctx)
	must(t, err)
	operation, err := n.Prepare(ctx, n.order.Calls)
	must(t, err)
	n.pay = func() (eth.Hash, error) { return n.Send(ctx, operation) }
}

// free returns a listing that nobody holds.
func (p *portal) free(ctx context.Context, n *player.Player) player.Listing {
	p.Helper()
	listings, err := n.Listings(ctx, "avatars", 20)
	must(p.T, err)
	for _, l := range listings {
		if l.Index >= 0 {
			return l
		}
	}
	p.Fatal("everything is held")
	return player.Listing{}
}

// state waits until the player's order has the given state, and returns it.
func (p *portal) state(ctx context.Context, n pending, want string) player.Order {
	p.Helper()
	var o player.Order
	testkit.Eventually(p.T, waitTimeout, func() bool {
		var err error
		o, err = n.Order(ctx, n.order.OrderID)
		must(p.T, err)
		return o.State == want
	}, "the order is not %s but %v\n%s", want, &o, p.log)
	return o
}

// owns checks on chain and in the inventory that the purchase was made, once.
func (p *portal) owns(ctx context.Context, n pending) {
	p.Helper()
	if owner := ownerOf(ctx, p.T, n.Player, n.listing); owner != n.Smart {
		p.Fatalf("the item is %s's", owner)
	}
	inventoryShows(ctx, p.T, n.Player, n.listing)
}

// givenUp reports whether the relay has dropped the operation for good.
func (p *portal) givenUp(ctx context.Context, n pending, operation eth.Hash) bool {
	p.Helper()
	err := n.RPC(ctx, "bundler", "eth_getUserOperationReceipt", new(any), operation)
	refusal, ok := errors.AsType[*player.RPCError](err)
	if err != nil && !ok {
		p.Fatal(err)
	}
	return ok && strings.Contains(refusal.Message, "given up")
}

// Every pending purchase ends well, and nothing else on the site is affected: the chain is lost at the worst moments
// of a purchase, for a while or for longer than orders live.
func TestChain_LostChainIsSaidClearlyAndComesBackWithoutARestart(t *testing.T) {
	p := startPortal(t)
	for _, c := range []struct {
		name   string
		after  bool          // whether the payment reaches the chain before the endpoint is lost
		outage time.Duration // by the clock of orders (15 minutes) and sponsorships (10 minutes)
		ends   string
	}{
		{"for a moment, before the payment is broadcast", false, 0, "complete"},
		{"for longer than the sponsorship, before the payment is broadcast", false, 12 * time.Minute, "failed"},
		{"for long, after the payment was broadcast", true, 20 * time.Minute, "complete"},
		{"for long, before the payment is broadcast", false, 20 * time.Minute, "failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &portal{t, p.url, p.chain, p.gate, p.clock, p.log}
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			paying, waiting := p.prepare(ctx), p.prepare(ctx)
			had := balance(ctx, t, paying.Player, paying.Smart)

			lost := p.gate.loseAt("eth_sendRawTransaction", c.after)
			operation, err := paying.pay()
			must(t, err)
			select {
			case <-lost:
			case <-ctx.Done():
				t.Fatalf("the payment was not broadcast\n%s", p.log)
			}
			p.withoutAChain(ctx, waiting)
			if c.after { // sponsorships expire by block time
				testkit.Eventually(t, waitTimeout, func() bool { return p.pooled() == 0 }, "the payment is not mined")
			}
			p.clock.putForward(c.outage)
			_, err = p.chain.Mine(ctx) // other users' blocks
			must(t, err)
			over := c.outage > 15*time.Minute
			if over {
				if o := p.state(ctx, paying, "failed"); o.Error != "The payment did not arrive in time. If it still does, the items are yours." {
					t.Errorf("the player who has paid is told %q", o.Error)
				}
				p.state(ctx, waiting, "expired")
			}

			p.gate.find()
			p.ready()
			if c.ends == "complete" {
				p.state(ctx, paying, "complete")
				p.owns(ctx, paying)
			} else {
				testkit.Eventually(t, waitTimeout, func() bool { return p.givenUp(ctx, paying, operation) },
					"the payment is still on its way\n%s", p.log)
				if o := p.state(ctx, paying, "failed"); !over && !strings.HasPrefix(o.Error, "The purchase was refused, and you were not charged.") {
					t.Errorf("the player whose payment was refused is told %q", o.Error)
				}
				if now := balance(ctx, t, paying.Player, paying.Smart); now.Cmp(had) != 0 {
					t.Errorf("nothing was bought, but the player has %s of %s left", now, had)
				}
			}
			if over { // hold and order again
				testkit.Eventually(t, waitTimeout, func() bool { return waiting.Hold(ctx, waiting.listing) == nil }, "the unit is still held")
			}
			if before := waiting.order.OrderID; c.outage > 0 { // the sponsorship, at least, has expired
				waiting.bill(ctx, t)
				if same := waiting.order.OrderID == before; same == over {
					t.Errorf("the order is the same one: %v", same)
				}
			}
			_, err = waiting.pay()
			must(t, err)
			p.state(ctx, waiting, "complete")
			p.owns(ctx, waiting)
		})
	}
	if strings.Contains(p.log.String(), endpointKey) {
		t.Error("the log shows the key of the endpoint")
	}
}

// pooled returns how many transactions wait for a block.
func (p *portal) pooled() int {
	p.Helper()
	var status map[string]hexutil.Uint
	must(p.T, p.chain.Client().Call(&status, "txpool_status"))
	return int(status["pending"] + status["queued"])
}

// withoutAChain checks the site while its game chain is lost. The purchase n is ready to be paid.
func (p *portal) withoutAChain(ctx context.Context, n pending) {
	p.Helper()
	testkit.Eventually(p.T, waitTimeout, func() bool {
		status, checks, text := p.readiness()
		if strings.Contains(text, endpointKey) {
			p.Fatalf("/readyz shows the key of the endpoint: %s", text)
		}
		delete(checks, "draws")                                                 // the test moves the clock on, away from the beacon's
		return status == http.StatusOK && maps.Equal(checks, map[string]string{ // what is shared makes no replica unready
			"game chain contracts": "ok", "main chain contracts": "ok", // as they were
			"replica id": "ok", "signer key": "ok", "database writes": "ok",
			"database": "ok", "messages": "ok", "main chain": "ok", "game chain": "cannot be reached",
			"main chain gas": "ok", "game chain gas": "ok", "payment records": "ok", // from the database
			"main chain history": "ok", "game chain history": "ok", // there is none to be read
			"security log": "ok",
		})
	}, "/readyz does not say that the game chain is lost")
	for _, path := range []string{
		"/healthz", "/", "/kod-marketplace", "/api/config",
		"/kod-marketplace/marketplace/item/" + n.listing.Contract.Checksum() + "/" + n.listing.TokenID,
	} {
		response, err := http.Get(p.url + path)
		must(p.T, err)
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			p.Errorf("%s needs no chain, but answers %d", path, response.StatusCode)
		}
	}

	for _, path := range []string{
		"/api/marketplace/listings", "/api/marketplace/collections",
		"/api/marketplace/items/" + n.listing.Contract.Checksum() + "/" + n.listing.TokenID,
	} {
		if err := n.Call(ctx, http.MethodGet, path, nil, &struct{}{}); err != nil {
			p.Errorf("%s needs no chain, but answers %v", path, err)
		}
	}

	const words = "The chain cannot be reached just now. Please try again in a moment."
	_, err := n.pay()
	if refusal, ok := errors.AsType[*player.RPCError](err); !ok || refusal.Message != words {
		p.Errorf("paying is answered with %v, want %q", err, words)
	}
	_, err = n.Balance(ctx, n.Config.Currency.Address, n.Smart)
	if answer, ok := errors.AsType[*player.Error](err); !ok || answer.Status != http.StatusServiceUnavailable ||
		!strings.Contains(answer.Body, words) {
		p.Errorf("reading the chain is answered with %v, want 503 and %q", err, words)
	}
	if o := p.state(ctx, n, "awaiting-payment"); o.Error != "" {
		p.Errorf("the unpaid order says %q", o.Error)
	}
	must(p.T, n.Hold(ctx, p.free(ctx, n.Player)))
}

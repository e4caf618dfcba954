// Package cluster_test proves what replicas promise behind a real proxy: two of them on one PostgreSQL, one NATS and one pair of chains,
// behind HAProxy, which repeats no request.
package cluster_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"pantheon/internal/app"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

func TestMain(m *testing.M) {
	if options := os.Getenv(natsOptions); options != "" {
		serveNATS(options)
		return
	}
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 500 // all players are at one host
	// Toxiproxy leaves some goroutines of links that are closed while they are busy.
	testkit.Main(m, goleak.IgnoreAnyFunction("github.com/Shopify/toxiproxy/v2/toxics.(*ToxicStub).Run"))
}

const waitTimeout = 90 * time.Second

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func address(t *testing.T) string {
	t.Helper()
	a, err := testkit.FreeAddress()
	must(t, err)
	return a
}

// parts are what replicas share, by address.
type parts struct {
	database, nats, game, main string
}

// cluster is replicas behind a proxy.
type cluster struct {
	*testing.T
	url      string // of the proxy
	proxy    *proxy // nil for Caddy
	replicas []*testkit.Site
	nats     *server.Server // nil for a cluster of servers
	metrics  []string       // addresses of the replicas' metrics
	db       *sql.DB        // a connection of the test's own
	env      []string
}

// start starts a cluster of so many replicas, with further settings, on parts that do not fail by themselves.
func start(t *testing.T, replicas int, settings ...string) *cluster {
	t.Helper()
	return startOn(t, testkit.DatabaseOptions(t, store.PostgreSQL).URL, make([]string, replicas), settings...)
}

// startOn starts a cluster on a database, of a replica for each program; "" is this version's.
func startOn(t *testing.T, database string, programs []string, settings ...string) *cluster {
	t.Helper()
	nats := startNATS(t, t.TempDir(), server.RANDOM_PORT)
	game, main := startChains(t)
	c := startReplicas(t, parts{database, nats.ClientURL(), game, main}, programs, settings...)
	c.nats = nats
	c.proxy = startProxy(t, strings.TrimPrefix(c.url, "http://"), c.replicas, 2000)
	return c
}

// startReplicas starts the replicas of a cluster without its proxy.
func startReplicas(t *testing.T, p parts, programs []string, settings ...string) *cluster {
	t.Helper()
	c := &cluster{T: t, url: "http://" + address(t), db: testkit.Connect(t, "pgx", p.database)}
	c.env = append([]string{
		"PUBLIC_URL=" + c.url, "DATABASE_URL=" + p.database, "NATS_URL=" + p.nats,
		"TOKEN_SECRET=" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))),
		"SIGNER_KEY_FILE=" + filepath.Join(t.TempDir(), "signer.key"), "GAME_CHAIN_RPC_URL=" + p.game, "MAIN_CHAIN_RPC_URL=" + p.main,
		"TRUSTED_PROXIES=127.0.0.1/32", "DRAIN_TIME=4s", "LIMIT_LOGINS=0", "LIMIT_CART_CHANGES=0", "LIMIT_SIGNATURES=0", "LIMIT_CHAIN_READS=0",
	}, settings...)
	for _, program := range programs {
		metrics := address(t)
		env := append(slices.Clone(c.env), "METRICS_ADDR="+metrics)
		c.replicas = append(c.replicas, testkit.StartSite(t, testkit.SiteOptions{Binary: program, Env: env}))
		c.metrics = append(c.metrics, metrics)
	}
	return c
}

// startNATS starts a server with JetStream on a port.
func startNATS(t *testing.T, dir string, port int) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
	must(t, err)
	s.Start()
	if !s.ReadyForConnections(waitTimeout) {
		t.Fatal("NATS did not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// startChains starts the development chains in a process of their own.
func startChains(t *testing.T) (game, main string) {
	t.Helper()
	game, main = address(t), address(t)
	binary, err := filepath.Abs("../../bin/pantheon")
	must(t, err)
	cmd := exec.CommandContext(t.Context(), binary, "chain", "--game", game, "--main", main)
	cmd.Env = append(os.Environ(), "DATA_DIR="+t.TempDir())
	out, err := cmd.StdoutPipe()
	must(t, err)
	run(t, cmd)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(lines.Text(), "Main chain: http://"+main) {
			return "http://" + game, "http://" + main
		}
	}
	t.Fatal("the chains did not start")
	return "", ""
}

// run starts a command, and ends it with the test.
func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGKILL)
		_ = cmd.Wait() // killed
	})
}

// load is what players and visitors do until it is stopped.
type load struct {
	calls, failed atomic.Int64
	stop          context.CancelFunc
	work          sync.WaitGroup
}

// browse lets visitors and signed-in players call the site. An answer that is no success is a failure.
func (c *cluster) browse(visitors, players int) *load {
	c.Helper()
	ctx, stop := context.WithCancel(c.Context())
	l := &load{stop: stop}
	call := func(do func() error) {
		l.calls.Add(1)
		if err := do(); err != nil && !errors.Is(err, context.Canceled) {
			l.failed.Add(1)
			c.Errorf("%s: %v", time.Now().Format(time.TimeOnly), err)
		}
	}
	for range visitors {
		p := player.Visitor(c.url)
		l.work.Go(func() {
			for ctx.Err() == nil {
				call(func() error { return p.Call(context.WithoutCancel(ctx), "GET", "/api/packs/openings", nil, nil) })
			}
		})
	}
	for range players {
		p, err := player.Register(c.Context(), c.url)
		must(c.T, err)
		l.work.Go(func() {
			for ctx.Err() == nil {
				call(func() error { return p.Call(context.WithoutCancel(ctx), "GET", "/api/auth/profile", nil, nil) })
			}
		})
	}
	return l
}

// end stops the load and returns how many calls were made.
func (l *load) end() int64 {
	l.stop()
	l.work.Wait()
	return l.calls.Load()
}

// Spec: RUN-17
func TestCluster_ARollingRestartFailsNoCall(t *testing.T) {
	t.Parallel()
	c := start(t, 2)
	l := c.browse(4, 4)
	for _, r := range c.replicas {
		r.Restart()
	}
	if n := l.end(); n < 500 || l.failed.Load() > 0 {
		t.Errorf("%d of %d calls failed", l.failed.Load(), n)
	}
}

// Spec: RUN-9, RUN-19
func TestCluster_WithoutNATSCallsAreAnswered(t *testing.T) {
	t.Parallel()
	c := start(t, 2)
	l := c.browse(2, 2)
	dir, port := c.nats.StoreDir(), c.nats.Addr().(*net.TCPAddr).Port
	c.nats.Shutdown()
	c.nats.WaitForShutdown()
	testkit.Eventually(t, waitTimeout, func() bool { return !c.replicas[0].Ready() }, "the replica does not tell that NATS is away")
	p, err := player.Register(t.Context(), c.url)
	must(t, err)
	listings, err := p.Listings(t.Context(), "avatars", 1)
	must(t, err)
	must(t, p.Hold(t.Context(), listings[0]))
	c.replicas[1].RestartDegraded()
	startNATS(t, filepath.Dir(dir), port)
	for _, r := range c.replicas {
		testkit.Eventually(t, waitTimeout, r.Ready, "messages are not back:\n%s", r.Log())
	}
	if n := l.end(); l.failed.Load() > 0 {
		t.Errorf("%d of %d calls failed", l.failed.Load(), n)
	}
}

// order is what a player has ordered.
type order struct {
	*player.Player
	listing player.Listing
	placed  player.Order
}

// buy lets new players pay for an item each. Nothing has settled yet.
func (c *cluster) buy(players int) (orders []order) {
	c.Helper()
	var buyers []*player.Player
	for range players {
		p, err := player.Register(c.Context(), c.url)
		must(c.T, err)
		buyers = append(buyers, p)
	}
	return c.pay(buyers...)
}

// pay lets players order and pay for an item each.
func (c *cluster) pay(buyers ...*player.Player) (orders []order) {
	c.Helper()
	listings, err := buyers[0].Listings(c.Context(), "avatars", len(buyers))
	must(c.T, err)
	for i, p := range buyers {
		o := c.order(p, listings[i])
		c.send(o)
		orders = append(orders, o)
	}
	return orders
}

// order lets a player, once the gifts have arrived, order an item.
func (c *cluster) order(p *player.Player, l player.Listing) order {
	c.Helper()
	testkit.Eventually(c.T, waitTimeout, func() bool {
		funds, err := p.InWallet(c.Context())
		return c.accepted(err) && funds != "0"
	}, "the player's money did not arrive")
	must(c.T, p.Hold(c.Context(), l))
	o, err := p.Checkout(c.Context())
	must(c.T, err)
	return order{p, l, o}
}

// send pays for an order, which then has not settled yet.
func (c *cluster) send(o order) {
	c.Helper()
	testkit.Eventually(c.T, waitTimeout, func() bool { // another operation may still be under way
		op, err := o.Prepare(c.Context(), o.placed.Calls)
		if err == nil {
			_, err = o.Send(c.Context(), op)
		}
		return c.accepted(err)
	}, "the payment is refused")
}

// accepted reports whether a call succeeded. It may be refused, because something that it needs has not happened yet, but not fail.
func (c *cluster) accepted(err error) bool {
	c.Helper()
	if err == nil {
		return true
	}
	answer, isAnswer := errors.AsType[*player.Error](err)
	_, isRefusal := errors.AsType[*player.RPCError](err)
	if !isRefusal && (!isAnswer || answer.Status >= 500) {
		c.Errorf("%s: %v", time.Now().Format(time.TimeOnly), err)
	}
	return false
}

// settled waits until the orders are complete, and checks that each player has what was bought.
func (c *cluster) settled(orders ...order) {
	c.Helper()
	for _, o := range orders {
		var now player.Order
		testkit.Eventually(c.T, waitTimeout, func() bool {
			var err error
			now, err = o.Order(c.Context(), o.placed.OrderID)
			return err == nil && now.State == "complete"
		}, "an order is %+v", &now)
		id, err := eth.ParseQuantity(decimal(o.listing.TokenID))
		must(c.T, err)
		// The proxy sends requests to a replica that was killed until it has noticed, and repeats none.
		var owner eth.Address
		testkit.Eventually(c.T, waitTimeout, func() bool {
			owner, err = o.OwnerOf(c.Context(), o.listing.Contract, id)
			return err == nil
		}, "the owner is not told: %v", &err)
		if owner != o.Smart {
			c.Errorf("%s belongs to %s, not to its buyer", o.listing.TokenID, owner)
		}
	}
}

// decimal returns a decimal number in hexadecimal.
func decimal(n string) string {
	i, _ := new(big.Int).SetString(n, 10)
	return "0x" + i.Text(16)
}

// leads reports whether a replica has the lease of the background work.
func (c *cluster) leads(r *testkit.Site) bool {
	c.Helper()
	id, err := os.ReadFile(filepath.Join(r.Dir, "replica-id"))
	must(c.T, err)
	var holder string
	if c.db.QueryRowContext(c.Context(), "SELECT holder FROM lease WHERE name = 'background' AND expires_at > $1",
		time.Now().UnixMilli()).Scan(&holder) != nil {
		return false // nobody does, or the database is failing over
	}
	// The release before takes the whole file for its id, this version the first line.
	firstLine := func(s string) string { line, _, _ := strings.Cut(s, "\n"); return line }
	return firstLine(holder) == firstLine(string(id))
}

// leader returns the replica that leads, once there is one.
func (c *cluster) leader() (leader *testkit.Site) {
	c.Helper()
	testkit.Eventually(c.T, waitTimeout, func() bool {
		i := slices.IndexFunc(c.replicas, c.leads)
		if i >= 0 {
			leader = c.replicas[i]
		}
		return i >= 0
	}, "nobody leads")
	return leader
}

// Payments that were accepted settle under the next leader, each once.
// Spec: RUN-18
func TestCluster_PaymentsSettleAfterTheLeaderIsKilled(t *testing.T) {
	t.Parallel()
	c := start(t, 2)
	orders := c.buy(3)
	c.leader().Kill()
	c.settled(orders...)
}

// proxyLearns is more than the proxy needs to learn that a replica is away, by two checks.
const proxyLearns = 2 * time.Second

// PostgreSQL restarts under load: calls fail only while it is away, and all is well a moment later.
// Spec: RUN-19
func TestCluster_PostgreSQLMayRestart(t *testing.T) {
	c := start(t, 2)
	orders := c.buy(2)
	testkit.WithoutPostgres(t, func() {
		testkit.Eventually(t, waitTimeout, func() bool { return !c.replicas[0].Answers() && !c.replicas[1].Answers() },
			"the replicas do not tell that the database is away")
	})
	back := time.Now()
	p := player.Visitor(c.url)
	var answered time.Time // since when all calls are; the proxy may learn only now that a replica was away
	testkit.Eventually(t, waitTimeout, func() bool {
		switch err := p.Call(t.Context(), "GET", "/api/packs/openings", nil, nil); {
		case err != nil || !c.replicas[0].Ready() || !c.replicas[1].Ready():
			answered = time.Time{}
		case answered.IsZero():
			answered = time.Now()
		}
		return !answered.IsZero() && time.Since(answered) > proxyLearns
	}, "calls are not answered again")
	t.Logf("answered %s after PostgreSQL was back", answered.Sub(back).Round(time.Millisecond))
	l := c.browse(2, 2)
	c.settled(orders...)
	if n := l.end(); l.failed.Load() > 0 {
		t.Errorf("%d of %d calls failed afterwards", l.failed.Load(), n)
	}
}

// The index is damaged and rebuilt while players trade: no call fails, what is in carts stays, and trade goes on.
// Spec: RUN-21
func TestCluster_AnIndexIsRebuiltUnderTrade(t *testing.T) {
	t.Parallel()
	c := start(t, 2)
	c.settled(c.buy(1)...)
	p, err := player.Register(t.Context(), c.url)
	must(t, err)
	listings, err := p.Listings(t.Context(), "avatars", 3)
	must(t, err)
	must(t, p.Hold(t.Context(), listings[2]))
	settings, err := config.Load(append(c.env, "DATA_DIR="+t.TempDir(), "DEV_BEACON_PORT=0"), brandtest.Pantheon())
	must(t, err)
	d, err := app.StartDevelopment(t.Context(), &settings, &app.Options{}, io.Discard)
	must(t, err)
	t.Cleanup(func() { must(t, d.Close()) })
	count := func(what string) (n int) {
		must(t, c.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+what).Scan(&n))
		return n
	}
	sales, holdings := count("sale"), count("holding")
	for _, damage := range []string{"DELETE FROM sale", "DELETE FROM holding WHERE token_id <> '0'"} {
		_, err := c.db.ExecContext(t.Context(), damage)
		must(t, err)
	}
	_, err = c.db.ExecContext(t.Context(), "DELETE FROM listing WHERE listing_id = $1", listings[1].ListingID)
	must(t, err)

	l := c.browse(2, 2)
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	interrupted, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := app.RebuildIndex(interrupted, settings, log, 1337042, false, testkit.By("damaged")); err == nil {
		t.Error("a rebuild in no time")
	}
	must(t, app.RebuildIndex(t.Context(), settings, log, 1337042, false, testkit.By("damaged")))
	if got := count("sale"); got != sales {
		t.Errorf("%d sales, want %d", got, sales)
	}
	if got := count("holding"); got < holdings {
		t.Errorf("%d holdings, want %d", got, holdings)
	}
	if n := count("cart_hold WHERE listing_id = '1337042-" + listings[2].ListingID + "'"); n != 1 {
		t.Errorf("%d holds, want 1", n)
	}
	if n := count("listing WHERE valid = 1 AND listing_id = '" + listings[1].ListingID + "'"); n != 1 {
		t.Errorf("the listing is not back")
	}
	if n := count("security_entry WHERE event = 'index rebuild'"); n != 1 {
		t.Errorf("%d entries in the security log, want 1", n)
	}
	c.settled(c.buy(1)...)
	if n := l.end(); l.failed.Load() > 0 {
		t.Errorf("%d of %d calls failed", l.failed.Load(), n)
	}
}

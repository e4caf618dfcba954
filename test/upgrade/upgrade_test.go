// Package upgrade_test proves that replicas of this version and of the release before run side by side, and that going back needs no
// restore: two replicas on one PostgreSQL, one NATS and one pair of chains, behind HAProxy, which repeats no request.
package upgrade_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"pantheon/internal/kit/eth"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const waitTimeout = 60 * time.Second

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

// cluster is two replicas behind a proxy, each of which is replaced by the other version and back.
type cluster struct {
	*testing.T
	url      string // of the proxy
	proxy    *proxy
	db, lock *sql.DB
	replicas []*testkit.Site
	programs []string // links to the binaries that the replicas run
	before   string   // the binary of the release before
	listings []player.Listing
}

// start starts two replicas of the release before on an empty database, and the chains, which are this version's.
func start(t *testing.T) (c *cluster, now string) {
	t.Helper()
	before, now := binaries(t)
	front := address(t)
	c = &cluster{T: t, url: "http://" + front, before: before}
	database := testkit.EmptyDatabaseOptions(t, store.PostgreSQL).URL
	c.db, c.lock = testkit.Connect(t, "pgx", database), testkit.Connect(t, "pgx", database)
	game, main := startChains(t, now)
	env := []string{
		"PUBLIC_URL=" + c.url, "DATABASE_URL=" + database, "NATS_URL=" + startNATS(t),
		"TOKEN_SECRET=" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))),
		"SIGNER_KEY_FILE=" + filepath.Join(t.TempDir(), "signer.key"), "GAME_CHAIN_RPC_URL=" + game, "MAIN_CHAIN_RPC_URL=" + main,
		"TRUSTED_PROXIES=127.0.0.1/32", "DRAIN_TIME=4s", "LIMIT_LOGINS=0", "LIMIT_CART_CHANGES=0", "LIMIT_SIGNATURES=0", "LIMIT_CHAIN_READS=0",
	}
	for range 2 {
		program := filepath.Join(t.TempDir(), "pantheon")
		must(t, os.Symlink(before, program))
		c.programs = append(c.programs, program)
		c.replicas = append(c.replicas, testkit.StartSite(t, testkit.SiteOptions{Binary: program, Env: env}))
	}
	c.proxy = startProxy(t, front, c.replicas)
	return c, now
}

func startNATS(t *testing.T) (url string) {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
	})
	must(t, err)
	s.Start()
	if !s.ReadyForConnections(waitTimeout) {
		t.Fatal("NATS did not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s.ClientURL()
}

func startChains(t *testing.T, binary string) (game, main string) {
	t.Helper()
	game, main = address(t), address(t)
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

// replace stops a replica and starts the other binary in its place, on its data folder, once the other replica leads.
func (c *cluster) replace(replica int, binary string) {
	c.Helper()
	running, err := os.Readlink(c.programs[replica])
	must(c.T, err)
	// The release before closes its port at once when it is told to stop: the operator tells the proxy first. This version drains by
	// itself, and the proxy is told nothing.
	if running == c.before {
		c.proxy.drain(replica)
	}
	c.replicas[replica].Stop()
	c.isLed(1 - replica)
	must(c.T, os.Remove(c.programs[replica]))
	must(c.T, os.Symlink(binary, c.programs[replica]))
	c.replicas[replica].Restart()
	c.proxy.set(replica, "ready")
	c.proxy.waitFor(replica, "UP")
}

// isLed waits until a replica leads.
func (c *cluster) isLed(replica int) {
	c.Helper()
	id, err := os.ReadFile(filepath.Join(c.replicas[replica].Dir, "replica-id"))
	must(c.T, err)
	want, _, _ := strings.Cut(string(id), "\n")
	testkit.Eventually(c.T, waitTimeout, func() bool {
		var holder string
		err := c.db.QueryRowContext(c.Context(), "SELECT holder FROM lease WHERE name = 'background' AND expires_at > $1",
			time.Now().UnixMilli()).Scan(&holder)
		// The release before takes the whole file for its id, this version the first line.
		holder, _, _ = strings.Cut(holder, "\n")
		return err == nil && holder == want
	}, "replica %d does not lead", replica+1)
}

// schema returns the version of the database's schema.
func (c *cluster) schema() (version int64) {
	c.Helper()
	must(c.T, c.db.QueryRowContext(c.Context(), "SELECT MAX(version_id) FROM schema_version").Scan(&version))
	return version
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
	browse := func(p *player.Player, paths ...string) {
		l.work.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				path := paths[i%len(paths)]
				l.calls.Add(1)
				if err := p.Call(context.WithoutCancel(ctx), "GET", path, nil, nil); err != nil {
					if l.failed.Add(1) > 20 {
						return
					}
					c.Errorf("%s: %v", time.Now().Format(time.TimeOnly), err)
				}
			}
		})
	}
	for range visitors {
		browse(player.Visitor(c.url), "/api/packs/openings")
	}
	for range players {
		p, err := player.Register(c.Context(), c.url)
		must(c.T, err)
		browse(p, "/api/auth/profile", "/api/marketplace/listings?limit=5")
	}
	return l
}

// end stops the load and returns how many calls were made.
func (l *load) end() int64 {
	l.stop()
	l.work.Wait()
	return l.calls.Load()
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

// order is what a player pays for.
type order struct {
	*player.Player
	listing player.Listing
	id      string
	payment *eth.UserOperation // signed
}

// order lets a new player, once the player has the gifts, order an item and sign the payment.
func (c *cluster) order() (o order) {
	c.Helper()
	ctx := c.Context()
	p, err := player.Register(ctx, c.url)
	must(c.T, err)
	if c.listings == nil {
		c.listings, err = p.Listings(ctx, "avatars", 20)
		must(c.T, err)
	}
	o.Player, o.listing, c.listings = p, c.listings[0], c.listings[1:]
	testkit.Eventually(c.T, waitTimeout, func() bool {
		funds, err := p.InWallet(ctx)
		return c.accepted(err) && funds != "0"
	}, "the player's money did not arrive")
	must(c.T, p.Hold(ctx, o.listing))
	made, err := p.Checkout(ctx)
	must(c.T, err)
	o.id = made.OrderID
	o.payment, err = p.Prepare(ctx, made.Calls)
	must(c.T, err)
	return o
}

// pay sends the payment. The order has not settled yet.
func (c *cluster) pay(o order) {
	c.Helper()
	_, err := o.Send(c.Context(), o.payment)
	must(c.T, err)
}

// hold keeps the queues from sending transactions until release.
func (c *cluster) hold() (release func()) {
	c.Helper()
	tx, err := c.lock.BeginTx(c.Context(), nil)
	must(c.T, err)
	_, err = tx.ExecContext(c.Context(), "LOCK TABLE gas_transaction IN SHARE ROW EXCLUSIVE MODE")
	must(c.T, err)
	return func() { must(c.T, tx.Rollback()) }
}

// settled waits until an order is complete, and checks that the player has what was bought.
func (c *cluster) settled(o order) {
	c.Helper()
	var now player.Order
	testkit.Eventually(c.T, waitTimeout, func() bool {
		var err error
		now, err = o.Order(c.Context(), o.id)
		return c.accepted(err) && now.State == "complete"
	}, "the order is %+v", &now)
	n, _ := new(big.Int).SetString(o.listing.TokenID, 10)
	id, err := eth.QuantityFromBig(n)
	must(c.T, err)
	owner, err := o.OwnerOf(c.Context(), o.listing.Contract, id)
	must(c.T, err)
	if owner != o.Smart {
		c.Errorf("%s belongs to %s, not to its buyer", o.listing.TokenID, owner)
	}
}

// trade lets a new player buy, who is told at once that the order is complete.
func (c *cluster) trade() order {
	c.Helper()
	o := c.order()
	ctx, stop := context.WithCancel(c.Context())
	defer stop()
	messages, err := o.Messages(ctx)
	must(c.T, err)
	var isTold atomic.Bool
	go func() {
		for m := range messages {
			var news struct{ State string }
			if m.ChannelID == "order" && json.Unmarshal(m.Payload, &news) == nil && news.State == "complete" {
				isTold.Store(true)
			}
		}
	}()
	c.pay(o)
	c.settled(o)
	testkit.Eventually(c.T, waitTimeout, isTold.Load, "the player is not told that the order is complete")
	return o
}

// Each replica is replaced by this version, and then by the release before, while players trade. Each version leads while the other one
// follows, and settles what was paid for before.
// Spec: RUN-7
func TestUpgrade_AndBackUnderLoadFailsNoCall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the release before")
	}
	c, now := start(t)
	if v := c.schema(); v != 19 {
		t.Fatalf("the release before has schema %d, want 19", v)
	}
	c.isLed(0)
	l := c.browse(3, 3)
	bought := []order{c.trade()}
	for i, step := range []struct {
		what    string
		replica int
		binary  string
	}{
		{"the first is upgraded", 0, now}, {"the second is upgraded", 1, now},
		{"the second goes back", 1, c.before}, {"the first goes back", 0, c.before},
	} {
		o := c.order()
		release := func() {}
		if i > 0 { // the first one migrates, for which the queue's table must be free
			release = c.hold()
		}
		c.pay(o)
		c.replace(step.replica, step.binary)
		if paid, err := o.Order(t.Context(), o.id); err != nil || i > 0 && paid.State != "submitted" {
			t.Errorf("%s: the order is %s, %v, want submitted", step.what, paid.State, err)
		}
		release()
		c.settled(o)
		bought = append(bought, o, c.trade())
		if v := c.schema(); v != 22 {
			t.Errorf("%s: the schema is %d, want 22", step.what, v)
		}
	}
	for _, o := range bought { // nothing was sold twice
		c.settled(o)
	}
	if n := l.end(); n < 500 || l.failed.Load() > 0 {
		t.Errorf("%d of %d calls failed", l.failed.Load(), n)
	}
}

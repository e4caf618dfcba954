package cluster_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/testkit"
	"pantheon/test/player"
)

var (
	tradersFlag = flag.Int("traders", 200, "how many players trade while parts fail, where this is proven in full")
	faultsFlag  = flag.String("faults", "", "which parts fail while players trade: a regular expression for their names; all when empty")
	targetsFlag = flag.String("targets", "", "the file that tells Prometheus of the replicas' metrics (file_sd_configs); none when empty")
	reportFlag  = flag.String("report", "", "the file for the report of the trade while parts fail; none when empty")
)

// market is a cluster in which players trade while its parts fail: replicas behind a proxy, on PostgreSQL with a standby, three NATS
// servers and two endpoints of each chain, each reached by a link.
type market struct {
	*cluster
	postgres             *testkit.Pair
	nats                 []*natsNode
	database             []*link // to the primary and the standby
	messages, game, main []*link

	traders []*trader
	calls   calls
	phase   atomic.Pointer[string]
}

// startMarket starts a market. proxy starts the proxy in front of the replicas.
func startMarket(t *testing.T, replicas int, proxy func(*testing.T, string, []*testkit.Site)) *market {
	t.Helper()
	m := &market{postgres: testkit.StartPair(t), nats: startNATSCluster(t)}
	linked := func(addresses ...string) (links []*link, through []string) {
		for _, a := range addresses {
			l := newLink(t, a)
			links, through = append(links, l), append(through, l.address())
		}
		return links, through
	}
	var databases, servers, games, mains []string
	m.database, databases = linked(m.postgres.Addresses()...)
	m.messages, servers = linked(m.nats[0].Address, m.nats[1].Address, m.nats[2].Address)
	game, main := startChains(t)
	m.game, games = linked(strings.TrimPrefix(game, "http://"), strings.TrimPrefix(game, "http://"))
	m.main, mains = linked(strings.TrimPrefix(main, "http://"), strings.TrimPrefix(main, "http://"))
	m.cluster = startReplicas(t, parts{
		database: m.postgres.URL(databases...), nats: urlOf(servers...), game: "http://" + strings.Join(games, ",http://"),
		main: "http://" + strings.Join(mains, ",http://"),
	}, make([]string, replicas), "RELAY_OPERATIONS_PER_NETWORK=100000", "RELAY_OPERATIONS_PER_DAY=10000")
	proxy(t, strings.TrimPrefix(m.url, "http://"), m.replicas)
	if *targetsFlag != "" {
		targets, err := json.Marshal([]map[string][]string{{"targets": m.metrics}})
		must(t, err)
		must(t, os.WriteFile(*targetsFlag, targets, 0o600))
	}
	m.enter("start")
	return m
}

// enter begins a phase of the report.
func (m *market) enter(phase string) { m.phase.Store(&phase) }

// trader is a player who buys, and sells what was bought.
type trader struct {
	*player.Player
	messages *player.Subscription
	stock    []player.Item // bought, and to be listed again

	mu   sync.Mutex
	told map[string]int // number of messages that said that an order is complete
}

// join lets players register, and waits for their money.
func (m *market) join(players int) {
	m.Helper()
	m.traders = make([]*trader, players)
	var group errgroup.Group
	group.SetLimit(8)
	for i := range m.traders {
		group.Go(func() error {
			t := &trader{Player: player.Visitor(m.url), told: map[string]int{}}
			t.From = fmt.Sprintf("10.%d.%d.1", i/250, i%250) // a network of its own
			t.Observe = func(call string, took time.Duration, err error) { m.calls.add(*m.phase.Load(), call, took, err) }
			m.traders[i] = t
			if err := t.Register(m.Context()); err != nil {
				return err
			}
			var err error
			if t.messages, err = t.Subscribe(m.Context()); err == nil {
				go t.listen()
			}
			return err
		})
	}
	must(m.T, group.Wait())
	for _, t := range m.traders {
		testkit.Eventually(m.T, 3*waitTimeout, func() bool {
			funds, err := t.InWallet(m.Context())
			return err == nil && funds != "0"
		}, "the money of a player did not arrive")
	}
}

// listen notes what messages say of orders.
func (t *trader) listen() {
	for message := range t.messages.Messages() {
		var news struct{ OrderID, State string }
		if message.ChannelID == "order" && json.Unmarshal(message.Payload, &news) == nil && news.State == "complete" {
			t.mu.Lock()
			t.told[news.OrderID]++
			t.mu.Unlock()
		}
	}
}

// trade lets all players trade until stop is called, which waits until they have finished what they began.
func (m *market) trade() (stop func()) {
	ctx, cancel := context.WithCancel(m.Context())
	pause := func(about time.Duration) {
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(rand.Int64N(int64(2 * about)))):
		}
	}
	var trading sync.WaitGroup
	for _, t := range m.traders {
		trading.Go(func() {
			pause(5 * time.Second) // not all at once
			for ctx.Err() == nil {
				// Failures have been counted; like a player the trader looks again, and goes on from what is there.
				if refusal, ok := errors.AsType[*player.RPCError](t.round(ctx)); ok {
					m.calls.refuse(refusal.Error())
				}
				pause(time.Second)
			}
		})
	}
	return func() { cancel(); trading.Wait() }
}

// round relists what was bought, and then pays for the open order, or orders an item and pays for it. It stops at the first error.
func (t *trader) round(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	for len(t.stock) > 0 {
		if err := t.list(ctx, t.stock[0]); err != nil {
			return err
		}
		t.stock = t.stock[1:]
	}
	o, err := t.current(ctx)
	if err != nil {
		return err
	}
	if o.OrderID == "" {
		if o, err = t.choose(ctx); err != nil {
			return err
		}
	}
	if o.State == "awaiting-payment" {
		if err := t.pay(ctx, o); err != nil {
			return errors.Join(err, t.Call(ctx, http.MethodDelete, "/api/auth/marketplace/checkout/"+o.OrderID, nil, nil), t.empty(ctx))
		}
	}
	if o, err = t.finished(ctx, o); err == nil && o.State == "complete" {
		t.stock = o.Items
	}
	return err
}

// list lists an item.
func (t *trader) list(ctx context.Context, i player.Item) error {
	token, _ := new(big.Int).SetString(i.TokenID, 10)
	price, _ := new(big.Rat).SetString(i.Price)
	units, _ := price.Mul(price, big.NewRat(1_000_000, 1)).Float64()
	op, err := t.Prepare(ctx, t.ListCalls(i.Contract, token, int64(units)))
	if err == nil {
		_, err = t.Send(ctx, op)
	}
	return err
}

func (t *trader) empty(ctx context.Context) error {
	return t.Call(ctx, http.MethodPost, "/api/auth/marketplace/cart/emptyCart", map[string]string{"playFabId": t.ID}, nil)
}

// choose orders one of the cheapest items.
func (t *trader) choose(ctx context.Context) (o player.Order, err error) {
	listings, err := t.Listings(ctx, []string{"avatars", "game-items", "piggy-banks"}[rand.IntN(3)], 100)
	if err != nil || len(listings) == 0 {
		return o, err
	}
	if err := t.Hold(ctx, listings[rand.IntN(len(listings))]); err != nil {
		return o, err
	}
	if o, err = t.Checkout(ctx); err != nil {
		err = errors.Join(err, t.empty(ctx))
	}
	return o, err
}

// pay pays for an order.
func (t *trader) pay(ctx context.Context, o player.Order) error {
	op, err := t.Prepare(ctx, o.Calls)
	if err != nil {
		return err
	}
	if _, err = t.Send(ctx, op); err != nil {
		_, err = t.Send(ctx, op) // again it is the same operation
	}
	return err
}

// current returns the player's open order, if any.
func (t *trader) current(ctx context.Context) (player.Order, error) {
	var open struct{ Order player.Order }
	err := t.Call(ctx, http.MethodGet, "/api/auth/marketplace/checkout", nil, &open)
	return open.Order, err
}

// finished polls an order, as often as a page that gets no messages does, until it is final, for 15 s at most.
func (t *trader) finished(ctx context.Context, o player.Order) (player.Order, error) {
	poll := time.NewTicker(500 * time.Millisecond)
	defer poll.Stop()
	var err error
	for range 30 {
		now, failed := t.Order(ctx, o.OrderID)
		if err = failed; err == nil {
			o = now
			if o.State == "complete" || o.State == "failed" || o.State == "expired" {
				return o, nil
			}
		}
		<-poll.C
	}
	return o, err
}

// calls are the calls of a run, by phase.
type calls struct {
	mu       sync.Mutex
	phases   []string // in order
	times    map[string]map[string][]time.Duration
	failed   map[string]map[string]int // and how many failed, by the reason
	refusals map[string]int            // answers that are no failures, by call and reason
	faults   []string                  // answers with status 500, which nothing excuses
}

// numbers are the parts of a path that differ from call to call.
var numbers = regexp.MustCompile(`/(\d+|0x[0-9a-f]+|[A-Z2-7]{26})(/|$|#)|\?.*$`)

func (c *calls) add(phase, call string, took time.Duration, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.times == nil {
		c.times, c.failed, c.refusals = map[string]map[string][]time.Duration{}, map[string]map[string]int{}, map[string]int{}
	}
	if c.times[phase] == nil {
		c.phases = append(c.phases, phase)
		c.times[phase], c.failed[phase] = map[string][]time.Duration{}, map[string]int{}
	}
	call = numbers.ReplaceAllString(call, "$2")
	c.times[phase][call] = append(c.times[phase][call], took)
	answer, isAnswer := errors.AsType[*player.Error](err)
	switch {
	case err == nil || errors.Is(err, context.Canceled):
	case isAnswer && answer.Status < 500:
		var problem struct{ Reason string }
		_ = json.Unmarshal([]byte(answer.Body), &problem)
		c.refusals[fmt.Sprintf("%s: %d %s", call, answer.Status, problem.Reason)]++
	case isAnswer:
		var problem struct{ Detail string } // "" for the proxy's own page
		_ = json.Unmarshal([]byte(answer.Body), &problem)
		c.failed[phase][strings.TrimSpace(fmt.Sprintf("%d %.40s", answer.Status, problem.Detail))]++
		if answer.Status == http.StatusInternalServerError {
			c.faults = append(c.faults, fmt.Sprintf("while %s: %s: %s", phase, call, answer.Body))
		}
	default:
		c.failed[phase]["no answer"]++
	}
}

// refuse counts a refusal.
func (c *calls) refuse(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refusals[why]++
}

// failures returns how many calls of a phase failed.
func (c *calls) failures(phase string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, failed := range c.failed[phase] {
		n += failed
	}
	return n
}

// report returns the tables of the phases and of the calls.
func (c *calls) report() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	row := func(name string, times []time.Duration, more string) {
		slices.Sort(times)
		fmt.Fprintf(&b, "| %s | %d | %s | %s |%s\n", name, len(times), times[len(times)/2].Round(100*time.Microsecond),
			times[len(times)*99/100].Round(100*time.Microsecond), more)
	}
	all := map[string][]time.Duration{}
	b.WriteString("| while | calls | p50 | p99 | failed |\n|---|---|---|---|---|\n")
	for _, phase := range c.phases {
		var times []time.Duration
		for call, t := range c.times[phase] {
			times, all[call] = append(times, t...), append(all[call], t...)
		}
		var failed []string
		for reason, n := range c.failed[phase] {
			failed = append(failed, fmt.Sprintf("%d × %s", n, reason))
		}
		slices.Sort(failed)
		row(phase, times, " "+cmp.Or(strings.Join(failed, ", "), "0")+" |")
	}
	b.WriteString("\n| call | calls | p50 | p99 |\n|---|---|---|---|\n")
	for _, call := range slices.Sorted(maps.Keys(all)) {
		row(call, all[call], "")
	}
	b.WriteString("\n| refused | times |\n|---|---|\n")
	for _, refusal := range slices.Sorted(maps.Keys(c.refusals)) {
		fmt.Fprintf(&b, "| %s | %d |\n", refusal, c.refusals[refusal])
	}
	return b.String()
}

// audit checks, once all has settled, that nothing was lost or done twice, and returns what was traded.
func (m *market) audit() string {
	m.Helper()
	number := func(query string, args ...any) (n int64) {
		m.Helper()
		must(m.T, m.db.QueryRowContext(m.Context(), query, args...).Scan(&n))
		return n
	}
	testkit.Eventually(m.T, waitTimeout, func() bool {
		return number("SELECT COUNT(*) FROM purchase_order WHERE state IN ('submitted', 'confirming')") == 0
	}, "orders are stuck")
	testkit.Eventually(m.T, waitTimeout, func() bool { return number("SELECT COUNT(*) FROM outbox") == 0 }, "messages wait")
	for what, query := range map[string]string{
		"listings were sold beyond their quantity": `SELECT COUNT(*) FROM (SELECT chain_id, listing_id, SUM(quantity) AS sold FROM sale
			GROUP BY chain_id, listing_id) s JOIN listing_event e ON e.chain_id = s.chain_id AND e.listing_id = s.listing_id AND e.kind = 'new'
			WHERE s.sold > (e.detail::json ->> 'quantity')::bigint`,
		"listings have no quantity": "SELECT COUNT(*) FROM listing_event WHERE kind = 'new' AND detail::json ->> 'quantity' IS NULL",
		"sales are of no listing": `SELECT COUNT(*) FROM sale s WHERE NOT EXISTS (SELECT 1 FROM listing_event e
			WHERE e.chain_id = s.chain_id AND e.listing_id = s.listing_id AND e.kind = 'new')`,
		"complete orders have no sale": `SELECT COUNT(*) FROM purchase_order o JOIN order_item i ON i.order_id = o.id WHERE o.state = 'complete'
			AND NOT EXISTS (SELECT 1 FROM sale s WHERE s.tx_hash = o.tx_hash AND s.buyer = o.wallet AND s.token_id = i.token_id)`,
		"sales to players have no complete order": `SELECT COUNT(*) FROM sale s WHERE s.buyer IN (SELECT wallet FROM purchase_order)
			AND NOT EXISTS (SELECT 1 FROM purchase_order o WHERE o.tx_hash = s.tx_hash AND o.wallet = s.buyer AND o.state = 'complete')`,
		"players paid something else than their purchases cost": `SELECT COUNT(*) FROM (SELECT
			(SELECT COALESCE(SUM(t.amount::numeric), 0) FROM token_transfer t WHERE t.from_address = w.wallet
				AND t.contract IN (SELECT currency FROM purchase_order)) AS paid,
			(SELECT COALESCE(SUM(s.total::numeric), 0) FROM sale s WHERE s.buyer = w.wallet) AS cost
			FROM (SELECT DISTINCT wallet FROM purchase_order) w) p WHERE paid <> cost`,
		"operations share a nonce": `SELECT COUNT(*) FROM (SELECT sender, nonce FROM gas_operation WHERE state = 'included'
			GROUP BY sender, nonce HAVING COUNT(*) > 1) n`,
	} {
		if n := number(query); n != 0 {
			m.Errorf("%d: %s", n, what)
		}
	}
	complete, missed, restarted, resumed := 0, 0, int64(0), int64(0)
	for _, t := range m.traders {
		testkit.Eventually(m.T, waitTimeout, func() bool {
			onChain, err := t.Balance(m.Context(), t.Config.Currency.Address, t.Smart)
			if err != nil {
				return false
			}
			inWallet, err := t.InWallet(m.Context())
			shown, ok := new(big.Rat).SetString(inWallet)
			units, isInteger := new(big.Int).SetString(onChain, 10)
			return err == nil && ok && isInteger && shown.Cmp(new(big.Rat).SetFrac(units, big.NewInt(1_000_000))) == 0
		}, "the portal shows another balance than the chain")
		rows, err := m.db.QueryContext(m.Context(), "SELECT id FROM purchase_order WHERE player_id = $1 AND state = 'complete'", t.ID)
		must(m.T, err)
		for rows.Next() {
			var id string
			must(m.T, rows.Scan(&id))
			complete++
			testkit.Eventually(m.T, waitTimeout, func() bool {
				t.mu.Lock()
				defer t.mu.Unlock()
				return t.told[id] > 0 || t.messages.Restarted.Load() > 0
			}, "no message says that order %s is complete", id)
			t.mu.Lock()
			if t.told[id] == 0 {
				missed++
			}
			if t.told[id] > 1 {
				m.Errorf("%d messages say that order %s is complete", t.told[id], id)
			}
			t.mu.Unlock()
		}
		must(m.T, rows.Close())
		restarted, resumed = restarted+t.messages.Restarted.Load(), resumed+t.messages.Resumed.Load()
	}
	if complete < len(m.traders)/2 {
		m.Errorf("only %d purchases", complete)
	}
	return fmt.Sprintf("%d players, %d purchases; realtime sessions: %d resumed, %d restarted, %d messages missed by those",
		len(m.traders), complete, resumed, restarted, missed)
}

// Every part of the cluster fails in turn while players trade: nothing is sold twice, no order is stuck, no message is lost.
// Spec: RUN-18, RUN-19
func TestCluster_TradeGoesOnWhilePartsFail(t *testing.T) {
	t.Parallel()
	replicas, players, each := 3, *tradersFlag, 10*time.Second
	proxy := func(t *testing.T, front string, replicas []*testkit.Site) { startProxy(t, front, replicas, 2000) }
	if testing.Short() {
		replicas, players, each = 2, 6, 1500*time.Millisecond
		proxy = startCaddy
	}
	m := startMarket(t, replicas, proxy)
	m.enter("players register")
	m.join(players)
	stop := m.trade()
	for _, f := range m.faults() {
		if testing.Short() && !f.short || !regexp.MustCompile(*faultsFlag).MatchString(f.name) {
			continue
		}
		m.enter("no fault")
		m.last(each)
		m.enter(f.name)
		began := time.Now()
		f.cause(each)
		m.healthy()
		t.Logf("%s: %s", f.name, time.Since(began).Round(100*time.Millisecond))
		if n := m.calls.failures(f.name); f.noFailures && n > 0 {
			t.Errorf("%s: %d calls failed, want none", f.name, n)
		}
	}
	m.enter("after the last fault")
	stop()
	m.calls.mu.Lock()
	for _, f := range m.calls.faults {
		t.Error(f + m.logOf(f))
	}
	m.calls.mu.Unlock()
	report := m.audit() + "\n\n" + m.calls.report()
	t.Log("\n" + report)
	if *reportFlag != "" {
		must(t, os.WriteFile(*reportFlag, []byte(report), 0o600))
	}
}

// fault is what happens to a part.
type fault struct {
	name       string
	cause      func(each time.Duration) // causes the fault, and ends it
	noFailures bool                     // no call may fail
	short      bool                     // part of the short form
}

// last lets the players trade for a time in the present condition. How long a fault lasts is what is tested: there is nothing to wait for.
func (m *market) last(d time.Duration) {
	select {
	case <-m.Context().Done():
	case <-time.After(d):
	}
}

func (m *market) faults() []fault {
	during := func(links []*link, fail func(*link), each time.Duration) {
		for _, l := range links {
			fail(l)
		}
		m.last(each)
		for _, l := range links {
			l.restore()
		}
	}
	killed := func(r *testkit.Site, each time.Duration) {
		r.Kill()
		m.last(each)
		r.RestartDegraded()
	}
	return []fault{
		{"all replicas are restarted, one by one", func(time.Duration) {
			for _, r := range m.replicas {
				r.RestartDegraded()
				m.healthy()
			}
		}, true, false},
		{"the leader is killed", func(each time.Duration) { killed(m.leader(), each) }, false, false},
		{"a follower is killed", func(each time.Duration) {
			leader := m.leader()
			for _, r := range m.replicas {
				if r != leader {
					killed(r, each)
					return
				}
			}
		}, false, false},
		{"the first endpoints of the chains are cut", func(each time.Duration) {
			during([]*link{m.game[0], m.main[0]}, (*link).cut, each)
		}, true, true},
		{"the first endpoints do not answer", func(each time.Duration) {
			during([]*link{m.game[0], m.main[0]}, (*link).blackhole, each)
		}, false, false},
		{"the chains are 200 ms away", func(each time.Duration) {
			during(slices.Concat(m.game, m.main), func(l *link) { l.slow(200) }, each)
		}, true, false},
		{"both endpoints of the chains are cut", func(each time.Duration) {
			during(slices.Concat(m.game, m.main), (*link).cut, each)
		}, false, false},
		{"one of three NATS servers is killed", func(each time.Duration) {
			m.nats[0].kill()
			m.last(each)
			m.nats[0].start()
			m.nats[0].isUp()
		}, true, true},
		{"two of three NATS servers are killed", func(each time.Duration) {
			for _, n := range m.nats[1:] {
				n.kill()
			}
			m.last(each)
			for _, n := range m.nats[1:] {
				n.start()
			}
			for _, n := range m.nats {
				n.isUp()
			}
		}, false, false},
		{"NATS does not answer", func(each time.Duration) { during(m.messages, (*link).blackhole, each) }, false, false},
		{"NATS is cut off", func(each time.Duration) { during(m.messages, (*link).cut, each) }, false, false},
		{"the database is 20 ms away", func(each time.Duration) {
			during(m.database, func(l *link) { l.slow(20) }, each)
		}, true, false},
		{"the database does not answer", func(each time.Duration) { during(m.database, (*link).blackhole, each) }, false, false},
		{"the primary is killed and the standby promoted", func(each time.Duration) {
			took := m.postgres.FailOver()
			m.Logf("the standby takes writes %s after the kill", took.Round(time.Millisecond))
			m.last(each)
		}, false, true},
	}
}

// logOf returns the lines of the replicas' logs about the request that a problem names.
func (m *market) logOf(problem string) string {
	_, rest, _ := strings.Cut(problem, `"requestId":"`)
	id, _, _ := strings.Cut(rest, `"`)
	if id == "" {
		return ""
	}
	var b strings.Builder
	for _, r := range m.replicas {
		for line := range strings.Lines(r.Log()) {
			if strings.Contains(line, id) || strings.Contains(line, "level=ERROR") {
				b.WriteString("\n" + strings.TrimSpace(line))
			}
		}
	}
	return b.String()
}

// healthy waits until every replica is ready and has its messages and chains.
func (m *market) healthy() {
	m.Helper()
	for _, r := range m.replicas {
		testkit.Eventually(m.T, waitTimeout, r.Ready, "a replica is not well again: %s", r.URL)
	}
}

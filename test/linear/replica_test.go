package linear_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/index"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/testkit"
)

// replicaEnv holds the database of a replica, as JSON; this program then is one.
const replicaEnv = "LINEAR_REPLICA"

// database is what a replica opens.
type database struct {
	URL  string // of PostgreSQL
	Path string // of SQLite
}

func (d database) options(c clock.Clock) store.Options {
	return store.Options{URL: d.URL, Path: d.Path, Clock: c, NoSync: true} // only processes are killed, not the operating system
}

var (
	items       = eth.MustAddress(testkit.Items)
	usdc        = eth.MustAddress(testkit.USDC)
	marketplace = address("marketplace")
)

func address(name string) eth.Address {
	h := eth.Keccak256([]byte(name))
	return eth.Address(h[:20])
}

// replica is a portal's process as far as holds are concerned: it carries out operations on the shared database until its
// input ends.
type replica struct {
	db    *store.DB
	index *index.Index
	clock *dial // of the database
}

// dial is a clock that is set. Its time is in milliseconds.
type dial struct{ atomic.Int64 }

func (d *dial) Now() time.Time { return moment(d.Load()) }

func moment(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// serveReplica runs a replica on its standard input and output.
func serveReplica(ctx context.Context, text string) (err error) {
	var d database
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		return err
	}
	r := &replica{clock: &dial{}}
	if r.db, err = store.Open(ctx, d.options(r.clock)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	r.index = index.New(r.db, index.Options{
		Describer: plain{}, Publisher: market.Publisher{Decimals: 6}, Chains: map[onchain.ChainID]index.ChainRules{testkit.GameChain: {
			Marketplace: marketplace, Currencies: []eth.Address{usdc}, Rules: projection.Rules{Symbol: "USDC", Decimals: 6},
		}},
	})
	if _, err := r.index.Resume(ctx, testkit.GameChain, onchain.Sources{Base: "linear"}, false); err != nil {
		return err
	}
	server := rpc.NewServer()
	if err := server.RegisterName("Replica", &Calls{r}); err != nil {
		return err
	}
	server.ServeConn(stream{os.Stdin, os.Stdout})
	return nil
}

// plain describes no token.
type plain struct{}

func (plain) Describe(eth.Address, string, *metadata.Document) index.Description {
	return index.Description{}
}

// Calls are what a replica can be asked for.
type Calls struct{ r *replica }

// Do carries out a player's operation. A fault is an answer, any other error is a bug.
func (c *Calls) Do(o Op, a *Answer) error {
	err := c.r.do(context.Background(), o, a)
	f := fault.As(err)
	switch {
	case f == nil:
		return err
	case f.Code == fault.Unavailable:
		a.Lost = true
	case f.Reason != "":
		a.Refused = f.Reason
	default:
		a.Refused = string(f.Code)
	}
	return nil
}

func (r *replica) do(ctx context.Context, o Op, a *Answer) error {
	// Each operation gets a service with its own time.
	carts := cart.NewService(cartstore.New(r.db), clock.NewFake(moment(o.At)), cart.Options{})
	id := market.Key(testkit.GameChain, strconv.Itoa(o.Listing))
	switch o.Kind {
	case Hold:
		unit := &o.Unit
		if o.Unit == anyUnit {
			unit = nil
		}
		item, err := carts.Add(ctx, cart.Holder{PlayerID: o.Player, Network: "home"}, id, items, unit)
		if err == nil {
			a.Unit, a.Until = item.Unit, item.ExpiresAt.UnixMilli()
		}
		return err
	case Release:
		return carts.Remove(ctx, o.Player, id, o.Unit)
	case Empty:
		return carts.Empty(ctx, o.Player)
	case Look:
		l, err := marketstore.New(r.db).Listing(ctx, id, moment(o.At))
		a.Quantity = l.Quantity
		for _, h := range l.Holds {
			if h.Unit >= maxUnits || !h.ExpiresAt.Equal(h.HeldAt.Add(holdTime*time.Millisecond)) {
				return fmt.Errorf("an impossible hold: %+v", h)
			}
			a.Seats[h.Unit] = Seat{h.PlayerID, h.HeldAt.UnixMilli()}
		}
		return err
	}
	return fmt.Errorf("a replica does not %s", o.Kind)
}

const price = 1_000_000

// Batch is a range of blocks of the chain, each with one event.
type Batch struct {
	First  uint64 // number of the first block
	Events []Op   // of different listings
	At     int64  // when they are folded, in milliseconds
}

// Fold applies a batch, which may have been applied before. It reports whether it was done.
func (c *Calls) Fold(b Batch, done *bool) error {
	c.r.clock.Store(b.At)
	err := c.r.index.ApplyBatch(context.Background(), b.facts())
	*done = err == nil
	if fault.Is(err, fault.Unavailable) {
		return nil
	}
	return err
}

// facts returns what the indexer would read from the blocks.
func (b Batch) facts() onchain.Batch {
	out := onchain.Batch{Chain: testkit.GameChain, From: b.First, To: b.First + uint64(len(b.Events)) - 1, Parent: blockHash(b.First - 1)}
	for i, e := range b.Events {
		block := onchain.Block{Number: b.First + uint64(i), Parent: blockHash(b.First + uint64(i) - 1), Time: moment(b.At)}
		block.Hash = blockHash(block.Number)
		out.Blocks = append(out.Blocks, block)
		at := onchain.Position{Block: block.Number, Tx: block.Hash, Time: block.Time}
		number := strconv.Itoa(e.Listing)
		seller, token := address("seller of "+number), number
		event := onchain.ListingEvent{Position: at, ListingID: number}
		moved := onchain.Transfer{Position: at, Contract: items, Standard: onchain.ERC1155, TokenID: token}
		switch e.Kind {
		case List, Restock:
			event.Terms = &onchain.ListingTerms{
				Seller: seller, Contract: items, TokenID: token, Quantity: e.Quantity, Currency: usdc, PricePerToken: money.FromInt(price),
				Start: moment(0), End: moment(b.At).AddDate(1, 0, 0),
			}
			event.Kind = onchain.ListingUpdated
			if e.Kind == List {
				event.Kind = onchain.ListingCreated
				moved.To, moved.Amount = seller, money.FromInt(1_000_000)
				out.Transfers = append(out.Transfers, moved)
				out.Approvals = append(out.Approvals, onchain.Approval{
					Position: at, Contract: items, Owner: seller, Operator: marketplace, Approved: true,
				})
			}
		case Buy:
			buyer := address("no player")
			if e.Player != "" {
				buyer = testkit.WalletOf(e.Player)
			}
			moved.From, moved.To, moved.Amount = seller, buyer, money.FromInt(e.Quantity)
			out.Transfers = append(out.Transfers, moved)
			event.Kind = onchain.ListingSold
			event.Sale = &onchain.Sale{
				Seller: seller, Contract: items, TokenID: token, Buyer: buyer, Quantity: e.Quantity, Total: money.FromInt(e.Quantity * price),
			}
		}
		event.LogIndex = 1
		out.Listings = append(out.Listings, event)
	}
	return out
}

func blockHash(number uint64) eth.Hash {
	return eth.Keccak256(binary.BigEndian.AppendUint64([]byte("block"), number))
}

// process is a running replica, as its clients see it.
type process struct {
	*rpc.Client
	name  string // of its connections
	cmd   *exec.Cmd
	ended <-chan struct{} // its output has ended
	gone  chan struct{}   // closed when nothing of what it did can still take effect
	log   testkit.Log
}

// errNotSent is returned by call for an operation that never reached the replica.
var errNotSent = errors.New("the replica is gone")

// startProcess starts a replica that PostgreSQL knows by a name.
func startProcess(d database, name string) (*process, error) {
	if d.URL != "" {
		d.URL += "&application_name=" + name
	}
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	p := &process{name: name, cmd: exec.Command(os.Args[0]), gone: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), replicaEnv+"="+string(text))
	p.cmd.Stderr = &p.log
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	p.ended = ended
	p.Client = rpc.NewClient(stream{&untilEnd{r: out, ended: ended}, in})
	return p, nil
}

// call asks the replica and waits. It returns errNotSent, an error of the replica's (rpc.ServerError), or any other error if the
// replica ended before it answered.
func (p *process) call(method string, in, out any) error {
	err := p.Call("Replica."+method, in, out)
	if errors.Is(err, rpc.ErrShutdown) {
		return errNotSent
	}
	return err
}

// kill kills the replica with SIGKILL and waits until it is gone. It does not close the client: calls without an answer would then
// look as if they had not been sent.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
	_ = p.cmd.Wait() // killed
}

// stop lets the replica finish and exit.
func (p *process) stop() error {
	err := p.Close()
	<-p.ended
	if err = errors.Join(err, p.cmd.Wait()); err != nil {
		return fmt.Errorf("%w: %s", err, p.log.String())
	}
	return nil
}

// stream is two pipes.
type stream struct {
	io.Reader
	io.WriteCloser
}

// untilEnd closes a channel when nothing more can be read.
type untilEnd struct {
	r     io.Reader
	ended chan<- struct{}
	once  sync.Once
}

func (u *untilEnd) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err != nil {
		u.once.Do(func() { close(u.ended) })
	}
	return n, err
}

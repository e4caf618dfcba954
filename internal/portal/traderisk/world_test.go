package traderisk_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/traderisk"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

var (
	began   = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	items   = eth.MustAddress(testkit.Items)
	usdc    = eth.MustAddress(testkit.USDC)
	manager = testkit.WalletOf("manager")
)

// world is a market of copies of tokens, with its players and its past.
type world struct {
	t      testing.TB
	db     *store.DB
	clock  *clock.Fake
	trades *traderisk.Service

	mu       sync.Mutex
	approved map[string]string // digest → use
	listings int
	sales    int64
	nonces   map[string]uint64
	address  string // of every player
}

func newWorld(t testing.TB, db *store.DB, c *clock.Fake, unique bool) *world {
	w := &world{t: t, db: db, clock: c, approved: map[string]string{}, nonces: map[string]uint64{}}
	w.trades = traderisk.New(traderisk.Options{
		Store: store.TradeRisk{DB: db, Chain: testkit.GameChain}, Approvals: w, Accounts: w, Clock: c, Site: "https://portal.example",
		Limits: traderisk.Limits{
			Chain: testkit.GameChain, Currency: usdc, Symbol: "USDC", Decimals: 6,
			PerDay: usd(25), Unknown: usd(25), OneSeller: usd(200), Own: []eth.Address{manager},
			Unique: func(eth.Address) bool { return unique },
		},
	})
	return w
}

// usd returns an amount in dollars as base units.
func usd(dollars float64) money.Units { return money.FromInt(int64(dollars*1e6 + 0.5)) }

// Address implements traderisk.Accounts.
func (w *world) Address(context.Context, string) (string, error) { return w.address, nil }

// UseTrade implements traderisk.Approvals.
func (w *world) UseTrade(_ context.Context, _, digest, use string) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	used, ok := w.approved[digest]
	if ok && used == "" {
		w.approved[digest] = use
	}
	return ok && (used == "" || used == use), nil
}

func (w *world) approve(digest string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.approved[digest] = ""
}

func (w *world) write(fn func(context.Context, *store.Tx) error) {
	w.t.Helper()
	if err := w.db.Write(w.t.Context(), fn); err != nil {
		w.t.Fatal(err)
	}
}

// join adds players whose accounts are of an age.
func (w *world) join(age time.Duration, names ...string) {
	w.t.Helper()
	w.write(func(ctx context.Context, tx *store.Tx) error {
		for _, name := range names {
			if err := tx.InsertPlayer(ctx, gen.InsertPlayerParams{
				ID: name, DisplayName: name, Email: name + "@example.org", CreatedAt: column.At(w.clock.Now().Add(-age)),
			}); err != nil {
				return err
			}
			if _, err := tx.InsertWallet(ctx, gen.InsertWalletParams{
				PlayerID: name, OwnerAddress: testkit.OwnerOf(name), SmartAddress: testkit.WalletOf(name), SealedKey: "sealed",
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// sell records a sale of one unit, a time ago.
func (w *world) sell(seller, buyer, token string, price float64, ago time.Duration) {
	w.t.Helper()
	w.sales++
	w.write(func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertSale(ctx, gen.InsertSaleParams{
			ChainID: testkit.GameChain, BlockNumber: w.sales, TxHash: eth.Hash{31: byte(w.sales)}, Time: column.At(w.clock.Now().Add(-ago)),
			ListingID: "0", Contract: eth.MustAddress(testkit.Items), TokenID: token, Seller: testkit.WalletOf(seller),
			Buyer: testkit.WalletOf(buyer), Currency: eth.MustAddress(testkit.USDC), Quantity: 1, Total: usd(price), UnitPrice: usd(price),
		})
	})
}

// offer lists units and returns the listing's number.
func (w *world) offer(seller, token string, price float64, quantity int64) string {
	w.t.Helper()
	w.listings++
	number := strconv.Itoa(w.listings)
	n, _ := usd(price).Int64()
	testkit.List(w.t, w.db, testkit.Offer{Number: number, TokenID: token, Seller: testkit.WalletOf(seller), Price: n, Quantity: quantity})
	return number
}

// end ends a listing.
func (w *world) end(number string) {
	w.t.Helper()
	testkit.List(w.t, w.db, testkit.Offer{Number: number, Status: market.Cancelled})
}

func selling(token string, price float64, quantity int64) traderisk.Order {
	return traderisk.Order{Side: traderisk.Sells, Contract: items, TokenID: token, Quantity: quantity, Price: usd(price)}
}

func repricing(listing string, price float64, quantity int64) traderisk.Order {
	return traderisk.Order{Side: traderisk.Sells, Listing: listing, Quantity: quantity, Price: usd(price)}
}

func buying(listing string, price float64) traderisk.Order {
	return traderisk.Order{Side: traderisk.Buys, Listing: listing, Quantity: 1, Price: usd(price)}
}

// operation returns the player's next operation. Its digest is that of the orders and the nonce.
func (w *world) operation(player string, orders ...traderisk.Order) traderisk.Operation {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.nonces[player]++
	n := w.nonces[player]
	return traderisk.Operation{
		Player: player, Wallet: testkit.WalletOf(player), Nonce: eth.NewQuantity(n), Digest: player + strconv.FormatUint(n, 10), Orders: orders,
	}
}

// charge signs an operation, as the signer would, and reports whether it was signed without an approval.
func (w *world) charge(player string, orders ...traderisk.Order) bool {
	w.t.Helper()
	op := w.operation(player, orders...)
	allowed := w.trades.Allow(w.t.Context(), op)
	err := w.trades.Charge(w.t.Context(), op)
	if f := fault.As(err); err != nil && (f == nil || f.Reason != "trade-approval" || f.Code != fault.Conflict) {
		w.t.Fatal(err)
	}
	if (allowed == nil) != (err == nil) {
		w.t.Fatalf("before signing: %v; when it is signed: %v", allowed, err)
	}
	return err == nil
}

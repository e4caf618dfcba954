package sale_test

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/kit/eth"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// shifted is the system clock, moved forward.
type shifted struct{ by atomic.Int64 }

func (c *shifted) Now() time.Time { return time.Now().UTC().Add(time.Duration(c.by.Load())) }

// Three browsers compete: for two units of an item, for a hold that expires while its browser is frozen, and for items whose
// price changes while they are in a cart or in an order, that are listed a second time or 31 times on the contract directly, or
// bought there while they are held. The script advances the server's clock and acts on the contract over the control server.
func TestContest_HoldsAndOrdersOfThreeBrowsers(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	address, err := testkit.FreeAddress()
	must(t, err)
	clock := &shifted{}
	front := httptest.NewUnstartedServer(nil)
	target, err := url.Parse("http://" + address)
	must(t, err)
	front.Config.Handler = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
		},
		// Browsers learn the server's time from this header, which net/http writes by the system's clock.
		ModifyResponse: func(r *http.Response) error {
			r.Header.Set("Date", clock.Now().Format(http.TimeFormat))
			return nil
		},
	}
	front.Start()
	t.Cleanup(front.Close)
	settings, world := run(t, store.SQLite, address, front.URL, clock, nil)
	controls := http.NewServeMux()
	controls.HandleFunc("POST /advance", func(_ http.ResponseWriter, r *http.Request) {
		seconds, err := strconv.Atoi(r.FormValue("seconds"))
		if err != nil {
			t.Error(err)
		}
		clock.by.Add(int64(time.Duration(seconds) * time.Second))
	})
	controls.HandleFunc("POST /buy", func(w http.ResponseWriter, r *http.Request) {
		if err := buyOutside(ctx, ethclient.NewClient(world.Chains()[0].Client()), eth.MustAddress(settings.Contracts.USDC),
			eth.MustAddress(settings.Contracts.PiggyMarketplace), r.FormValue("listing")); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	controls.HandleFunc("POST /list-again", func(w http.ResponseWriter, r *http.Request) {
		if err := listAgain(ctx, ethclient.NewClient(world.Chains()[0].Client()), eth.MustAddress(settings.Contracts.PiggyMarketplace),
			r.FormValue("listing")); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	controls.HandleFunc("POST /flood", func(w http.ResponseWriter, r *http.Request) {
		if err := flood(ctx, ethclient.NewClient(world.Chains()[0].Client()), eth.MustAddress(settings.Contracts.PiggyMarketplace),
			r.FormValue("listing")); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	control := httptest.NewServer(controls)
	t.Cleanup(control.Close)
	cmd := exec.CommandContext(ctx, "node", filepath.Join("..", "e2e", "journeys", "contest.mjs"))
	cmd.Env = append(os.Environ(), "BASE_URL="+front.URL, "CONTROL_URL="+control.URL)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// buyOutside buys one unit of a listing from a wallet of the development world that is no player's.
func buyOutside(ctx context.Context, client *ethclient.Client, usdc, marketplace eth.Address, listing string) error {
	buyer, manager := devnet.WalletOf(devnet.Seller(3)), devnet.WalletOf(devnet.Manager)
	market, token := contracts.NewDirectListingsLogic(), contracts.NewTestToken()
	l, err := listingOf(ctx, client, marketplace, listing)
	if err != nil {
		return err
	}
	number, price := l.ListingId, l.PricePerToken
	for _, step := range []struct {
		from devnet.Wallet
		to   eth.Address
		data []byte
	}{
		{manager, usdc, token.PackMint(common.Address(buyer.Address), price)},
		{buyer, usdc, token.PackApprove(common.Address(marketplace), price)},
		{buyer, marketplace, market.PackBuyFromListing(number, common.Address(buyer.Address), big.NewInt(1), common.Address(usdc), price)},
	} {
		if err := send(ctx, client, step.from, step.to, step.data); err != nil {
			return err
		}
	}
	return nil
}

// listAgain has a demo seller offer a listed token a second time, at half the price, and then lower the price of the first
// listing by 0.01 USDC: who sees that, has an index that knows the second.
func listAgain(ctx context.Context, client *ethclient.Client, marketplace eth.Address, listing string) error {
	market := contracts.NewDirectListingsLogic()
	l, seller, err := sellerOf(ctx, client, marketplace, listing)
	if err != nil {
		return err
	}
	terms := termsOf(l)
	terms.PricePerToken = new(big.Int).Rsh(l.PricePerToken, 1)
	if err := send(ctx, client, seller, marketplace, market.PackCreateListing(terms)); err != nil {
		return err
	}
	terms.PricePerToken = new(big.Int).Sub(l.PricePerToken, big.NewInt(10_000))
	return send(ctx, client, seller, marketplace, market.PackUpdateListing(l.ListingId, terms))
}

// flood has a demo seller end a listing and offer its token 31 times instead, one unit each, at the same price.
func flood(ctx context.Context, client *ethclient.Client, marketplace eth.Address, listing string) error {
	market := contracts.NewDirectListingsLogic()
	l, seller, err := sellerOf(ctx, client, marketplace, listing)
	if err != nil {
		return err
	}
	if err := send(ctx, client, seller, marketplace, market.PackCancelListing(l.ListingId)); err != nil {
		return err
	}
	terms := termsOf(l)
	terms.Quantity = big.NewInt(1)
	all := make([][]byte, 31)
	for i := range all {
		all[i] = market.PackCreateListing(terms)
	}
	return send(ctx, client, seller, marketplace, all...)
}

// sellerOf returns a listing and the demo seller whose it is.
func sellerOf(ctx context.Context, client *ethclient.Client, marketplace eth.Address, listing string) (
	contracts.IDirectListingsListing, devnet.Wallet, error,
) {
	l, err := listingOf(ctx, client, marketplace, listing)
	if err != nil {
		return l, devnet.Wallet{}, err
	}
	for n := 1; n <= devnet.Sellers; n++ {
		if seller := devnet.WalletOf(devnet.Seller(n)); common.Address(seller.Address) == l.ListingCreator {
			return l, seller, nil
		}
	}
	return l, devnet.Wallet{}, fmt.Errorf("the listing %s is of no demo seller", listing)
}

func termsOf(l contracts.IDirectListingsListing) contracts.IDirectListingsListingParameters {
	return contracts.IDirectListingsListingParameters{
		AssetContract: l.AssetContract, TokenId: l.TokenId, Quantity: l.Quantity, Currency: l.Currency,
		PricePerToken: l.PricePerToken, StartTimestamp: l.StartTimestamp, EndTimestamp: l.EndTimestamp,
	}
}

func listingOf(ctx context.Context, client *ethclient.Client, marketplace eth.Address,
	listing string) (contracts.IDirectListingsListing, error) {
	number, ok := new(big.Int).SetString(listing, 10)
	if !ok {
		return contracts.IDirectListingsListing{}, fmt.Errorf("no listing %q", listing)
	}
	market := contracts.NewDirectListingsLogic()
	return bind.Call(market.Instance(client, common.Address(marketplace)), &bind.CallOpts{Context: ctx}, market.PackGetListing(number),
		market.UnpackGetListing)
}

// send sends transactions with the data, one each, and waits until they are in blocks.
func send(ctx context.Context, client *ethclient.Client, from devnet.Wallet, to eth.Address, data ...[]byte) error {
	id, err := client.ChainID(ctx)
	if err != nil {
		return err
	}
	nonce, err := client.PendingNonceAt(ctx, common.Address(from.Address))
	if err != nil {
		return err
	}
	target := common.Address(to)
	var sent []common.Hash
	for i, d := range data {
		tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
			ChainID: id, Nonce: nonce + uint64(i), To: &target, Data: d, Gas: 1_500_000,
			GasTipCap: big.NewInt(1_000_000_000), GasFeeCap: big.NewInt(100_000_000_000),
		})
		if err != nil {
			return err
		}
		if err := client.SendTransaction(ctx, tx); err != nil {
			return err
		}
		sent = append(sent, tx.Hash())
	}
	for _, hash := range sent {
		receipt, err := bind.WaitMined(ctx, client, hash)
		if err != nil {
			return err
		}
		if receipt.Status != types.ReceiptStatusSuccessful {
			return fmt.Errorf("the transaction %s to %s failed", hash, to)
		}
	}
	return nil
}

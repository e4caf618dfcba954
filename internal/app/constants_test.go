package app

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/portal/webstore"
)

// Spec: CHAIN-1, CHAIN-3
func TestChains_GasIsPaidInEtherAndOnPolygonInPOL(t *testing.T) {
	t.Parallel()
	got := make(map[uint64]api.NativeCurrency)
	for _, m := range chainMetadata(config.Config{GameChain: config.Chain{ID: 42170}, MainChain: config.Chain{ID: 137}}) {
		got[uint64(m.ChainID)] = m.NativeCurrency
	}
	if ether := (api.NativeCurrency{Name: "Ether", Symbol: "ETH", Decimals: 18}); got[42170] != ether {
		t.Errorf("chain 42170: %+v", got[42170])
	}
	if pol := (api.NativeCurrency{Name: "POL", Symbol: "POL", Decimals: 18}); got[137] != pol {
		t.Errorf("chain 137: %+v", got[137])
	}
}

// Spec: WALLET-12
func TestApp_BrowsersKnowTheClientIDOfTheEmbeddedWallet(t *testing.T) {
	t.Parallel()
	if got := clientConfig(serve(t, nil).app.config, nil, Options{}).ClientID; got != "embedded-wallet" {
		t.Errorf("the client id is %q", got)
	}
}

// Spec: RUN-12
func TestDevelopment_StarterKit(t *testing.T) {
	t.Parallel()
	var got []string
	for _, gift := range starterKit(brandtest.Pantheon(), world.Addresses{}, world.Addresses{})(wallet.Wallet{PlayerID: "P"}) {
		got = append(got, gift.Source+" "+gift.Detail)
	}
	slices.Sort(got)
	const nothing = "0x0000000000000000000000000000000000000000"
	mint := func(name string, chain int, standard, id, amount string) string {
		return fmt.Sprintf(`starter/P/%s {"chain":%d,"contract":"%s","standard":"%s","tokenId":"%s","amount":"%s","to":"%[3]s"}`, name, chain,
			nothing, standard, id, amount)
	}
	currency := func(code string, amount int) string {
		return fmt.Sprintf(`starter/P/%s {"code":"%[1]s","amount":%d}`, code, amount)
	}
	want := []string{
		mint("ark", 1337137, "erc1155", "1", "1"), mint("pack", 1337042, "erc1155", "1", "1"), mint("piggy", 1337042, "erc1155", "1", "1"),
		mint("power-pack", 1337137, "erc1155", "1", "1"), mint("usdc", 1337042, "erc20", "0", "500000000"),
		mint("vip-piggy", 1337042, "erc1155", "2", "1"),
		mint("elder-god", 1337042, "erc721", "550117276379", "1"), mint("immortal", 1337137, "erc721", "1028824998058", "1"),
		mint("community-pass", 1337137, "erc721", "713791753086", "1"), mint("ultimate-pass", 1337137, "erc721", "289708057694", "1"),
		currency("d0", 40), currency("d1", 12), currency("f2", 6), currency("f3", 2), currency("gt", 30), currency("nt", 15), currency("et", 8),
		currency("ct", 4),
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestApp_NumbersOfTheProduct(t *testing.T) {
	t.Parallel()
	currency := brandtest.Pantheon().Collections.Currency()
	if currency != (collections.Currency{Symbol: "USDC", Decimals: 6}) || godSymbol != "GOD" || godDecimals != 18 || hubName != "portal" {
		t.Errorf("%s with %d decimals, %s with %d, hub %q", currency.Symbol, currency.Decimals, godSymbol, godDecimals, hubName)
	}
	if knownTotal != 1 {
		t.Errorf("a player who has bought for %d is no newcomer", knownTotal)
	}
	if arbitrumNova != 42170 || arbitrumSepolia != 421614 {
		t.Errorf("chains with a parent: %d and %d", arbitrumNova, arbitrumSepolia)
	}
	if leaseTTL != 12*time.Second || leaseRenew != 4*time.Second {
		t.Errorf("the lease lasts %v and is renewed every %v", leaseTTL, leaseRenew)
	}
	if gas.MaxCalls != 32 || gas.MaxGas != 10_000_000 {
		t.Errorf("an operation makes at most %d calls and takes %d gas", gas.MaxCalls, gas.MaxGas)
	}
	if gas.SendGas != 150_000 {
		t.Errorf("each call of an operation that sends something takes at most %d gas", gas.SendGas)
	}
	if indexer.DefaultSettled != 10_000 {
		t.Errorf("the headers of the last %d blocks are read", indexer.DefaultSettled)
	}
	if got := [...]time.Duration{
		webstore.PriceInterval, webstore.HookInterval, webstore.DebtInterval,
	}; got != [...]time.Duration{5 * time.Minute, 5 * time.Minute, 5 * time.Second} {
		t.Errorf("prices, webhooks and debts are looked after every %v", got)
	}
	if got := faucetOf(eth.Address{}, currency); got.Amount.String() != "100000000" || got.Chain != 1337042 {
		t.Errorf("the faucet gives %v on chain %d", got.Amount, got.Chain)
	}
}

// A stolen session must not outlast the delay of a withdrawal that it has begun.
func TestRisks_WithdrawalsMustWaitAsLongAsASessionLasts(t *testing.T) {
	t.Parallel()
	for delay, taken := range map[time.Duration]bool{account.TokenTTL: false, account.TokenTTL - time.Second: true} {
		c := config.Config{Withdrawals: config.Withdrawals{Delay: delay}}
		_, refused := c.Risks()
		if got := slices.ContainsFunc(refused, func(r config.Risk) bool { return r.Name == "short-withdrawal-delay" }); got != taken {
			t.Errorf("a delay of %v is a risk: %v, want %v", delay, got, taken)
		}
	}
}

// What operators are told, and what leaders and rebuilds rely on.
func TestApp_IntervalsAndTimeouts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ got, want time.Duration }{
		"contracts are compared":         {contractsInterval, time.Minute},
		"again after a failure":          {contractsRetry, 5 * time.Second},
		"the start waits for a chain":    {preflightTimeout, 5 * time.Second},
		"replicas note that they run":    {seenEvery, 5 * time.Second},
		"the lease lasts":                {leaseTTL, 12 * time.Second},
		"the lease is renewed":           {leaseRenew, 4 * time.Second},
		"endpoints are compared":         {endpointsInterval, 5 * time.Second},
		"a rebuild waits":                {waitTimeout, 20 * time.Second},
		"a rebuild locks the index":      {lockedTimeout, 3 * time.Second},
		"telemetry is flushed":           {flushTimeout, 3 * time.Second},
		"connections close after drain":  {closeTime, 10 * time.Second},
		"parts are started after panics": {restartPause, 5 * time.Second},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
	if replaceAttempts != 5 {
		t.Errorf("%d attempts to replace an index, want 5", replaceAttempts)
	}
}

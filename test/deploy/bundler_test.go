package deploy_test

import (
	"math/big"
	"strings"
	"testing"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// executor is the key of alto's wallet, that of another account which anvil fills.
const executor = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"

// A portal without a gas relayer on the game chain trades through an external bundler, also when either of them is killed in the middle.
// Spec: RUN-32
func TestDeploy_ExternalBundler(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("run by `make prove`, which installs alto: 380 MB")
	}
	s := newStudio(t)
	s.set("LIMIT_CHAIN_READS", "0") // it polls
	s.set("LIMIT_SIGNATURES", "0")
	keys := s.run("deploy", "keys", "keys")
	s.add(keys)
	owner := walletOfDeployer.FindStringSubmatch(keys)[1]
	s.set("GAME_CHAIN_BUNDLER_URL", "http://127.0.0.1:1") // the paymaster is made for it, alto starts once the EntryPoint is there
	for prefix := range s.chains {
		s.call(prefix, nil, "anvil_setBalance", owner, "0x56bc75e2d63100000")
	}
	s.run("deploy", "apply", "--owner", owner, "--royalty", "250", "--test-currency", "--god", "1000000", "--pack", "1=1000",
		"--key", "keys/deployer.key", "--yes")
	s.add(s.readText("deployment.env"))
	s.run("key", "init", "--reason", "a new portal")
	alto := testkit.StartAlto(t, s.setting("GAME_CHAIN_RPC_URL"), "0x0000000071727De22E5E9d8BAf0edAc6f37da032", executor)
	if out, err := s.try("check"); err == nil || !strings.Contains(out, "game chain bundler") {
		t.Errorf("without a bundler: %v\n%s", err, out)
	}
	s.set("GAME_CHAIN_BUNDLER_URL", alto.URL)
	site := s.serve(1)[0]
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(site.Log())
		}
	})
	seller, buyer := register(t, site), register(t, site)
	avatars := eth.MustAddress(s.setting("AVATAR_COLLECTION_ADDRESS"))
	for token := range int64(3) {
		mint, err := contracts.Mint721(seller.Smart, big.NewInt(token+1))
		must(t, err)
		s.mint("AVATAR_COLLECTION_ADDRESS", mint)
	}
	money, err := contracts.Mint20(buyer.Smart, big.NewInt(100_000_000))
	must(t, err)
	s.mint("USDC_CURRENCY_CONTRACT_ADDRESS", money)
	for token := range int64(3) {
		testkit.Eventually(t, waitTimeout, func() bool {
			op, err := seller.Prepare(t.Context(), seller.ListCalls(avatars, big.NewInt(token+1), 20_000_000))
			if err == nil {
				_, err = seller.Send(t.Context(), op)
			}
			return err == nil
		}, "the token cannot be listed")
	}

	buy := func() (order player.Order, send func() error) {
		testkit.Eventually(t, waitTimeout, func() bool {
			listings, err := buyer.Listings(t.Context(), "avatars", 10)
			return err == nil && len(listings) > 0 && buyer.Hold(t.Context(), listings[0]) == nil
		}, "the listing cannot be held")
		order, err := buyer.Checkout(t.Context())
		must(t, err)
		var op *eth.UserOperation
		testkit.Eventually(t, waitTimeout, func() bool { // the one before may not be settled yet
			op, err = buyer.Prepare(t.Context(), order.Calls)
			return err == nil
		}, "the purchase cannot be prepared")
		return order, func() error {
			_, err := buyer.Send(t.Context(), op)
			return err
		}
	}
	completes := func(order player.Order) {
		t.Helper()
		testkit.Eventually(t, 2*waitTimeout, func() bool {
			order, err = buyer.Order(t.Context(), order.OrderID)
			return err == nil && order.State == "complete"
		}, "the purchase is not complete: %v", &order)
	}
	order, send := buy()
	must(t, send())
	completes(order)

	// The bundler is lost while an operation is on its way, and the portal after it has been accepted.
	order, send = buy()
	alto.Stop()
	must(t, send())
	site.Kill()
	alto.Start()
	site.Restart()
	completes(order)

	// The bundler forgets an operation.
	s.call("GAME", nil, "evm_setAutomine", false)
	order, send = buy()
	must(t, send())
	alto.Stop()
	alto.Start()
	s.call("GAME", nil, "evm_setAutomine", true)
	completes(order)

	testkit.Eventually(t, waitTimeout, func() bool {
		has, err := buyer.InWallet(t.Context())
		return err == nil && has == "40"
	}, "the buyer has not paid 60")
	var count eth.Quantity
	if s.call("GAME", &count, "eth_getTransactionCount", s.setting("GAS_RELAYER_BACKEND_WALLET"), "latest"); !count.IsZero() {
		t.Errorf("the portal's relayer has sent %s transactions", count.Big())
	}
}

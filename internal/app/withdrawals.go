package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/api"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/traderisk"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/portal/withdrawal"
	shopstore "pantheon/internal/store/webstore"
	withdrawalstore "pantheon/internal/store/withdrawals"
)

// newMoney returns the services of what leaves the portal: withdrawals, and payments of debts.
func newMoney(b *base, chains chains, people *people, rules withdrawal.Rules) api.WithdrawalOptions {
	withdrawals := withdrawal.NewService(withdrawal.Options{
		Store: withdrawalstore.New(b.db), Approvals: people, Mailboxes: people, Rules: rules, Clock: b.clock,
		Chain: transfers{eth.MustAddress(b.config.Contracts.PiggyMarketplace), chains},
		Keys:  b.keys("withdrawals"), Site: b.config.PublicURL,
		MayWithdraw: func(ctx context.Context, playerID string) error {
			return webstore.CheckArrears(ctx, shopstore.New(b.db), playerID)
		},
	})
	b.lead("withdrawals", withdrawals.Run)
	rate := b.config.Shop.Rate()
	if b.currency().Decimals != money.USDCDecimals {
		rate = 0 // debts are computed with 6 decimals
	}
	debts := webstore.NewPayments(webstore.PaymentOptions{
		Store: shopstore.New(b.db), Chain: b.game, Token: b.usdc, To: payee(b), Rate: rate,
	})
	return api.WithdrawalOptions{Withdrawals: withdrawals, Debts: debts}
}

// payee is the wallet to which players pay what they owe: the treasury, or the manager where there is none.
func payee(b *base) eth.Address {
	if b.treasury.Wallet.IsZero() {
		return eth.MustAddress(b.config.Wallets.Manager)
	}
	return b.treasury.Wallet
}

// withdrawalRules returns what can leave the wallets, and where it cannot go.
func withdrawalRules(b *base) (withdrawal.Rules, error) {
	w, k := b.config.Withdrawals, b.config.Contracts
	rules := withdrawal.Rules{Delay: w.Delay, PasskeyDelay: w.PasskeyDelay, ItemsPerDay: int64(w.Items), MaxCalls: gas.MaxCalls}
	for _, m := range []struct {
		address, symbol string
		decimals        int
		limit           string
	}{{k.USDC, b.currency().Symbol, b.currency().Decimals, w.USDC}, {k.GOD, godSymbol, godDecimals, w.GOD}} {
		if m.address == "" {
			continue
		}
		t := withdrawal.Token{
			Chain: b.game, Contract: eth.MustAddress(m.address), Standard: onchain.ERC20, Symbol: m.symbol, Decimals: m.decimals,
		}
		limit, err := money.ParseDecimal(m.limit, m.decimals)
		if err != nil {
			return rules, fmt.Errorf("the daily limit of %s is no amount", m.symbol) // validated with the configuration
		}
		if !limit.IsZero() {
			t.Limit = &limit
		}
		rules.Tokens = append(rules.Tokens, t)
	}
	for _, c := range b.goods {
		rules.Portal = append(rules.Portal, c.address)
		if !c.Soulbound {
			rules.Tokens = append(rules.Tokens, withdrawal.Token{Chain: c.chain, Contract: c.address, Standard: c.Standard})
		}
	}
	rules.Portal = append(rules.Portal, b.wallets.addresses()...)
	for _, own := range []string{k.PiggyMarketplace, k.EntryPoint, k.AccountFactory, k.AccountImplementation,
		b.config.Paymaster(b.config.GameChain), b.config.Paymaster(b.config.MainChain)} {
		rules.Portal = append(rules.Portal, eth.MustAddress(own))
	}
	return rules, nil
}

// maxBatch is the number of calls sent to an endpoint at once. Public endpoints refuse longer batches.
const maxBatch = 100

// transfers encodes the calls of withdrawals and tries them on the chains.
type transfers struct {
	marketplace eth.Address
	chains      chains
}

func (t transfers) TransferCalls(chain onchain.ChainID, from, to eth.Address, assets []withdrawal.Asset,
	cancelled []string) ([]withdrawal.Call, error) {
	var calls []withdrawal.Call
	for _, number := range cancelled {
		id, err := money.Parse(number)
		if err != nil {
			return nil, err
		}
		data, err := contracts.NewDirectListingsLogic().TryPackCancelListing(id.Big())
		if err != nil {
			return nil, err
		}
		calls = append(calls, withdrawal.Call{To: t.marketplace, Data: data})
	}
	for _, a := range assets {
		data, err := transferCall(from, to, a)
		if err != nil {
			return nil, err
		}
		calls = append(calls, withdrawal.Call{To: a.Contract, Data: data})
	}
	return calls, nil
}

func transferCall(from, to eth.Address, a withdrawal.Asset) ([]byte, error) {
	if a.Standard == onchain.ERC20 {
		return contracts.NewTestToken().TryPackTransfer(common.Address(to), a.Amount.Big())
	}
	id, err := money.Parse(a.TokenID)
	if err != nil {
		return nil, err
	}
	if a.Standard == onchain.ERC721 { // not the safe form: the recipient's code would run on our gas
		return contracts.NewCollection721().TryPackTransferFrom(common.Address(from), common.Address(to), id.Big())
	}
	return contracts.NewCollection1155().TryPackSafeTransferFrom(common.Address(from), common.Address(to), id.Big(), a.Amount.Big(), nil)
}

// receivingCall encodes a transfer that fails if the recipient is a contract that does not take such tokens.
func receivingCall(from, to eth.Address, a withdrawal.Asset) ([]byte, error) {
	if a.Standard != onchain.ERC721 {
		return transferCall(from, to, a)
	}
	id, err := money.Parse(a.TokenID)
	if err != nil {
		return nil, err
	}
	return contracts.NewCollection721().TryPackSafeTransferFrom(common.Address(from), common.Address(to), id.Big())
}

// Accepts tries the transfers by one batch of eth_call if the recipient is a contract. Other accounts refuse nothing.
func (t transfers) Accepts(ctx context.Context, chain onchain.ChainID, from, to eth.Address, assets []withdrawal.Asset) error {
	c := t.chains.of[chain]
	var code eth.Bytes
	if err := c.rpc.CallContext(ctx, &code, "eth_getCode", to, "latest"); err != nil {
		return fault.New(fault.Unavailable, "The chain does not answer just now. Please try again in a moment.").Because(err)
	}
	if len(code) == 0 {
		return nil
	}
	batch := make([]gethrpc.BatchElem, len(assets))
	for i, a := range assets {
		data, err := receivingCall(from, to, a)
		if err != nil {
			return err
		}
		batch[i] = gethrpc.BatchElem{
			Method: "eth_call",
			Args:   []any{map[string]any{"from": from, "to": a.Contract, "data": eth.Bytes(data), "gas": eth.NewQuantity(gas.SendGas)}, "latest"},
			Result: new(eth.Bytes),
		}
	}
	for some := range slices.Chunk(batch, maxBatch) {
		if err := c.rpc.BatchCallContext(ctx, some); err != nil {
			return fault.New(fault.Unavailable, "The chain does not answer just now. Please try again in a moment.").Because(err)
		}
	}
	for _, call := range batch {
		var reverted interface{ ErrorData() any }
		switch err := call.Error; {
		case err == nil:
		case errors.As(err, &reverted):
			const message = "This address is a contract that does not take what you want to send."
			return fault.InvalidFields(message, fault.Field{Location: "body.to", Message: message}).WithReason(withdrawal.ReasonRecipient)
		default:
			return fault.New(fault.Unavailable, "The chain does not answer just now. Please try again in a moment.").Because(err)
		}
	}
	return nil
}

// withdrawalGuard lets money and items leave a player's wallet only as a confirmed withdrawal.
type withdrawalGuard struct {
	withdrawals *withdrawal.Service
	next        gas.Guard
}

func (g withdrawalGuard) Allow(ctx context.Context, i gas.Intent) error {
	if gas.EffectsOf(i.Calls).Sends {
		sent, err := withdrawalCalls(i.Calls)
		if err != nil {
			return err
		}
		if err := g.withdrawals.MaySend(ctx, i.Player, i.Chain, sent); err != nil {
			return err
		}
	}
	return g.next.Allow(ctx, i)
}

// bindings binds withdrawals and debts to the operations that are about to be signed, and charges the risk of their trades.
type bindings struct {
	withdrawals *withdrawal.Service
	debts       *webstore.Payments
	trades      *traderisk.Service
	game        onchain.ChainID
}

func (b bindings) Bind(ctx context.Context, player string, chain onchain.ChainID, op *eth.UserOperation, hash eth.Hash,
	calls []gas.Call) error {
	if p, ok := paymentOf(chain, calls); ok && b.debts.Takes(p) {
		return b.debts.Bind(ctx, player, p, op.Sender, op.Nonce, hash)
	}
	if gas.EffectsOf(calls).Sends {
		sent, err := withdrawalCalls(calls)
		if err != nil {
			return err
		}
		if err := b.withdrawals.Bind(ctx, player, chain, op.Sender, op.Nonce, hash, sent); err != nil {
			return err
		}
	}
	if chain != b.game {
		return nil
	}
	return b.trades.Charge(ctx, tradesOf(gas.Intent{Player: player, Chain: chain, Sender: op.Sender, Nonce: op.Nonce, Calls: calls}))
}

// withdrawalCalls converts an account's calls to those of withdrawals.
func withdrawalCalls(calls []gas.Call) ([]withdrawal.Call, error) {
	out := make([]withdrawal.Call, len(calls))
	for i, c := range calls {
		value, err := money.FromBig(c.Value.Big())
		if err != nil {
			return nil, err
		}
		out[i] = withdrawal.Call{To: c.Target, Value: value, Data: c.Data}
	}
	return out, nil
}

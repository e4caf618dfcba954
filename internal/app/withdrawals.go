package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/notification"
	"pantheon/internal/portal/traderisk"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store/notifications"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/store/withdrawals"
)

// buildWithdrawals builds the services of withdrawals, payments of debts and notifications.
func (a *App) buildWithdrawals(key []byte, goods []collection, people *owners) error {
	rules, err := a.withdrawalRules(goods)
	if err != nil {
		return err
	}
	a.withdrawals = withdrawal.NewService(withdrawal.Options{
		Store: withdrawals.New(a.db), Approvals: people, Mailboxes: people, Rules: rules, Clock: a.clock,
		Chain: transfers{eth.MustAddress(a.config.Contracts.PiggyMarketplace), a.chains},
		Key:   deriveKey(key, "withdrawals"), Site: a.config.PublicURL,
		MayWithdraw: func(ctx context.Context, playerID string) error {
			return webstore.CheckArrears(ctx, shopstore.New(a.db), playerID)
		},
	})
	a.debts = webstore.NewPayments(webstore.PaymentOptions{
		Store: shopstore.New(a.db), Chain: a.config.GameChain.ChainID(), Token: eth.MustAddress(a.config.Contracts.USDC), To: a.payee(),
		Rate: a.config.Shop.Rate(),
	})
	a.notifications = notification.NewService(notification.Options{
		Store: notifications.New(a.db), Accounts: readers{people}, Clock: a.clock, Site: a.config.PublicURL, Symbol: currencySymbol,
		Decimals: currencyDecimals,
	})
	return nil
}

// payee is the wallet to which players pay what they owe: the treasury, or the manager where there is none.
func (a *App) payee() eth.Address {
	if a.treasury.Wallet.IsZero() {
		return eth.MustAddress(a.config.Wallets.Manager)
	}
	return a.treasury.Wallet
}

func (a *App) withdrawalRules(goods []collection) (withdrawal.Rules, error) {
	w, k, game := a.config.Withdrawals, a.config.Contracts, a.config.GameChain.ChainID()
	rules := withdrawal.Rules{Delay: w.Delay, ItemsPerDay: int64(w.Items), MaxCalls: gas.MaxCalls}
	for _, m := range []struct {
		address, symbol string
		decimals        int
		limit           string
	}{{k.USDC, currencySymbol, currencyDecimals, w.USDC}, {k.GOD, godSymbol, godDecimals, w.GOD}} {
		t := withdrawal.Token{Chain: game, Contract: eth.MustAddress(m.address), Standard: onchain.ERC20, Symbol: m.symbol, Decimals: m.decimals}
		limit, err := money.ParseDecimal(m.limit, m.decimals)
		if err != nil {
			return rules, fmt.Errorf("the daily limit of %s is no amount", m.symbol) // validated with the configuration
		}
		if !limit.IsZero() {
			t.Limit = &limit
		}
		rules.Tokens = append(rules.Tokens, t)
	}
	for _, c := range goods {
		rules.Portal = append(rules.Portal, c.address)
		if !c.Soulbound {
			rules.Tokens = append(rules.Tokens, withdrawal.Token{Chain: c.chain, Contract: c.address, Standard: c.Standard})
		}
	}
	signer, err := walletOf(a.config.Wallets.PaymasterKey)
	if err != nil {
		return rules, err
	}
	rules.Portal = append(rules.Portal, signer.Address())
	if !a.treasury.Wallet.IsZero() {
		rules.Portal = append(rules.Portal, a.treasury.Wallet)
	}
	for _, own := range []string{
		a.config.Wallets.Manager, a.config.Wallets.Claimer, a.config.Wallets.GasRelayer, k.PiggyMarketplace, k.EntryPoint, k.AccountFactory,
		k.AccountImplementation, k.Paymaster,
	} {
		rules.Portal = append(rules.Portal, eth.MustAddress(own))
	}
	return rules, nil
}

// maxBatch is the number of calls sent to an endpoint at once. Public endpoints refuse longer batches.
const maxBatch = 100

// transfers encodes the calls of withdrawals and tries them on the chains.
type transfers struct {
	marketplace eth.Address
	chains      map[onchain.ChainID]*chainParts // built later
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
	c := t.chains[chain]
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

// owners proves who players are. Approvals need the accounts and the accounts need approvals: build sets the fields as it builds the
// services, and nothing is asked before all are set.
type owners struct {
	approvals *approval.Service
	accounts  *account.Service
	proofs    *wallet.Proofs
}

func (o *owners) Address(ctx context.Context, playerID string) (string, error) {
	return o.accounts.ProvingMailbox(ctx, playerID)
}

func (o *owners) ConfirmedAddress(ctx context.Context, playerID string) (string, error) {
	if address, err := o.Address(ctx, playerID); address == "" || err != nil {
		return "", err
	}
	return o.accounts.ConfirmedMailbox(ctx, playerID)
}

func (o *owners) HasPassword(ctx context.Context, playerID string) (bool, error) {
	return o.accounts.HasPassword(ctx, playerID)
}

func (o *owners) CheckPassword(ctx context.Context, playerID, password string) error {
	return o.accounts.CheckPassword(ctx, account.Caller{PlayerID: playerID}, password)
}

func (o *owners) SignedInAt(ctx context.Context, c approval.Caller) (time.Time, error) {
	return o.accounts.SignedInAt(ctx, account.Caller(c))
}

func (o *owners) ProvenWallet(ctx context.Context, playerID, message string, signature []byte) (eth.Address, error) {
	return o.proofs.Prove(ctx, playerID, message, signature)
}

func (o *owners) ApproveConnection(ctx context.Context, c wallet.Caller, w eth.Address, nonce string) error {
	return o.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.ConnectWallet, Digest: approval.Digest(w.String()), Lines: []string{w.Checksum()},
	}, nonce)
}

func (o *owners) ApproveDisconnection(ctx context.Context, c wallet.Caller, w wallet.Verified) error {
	connected := w.At.UTC().Format(time.RFC3339Nano) // the same wallet may be connected again
	return o.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.DisconnectWallet, Digest: approval.Digest(w.Address.String(), connected), Lines: []string{w.Address.Checksum()},
	}, "disconnect")
}

// MayTrade is that of the accounts.
func (o *owners) MayTrade(ctx context.Context, playerID string) error {
	return o.accounts.MayTrade(ctx, playerID)
}

func (o *owners) RequestDeletion(ctx context.Context, c account.Caller, lines []string) error {
	_, err := o.approvals.Request(ctx, approval.Caller(c), deletion(lines))
	return err
}

func (o *owners) ApproveDeletion(ctx context.Context, c account.Caller, lines []string, code string) error {
	if code != "" {
		if err := o.approvals.ConfirmWaiting(ctx, approval.Caller(c), deletion(lines), approval.Confirmation{Code: code}); err != nil {
			return err
		}
	}
	return o.approvals.Require(ctx, approval.Caller(c), deletion(lines), rand.Text())
}

func deletion(lines []string) approval.Act {
	return approval.Act{Kind: approval.Deletion, Digest: approval.Digest(lines...), Lines: lines}
}

func (o *owners) ApproveEmail(ctx context.Context, c account.Caller, from account.Identity, to string) error {
	confirmed := strconv.FormatBool(from.EmailConfirmed) // which decides how it is approved
	return o.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.ChangeEmail, Digest: approval.Digest(account.EmailKey(from.Email), confirmed, to), Lines: []string{to},
	}, "code")
}

func (o *owners) RequestWithdrawal(
	ctx context.Context, c withdrawal.Caller, requestID string, lines []string, own *eth.Address,
) (withdrawal.Proof, error) {
	a, err := o.approvals.Request(ctx, approval.Caller(c), sending(requestID, lines, own))
	return withdrawal.Proof(a.Way), err
}

func (o *owners) ApproveWithdrawal(
	ctx context.Context, c withdrawal.Caller, requestID string, own *eth.Address, proof withdrawal.Confirmation,
) error {
	return o.approvals.Approve(ctx, approval.Caller(c), sending(requestID, nil, own), approval.Confirmation(proof), requestID)
}

// sending is the act of a withdrawal. Its id identifies what is sent: a request does not change.
func sending(requestID string, lines []string, own *eth.Address) approval.Act {
	return approval.Act{Kind: approval.Withdrawal, Digest: approval.Digest(requestID), Lines: lines, Wallet: own}
}

var (
	_ withdrawal.Approvals = (*owners)(nil)
	_ withdrawal.Mailboxes = (*owners)(nil)
	_ approval.Accounts    = (*owners)(nil)
	_ wallet.Owners        = (*owners)(nil)
	_ account.Approvals    = (*owners)(nil)
)

// valuables says what the tokens that can leave players' wallets are.
func valuables(rules withdrawal.Rules) account.Valuables {
	return func(t account.Token) (*account.Currency, bool) {
		i := slices.IndexFunc(rules.Tokens, func(r withdrawal.Token) bool { return r.Chain == t.Chain && r.Contract == t.Contract })
		if i < 0 {
			return nil, false
		}
		if r := rules.Tokens[i]; r.Standard == onchain.ERC20 {
			return &account.Currency{Symbol: r.Symbol, Decimals: r.Decimals}, true
		}
		return nil, true
	}
}

// indexReady returns an error while an index may not know what players have.
func (a *App) indexReady(context.Context) error {
	for _, c := range a.chains {
		if s := c.indexer.State(); s.Error != "" || s.Started && s.Lag > maxIndexLag {
			return fmt.Errorf("the index of the %s is %d blocks behind: %s", c.name, s.Lag, s.Error)
		}
	}
	return nil
}

// readers knows the players' addresses for notifications.
type readers struct{ people *owners }

func (r readers) ConfirmedAddress(ctx context.Context, playerID string) (string, error) {
	return r.people.accounts.ConfirmedMailbox(ctx, playerID)
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

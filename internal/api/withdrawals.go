package api

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"pantheon/internal/kit/emailcode"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/portal/withdrawal"
)

// WithdrawalOptions are what the calls about what leaves the portal need.
type WithdrawalOptions struct {
	Withdrawals *withdrawal.Service
	Debts       *webstore.Payments
}

// NewWithdrawal requests that money and items leave the player's smart wallet.
type NewWithdrawal struct {
	To         string               `json:"to" doc:"The recipient's address. Upper and lower case are checked (EIP-55) where both occur." maxLength:"64"`
	Everything bool                 `json:"everything,omitempty" doc:"All that can leave the wallet; assets is ignored."`
	Assets     []NewWithdrawalAsset `json:"assets,omitempty" doc:"What is sent." maxItems:"200"`
}

// NewWithdrawalAsset is an amount of a token.
type NewWithdrawalAsset struct {
	ChainID  onchain.ChainID `json:"chainId" doc:"The token's chain."`
	Contract string          `json:"contract" doc:"The token's contract." maxLength:"64"`
	TokenID  string          `json:"tokenId,omitempty" doc:"The token's id, decimal; absent for ERC-20." maxLength:"78"`
	Amount   string          `json:"amount,omitempty" doc:"How much, decimal: in the token's unit for ERC-20; 1 when left out for ERC-721." maxLength:"100"`
}

// Withdrawal is what leaves, or has left, the player's smart wallet for one recipient.
type Withdrawal struct {
	WithdrawalID string           `json:"withdrawalId" doc:"Its id."`
	To           eth.Address      `json:"to" doc:"The recipient."`
	Own          bool             `json:"own" doc:"Whether the recipient is the player's verified wallet."`
	State        withdrawal.State `json:"state" doc:"unconfirmed, confirmed, done, cancelled or expired." enum:"unconfirmed,confirmed,done,cancelled,expired"`
	Reason       string           `json:"reason,omitempty" doc:"Why it was cancelled."`
	Parts        []WithdrawalPart `json:"parts" doc:"What is sent by one operation each." nullable:"false"`
	CreatedAt    time.Time        `json:"createdAt" doc:"When it was requested."`
	ReadyAt      *time.Time       `json:"readyAt,omitempty" doc:"When its parts can be sent; absent until it is confirmed."`
	ExpiresAt    time.Time        `json:"expiresAt" doc:"When it expires in its present state."`
}

// WithdrawalPart is the part of a withdrawal that one operation carries out.
type WithdrawalPart struct {
	PartID  string               `json:"partId" doc:"Its id."`
	ChainID onchain.ChainID      `json:"chainId" doc:"The chain."`
	State   withdrawal.PartState `json:"state" doc:"open: not sent. sending: on its way. sent: it has left the wallet. failed: the transfer was refused on chain." enum:"open,sending,sent,failed"`
	Assets  []WithdrawalAsset    `json:"assets" doc:"What is sent." nullable:"false"`
	TxHash  *eth.Hash            `json:"txHash,omitempty" doc:"The transaction; absent until it is on chain."`
	Error   string               `json:"error,omitempty" doc:"Why it failed."`
}

// WithdrawalAsset is an amount of a token that is sent.
type WithdrawalAsset struct {
	Contract eth.Address      `json:"contract" doc:"The token's contract."`
	Standard onchain.Standard `json:"standard" doc:"erc20, erc721 or erc1155." enum:"erc20,erc721,erc1155"`
	TokenID  string           `json:"tokenId" doc:"The token's id, decimal; 0 for ERC-20."`
	Amount   string           `json:"amount" doc:"How much, decimal, in the token's unit."`
	Units    string           `json:"units" doc:"The same in base units."`
	Symbol   string           `json:"symbol,omitempty" doc:"The currency's symbol; absent for items."`
}

// CreatedWithdrawal is a new withdrawal with what the player should look at before confirming it.
type CreatedWithdrawal struct {
	Withdrawal Withdrawal       `json:"withdrawal" doc:"The withdrawal, which waits for its confirmation."`
	Proof      withdrawal.Proof `json:"proof" doc:"How the player confirms it: passkey (over a challenge of beginPasskeyApproval), code (emailed), password, or signature (of the verified wallet, over a message of challengeWallet)." enum:"passkey,code,password,signature"`
	Lookalikes []eth.Address    `json:"lookalikes" doc:"Known addresses that differ from the recipient, but begin and end alike: it may be a forgery." nullable:"false"`
}

// WithdrawalConfirmation is the player's proof; only one is given.
type WithdrawalConfirmation struct {
	Passkey   any    `json:"passkey,omitempty" doc:"PublicKeyCredential.toJSON() of what navigator.credentials.get has returned."`
	Code      string `json:"code,omitempty" doc:"The emailed code of 8 digits." maxLength:"40"`
	Password  string `json:"password,omitempty" doc:"The player's password." maxLength:"400"`
	Message   string `json:"message,omitempty" doc:"The message of challengeWallet." maxLength:"2048"`
	Signature string `json:"signature,omitempty" doc:"The verified wallet's signature of it, hex."`
}

// Withdrawals is a page of the player's withdrawals, newest first.
type Withdrawals struct {
	Items      []Withdrawal `json:"items" doc:"The withdrawals." nullable:"false"`
	NextCursor string       `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

// WithdrawalCalls are the calls of the operation that sends a part.
type WithdrawalCalls struct {
	ChainID onchain.ChainID `json:"chainId" doc:"The chain."`
	Calls   []OrderCall     `json:"calls" doc:"What the smart wallet has to call, in one batch; the first ones cancel listings whose items leave." nullable:"false"`
}

// WithdrawalPath names a withdrawal.
type WithdrawalPath struct {
	ID string `path:"id" doc:"The withdrawal's id." maxLength:"64"`
}

type withdrawalPartPath struct {
	WithdrawalPath
	Part string `path:"part" doc:"The part's id." maxLength:"64"`
}

type pageQuery struct {
	Cursor string `query:"cursor" doc:"nextCursor of the page before." maxLength:"400"`
	Limit  int    `query:"limit" doc:"How many at most." minimum:"1" maximum:"100" default:"30"`
}

type confirmWithdrawal struct {
	WithdrawalPath
	Body WithdrawalConfirmation
}

type cancelWithdrawal struct {
	Token string `json:"token" doc:"The token of the emailed link." maxLength:"200"`
}

// AddressBook is the player's saved addresses.
type AddressBook struct {
	Items []SavedAddress `json:"items" doc:"The addresses, by label." nullable:"false"`
}

// SavedAddress is an address with the name that the player gave it.
type SavedAddress struct {
	Address eth.Address `json:"address" doc:"The address."`
	Label   string      `json:"label" doc:"Its name."`
}

// AddressPath names an address.
type AddressPath struct {
	Address string `path:"address" doc:"The address." maxLength:"64"`
}

type saveAddress struct {
	AddressPath
	Body struct {
		Label string `json:"label" doc:"A name of 1 to 40 characters." maxLength:"400"`
	}
}

// Money is what the player has, and the rules by which it can leave.
type Money struct {
	SmartWallet  eth.Address    `json:"smartWallet" doc:"The player's smart wallet: where money can be sent to."`
	Balances     []MoneyBalance `json:"balances" doc:"By currency." nullable:"false"`
	ItemsPerDay  int64          `json:"itemsPerDay" doc:"How many items can be withdrawn in 24 hours."`
	ItemsUsed    int64          `json:"itemsUsed" doc:"How many were in the last 24 hours."`
	DelaySeconds int64          `json:"delaySeconds" doc:"How long a withdrawal to an address other than the player's verified wallet waits."`
	Sendable     []MoneyToken   `json:"sendable" doc:"The contracts of the items that can be withdrawn." nullable:"false"`
}

// MoneyToken is a contract whose items can be withdrawn.
type MoneyToken struct {
	ChainID  onchain.ChainID `json:"chainId" doc:"The chain."`
	Contract eth.Address     `json:"contract" doc:"The contract."`
}

// MoneyBalance is what the player has of a currency. Amounts are decimal.
type MoneyBalance struct {
	Symbol   string          `json:"symbol" doc:"The currency's symbol."`
	ChainID  onchain.ChainID `json:"chainId" doc:"The chain."`
	Contract eth.Address     `json:"contract" doc:"The currency's contract."`
	Decimals int             `json:"decimals" doc:"How many decimals it has."`
	InWallet string          `json:"inWallet" doc:"What is in the smart wallet."`
	Paying   string          `json:"paying" doc:"What of it is being paid just now."`
	Asked    string          `json:"asked" doc:"What the player's live listings ask for."`
	Listings int             `json:"listings" doc:"How many live listings there are."`
	Limit    string          `json:"limit,omitempty" doc:"How much can be withdrawn in 24 hours; absent for no limit."`
	Used     string          `json:"used" doc:"How much was in the last 24 hours."`
}

// Movements is a page of what went in and out, newest first.
type Movements struct {
	Items      []Movement `json:"items" doc:"The movements." nullable:"false"`
	NextCursor string     `json:"nextCursor,omitempty" doc:"Ask for the next page with it; absent on the last."`
}

// Movement is one transfer of money from or to the player's smart wallet.
type Movement struct {
	ID      string             `json:"id" doc:"Tells movements apart; it means nothing else."`
	At      time.Time          `json:"at" doc:"When it happened."`
	In      bool               `json:"in" doc:"Whether it came in."`
	Purpose withdrawal.Purpose `json:"purpose" doc:"What it was for: purchase, sale, withdrawal, reward, received or sent." enum:"purchase,sale,withdrawal,reward,received,sent"`
	Amount  string             `json:"amount" doc:"How much, decimal."`
	Symbol  string             `json:"symbol" doc:"The currency's symbol."`
	Other   *eth.Address       `json:"other,omitempty" doc:"The other side; absent for a reward."`
	ChainID onchain.ChainID    `json:"chainId" doc:"The chain."`
	TxHash  eth.Hash           `json:"txHash" doc:"The transaction."`
}

func (a *API) registerWithdrawals() {
	limits := []limiter{{perMinute: a.Limits.CartPerMinute, key: byPlayer}}
	player(a, call{
		method: http.MethodGet, path: "/api/auth/money", id: "getMoney", tag: tagMoney,
		summary: "What money the player has, and how it can leave", errors: []int{409},
	}, a.money)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/money/movements", id: "getMovements", tag: tagMoney,
		summary: "What money went in and out of the player's smart wallet", errors: []int{400, 409},
	}, a.movements)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/withdrawals", id: "getWithdrawals", tag: tagMoney,
		summary: "The player's withdrawals", errors: []int{400},
	}, func(ctx context.Context, c account.Caller, in *pageQuery) (*Body[Withdrawals], error) {
		requests, err := a.Withdrawals.Withdrawals(ctx, c.PlayerID, withdrawal.Page{Before: in.Cursor, Limit: in.Limit + 1})
		out := Withdrawals{Items: []Withdrawal{}}
		if len(requests) > in.Limit {
			requests = requests[:in.Limit]
			out.NextCursor = requests[in.Limit-1].ID
		}
		for _, r := range requests {
			out.Items = append(out.Items, a.withdrawal(r))
		}
		return body(out), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/withdrawals", id: "createWithdrawal", tag: tagMoney, status: http.StatusCreated,
		summary: "Ask for money and items to leave the smart wallet", errors: []int{400, 409, 429, 503}, limits: limits,
	}, a.createWithdrawal)
	player(a, call{
		method: http.MethodGet, path: "/api/auth/withdrawals/{id}", id: "getWithdrawal", tag: tagMoney,
		summary: "One of the player's withdrawals", errors: []int{404},
	}, func(ctx context.Context, c account.Caller, in *WithdrawalPath) (*Body[Withdrawal], error) {
		r, err := a.Withdrawals.Withdrawal(ctx, c.PlayerID, in.ID)
		return body(a.withdrawal(r)), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/withdrawals/{id}/code", id: "sendWithdrawalCode", tag: tagMoney,
		summary: "Mail the code of a withdrawal once more", errors: []int{404, 409}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *WithdrawalPath) (*Body[Success], error) {
		err := a.emails.send(ctx, c.PlayerID, func() error { return a.Withdrawals.SendCode(ctx, withdrawal.Caller(c), in.ID) })
		return success("A code is on its way to your email. It is good for " + emailcode.Lifetime() + "."), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/withdrawals/{id}/confirm", id: "confirmWithdrawal", tag: tagMoney,
		summary: "Confirm a withdrawal", errors: []int{400, 403, 404, 409, 503}, limits: limits,
	}, a.confirmWithdrawal)
	player(a, call{
		method: http.MethodDelete, path: "/api/auth/withdrawals/{id}", id: "cancelWithdrawal", tag: tagMoney,
		summary: "Cancel a withdrawal that is not sent", errors: []int{404, 409},
	}, func(ctx context.Context, c account.Caller, in *WithdrawalPath) (*Body[Success], error) {
		return success("It is cancelled. What was not sent before stays in your wallet."), a.Withdrawals.Cancel(ctx, c.PlayerID, in.ID)
	})
	player(a, call{
		method: http.MethodGet, path: "/api/auth/withdrawals/{id}/parts/{part}/calls", id: "getWithdrawalCalls", tag: tagMoney,
		summary: "The calls of the operation that sends a part now", errors: []int{404, 409, 429},
	}, a.withdrawalCalls)
	public(a, call{
		method: http.MethodPost, path: "/api/withdrawals/cancel", id: "cancelWithdrawalByLink", tag: tagMoney,
		summary: "Cancel a withdrawal by the emailed link", errors: []int{404, 409},
		limits: []limiter{{perMinute: a.Limits.LoginsPerMinute, key: byAddress}},
	}, func(ctx context.Context, in *Body[cancelWithdrawal]) (*Body[Success], error) {
		_, err := a.Withdrawals.CancelByToken(ctx, in.Body.Token)
		return success("It is cancelled. What was not sent before stays in the wallet."), err
	})
	player(a, call{
		method: http.MethodGet, path: "/api/auth/address-book", id: "getAddressBook", tag: tagMoney,
		summary: "The addresses that the player has saved",
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[AddressBook], error) {
		saved, err := a.Withdrawals.AddressBook(ctx, c.PlayerID)
		out := AddressBook{Items: []SavedAddress{}}
		for _, s := range saved {
			out.Items = append(out.Items, SavedAddress{s.Address, s.Label})
		}
		return body(out), err
	})
	player(a, call{
		method: http.MethodPut, path: "/api/auth/address-book/{address}", id: "saveAddress", tag: tagMoney,
		summary: "Save an address under a name", errors: []int{400, 409}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *saveAddress) (*Body[Success], error) {
		return success(""), a.Withdrawals.SaveAddress(ctx, c.PlayerID, in.Address, in.Body.Label)
	})
	player(a, call{
		method: http.MethodDelete, path: "/api/auth/address-book/{address}", id: "forgetAddress", tag: tagMoney,
		summary: "Remove a saved address", errors: []int{400}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *AddressPath) (*Body[Success], error) {
		return success(""), a.Withdrawals.ForgetAddress(ctx, c.PlayerID, in.Address)
	})
}

func (a *API) money(ctx context.Context, c account.Caller, _ *Empty) (*Body[Money], error) {
	balances, used, err := a.Withdrawals.Balances(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	_, smart, err := a.Wallets.Pair(ctx, c.PlayerID)
	if err == nil && smart == nil {
		err = wallet.ErrNotReady
	}
	if err != nil {
		return nil, err
	}
	rules := a.Withdrawals.Rules()
	out := Money{
		SmartWallet: *smart, Balances: []MoneyBalance{}, ItemsPerDay: rules.ItemsPerDay, ItemsUsed: used.Items,
		DelaySeconds: int64(rules.Delay.Seconds()), Sendable: []MoneyToken{},
	}
	for _, t := range rules.Tokens {
		if t.Standard != onchain.ERC20 {
			out.Sendable = append(out.Sendable, MoneyToken{t.Chain, t.Contract})
		}
	}
	for _, b := range balances {
		d := b.Token.Decimals
		m := MoneyBalance{
			Symbol: b.Token.Symbol, ChainID: b.Token.Chain, Contract: b.Token.Contract, Decimals: d, InWallet: b.InWallet.Decimal(d),
			Paying: b.Paying.Decimal(d), Asked: b.Asked.Decimal(d), Listings: b.Listings, Used: b.Used.Decimal(d),
		}
		if b.Token.Limit != nil {
			m.Limit = b.Token.Limit.Decimal(d)
		}
		out.Balances = append(out.Balances, m)
	}
	return body(out), nil
}

func (a *API) movements(ctx context.Context, c account.Caller, in *pageQuery) (*Body[Movements], error) {
	items, next, err := a.Withdrawals.Movements(ctx, c.PlayerID, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	out := Movements{Items: []Movement{}, NextCursor: next}
	for _, m := range items {
		item := Movement{
			ID: movementID(m.Position), At: m.Position.Time.UTC(), In: m.In, Purpose: m.Purpose, Amount: m.Amount.Decimal(m.Token.Decimals),
			Symbol: m.Token.Symbol, ChainID: m.Token.Chain, TxHash: m.Position.Tx,
		}
		if !m.Other.IsZero() {
			item.Other = &m.Other
		}
		out.Items = append(out.Items, item)
	}
	return body(out), nil
}

func movementID(p onchain.Position) string { return p.Tx.String() + "-" + fmt.Sprint(p.LogIndex) }

func (a *API) createWithdrawal(ctx context.Context, c account.Caller, in *Body[NewWithdrawal]) (*Body[CreatedWithdrawal], error) {
	n := withdrawal.New{To: in.Body.To, Everything: in.Body.Everything}
	for _, w := range in.Body.Assets {
		n.Assets = append(n.Assets, withdrawal.NewAsset{Chain: w.ChainID, Contract: w.Contract, TokenID: w.TokenID, Amount: w.Amount})
	}
	var created withdrawal.Created
	err := a.emails.send(ctx, c.PlayerID, func() (err error) {
		created, err = a.Withdrawals.Create(ctx, withdrawal.Caller(c), n)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := CreatedWithdrawal{Withdrawal: a.withdrawal(created.Request), Proof: created.Proof, Lookalikes: []eth.Address{}}
	out.Lookalikes = append(out.Lookalikes, created.Lookalikes...)
	return body(out), nil
}

func (a *API) confirmWithdrawal(ctx context.Context, c account.Caller, in *confirmWithdrawal) (*Body[Withdrawal], error) {
	proof := withdrawal.Confirmation{Code: in.Body.Code, Password: in.Body.Password, Message: in.Body.Message}
	response, err := browserResponse("body.passkey", in.Body.Passkey)
	if err != nil {
		return nil, err
	}
	proof.Passkey = response
	if in.Body.Signature != "" {
		var signature eth.Bytes
		if err := signature.UnmarshalText([]byte(in.Body.Signature)); err != nil {
			return nil, fault.InvalidFields("This is not a signature.", fault.Field{Location: "body.signature", Message: err.Error()})
		}
		proof.Signature = signature
	}
	var r withdrawal.Request
	err = a.attempts.guard(ctx, c.PlayerID, func() (err error) {
		r, err = a.Withdrawals.Confirm(ctx, withdrawal.Caller(c), in.ID, proof)
		return err
	})
	if err != nil {
		return nil, err
	}
	return body(a.withdrawal(r)), nil
}

func (a *API) withdrawalCalls(ctx context.Context, c account.Caller, in *withdrawalPartPath) (*Body[WithdrawalCalls], error) {
	chain, calls, err := a.Withdrawals.Calls(ctx, c.PlayerID, in.ID, in.Part)
	if err != nil {
		return nil, err
	}
	out := WithdrawalCalls{ChainID: chain, Calls: make([]OrderCall, len(calls))}
	for i, call := range calls {
		out.Calls[i] = OrderCall{To: call.To, Value: call.Value.String(), Data: call.Data}
	}
	return body(out), nil
}

func (a *API) withdrawal(r withdrawal.Request) Withdrawal {
	out := Withdrawal{
		WithdrawalID: r.ID, To: r.To, Own: r.Own, State: r.State, Reason: r.Reason, Parts: []WithdrawalPart{},
		CreatedAt: r.CreatedAt.UTC(), ExpiresAt: r.ExpiresAt.UTC(),
	}
	if !r.ReadyAt.IsZero() {
		at := r.ReadyAt.UTC()
		out.ReadyAt = &at
	}
	rules := a.Withdrawals.Rules()
	for _, p := range r.Parts {
		part := WithdrawalPart{PartID: p.ID, ChainID: p.Chain, State: p.State, Assets: []WithdrawalAsset{}, TxHash: p.TxHash, Error: p.Error}
		for _, asset := range p.Assets {
			item := WithdrawalAsset{
				Contract: asset.Contract, Standard: asset.Standard, TokenID: asset.TokenID, Units: asset.Amount.String(),
				Amount: asset.Amount.String(),
			}
			if t := rules.Token(p.Chain, asset.Contract); t != nil && t.Standard == onchain.ERC20 {
				item.Symbol, item.Amount = t.Symbol, asset.Amount.Decimal(t.Decimals)
			}
			part.Assets = append(part.Assets, item)
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

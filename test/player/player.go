// Package player acts as a player over HTTP, like the browser but without one: for tests that are not about the page.
package player

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
)

// Player is one signed-in player. It is for one goroutine.
type Player struct {
	Trace string // the traceparent of requests (W3C Trace Context); "" for none
	From  string // the address that requests are said to come from (X-Forwarded-For); "" for the own one
	// Observe is called after each request with the call, how long it took and its error; it may be nil.
	Observe func(call string, took time.Duration, err error)

	ID     string      // PlayFabId
	Smart  eth.Address // the smart wallet
	Owner  eth.Address // the embedded wallet
	Config Config

	base   string
	token  string
	secret string
	wallet string // the embedded wallet's token
	main   bool   // acts on the main chain
}

// OnMainChain returns the same player acting on the main chain.
func (p *Player) OnMainChain() *Player {
	other := *p
	other.main = true
	return &other
}

// chain is the chain the player acts on.
func (p *Player) chain() Chain {
	if p.main {
		return p.Config.MainChain
	}
	return p.Config.GameChain
}

// Chain is a chain as /api/config has it.
type Chain struct {
	ID             uint64      `json:"id"`
	EntryPoint     eth.Address `json:"entryPoint"`
	AccountFactory eth.Address `json:"accountFactory"`
}

// Config is the part of /api/config that players need.
type Config struct {
	GameChain Chain `json:"gameChain"`
	MainChain Chain `json:"mainChain"`
	Currency  struct {
		Address eth.Address `json:"address"`
	} `json:"currency"`
	Contracts struct {
		Marketplace              eth.Address `json:"marketplace"`
		PiggySoulboundCollection eth.Address `json:"piggySoulboundCollection"`
	} `json:"contracts"`
}

// Error is a response with a status other than 2xx.
type Error struct {
	Status int
	Body   string
}

// Error returns status and body.
func (e *Error) Error() string { return fmt.Sprintf("status %d: %s", e.Status, e.Body) }

// Visitor returns a player who has not signed in.
func Visitor(base string) *Player { return &Player{base: base} }

// Register creates a new player on the site and registers the pair of wallets.
func Register(ctx context.Context, base string) (*Player, error) {
	p := Visitor(base)
	return p, p.Register(ctx)
}

// Register makes the visitor a new player with the pair of wallets.
func (p *Player) Register(ctx context.Context) error {
	if err := p.signUp(ctx); err != nil {
		return err
	}
	return p.connect(ctx)
}

// SignIn signs the player in, and connects the wallet.
func (p *Player) SignIn(ctx context.Context, email, password string) error {
	var credentials struct{ Token, SessionAuthorization string }
	err := p.call(ctx, http.MethodPost, "/api/auth/login", "", map[string]string{"email": email, "password": password}, &credentials)
	if err != nil {
		return err
	}
	p.token, p.secret = credentials.Token, credentials.SessionAuthorization
	return p.connect(ctx)
}

// SignUp creates a new player on the site, without wallets.
func SignUp(ctx context.Context, base string) (*Player, error) {
	p := Visitor(base)
	return p, p.signUp(ctx)
}

func (p *Player) signUp(ctx context.Context) error {
	name := "P" + rand.Text()[:12]
	var credentials struct{ Token, SessionAuthorization string }
	err := p.call(ctx, http.MethodPost, "/api/auth/register", "", map[string]string{
		"email": name + "@example.org", "displayName": name, "password": "correct horse battery",
	}, &credentials)
	if err != nil {
		return err
	}
	p.token, p.secret = credentials.Token, credentials.SessionAuthorization
	var profile struct {
		AccountInfo struct{ PlayFabId string }
	}
	if err := p.Call(ctx, http.MethodGet, "/api/auth/profile", nil, &profile); err != nil {
		return err
	}
	p.ID = profile.AccountInfo.PlayFabId
	return p.Reload(ctx)
}

// Reload reads the site's configuration, as a browser does with each page that it loads.
func (p *Player) Reload(ctx context.Context) error {
	p.Config = Config{}
	return p.call(ctx, http.MethodGet, "/api/config", "", nil, &p.Config)
}

// Base is the site's address.
func (p *Player) Base() string { return p.base }

// At makes the player act at another address of the site.
func (p *Player) At(base string) { p.base = base }

// Token is the player's API token.
func (p *Player) Token() string { return p.token }

// RenewWallet obtains a new token for the embedded wallet, as the browser does when the old one has expired.
func (p *Player) RenewWallet(ctx context.Context) error {
	var token struct{ Token string }
	err := p.call(ctx, http.MethodGet, "/api/smartWallet/embedded-token", p.secret, nil, &token)
	p.wallet = token.Token
	return err
}

func (p *Player) connect(ctx context.Context) error {
	if err := p.RenewWallet(ctx); err != nil {
		return err
	}
	var wallet struct{ Address eth.Address }
	if err := p.call(ctx, http.MethodPost, "/api/wallet/connect", p.wallet, nil, &wallet); err != nil {
		return err
	}
	p.Owner = wallet.Address
	salt := contracts.AccountSalt(p.Owner, 0)
	answer, err := p.EthCall(ctx, p.Config.GameChain.AccountFactory, contracts.NewERC4337Factory().PackGetAddress(salt))
	if err != nil {
		return err
	}
	p.Smart = eth.Address(answer[12:])
	return p.Call(ctx, http.MethodPost, "/api/smartWallet/create-smart-wallet", map[string]string{
		"playfabid": p.ID, "embeddedWallet": p.Owner.Checksum(), "smartWallet": p.Smart.Checksum(),
	}, nil)
}

// Call makes a call with the player's token.
func (p *Player) Call(ctx context.Context, method, path string, body, out any) error {
	return p.call(ctx, method, path, p.token, body, out)
}

func (p *Player) call(ctx context.Context, method, path, authorization string, body, out any) (err error) {
	if p.Observe != nil {
		began := time.Now()
		defer func() { p.Observe(method+" "+path, time.Since(began), err) }()
	}
	var reader io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		reader = bytes.NewReader(b)
	}
	request, err := http.NewRequestWithContext(ctx, method, p.base+path, reader)
	if err != nil {
		return err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	if p.From != "" {
		request.Header.Set("X-Forwarded-For", p.From)
	}
	if p.Trace != "" {
		request.Header.Set("Traceparent", p.Trace)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %w", method, path, &Error{response.StatusCode, string(b)})
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(b, out)
}

// RPCError is the error of a JSON-RPC response.
type RPCError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns code and message.
func (e *RPCError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// RPC makes a JSON-RPC call at one of the proxies: "rpc", "bundler" or "paymaster".
func (p *Player) RPC(ctx context.Context, proxy, method string, out any, params ...any) error {
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *RPCError       `json:"error"`
	}
	path := fmt.Sprintf("/api/proxy/%s/%d#%s", proxy, p.chain().ID, method) // the fragment is for Observe: it is not sent
	err := p.Call(ctx, http.MethodPost, path, map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, &answer)
	if err != nil {
		return err
	}
	if answer.Error != nil {
		return answer.Error
	}
	return json.Unmarshal(answer.Result, out)
}

// EthCall reads a contract.
func (p *Player) EthCall(ctx context.Context, to eth.Address, data []byte) ([]byte, error) {
	var out eth.Bytes
	err := p.RPC(ctx, "rpc", "eth_call", &out, map[string]any{"to": to, "data": eth.Bytes(data)}, "latest")
	return out, err
}

// Head returns the time of the newest block.
func (p *Player) Head(ctx context.Context) (time.Time, error) {
	var head struct{ Timestamp eth.Quantity }
	err := p.RPC(ctx, "rpc", "eth_getBlockByNumber", &head, "latest", false)
	return time.Unix(head.Timestamp.Big().Int64(), 0), err
}

// Balance returns an address's balance of an ERC-20 token, in base units.
func (p *Player) Balance(ctx context.Context, token, owner eth.Address) (string, error) {
	out, err := p.EthCall(ctx, token, contracts.NewTestToken().PackBalanceOf(common.Address(owner)))
	if err != nil {
		return "", err
	}
	n, err := contracts.NewTestToken().UnpackBalanceOf(out)
	if err != nil {
		return "", err
	}
	return n.String(), nil
}

// InWallet returns how much of the marketplace's currency the portal says the player has, decimal. It trails Balance by the
// indexer's delay; holds, orders and withdrawals go by it.
func (p *Player) InWallet(ctx context.Context) (string, error) {
	var held struct {
		Balances []struct {
			Contract eth.Address
			InWallet string
		}
	}
	if err := p.Call(ctx, http.MethodGet, "/api/auth/money", nil, &held); err != nil {
		return "", err
	}
	for _, b := range held.Balances {
		if b.Contract == p.Config.Currency.Address {
			return b.InWallet, nil
		}
	}
	return "0", nil
}

// OwnerOf returns the owner of an ERC-721 token.
func (p *Player) OwnerOf(ctx context.Context, collection eth.Address, id eth.Quantity) (eth.Address, error) {
	out, err := p.EthCall(ctx, collection, contracts.NewCollection721().PackOwnerOf(id.Big()))
	if err != nil {
		return eth.Address{}, err
	}
	owner, err := contracts.NewCollection721().UnpackOwnerOf(out)
	return eth.Address(owner), err
}

// Listing is a listing as players see it.
type Listing struct {
	ListingID string      `json:"listingId"`
	Contract  eth.Address `json:"assetContractAddress"`
	TokenID   string      `json:"tokenId"`
	Seller    eth.Address `json:"seller"`
	Price     string      `json:"pricePerToken"` // base units
	Decimal   string      `json:"price"`
	Index     int64       `json:"index"`
}

// Listings returns live listings of a collection, cheapest first.
func (p *Player) Listings(ctx context.Context, collection string, limit int) ([]Listing, error) {
	var page struct{ Items []Listing }
	err := p.Call(ctx, http.MethodGet, fmt.Sprintf("/api/marketplace/listings?sort=price-asc&collection=%s&limit=%d",
		collection, limit), nil, &page)
	return page.Items, err
}

// Hold adds any free unit of the listing to the cart.
func (p *Player) Hold(ctx context.Context, l Listing) error {
	return p.Call(ctx, http.MethodPost, "/api/auth/marketplace/cart/addToCart", map[string]any{
		"playFabId": p.ID, "newItem": map[string]any{"listingId": l.ListingID, "assetContractAddress": l.Contract},
	}, nil)
}

// Order is an order as players see it.
type Order struct {
	OrderID string `json:"orderId"`
	State   string `json:"state"`
	Error   string `json:"error"`
	Calls   []Call `json:"calls"`
	Items   []Item `json:"items"`
}

// Item is a line of an order.
type Item struct {
	Contract eth.Address `json:"assetContractAddress"`
	TokenID  string      `json:"tokenId"`
	Price    string      `json:"price"` // decimal
}

// Call is one call of the smart wallet.
type Call struct {
	To   eth.Address `json:"to"`
	Data eth.Bytes   `json:"data"`
}

// Checkout creates an order from the cart.
func (p *Player) Checkout(ctx context.Context) (o Order, err error) {
	err = p.Call(ctx, http.MethodPost, "/api/auth/marketplace/checkout", map[string]string{"playFabId": p.ID}, &o)
	return o, err
}

// Order returns one of the player's orders.
func (p *Player) Order(ctx context.Context, id string) (o Order, err error) {
	err = p.Call(ctx, http.MethodGet, "/api/auth/marketplace/checkout/"+id, nil, &o)
	return o, err
}

// sponsorship is what the paymaster adds to an operation (ERC-7677).
type sponsorship struct {
	Paymaster                     *eth.Address `json:"paymaster"`
	PaymasterData                 eth.Bytes    `json:"paymasterData"`
	PaymasterVerificationGasLimit eth.Quantity `json:"paymasterVerificationGasLimit"`
	PaymasterPostOpGasLimit       eth.Quantity `json:"paymasterPostOpGasLimit"`
}

func (s sponsorship) apply(op *eth.UserOperation) {
	op.Paymaster, op.PaymasterData = s.Paymaster, s.PaymasterData
	if !s.PaymasterVerificationGasLimit.IsZero() || !s.PaymasterPostOpGasLimit.IsZero() {
		op.PaymasterVerificationGasLimit, op.PaymasterPostOpGasLimit = s.PaymasterVerificationGasLimit, s.PaymasterPostOpGasLimit
	}
}

// stubSignature has the length and form of a real one, for estimates.
const stubSignature = "0x" +
	"fffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1c"

// Prepare returns a signed, sponsored operation with the calls, making the requests in viem's order.
func (p *Player) Prepare(ctx context.Context, calls []Call) (*eth.UserOperation, error) {
	batch := make([]contracts.ERC4337Call, len(calls))
	for i, c := range calls {
		batch[i] = contracts.ERC4337Call{Target: common.Address(c.To), Value: common.Big0, Data: c.Data}
	}
	op := &eth.UserOperation{Sender: p.Smart, CallData: contracts.NewPantheonAccount().PackExecuteBatch(batch)}
	if err := op.Signature.UnmarshalText([]byte(stubSignature)); err != nil {
		return nil, err
	}
	nonce, err := p.EthCall(ctx, p.chain().EntryPoint, contracts.NewEntryPoint().PackGetNonce(common.Address(p.Smart), common.Big0))
	if err != nil {
		return nil, err
	}
	op.Nonce = eth.Quantity(nonce)
	if err := p.offer(ctx, op); err != nil {
		return nil, err
	}
	var code string
	if err := p.RPC(ctx, "rpc", "eth_getCode", &code, p.Smart, "latest"); err != nil {
		return nil, err
	}
	if code == "0x" {
		factory := p.chain().AccountFactory
		op.Factory = &factory
		op.FactoryData = contracts.NewERC4337Factory().PackCreateAccount(contracts.AccountSalt(p.Owner, 0))
	}
	chainID := eth.NewQuantity(p.chain().ID)
	var sponsor sponsorship
	if err := p.RPC(ctx, "paymaster", "pm_getPaymasterStubData", &sponsor, op, p.chain().EntryPoint, chainID, map[string]any{}); err != nil {
		return nil, err
	}
	sponsor.apply(op)
	var estimate struct {
		PreVerificationGas, VerificationGasLimit, CallGasLimit, PaymasterVerificationGasLimit, PaymasterPostOpGasLimit eth.Quantity
	}
	if err := p.RPC(ctx, "bundler", "eth_estimateUserOperationGas", &estimate, op, p.chain().EntryPoint); err != nil {
		return nil, err
	}
	op.PreVerificationGas, op.VerificationGasLimit, op.CallGasLimit = estimate.PreVerificationGas, estimate.VerificationGasLimit,
		estimate.CallGasLimit
	if !estimate.PaymasterVerificationGasLimit.IsZero() {
		op.PaymasterVerificationGasLimit, op.PaymasterPostOpGasLimit = estimate.PaymasterVerificationGasLimit, estimate.PaymasterPostOpGasLimit
	}
	sponsor = sponsorship{}
	if err := p.RPC(ctx, "paymaster", "pm_getPaymasterData", &sponsor, op, p.chain().EntryPoint, chainID, map[string]any{}); err != nil {
		return nil, err
	}
	sponsor.apply(op)
	var signed struct{ Signature eth.Bytes }
	err = p.call(ctx, http.MethodPost, "/api/wallet/sign-user-operation", p.wallet, map[string]any{
		"chainId": p.chain().ID, "userOperation": op,
	}, &signed)
	op.Signature = signed.Signature
	return op, err
}

// offer sets the operation's fees: the chain's tip, with headroom for the base fee to double.
func (p *Player) offer(ctx context.Context, op *eth.UserOperation) error {
	var head struct{ BaseFeePerGas eth.Quantity }
	if err := p.RPC(ctx, "rpc", "eth_getBlockByNumber", &head, "latest", false); err != nil {
		return err
	}
	if err := p.RPC(ctx, "rpc", "eth_maxPriorityFeePerGas", &op.MaxPriorityFeePerGas); err != nil {
		return err
	}
	base := head.BaseFeePerGas.Big()
	most, err := eth.QuantityFromBig(base.Add(base, base).Add(base, op.MaxPriorityFeePerGas.Big()))
	op.MaxFeePerGas = most
	return err
}

// Send submits a signed operation to the relay and returns its hash.
func (p *Player) Send(ctx context.Context, op *eth.UserOperation) (hash eth.Hash, err error) {
	err = p.RPC(ctx, "bundler", "eth_sendUserOperation", &hash, op, p.chain().EntryPoint)
	return hash, err
}

// Burn is an amount of an ERC-1155 token to burn.
type Burn struct {
	Contract eth.Address
	TokenID  int64
	Amount   int64
}

// BurnCall returns the call that burns the player's tokens.
func (p *Player) BurnCall(b Burn) Call {
	return Call{
		To: b.Contract, Data: contracts.NewCollection1155().PackBurn(common.Address(p.Smart), big.NewInt(b.TokenID), big.NewInt(b.Amount)),
	}
}

// ListCalls returns the calls that list one unit of a token for an hour, at a price in base units of the marketplace's currency.
func (p *Player) ListCalls(contract eth.Address, tokenID *big.Int, price int64) []Call {
	market, now := p.Config.Contracts.Marketplace, time.Now()
	return []Call{
		{To: contract, Data: contracts.NewCollection721().PackSetApprovalForAll(common.Address(market), true)},
		{To: market, Data: contracts.NewDirectListingsLogic().PackCreateListing(contracts.IDirectListingsListingParameters{
			AssetContract: common.Address(contract), TokenId: tokenID, Quantity: big.NewInt(1), Currency: common.Address(p.Config.Currency.Address),
			PricePerToken: big.NewInt(price), StartTimestamp: big.NewInt(now.Unix()), EndTimestamp: big.NewInt(now.Add(time.Hour).Unix()),
		})},
	}
}

// BurnTokens burns tokens in one operation and returns its hash.
func (p *Player) BurnTokens(ctx context.Context, burns ...Burn) (eth.Hash, error) {
	calls := make([]Call, len(burns))
	for i, b := range burns {
		calls[i] = p.BurnCall(b)
	}
	op, err := p.Prepare(ctx, calls)
	if err != nil {
		return eth.Hash{}, err
	}
	return p.Send(ctx, op)
}

// Holding is what the player holds of a token.
type Holding struct {
	Contract eth.Address `json:"contract"`
	TokenID  string      `json:"tokenId"`
	Amount   string      `json:"amount"`
}

// Holdings returns what the player holds by one of the API's lists, such as listPacks.
func (p *Player) Holdings(ctx context.Context, list string) ([]Holding, error) {
	var page struct{ Items []Holding }
	err := p.Call(ctx, http.MethodGet, "/api/auth/nft/"+list, nil, &page)
	return page.Items, err
}

// Reward is a reward as its player sees it.
type Reward struct {
	ID      string `json:"id"`
	Origin  string `json:"origin"`
	State   string `json:"state"`
	Message string `json:"message"`
	Fate    int64  `json:"fateAmount"`
	Opening *struct {
		Drop string `json:"drop"`
	} `json:"opening"`
	Grants []struct {
		Kind     string       `json:"kind"`
		State    string       `json:"state"`
		Contract *eth.Address `json:"contract"`
		TokenID  string       `json:"tokenId"`
		Currency string       `json:"currency"`
		Amount   string       `json:"amount"`
	} `json:"grants"`
}

// Rewards returns the player's rewards of an origin, newest first; all for "".
func (p *Player) Rewards(ctx context.Context, origin string) ([]Reward, error) {
	path := "/api/auth/rewards?limit=100"
	if origin != "" {
		path += "&origin=" + origin
	}
	var page struct{ Items []Reward }
	err := p.Call(ctx, http.MethodGet, path, nil, &page)
	return page.Items, err
}

// IsGone reports whether an error means that the server went away during a call.
func IsGone(err error) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	return strings.Contains(text, "EOF") || strings.Contains(text, "connection re")
}

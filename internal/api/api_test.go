package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/collections"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/activity"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/burn"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/claim"
	"pantheon/internal/portal/contact"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/holdings"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/monitoring"
	"pantheon/internal/portal/move"
	"pantheon/internal/portal/notification"
	portalpacks "pantheon/internal/portal/packs"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/portal/profile"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/shop/woocommerce"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	cartstore "pantheon/internal/store/cart"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/store/moves"
	"pantheon/internal/store/notifications"
	"pantheon/internal/store/rewards"
	"pantheon/internal/store/securitylogs"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/store/withdrawals"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func noFaucet(context.Context, string) error { return nil }

// Fakes of the API's ports. They return fixed results; the real parts are tested in their own packages.
type (
	signer    struct{}
	realtime  struct{}
	relay     struct{}
	nodes     struct{}
	gallery   struct{}
	chain     struct{}
	names     struct{ *local.Platform }
	uncounted struct{}
)

func (uncounted) Received(monitoring.Kind, int, int)    {}
func (uncounted) Lost(monitoring.Kind, monitoring.Loss) {}
func (uncounted) Passed(monitoring.Kind)                {}

func (signer) NewKey(_ context.Context, player string) (wallet.Key, error) {
	return wallet.Key{Owner: testkit.OwnerOf(player), Smart: testkit.WalletOf(player), Sealed: "sealed"}, nil
}

func (signer) SignUserOperation(context.Context, string, string, onchain.ChainID, *eth.UserOperation) (eth.Bytes, error) {
	return make([]byte, 65), nil
}

func (signer) SignMessage(context.Context, string, string) (eth.Bytes, error) {
	return make([]byte, 65), nil
}

func (signer) SignTypedData(context.Context, string, []byte) (eth.Bytes, error) {
	return make([]byte, 65), nil
}

func (realtime) AccessURL(user, _, base string, _ ...string) (string, error) {
	return strings.Replace(base, "http", "ws", 1) + "/client/hubs/portal?for=" + user, nil
}

func (realtime) CloseSession(context.Context, string) error { return nil }

// The relay returns its caller.
func (relay) HandleBundler(_ context.Context, caller gas.Caller, _ onchain.ChainID, _ json.RawMessage) json.RawMessage {
	return json.RawMessage(`{"jsonrpc":"2.0","id":1,"result":"` + caller.Player + `"}`)
}

func (r relay) HandlePaymaster(ctx context.Context, caller gas.Caller, id onchain.ChainID, request json.RawMessage) json.RawMessage {
	return r.HandleBundler(ctx, caller, id, request)
}

func (nodes) HandleRead(_ context.Context, id onchain.ChainID, _ json.RawMessage) (json.RawMessage, error) {
	if id != testkit.GameChain {
		return nil, fault.New(fault.NotFound, "We do not work with this chain.")
	}
	return json.RawMessage(`{"jsonrpc":"2.0","id":1,"result":"0x1"}`), nil
}

func (gallery) Metadata(_ context.Context, contract, _ string) ([]byte, error) {
	if contract != testkit.Items {
		return nil, fault.New(fault.NotFound, "There is no such token.")
	}
	return []byte(`{"name":"Sword of Dawn"}`), nil
}

func (gallery) CollectionTexts(context.Context) (map[eth.Address]string, error) {
	return map[eth.Address]string{eth.MustAddress(testkit.Items): "Tools of the trade."}, nil
}

func (g gallery) ItemText(ctx context.Context, contract, id string) (api.ItemText, error) {
	_, err := g.Metadata(ctx, contract, id)
	if err != nil || id == "404" {
		return api.ItemText{}, fault.New(fault.NotFound, "There is no such token.")
	}
	return api.ItemText{Description: "Drawn at noon.", Use: "A weapon."}, nil
}

func (g gallery) Image(ctx context.Context, contract, id string, width int) (api.Picture, error) {
	if _, err := g.Metadata(ctx, contract, id); err != nil {
		return api.Picture{}, err
	}
	if id == "9" { // has a photograph
		return api.Picture{Type: "image/jpeg", Body: fmt.Appendf(nil, "%d wide", width)}, nil
	}
	return api.Picture{Type: "image/svg+xml", Body: []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)}, nil
}

func (g gallery) Refresh(ctx context.Context, contract, id string) error {
	_, err := g.Metadata(ctx, contract, id)
	return err
}

func (chain) PurchaseCalls(wallet, currency eth.Address, total money.Units, _ []checkout.Item) ([]checkout.Call, error) {
	return []checkout.Call{{To: currency, Data: []byte(wallet.String() + total.String())}}, nil
}

// Fees are known of every token but the 5.
func (chain) Fees(_ context.Context, _ eth.Address, tokenID string) (market.Fees, error) {
	if tokenID == "5" {
		return market.Fees{}, fault.New(fault.Unavailable, "The chain does not answer.")
	}
	return market.Fees{Platform: 100, Royalty: 250}, nil
}

func (n names) Name(ctx context.Context, player string) (displayName, email string, confirmed bool, err error) {
	id, err := n.Player(ctx, player)
	return id.DisplayName, id.Email, id.EmailConfirmed || n.KeepsEmails(), err
}

// owners proves who players are by the account service.
type owners struct{ *account.Service }

func (o owners) Address(ctx context.Context, player string) (string, error) {
	return o.Mailbox(ctx, player)
}

func (o owners) ConfirmedAddress(ctx context.Context, player string) (string, error) {
	return o.ConfirmedMailbox(ctx, player)
}

func (o owners) SignedInAt(ctx context.Context, c approval.Caller) (time.Time, error) {
	return o.Service.SignedInAt(ctx, account.Caller(c))
}

func (o owners) CheckPassword(ctx context.Context, player, password string) error {
	return o.Service.CheckPassword(ctx, account.Caller{PlayerID: player}, password)
}

// walletOwners has players approve changes of their wallet as the portal does.
type walletOwners struct {
	owners
	approvals *approval.Service
}

func (o walletOwners) ApproveConnection(ctx context.Context, c wallet.Caller, w eth.Address, nonce string) error {
	return o.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.ConnectWallet, Digest: approval.Digest(w.String()), Lines: []string{w.Checksum()},
	}, nonce)
}

func (o walletOwners) ApproveDisconnection(ctx context.Context, c wallet.Caller, w wallet.Verified) error {
	return o.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.DisconnectWallet, Digest: approval.Digest(w.Address.String()),
	}, "disconnect")
}

func (owners) ProvenWallet(context.Context, string, string, []byte) (eth.Address, error) {
	return eth.Address{}, wallet.ErrSignature
}

// keyOwners has players approve passkeys, and approve by them, as the portal does.
type keyOwners struct {
	owners
	approvals *approval.Service
	passkeys  *passkey.Service
}

func (keyOwners) NameOf(_ context.Context, player string) (string, error) { return player, nil }

func (o keyOwners) ApprovePasskey(ctx context.Context, c passkey.Caller, commitment string) error {
	return o.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.AddPasskey, Digest: approval.DigestOfPasskey(commitment),
	}, approval.UseOfPasskey)
}

func (o keyOwners) ApproveRemoval(ctx context.Context, c passkey.Caller, p passkey.Passkey) error {
	return o.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.RemovePasskey, Digest: approval.Digest(p.ID), Lines: []string{p.Name},
	}, p.ID)
}

func (o keyOwners) HasPasskey(ctx context.Context, player string) (bool, error) {
	return o.passkeys.Any(ctx, player)
}

func (o keyOwners) CheckPasskey(ctx context.Context, c approval.Caller, response []byte) error {
	return o.passkeys.Approve(ctx, passkey.Caller(c), response)
}

// transfers encodes withdrawals as text.
type transfers struct{}

func (transfers) TransferCalls(_ onchain.ChainID, _, to eth.Address, _ []withdrawal.Asset, _ []string) ([]withdrawal.Call, error) {
	return []withdrawal.Call{{To: to}}, nil
}

func (transfers) Accepts(context.Context, onchain.ChainID, eth.Address, eth.Address, []withdrawal.Asset) error {
	return nil
}

// portal is the API with real services on a new SQLite database.
type portal struct {
	t       *testing.T
	api     *api.API
	handler http.Handler
	db      *store.DB
	clock   *clock.Fake
	log     *bytes.Buffer
	hashes  func() (made, refused int64) // number of hashed and of refused passwords
}

var opening = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// demoSeller has a name but is not a player.
var demoSeller = eth.MustAddress("0x00000000000000000000000000000000000000f8")

// switchesOf returns the built-in flags, with one of them switched on.
func switchesOf(t *testing.T, on string) *flags.Service {
	t.Helper()
	text, err := os.ReadFile("../../brands/pantheon/flags.yaml")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "flags.yaml")
	open := strings.Replace(string(text), "key: "+on+"\n    enabled: false", "key: "+on+"\n    enabled: true", 1)
	if err := os.WriteFile(path, []byte(open), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := flags.New(t.Context(), flags.Options{Path: path, Environment: "dev", Report: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// closedMarket closes the market to visitors.
func closedMarket(t *testing.T) func(*api.Options) {
	t.Helper()
	s, err := flags.New(t.Context(), flags.Options{
		Default: brandtest.Pantheon().Flags.Text, Environment: "dev", Report: func(err error) { t.Error(err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return func(o *api.Options) { o.Flags = s }
}

// open builds a portal whose market is open to visitors; change, if given, modifies its options first.
func open(t *testing.T, change ...func(*api.Options)) *portal {
	t.Helper()
	p := &portal{t: t, db: testkit.Database(t, store.SQLite), clock: clock.NewFake(opening), log: &bytes.Buffer{}}
	platform, err := local.New(accounts.New(p.db), local.Options{Cost: local.TestCost, Site: "https://portal.example", Clock: p.clock})
	p.ok(err)
	switches := switchesOf(t, flags.PublicMarket)
	p.hashes = platform.Hashes
	wallets := wallet.NewService(accounts.New(p.db), signer{}, p.clock, nil, nil)
	usdc := eth.MustAddress(testkit.USDC)
	kinds := map[collections.Kind][]holdings.Contract{}
	for k, address := range shelves {
		kinds[k] = []holdings.Contract{{Chain: testkit.GameChain, Address: address}}
	}
	o := api.Options{
		RequestOptions: api.RequestOptions{
			Log: slog.New(slog.NewTextHandler(p.log, nil)), Clock: p.clock, PublicURL: "https://portal.example",
			SiteOf: func(host string) string { return "http://" + host }, Attempts: store.Attempts{DB: p.db},
		},
		AccountOptions: api.AccountOptions{
			Accounts: testkit.Accounts(p.db, account.Options{
				Platform: platform, Sessions: accounts.New(p.db), Deletions: accounts.New(p.db), Emails: accounts.New(p.db),
				Notices: accounts.New(p.db), Connections: realtime{}, Clock: p.clock,
				Keys: keyset.Keys{[]byte("0123456789abcdef0123456789abcdef")}, Site: "https://portal.example",
			}),
			Profiles: profile.NewService(names{platform}, wallets, platform), Lists: profile.NewLists(accounts.New(p.db), p.clock),
			Contact: contact.NewService(store.Contacts{DB: p.db}, p.clock, ""), SecurityLog: securitylog.Own{Log: securitylogs.New(p.db)},
		},
		WalletOptions: api.WalletOptions{Wallets: wallets},
		MarketOptions: api.MarketOptions{
			Market: market.NewService(marketstore.New(p.db), p.clock), Fees: market.NewFeeBook(chain{}, p.clock), Trades: tradeDesk{},
			Publisher:   market.Publisher{TagKey: []byte("tags"), Decimals: 6},
			SellerNames: map[eth.Address]string{demoSeller: "Kyra"},
		},
		CartOptions: api.CartOptions{
			Cart: cart.NewService(cartstore.New(p.db), p.clock, cart.Options{}),
			Checkout: checkout.NewService(cartstore.Orders{DB: p.db, Chain: testkit.GameChain}, chain{}, p.clock, testkit.GameChain,
				checkout.Currency{Address: usdc, Symbol: "USDC", Decimals: 6}),
		},
		HoldingsOptions: api.HoldingsOptions{
			Kinds: brandtest.Pantheon().Collections.Kinds(), Games: brandtest.Pantheon().Games.Games,
			Holdings: holdings.NewService(store.Holdings{DB: p.db},
				holdings.Config{Kinds: kinds, CommunityPasses: kinds[collections.Passes][0]}),
			Boards: leaderboard.NewService(platform, "kod", "mount-olympus"),
		},
		RewardOptions: api.RewardOptions{Faucet: noFaucet},
		ChainOptions: api.ChainOptions{
			GameChain: testkit.GameChain, Relay: relay{}, Nodes: nodes{}, Art: gallery{},
			Chains: []api.ChainMetadata{{ChainID: testkit.GameChain, Name: "Game chain"}},
		},
		SystemOptions: api.SystemOptions{
			Health: health.New(slog.New(slog.DiscardHandler), nil),
			Monitoring: monitoring.NewService(monitoring.Options{Store: store.Monitoring{DB: p.db}, Keep: 100, KeepFor: time.Hour,
				Meter: uncounted{}, Clock: p.clock}),
			Flags: switches, Realtime: realtime{}, Client: api.ClientConfig{Currency: api.ClientCurrency{Address: usdc}},
		},
	}
	tables, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, func(draw.Grant) error { return nil })
	p.ok(err)
	o.Packs = portalpacks.NewService(rewards.Packs{
		DB: p.db, Chain: testkit.GameChain, Chests: packs, Seller: eth.MustAddress(testkit.Items),
	}, rewards.New(p.db),
		portalpacks.NewRegistry(rewards.New(p.db), testkit.GameChain, packs), func() *draw.Tables { return tables }, p.clock)
	o.PackBuyers = portalpacks.NewBuyers(rewards.New(p.db), p.clock, packs, nil)
	o.Goods, o.Records = goods{}, reward.Records{RecordStore: rewards.New(p.db)}
	o.Beacon = portalpacks.BeaconInfo{
		PublicKey: strings.Repeat("ab", 96), Schedule: draw.Schedule{Genesis: opening.Add(-time.Hour), Period: 3 * time.Second},
	}
	o.BurnOrigin = func(contract eth.Address) reward.Origin {
		return map[eth.Address]reward.Origin{packs: reward.FromPack}[contract]
	}
	seasons, err := claim.ParseSeasons(section.Files{brandtest.Pantheon().Rules})
	p.ok(err)
	contract := func(k collections.Kind) claim.Contract {
		return claim.Contract{Chain: testkit.GameChain, Address: shelves[k]}
	}
	p.leave(formerChain)
	o.Moves = move.NewService(move.Options{Store: moves.New(p.db), Clock: p.clock, Wake: func() {}})
	o.Claims = claim.NewService(claim.Options{
		Store: rewards.New(p.db), Seasons: func() claim.Seasons { return seasons }, Clock: p.clock, Gods: contract(collections.ElderGods),
		Avatars: contract(collections.Avatars), GOD: claim.Contract{Chain: testkit.GameChain, Address: usdc}, Claimed: func() {},
	})
	passkeys := &keyOwners{owners: owners{o.Accounts}}
	o.Passkeys, err = passkey.NewService(passkey.Options{
		Store: accounts.New(p.db), Owners: passkeys, Clock: p.clock, Keys: keyset.Keys{[]byte("passkeys")}, Domain: "portal.example",
		Site: o.PublicURL, Brand: "Pantheon", Wait: time.Minute,
	})
	p.ok(err)
	passkeys.passkeys = o.Passkeys
	o.Approvals = approval.NewService(approval.Options{
		Store: accounts.New(p.db), Accounts: owners{o.Accounts}, Passkeys: passkeys, Clock: p.clock,
		Keys: keyset.Keys{[]byte(testkit.ApprovalKey)},
		Site: o.PublicURL,
	})
	passkeys.approvals = o.Approvals
	o.Withdrawals = withdrawal.NewService(withdrawal.Options{
		Store: withdrawals.New(p.db), Approvals: testkit.WithdrawalApprovals{Service: o.Approvals}, Mailboxes: owners{o.Accounts},
		Chain: transfers{}, Clock: p.clock, Keys: keyset.Keys{[]byte("key")}, Site: o.PublicURL,
		MayWithdraw: func(ctx context.Context, playerID string) error {
			return webstore.CheckArrears(ctx, shopstore.New(p.db), playerID)
		},
		Rules: withdrawal.Rules{Delay: 24 * time.Hour, ItemsPerDay: 10, MaxCalls: 32, Tokens: []withdrawal.Token{
			{Chain: testkit.GameChain, Contract: usdc, Standard: onchain.ERC20, Symbol: "USDC", Decimals: 6},
		}},
	})
	o.Debts = webstore.NewPayments(webstore.PaymentOptions{
		Store: shopstore.New(p.db), Chain: testkit.GameChain, Token: usdc, To: packs, Rate: 1_000_000,
	})
	o.Saved = market.NewSaved(notifications.New(p.db), o.Market, p.clock)
	o.Notifications = notification.NewService(notification.Options{
		Store: notifications.New(p.db), Accounts: owners{o.Accounts}, Clock: p.clock, Site: o.PublicURL, Symbol: "USDC", Decimals: 6,
	})
	useShop(t, &o, p.db)
	o.Activity = activity.NewService(store.Activity{
		DB: p.db, Chains: []onchain.ChainID{testkit.GameChain},
		Currencies: map[eth.Address]activity.Currency{usdc: {Symbol: "USDC", Decimals: 6}},
	}, activity.Config{Packs: packs, ElderGods: shelves[collections.ElderGods], Kinds: [][]eth.Address{{items}, {packs}}})
	o.Protector, err = profile.NewProtector(keyset.Keys{[]byte("0123456789abcdef0123456789abcdef")}, p.clock)
	p.ok(err)
	useRules(t, &o, "")
	o.ExternalLogins = account.NewExternalLogins(account.ExternalLoginOptions{
		Accounts: o.Accounts, Platform: platform, Attempts: accounts.New(p.db), Clock: p.clock,
		ContextKeys: keyset.Keys{contextKey}, X: nobodyAtX{},
	})
	o.Proofs, err = wallet.NewProofs(accounts.New(p.db), walletOwners{owners{o.Accounts}, o.Approvals}, seal{}, p.clock, o.PublicURL,
		[]onchain.ChainID{testkit.GameChain})
	p.ok(err)
	for _, c := range change {
		c(&o)
	}
	p.api = api.New(o)
	p.handler = p.api.Handler()
	return p
}

// useShop takes the built-in products, and a shop that signs its webhooks with "webhook secret".
func useShop(t *testing.T, o *api.Options, db *store.DB) {
	t.Helper()
	products := testkit.Catalogue(t, "")
	tables, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, func(draw.Grant) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	o.Webstore = webstore.NewService(webstore.Options{
		Tables: func() *draw.Tables { return tables }, Edition: func(context.Context, string) (int, error) { return 1, nil },
		Store: shopstore.New(db), Name: "shop", Currency: "EUR", Catalogue: func() *webstore.Catalogue { return products },
		References: webstore.NewReferences(keyset.Keys{[]byte("references")}), Deliverable: func(context.Context, string) error { return nil },
		Seal: func(playerID string) (string, error) { return "sealed " + playerID, nil }, Goods: goods{},
		Card:        webstore.CardLimits{Delay: 24 * time.Hour, PerPlayer: 500_000_000, PerDay: 5_000_000_000},
		CheckoutURL: "https://shop.example/checkout/?add-to-cart={variation}", Clock: o.Clock,
	})
	o.ShopHooks = &woocommerce.Receiver{Secret: "webhook secret", Refused: func() {}, Hint: func(ctx context.Context, order int64) error {
		return shopstore.New(db).Hint(ctx, []webstore.Change{{OrderID: order}}, o.Clock.Now())
	}}
	o.ReturnURLs = []string{"https://shop.example"}
}

// useRules takes the tariffs from a text, or the built-in ones where it has none.
func useRules(t *testing.T, o *api.Options, text string) {
	t.Helper()
	files := section.Over("rules.yaml", []byte(text), brandtest.Pantheon().Rules)
	tariffs, err := burn.Parse(files, func(collections.Burn, string, string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	o.Tariffs = func() burn.Tariffs { return tariffs }
}

// goods are the brand's tokens.
type goods struct{}

func (goods) USDC() (eth.Address, onchain.ChainID) {
	return eth.MustAddress(testkit.USDC), testkit.GameChain
}

func (goods) Transferable(string) bool { return true }

func (goods) Collection(slug string) (eth.Address, onchain.ChainID, onchain.Standard, bool) {
	if slug == "chests" {
		return packs, testkit.GameChain, onchain.ERC1155, true
	}
	return items, testkit.GameChain, onchain.ERC1155, true
}

func (goods) Item(contract eth.Address, tokenID string) projection.DroppedItem {
	return projection.DroppedItem{
		Contract: contract, TokenID: tokenID, Name: "Item " + tokenID, Image: "/metadata/" + contract.String() + "/" + tokenID + "/image.svg",
		Rarity: "common",
	}
}

var (
	items = eth.MustAddress(testkit.Items)
	packs = eth.MustAddress("0x000000000000000000000000000000000000cafe")
	// shelves are the contracts by kind of goods.
	shelves = map[collections.Kind]eth.Address{
		collections.GameItems: items, collections.Packs: packs,
		collections.Immortals:  eth.MustAddress("0x00000000000000000000000000000000000000e1"),
		collections.Arks:       eth.MustAddress("0x00000000000000000000000000000000000000e2"),
		collections.PowerPacks: eth.MustAddress("0x00000000000000000000000000000000000000e3"),
		collections.PiggyBanks: eth.MustAddress("0x00000000000000000000000000000000000000e4"),
		collections.Avatars:    eth.MustAddress("0x00000000000000000000000000000000000000e5"),
		collections.ElderGods:  eth.MustAddress("0x00000000000000000000000000000000000000e6"),
		collections.Passes:     eth.MustAddress("0x00000000000000000000000000000000000000e7"),
	}
)

func (p *portal) ok(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// request is one call of the API.
type request struct {
	method, path, body string
	authorization      string
	from               string      // the connection's address; a default one if empty
	forwarded          string      // X-Forwarded-For
	header             http.Header // additional headers
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	text   string
}

func (p *portal) send(r request) answer {
	p.t.Helper()
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	in := httptest.NewRequestWithContext(p.t.Context(), r.method, r.path, body)
	if r.body != "" {
		in.Header.Set("Content-Type", "application/json")
	}
	if r.authorization != "" {
		in.Header.Set("Authorization", r.authorization)
	}
	if r.from != "" {
		in.RemoteAddr = r.from
	}
	if r.forwarded != "" {
		in.Header.Set("X-Forwarded-For", r.forwarded)
	}
	maps.Copy(in.Header, r.header)
	out := httptest.NewRecorder()
	p.handler.ServeHTTP(out, in)
	return answer{status: out.Code, header: out.Header(), text: out.Body.String()}
}

// json decodes the response's body into v.
func (p *portal) json(a answer, v any) {
	p.t.Helper()
	if err := json.Unmarshal([]byte(a.text), v); err != nil {
		p.t.Fatalf("answer %d %q: %v", a.status, a.text, err)
	}
}

// problem is an error response as clients decode it.
type problem struct {
	Type, Title, Detail, Message, Reason string
	Status                               int
	Success                              *bool
	Errors                               []struct{ Location, Message string }
	Details                              map[string]string
}

// mustBeProblem checks that the response is a complete problem with the status, and returns it.
func (p *portal) mustBeProblem(what string, a answer, status int) problem {
	p.t.Helper()
	var out problem
	if a.status != status || a.header.Get("Content-Type") != "application/problem+json" {
		p.t.Errorf("%s: %d %s %.200s, want a problem %d", what, a.status, a.header.Get("Content-Type"), a.text, status)
		return out
	}
	p.json(a, &out)
	if out.Status != status || out.Type != "about:blank" || out.Title != http.StatusText(status) || out.Detail == "" ||
		out.Message != out.Detail ||
		out.Success == nil || *out.Success {
		p.t.Errorf("%s: the problem is %s", what, a.text)
	}
	return out
}

// actor is a signed-in player with a cart and an order of one item.
type actor struct {
	id, token, session, walletToken string
	listing, order                  string // listing is the marketplace's number
	sid                             string // the session's id
}

// admit registers a player with 500 USDC, who holds unit 0 of the given listing and has an unpaid order for it.
func (p *portal) admit(name, listing string) actor {
	p.t.Helper()
	a := p.register(name)
	testkit.AddWallet(p.t, p.db, a.id, 500_000_000)
	a.listing = listing
	testkit.List(p.t, p.db, testkit.Offer{Number: listing, Quantity: 3, CreatedAt: opening})
	p.mustSucceed(request{method: "POST", path: "/api/auth/marketplace/cart/addToCart", authorization: a.token, body: `{"playFabId":"` + a.id +
		`","newItem":{"listingId":"` + listing + `","assetContractAddress":"` + testkit.Items + `","index":0}}`}, 200)
	var order struct{ OrderID string }
	p.json(p.mustSucceed(request{
		method: "POST", path: "/api/auth/marketplace/checkout", authorization: a.token, body: `{"playFabId":"` + a.id + `"}`,
	}, 201), &order)
	a.order = order.OrderID
	taken := withdrawal.Request{
		ID: "W" + a.id, PlayerID: a.id, From: testkit.WalletOf(a.id), To: packs, CreatedAt: p.clock.Now(),
		ExpiresAt: p.clock.Now().AddDate(100, 0, 0),
		Parts: []withdrawal.Part{{ID: "P" + a.id, Chain: testkit.GameChain, Assets: []withdrawal.Asset{
			{Contract: eth.MustAddress(testkit.USDC), Standard: onchain.ERC20, TokenID: "0", Amount: money.FromInt(1)},
		}}},
	}
	p.ok(withdrawals.New(p.db).Update(p.t.Context(), func(ctx context.Context, tx withdrawal.Tx) error {
		return tx.Insert(ctx, taken)
	}))
	return a
}

// register creates an account without a wallet.
func (p *portal) register(name string) actor {
	p.t.Helper()
	var a actor
	var c struct{ Token, SessionAuthorization string }
	p.json(p.mustSucceed(request{method: "POST", path: "/api/auth/register",
		body: `{"email":"` + name + `@olympus.example","displayName":"` + name + `","password":"thunder and rain"}`}, 201), &c)
	a.token, a.session = c.Token, c.SessionAuthorization
	var me struct{ AccountInfo struct{ PlayFabID string } }
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: a.token}, 200), &me)
	a.id = me.AccountInfo.PlayFabID
	var sessions struct{ Items []struct{ ID string } }
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/sessions", authorization: a.token}, 200), &sessions)
	a.sid = sessions.Items[0].ID
	var w struct{ Token string }
	p.json(p.mustSucceed(request{method: "GET", path: "/api/smartWallet/embedded-token", authorization: a.session}, 200), &w)
	a.walletToken = w.Token
	return a
}

func (p *portal) mustSucceed(r request, status int) answer {
	p.t.Helper()
	a := p.send(r)
	if a.status != status {
		p.t.Fatalf("%s %s: %d %s, want %d", r.method, r.path, a.status, a.text, status)
	}
	return a
}

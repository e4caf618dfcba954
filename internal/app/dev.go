package app

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	"golang.org/x/sync/errgroup"

	"pantheon/internal/art"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/signer"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
)

// The development chains.
const (
	devGameChain = 1337042
	devMainChain = 1337137
)

// devInterval is how often an idle development chain mines a block, so that its head stays recent.
const devInterval = 10 * time.Second

// Development is the embedded environment of a portal on a laptop: both chains with their contracts and goods.
type Development struct {
	chains []*devnet.Chain
	beacon *http.Server // nil with another beacon
	cancel context.CancelFunc
	group  *errgroup.Group
}

// StartDevelopment opens or creates the development world in the data folder and completes configuration and options
// for it. Values set in the environment take precedence, except for the chains. Progress is written to out during
// slow steps. An invalid configuration is refused, listing every error, and so is a data folder whose chains have
// other contracts, before anything is changed.
func StartDevelopment(ctx context.Context, c *config.Config, o *Options, out io.Writer) (_ *Development, err error) {
	game, err := world.AddressesOf(collections.GameChain)
	if err != nil {
		return nil, err
	}
	main, err := world.AddressesOf(collections.MainChain)
	if err != nil {
		return nil, err
	}
	c.GameChain, c.MainChain = devChain(devGameChain, "game"), devChain(devMainChain, "main")
	useWorld(c, game, main)
	c.KeepMail()
	if o.DevShop = c.Shop.URL == ""; o.DevShop {
		useDevShop(c)
	}
	if c.Relay.SponsorNeeds == "" {
		c.Relay.SponsorNeeds = config.SponsorNeedsNone
	}
	ownBeacon := len(c.Beacon.URLs) == 0
	c.Complete()
	if err := validateDevelopment(*c); err != nil {
		return nil, err
	}
	if err := claimDataFolder(*c); err != nil {
		return nil, err
	}
	if _, err := signer.KeyFile(c.SignerKeyFile); err != nil { // created the first time
		return nil, err
	}
	if c.TokenSecret == "" {
		secret, err := devSecret(filepath.Join(c.DataDir, "token.key"))
		if err != nil {
			return nil, err
		}
		c.TokenSecret = config.Secret(secret)
	}
	if c.ContextSecret == "" {
		secret, err := devSecret(filepath.Join(c.DataDir, contextKeyFile))
		if err != nil {
			return nil, err
		}
		c.ContextSecret = config.Secret(secret)
	}

	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d := &Development{cancel: cancel}
	d.group, run = errgroup.WithContext(run)
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	o.Endpoints = map[onchain.ChainID]*rpc.Client{}
	for _, side := range []collections.Chain{collections.GameChain, collections.MainChain} {
		if err := d.startChain(ctx, run, side, c, o, out); err != nil {
			return nil, err
		}
	}
	if err := seed(ctx, d.chains[0], game, o.Clock, out); err != nil {
		return nil, err
	}
	for _, chain := range d.chains {
		chain.CatchUp()
	}
	if ownBeacon {
		if err := d.startBeacon(c, o); err != nil {
			return nil, err
		}
	}
	if o.Standings, err = demoStandings(); err != nil {
		return nil, err
	}
	o.Mailbox = true
	o.Welcome = starterKit(game, main)
	o.Faucet = &reward.Mint{
		Chain: devGameChain, Contract: game.USDC, Standard: onchain.ERC20, TokenID: "0", Amount: money.MustParse("100000000"),
	}
	return d, nil
}

// worldFile is the file beside the development chains that records the contracts they were created with.
const worldFile = "contracts"

// claimDataFolder creates the data folder, or checks that its chains have this version's contracts. Other versions'
// contracts have other addresses: the portal would not find its contracts, nor players what they own.
func claimDataFolder(c config.Config) error {
	want, err := world.Fingerprint()
	if err != nil {
		return err
	}
	chains := filepath.Join(c.DataDir, "chains")
	have, err := os.ReadFile(filepath.Join(chains, worldFile))
	switch {
	case err == nil && strings.TrimSpace(string(have)) == want:
		return nil
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("data folder: %w", err)
	case err == nil || exists(filepath.Join(chains, string(collections.GameChain))) || exists(filepath.Join(chains, string(collections.MainChain))):
		folder, err := filepath.Abs(c.DataDir)
		if err != nil {
			return fmt.Errorf("data folder: %w", err)
		}
		also := ""
		if c.DatabaseURL != "" {
			also = " and empty the database that DATABASE_URL names"
		}
		return fmt.Errorf("the development data was made by another version, with other contracts: delete the folder %s%s to start afresh", folder, also)
	}
	if err := os.MkdirAll(chains, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	// Written atomically, and before the chains: a start that is killed in between can be repeated.
	temporary := filepath.Join(chains, worldFile+".new")
	if err := os.WriteFile(temporary, []byte(want+"\n"), 0o600); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if err := os.Rename(temporary, filepath.Join(chains, worldFile)); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return nil
}

// exists reports whether a file or folder exists; it returns true if that cannot be determined.
func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}

func devChain(id uint64, name string) config.Chain {
	return config.Chain{ID: id, Name: "Pantheon " + name + " chain (development)", RPCURL: "inproc:", PollInterval: devPoll}
}

// validateDevelopment checks what the environment has set; secrets that are created in the data folder may be
// missing.
func validateDevelopment(c config.Config) error {
	if c.TokenSecret == "" {
		c.TokenSecret = config.Secret(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	}
	return c.Validate()
}

// worldAge is how long before the first start the demo world was created, by its blocks' times.
const worldAge = 10 * time.Minute

func (d *Development) startChain(ctx, run context.Context, side collections.Chain, c *config.Config, o *Options, out io.Writer) error {
	id := onchain.ChainID(devGameChain)
	if side == collections.MainChain {
		id = devMainChain
	}
	chain, err := devnet.Start(devnet.Options{
		ChainID: id, Dir: filepath.Join(c.DataDir, "chains", string(side)), Interval: devInterval, Backdate: worldAge, Clock: o.Clock,
	})
	if err != nil {
		return err
	}
	d.chains = append(d.chains, chain)
	d.group.Go(func() error { return chain.Run(run) })
	if o.Endpoints[id], err = rpc.New(rpc.Options{Name: string(side), ChainID: id, Client: chain.Client(), Clock: o.Clock}); err != nil {
		return err
	}
	_, err = world.Deploy(ctx, chain.Client(), side, world.Options{
		BaseURI: c.PublicURL + "/metadata/", Progress: progress(out, string(side)+" chain contracts"),
	})
	return err
}

// Close stops the chains. It must be called after the portal's Close.
func (d *Development) Close() error {
	d.cancel()
	if d.beacon != nil {
		_ = d.beacon.Close() // nothing is open but its listener
	}
	errs := []error{d.group.Wait()}
	for _, c := range d.chains {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// Chains returns the running chains: game, then main.
func (d *Development) Chains() []*devnet.Chain { return d.chains }

// useWorld sets the world's addresses and wallets in the configuration unless the environment has set them.
func useWorld(c *config.Config, game, main world.Addresses) {
	set := func(field *string, a eth.Address) {
		if *field == "" {
			*field = a.Checksum()
		}
	}
	k := &c.Contracts
	set(&k.PiggyMarketplace, game.Marketplace)
	set(&k.USDC, game.USDC)
	set(&k.GOD, game.GOD)
	worlds := map[collections.Chain]world.Addresses{collections.GameChain: game, collections.MainChain: main}
	k.Collections = maps.Clone(k.Collections) // copies of a configuration share it
	for _, entry := range collections.All() {
		if k.Collections[entry.Slug] == "" {
			k.Collections[entry.Slug] = worlds[entry.Chain].Collections[entry.Slug].Checksum()
		}
	}
	set(&k.AccountFactory, game.AccountFactory)
	set(&k.AccountImplementation, game.AccountImplementation)
	set(&k.Paymaster, game.Paymaster)
	key := func(address *string, secret *config.Secret, role devnet.Role) {
		w := devnet.WalletOf(role)
		if address != nil {
			set(address, w.Address)
		}
		if *secret == "" {
			*secret = config.Secret("0x" + hex.EncodeToString(crypto.FromECDSA(w.Key)))
		}
	}
	key(&c.Wallets.Manager, &c.Wallets.ManagerKey, devnet.Manager)
	key(&c.Wallets.Claimer, &c.Wallets.ClaimerKey, devnet.Claimer)
	key(&c.Wallets.GasRelayer, &c.Wallets.GasRelayerKey, devnet.GasRelayer)
	key(nil, &c.Wallets.PaymasterKey, devnet.PaymasterSigner)
	key(nil, &c.Treasury.Key, devnet.Treasury)
	if c.Treasury.Delay == 0 {
		c.Treasury.Delay = time.Minute
	}
}

// seed lists the catalogue's goods on the market and funds the treasury, once.
func seed(ctx context.Context, chain *devnet.Chain, a world.Addresses, c clock.Clock, out io.Writer) error {
	catalogue, err := art.Load()
	if err != nil {
		return err
	}
	if c == nil {
		c = clock.System{}
	}
	tokens := map[string][]world.Token{}
	for _, collection := range catalogue.Collections() {
		ids := collection.TokenIDs
		if ids == nil { // generated: every id exists
			for id := 1; id <= generatedTokens; id++ {
				ids = append(ids, strconv.Itoa(id))
			}
		}
		for _, id := range ids {
			item, err := catalogue.Describe(collection.Slug, id)
			if err != nil {
				return err
			}
			tokens[collection.Slug] = append(tokens[collection.Slug], world.Token{ID: id, Rank: item.Rarity.Rank()})
		}
	}
	lots, err := world.Lots(tokens)
	if err != nil {
		return err
	}
	if err := world.Seed(ctx, chain.Client(), a, lots, c, progress(out, "market")); err != nil {
		return err
	}
	return world.Fund(ctx, chain.Client(), a)
}

// generatedTokens is how many tokens of a collection without a fixed list are listed on the market.
const generatedTokens = 120

// starterKit returns the gifts for a new pair of wallets in the development world.
func starterKit(game, main world.Addresses) func(wallet.Wallet) []wallet.Gift {
	return func(w wallet.Wallet) []wallet.Gift {
		gifts := kit{w: w}
		gifts.mint("usdc", devGameChain, game.USDC, onchain.ERC20, "0", "500000000")
		gifts.mint("piggy", devGameChain, game.Collections["piggy-banks"], onchain.ERC1155, "1", "1")
		gifts.mint("vip-piggy", devGameChain, game.Collections["piggy-banks"], onchain.ERC1155, "2", "1")
		gifts.mint("pack", devGameChain, game.Collections["chests"], onchain.ERC1155, strconv.Itoa(world.GeneralPack), "1")
		gifts.mint("elder-god", devGameChain, game.Collections["elder-gods"], onchain.ERC721, "", "1")
		gifts.mint("ark", devMainChain, main.Collections["arks"], onchain.ERC1155, "1", "1")
		gifts.mint("immortal", devMainChain, main.Collections["immortals"], onchain.ERC721, "", "1")
		gifts.mint("community-pass", devMainChain, main.Collections["passes-community"], onchain.ERC721, "", "1")
		gifts.mint("ultimate-pass", devMainChain, main.Collections["passes-ultimate"], onchain.ERC721, "", "1")
		gifts.mint("power-pack", devMainChain, main.Collections["power-packs"], onchain.ERC1155, "1", "1")
		for code, amount := range map[string]int64{"d0": 40, "d1": 12, "f2": 6, "f3": 2, "gt": 30, "nt": 15, "et": 8, "ct": 4} {
			gifts.add(code, reward.Currency{Code: code, Amount: amount}.Content())
		}
		return gifts.list
	}
}

// kit collects the gifts of one wallet.
type kit struct {
	w    wallet.Wallet
	list []wallet.Gift
}

func (k *kit) add(name string, c reward.Content) {
	k.list = append(k.list, wallet.Gift{Source: "starter/" + k.w.PlayerID + "/" + name, Kind: c.Kind, Detail: c.Detail})
}

// mint adds a token; for an empty id it derives one, the same on every call.
func (k *kit) mint(name string, chain onchain.ChainID, contract eth.Address, standard onchain.Standard, tokenID, amount string) {
	if tokenID == "" {
		hash := eth.Keccak256([]byte("starter/" + k.w.PlayerID + "/" + name))
		tokenID = strconv.FormatUint(starterIDs+binary.BigEndian.Uint64(hash[:])>>24, 10)
	}
	k.add(name, reward.Mint{
		Chain: chain, Contract: contract, Standard: standard, TokenID: tokenID, Amount: money.MustParse(amount), To: k.w.Smart,
	}.Content())
}

// starterIDs is the first id of starter tokens, far above those of the market's goods.
const starterIDs = 1_000_000

// useDevShop configures the development shop, with new secrets at each start: it runs inside this process.
func useDevShop(c *config.Config) {
	site := c.PublicURL
	if site == "" {
		site = "http://" + c.ListenAddr
	}
	c.Shop.URL = strings.TrimRight(site, "/") + devShopPath
	for _, secret := range []*config.Secret{&c.Shop.Key, &c.Shop.Secret, &c.Shop.WebhookSecret} {
		*secret = config.Secret(rand.Text())
	}
}

// devSecret returns the secret stored in the file, creating it the first time.
func devSecret(path string) (string, error) {
	b, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(b)), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails, as documented
	secret := base64.StdEncoding.EncodeToString(raw)
	return secret, os.WriteFile(path, []byte(secret+"\n"), 0o600)
}

// progress shows the progress of a long task, on one line.
func progress(out io.Writer, what string) world.Progress {
	return func(done, total int, _ string) {
		if done%10 != 0 && done != total {
			return
		}
		end := "\r"
		if done == total {
			end = "\n"
		}
		fmt.Fprintf(out, "  %-24s %3d of %d%s", what, done, total, end)
	}
}

//go:build !nodev

package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	"golang.org/x/sync/errgroup"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/signer"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
)

// The development chains.
const (
	devGameChain = 1337042
	devMainChain = 1337137
)

// devInterval is how often an idle development chain mines a block, so that its head stays recent.
const devInterval = 10 * time.Second

// Development is the embedded environment of a portal on a laptop.
type Development struct {
	chains   *Chains      // nil if they run in another process
	listener net.Listener // of the beacon; nil with another one
	beacon   *http.Server // nil before it has started
	group    errgroup.Group
}

// StartDevelopment opens or creates the development world in the data folder and completes configuration and options
// for it. Values set in the environment take precedence, except for the chains: of theirs, only RPC URLs, finality and time margins
// count. With both chains' RPC URLs the chains of another process are used; see StartChains. Progress is written to out during slow
// steps. An invalid configuration is refused, listing every error, and so are a port of the beacon that is in use and a data folder
// whose chains have other contracts, before anything is changed.
func StartDevelopment(ctx context.Context, c *config.Config, o *Options, out io.Writer) (_ *Development, err error) {
	game, main, err := worlds(c.Brand)
	if err != nil {
		return nil, err
	}
	if c.Brand, err = withGenerator(c.Brand); err != nil {
		return nil, err
	}
	c.Environment = cmp.Or(c.Environment, "dev")
	shared := c.GameChain.RPCURL != "" || c.MainChain.RPCURL != ""
	if shared && (c.GameChain.RPCURL == "" || c.MainChain.RPCURL == "") {
		return nil, errors.New("GAME_CHAIN_RPC_URL and MAIN_CHAIN_RPC_URL: set both, for chains of another process, or neither")
	}
	c.GameChain, c.MainChain = devChain(devGameChain, "game", c.GameChain), devChain(devMainChain, "main", c.MainChain)
	useWorld(c, game, main)
	c.KeepMail()
	if len(c.TrustProxy) == 0 {
		c.DrainTime = 0 // there is no proxy that must notice
	}
	if o.DevShop = c.Shop.URL == ""; o.DevShop {
		useDevShop(c)
	}
	if c.Relay.SponsorNeeds == "" {
		c.Relay.SponsorNeeds = config.SponsorNeedsNone
	}
	if c.Trades.RiskPerDay == "" {
		c.Trades.RiskPerDay = config.DevTradeRisk
	}
	ownBeacon := len(c.Beacon.URLs) == 0
	c.Complete()
	if err := validateDevelopment(*c); err != nil {
		return nil, err
	}
	d := &Development{}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	if ownBeacon {
		// Listen first: a port in use should be reported before the demo world is created.
		if d.listener, err = listenBeacon(c.DevBeaconPort); err != nil {
			return nil, err
		}
	}
	if shared {
		err = errors.Join(
			checkWorld(ctx, c.GameChain, game.Marketplace), checkWorld(ctx, c.MainChain, main.Paymaster), os.MkdirAll(c.DataDir, 0o700),
		)
	} else {
		err = claimDataFolder(*c)
	}
	if err != nil {
		return nil, err
	}
	if len(c.SignerKeyFiles()) == 1 {
		if _, err := signer.KeyFile(c.SignerKeyFile); err != nil { // created the first time
			return nil, err
		}
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

	if !shared {
		if d.chains, err = openChains(ctx, *c, c.PublicURL, o.Clock, out); err != nil {
			return nil, err
		}
		if o.Endpoints, err = d.chains.endpoints(o.Clock); err != nil {
			return nil, err
		}
	}
	if ownBeacon {
		if err := d.startBeacon(c, o); err != nil {
			return nil, err
		}
	}
	names := demoNames(c.Brand.Catalogue)
	o.Standings, o.SellerNames = demoStandings(names, c.Brand.Boards), demoSellers(names)
	o.Mailbox = true
	o.Welcome = starterKit(c.Brand, game, main)
	o.Faucet = faucetOf(game.USDC, c.Brand.Collections.Currency())
	return d, nil
}

// devChain configures a development chain; without a URL it runs in this process. When its burns are final, and how far behind the
// clock its blocks count as dated, is as set.
func devChain(id uint64, name string, set config.Chain) config.Chain {
	return config.Chain{
		ID: id, Name: "Development " + name + " chain", RPCURL: cmp.Or(set.RPCURL, "inproc:"), PollInterval: devPoll,
		Finality: set.Finality, TimeMargin: set.TimeMargin,
	}
}

// validateDevelopment checks what the environment has set; secrets that are created in the data folder may be
// missing.
func validateDevelopment(c config.Config) error {
	if c.TokenSecret == "" {
		c.TokenSecret = config.Secret(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	}
	return c.Validate()
}

// Close stops what StartDevelopment started. It must be called after the portal's Close.
func (d *Development) Close() error {
	if d.beacon != nil {
		_ = d.beacon.Close() // nothing is open but its listener
	}
	if d.listener != nil {
		_ = d.listener.Close() // closed already if the beacon has started
	}
	err := d.group.Wait()
	if d.chains != nil {
		err = errors.Join(err, d.chains.Close())
	}
	return err
}

// Chains returns the chains that run in this process: game, then main.
func (d *Development) Chains() []*devnet.Chain {
	if d.chains == nil {
		return nil
	}
	return d.chains.chains
}

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
	if _, ok := c.Brand.Collections.Of("elder-gods"); ok {
		set(&k.GOD, game.GOD)
	}
	worlds := map[collections.Chain]world.Addresses{collections.GameChain: game, collections.MainChain: main}
	k.Collections = maps.Clone(k.Collections) // copies of a configuration share it
	for _, entry := range c.Brand.Collections.All() {
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
	if c.Card.Delay == 0 {
		c.Card.Delay = time.Minute
	}
}

// useDevShop configures the development shop, with new secrets at each start: it runs inside this process.
func useDevShop(c *config.Config) {
	c.Shop.URL = c.Site() + devShopPath
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

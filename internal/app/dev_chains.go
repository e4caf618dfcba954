//go:build !nodev

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/brand"
	"pantheon/internal/chain/deploy"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
)

// Chains are the running development chains, with their contracts and goods.
type Chains struct {
	chains   []*devnet.Chain // game, then main
	metadata http.Handler    // of the tokens; nil in a portal, which serves it itself
	cancel   context.CancelFunc
	ended    <-chan struct{} // closed when a chain has failed, or Close was called
	group    *errgroup.Group
}

// StartChains opens or creates the development chains in the data folder, to share them with other processes. They serve the metadata
// of the tokens below base, an address such as "http://127.0.0.1:8545". Progress is written to out during slow steps.
func StartChains(ctx context.Context, c config.Config, base string, out io.Writer) (_ *Chains, err error) {
	c.Complete()
	if c.Brand, err = withGenerator(c.Brand); err != nil {
		return nil, err
	}
	if err := claimDataFolder(c); err != nil {
		return nil, err
	}
	d, err := openChains(ctx, c, base, nil, out)
	if err != nil {
		return nil, err
	}
	if d.metadata, err = tokenMetadata(c.Brand, base); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// openChains opens or creates the chains and the world on them, whose tokens' metadata is served below base. A nil clock is the system's.
func openChains(ctx context.Context, c config.Config, base string, clk clock.Clock, out io.Writer) (_ *Chains, err error) {
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d := &Chains{cancel: cancel}
	d.group, run = errgroup.WithContext(run)
	d.ended = run.Done()
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	for _, side := range []collections.Chain{collections.GameChain, collections.MainChain} {
		if err := d.open(ctx, run, side, c, base, clk, out); err != nil {
			return nil, err
		}
	}
	game, _, err := worlds(c.Brand)
	if err != nil {
		return nil, err
	}
	if err := seed(ctx, d.chains[0], game, c, clk, out); err != nil {
		return nil, err
	}
	for _, chain := range d.chains {
		chain.CatchUp()
	}
	return d, nil
}

// worldAge is how long before the first start the demo world was created, by its blocks' times.
const worldAge = 10 * time.Minute

func (d *Chains) open(
	ctx, run context.Context, side collections.Chain, c config.Config, base string, clk clock.Clock, out io.Writer,
) error {
	id := onchain.ChainID(devGameChain)
	if side == collections.MainChain {
		id = devMainChain
	}
	chain, err := devnet.Start(devnet.Options{
		ChainID: id, Dir: filepath.Join(c.DataDir, "chains", string(side)), Interval: devInterval, Backdate: worldAge, Clock: clk,
		MaxLead: c.DevBlockLead,
	})
	if err != nil {
		return err
	}
	d.chains = append(d.chains, chain)
	d.group.Go(func() error { return chain.Run(run) })
	_, err = world.Deploy(ctx, chain.Client(), c.Brand.Collections, side, world.Options{
		BaseURI: base + "/metadata/", Progress: progress(out, string(side)+" chain contracts"),
	})
	return err
}

// Game returns the game chain.
func (d *Chains) Game() *devnet.Chain { return d.chains[0] }

// endpoints returns in-process RPC clients, by chain.
func (d *Chains) endpoints(clk clock.Clock) (_ map[onchain.ChainID]*rpc.Client, err error) {
	clients := map[onchain.ChainID]*rpc.Client{}
	for i, chain := range d.chains {
		name := []collections.Chain{collections.GameChain, collections.MainChain}[i]
		if clients[chain.ID()], err = rpc.New(rpc.Options{
			Name: string(name), ChainID: chain.ID(), Client: chain.Client(), Clock: clk,
		}); err != nil {
			return nil, err
		}
	}
	return clients, nil
}

// Serve serves JSON-RPC over HTTP and WebSocket, the game chain on the first listener and the main chain on the second, with the tokens'
// metadata on both, until ctx ends or a chain fails. For hosts see devnet.Chain.PublicHandler.
func (d *Chains) Serve(ctx context.Context, listeners [2]net.Listener, hosts []string) error {
	group, ctx := errgroup.WithContext(ctx)
	for i, listener := range listeners {
		server := &http.Server{Handler: besides(d.metadata, d.chains[i].PublicHandler(hosts...)), ReadHeaderTimeout: 5 * time.Second}
		group.Go(func() error {
			if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		})
		group.Go(func() error {
			select {
			case <-ctx.Done():
			case <-d.ended:
			}
			return server.Close()
		})
	}
	return group.Wait()
}

// Close stops the chains. It returns the error of a chain that has failed.
func (d *Chains) Close() error {
	d.cancel()
	errs := []error{d.group.Wait()}
	for _, c := range d.chains {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// worlds returns the addresses of the contracts on the development chains.
func worlds(b *brand.Brand) (game, main world.Addresses, err error) {
	if game, err = world.AddressesOf(b.Collections, collections.GameChain); err != nil {
		return game, main, err
	}
	main, err = world.AddressesOf(b.Collections, collections.MainChain)
	return game, main, err
}

// checkWorld returns an error unless the chain has the given contract of this version.
func checkWorld(ctx context.Context, chain config.Chain, contract eth.Address) error {
	client, err := rpc.New(rpc.Options{Name: chain.Name, ChainID: chain.ChainID(), URL: chain.Endpoints()[0]})
	if err != nil {
		return err
	}
	defer client.Close()
	if _, err := client.Check(ctx); err != nil {
		return err
	}
	var code string
	if err := client.CallContext(ctx, &code, "eth_getCode", contract, "latest"); err != nil {
		return err
	}
	if code == "0x" {
		return fmt.Errorf("the %s has no contracts of this version: start it by this version's \"pantheon chain\"", chain.Name)
	}
	return nil
}

// worldFile is the file beside the development chains that records the contracts they were created with.
const worldFile = "contracts"

// claimDataFolder creates the data folder, or checks that its chains have this version's contracts. Other versions'
// contracts have other addresses: the portal would not find its contracts, nor players what they own.
func claimDataFolder(c config.Config) error {
	want, err := world.Fingerprint(c.Brand.Collections)
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
	case err == nil || exists(filepath.Join(chains, string(collections.GameChain))) ||
		exists(filepath.Join(chains, string(collections.MainChain))):
		folder, err := filepath.Abs(c.DataDir)
		if err != nil {
			return fmt.Errorf("data folder: %w", err)
		}
		also := ""
		if c.DatabaseURL != "" {
			also = " and empty the database that DATABASE_URL names"
		}
		return fmt.Errorf(
			"the development data was made by another version or brand, with other contracts: delete the folder %s%s to start afresh", folder, also)
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

// seed fixes the packs' drop tables by the game's rules, lists the catalogue's goods on the market and funds the treasury, once.
func seed(ctx context.Context, chain *devnet.Chain, a world.Addresses, c config.Config, clk clock.Clock, out io.Writer) error {
	if clk == nil {
		clk = clock.System{}
	}
	tokens := map[string][]world.Token{}
	for _, collection := range c.Brand.Collections.All() {
		ids := c.Brand.Catalogue.TokenIDs(collection.Slug)
		if ids == nil { // generated: every id exists
			for id := 1; id <= generatedTokens; id++ {
				ids = append(ids, strconv.Itoa(id))
			}
		}
		for _, id := range ids {
			item, err := c.Brand.Catalogue.Describe(collection.Slug, id)
			if err != nil {
				continue // nobody can tell what it would be
			}
			tokens[collection.Slug] = append(tokens[collection.Slug], world.Token{ID: id, Rank: item.Rarity.Rank()})
		}
	}
	lots, err := world.Lots(c.Brand.Development, c.Brand.Collections.Currency().Decimals, tokens)
	if err != nil {
		return err
	}
	game, err := readRules(c.Brand, c.GameRules)
	if err != nil {
		return settingFault("GAME_RULES_FILE", c.GameRules, err)
	}
	tables, err := fixedTables(game.tables, c.Brand.Development.Stock)
	if err != nil {
		return err
	}
	if err := world.Seed(ctx, chain.Client(), a, tables, lots, clk, progress(out, "market")); err != nil {
		return err
	}
	return world.Fund(ctx, chain.Client(), a, c.Brand.Development.Stock)
}

// fixedTables returns what the packs' contract of the development world fixes for each edition of each kind of pack: the hash of its
// drop table, and how many can ever be minted, which the stock says of the kind's first edition.
func fixedTables(tables *draw.Tables, stock []brand.Stock) (fixed []deploy.Table, err error) {
	for _, t := range tables.All() {
		if t.Token == "" {
			continue
		}
		id, err := money.Parse(t.Token)
		if err != nil {
			return nil, err
		}
		first, _ := tables.Edition(t.Kind, 1)
		table := deploy.Table{TokenID: id, Table: t.Hash(), Max: defaultMost}
		if i := slices.IndexFunc(stock, func(s brand.Stock) bool { return s.Token == first.Token }); i >= 0 {
			table.Max = stock[i].Most
		}
		fixed = append(fixed, table)
	}
	return fixed, nil
}

// defaultMost is how many packs of an edition can be minted if the stock does not say.
const defaultMost = 100_000

// generatedTokens is how many tokens of a collection without a fixed list are listed on the market.
const generatedTokens = 120

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

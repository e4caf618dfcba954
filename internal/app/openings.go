package app

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/beacon"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/burn"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store/rewards"
)

// burnRules say what burns earn, by contract; see projection.Rules.
type burnRules = map[eth.Address]func(projection.Burn) projection.Earned

// burnsOf returns the burn rules of each chain.
func burnsOf(b *base) map[onchain.ChainID]burnRules {
	out := map[onchain.ChainID]burnRules{}
	for _, c := range b.goods {
		earns := burn.Burned(b.tariffs, c.Burn, c.Slug)
		if c.Burn == collections.OpenPack {
			earns = packs.Burned(b.tables)
		}
		if earns == nil {
			continue
		}
		if out[c.chain] == nil {
			out[c.chain] = burnRules{}
		}
		out[c.chain][c.address] = earns
	}
	return out
}

// scheduleOf returns when the configured beacon publishes its rounds.
func scheduleOf(b config.Beacon) draw.Schedule {
	return draw.Schedule{Genesis: time.Unix(b.Genesis, 0).UTC(), Period: time.Duration(b.Period) * time.Second}
}

// burnOrigin returns what burns of each collection's tokens earn.
func burnOrigin(goods []collection) func(eth.Address) reward.Origin {
	origins := map[eth.Address]reward.Origin{}
	for _, c := range goods {
		origins[c.address] = reward.Origin(c.Burn) // the same words
	}
	return func(contract eth.Address) reward.Origin { return origins[contract] }
}

// openings draw what packs hold.
type openings struct {
	packs  *packs.Service
	opener *packs.Opener
	beacon packs.BeaconInfo
	// settlers say which blocks are final.
	settlers map[onchain.ChainID]*indexer.Rewarder
}

// newOpenings builds the service of packs, what settles burns and draws openings, and what anchors the log of payments.
func newOpenings(b *base, chains chains, payouts *reward.Service) (openings, error) {
	schedule, store := scheduleOf(b.config.Beacon), rewards.New(b.db)
	chests := named(b.goods, "chests").address
	o := openings{beacon: packs.BeaconInfo{PublicKey: b.config.Beacon.PublicKey, Schedule: schedule}}
	key, err := hex.DecodeString(b.config.Beacon.PublicKey)
	if err != nil {
		return o, errors.New("BEACON_PUBLIC_KEY: not hex")
	}
	public, err := beacon.ParsePublicKey(key)
	if err != nil {
		return o, errors.Join(errors.New("BEACON_PUBLIC_KEY: no such point"), err)
	}
	client := beacon.NewClient(b.config.Beacon.URLs, public)
	if err := watchBeacon(b, client, schedule); err != nil {
		return o, err
	}
	registry := packs.NewRegistry(store, b.game, chests)
	o.packs = packs.NewService(rewards.Packs{
		DB: b.db, Chain: b.game, Chests: chests, Seller: eth.MustAddress(b.config.Wallets.Manager),
	}, store, registry, b.tables, b.clock)
	o.opener = packs.NewOpener(packs.OpenerOptions{
		Store: crashable[packs.OpeningStore](store), Registry: registry, Beacon: rounds{client}, Info: o.beacon,
		Tables: b.tables, Goods: newBrandGoods(b), Clock: b.clock, Drawn: payouts.Wake,
	})
	b.lead("openings", o.opener.Run)
	o.settlers = map[onchain.ChainID]*indexer.Rewarder{}
	for id, c := range chains.of {
		settler, err := newSettler(c, chains.index, func() { o.opener.Wake(); payouts.Wake() })
		if err != nil {
			return o, err
		}
		o.settlers[id] = settler
		b.lead(c.name+" burns", settler.Run)
	}
	wallet := notary{
		chain: chains.of[b.game], id: b.game, final: o.settlers[b.game], wallet: eth.MustAddress(b.config.Wallets.Claimer), chests: chests,
		frozen: b.frozen,
	}
	b.lead("drop tables", packs.NewAnchorer(registry, wallet, b.tables).Run)
	b.lead("payment records", packs.NewRecordAnchorer(store, wallet, schedule, b.clock).Run)
	b.health.Add(health.Check{Name: "payment records", Impairs: health.Packs, Run: b.anchored})
	return o, nil
}

// newSettler returns what settles the burns on a chain. It calls earned after each that earns something.
func newSettler(c *chainParts, store indexer.BurnStore, earned func()) (*indexer.Rewarder, error) {
	finality, err := indexer.ParseFinality(c.config.Finality)
	return &indexer.Rewarder{
		Chain: c.config.ChainID(), RPC: c.rpc, Store: crashable(store), Finality: finality, Setting: c.finalitySetting,
		Poll: max(c.config.PollInterval, indexer.MinRewardPoll), Margin: c.config.TimeMargin,
		DelayedInbox: slices.Contains(arbitrumChains, uint64(c.config.ChainID())), Earned: earned,
	}, err
}

// options returns what the API needs of packs.
func (o openings) options(b *base) api.PackOptions {
	return api.PackOptions{
		Packs: o.packs, PackBuyers: packs.NewBuyers(rewards.New(b.db), b.clock, named(b.goods, "chests").address, b.config.PacksForbidden),
		Goods: newBrandGoods(b), Beacon: o.beacon, BeaconURLs: b.config.Beacon.URLs,
		DrawRules: api.DrawRules{
			Margin: b.config.GameChain.TimeMargin, Wallet: api.PackWallet{ChainID: b.game, Address: eth.MustAddress(b.config.Wallets.Claimer)},
			Wallets: b.wallets.claimers(),
		},
	}
}

// arbitrumChains are the chains of Arbitrum: One, Nova and Sepolia, whose transactions can come through a delayed inbox.
var arbitrumChains = []uint64{42161, arbitrumNova, arbitrumSepolia}

// rounds implements packs.Beacon.
type rounds struct{ client *beacon.Client }

func (r rounds) Round(ctx context.Context, number uint64) (signature []byte, randomness [32]byte, err error) {
	round, err := r.client.Round(ctx, number)
	if errors.Is(err, beacon.ErrNotYet) {
		err = fault.New(fault.Conflict, "The beacon's round %d is not published yet.", number).Because(err)
	}
	return round.Signature, round.Randomness, err
}

// brandGoods implements packs.Goods.
type brandGoods struct {
	goods   []collection
	gallery *gallery
	usdc    eth.Address
	game    onchain.ChainID
}

func newBrandGoods(b *base) brandGoods { return brandGoods{b.goods, b.gallery, b.usdc, b.game} }

func (g brandGoods) USDC() (contract eth.Address, chain onchain.ChainID) { return g.usdc, g.game }

func (g brandGoods) Collection(slug string) (contract eth.Address, chain onchain.ChainID, standard onchain.Standard, ok bool) {
	for _, c := range g.goods {
		if c.Slug == slug {
			return c.address, c.chain, c.Standard, true
		}
	}
	return contract, 0, "", false
}

// Transferable reports whether the tokens of a collection can change hands.
func (g brandGoods) Transferable(slug string) bool {
	return slices.ContainsFunc(g.goods, func(c collection) bool { return c.Slug == slug && !c.Soulbound })
}

func (g brandGoods) Item(contract eth.Address, tokenID string) projection.DroppedItem {
	t := g.gallery.Describe(contract, tokenID, nil).Token
	return projection.DroppedItem{
		Contract: contract, TokenID: tokenID, Name: t.Name, Rarity: t.Rarity,
		Image: "/metadata/" + contract.Checksum() + "/" + tokenID + "/image.svg",
	}
}

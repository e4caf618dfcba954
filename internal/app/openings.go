package app

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"pantheon/internal/beacon"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
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
func (a *App) burnsOf(goods []collection) map[onchain.ChainID]burnRules {
	out := map[onchain.ChainID]burnRules{}
	for _, c := range goods {
		earns := burn.Burned(a.tariffs, c.Burn, c.Slug)
		if c.Burn == collections.OpenPack {
			earns = packs.Burned(a.tables)
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

// beaconSchedule returns when the configured beacon publishes its rounds.
func (a *App) beaconSchedule() draw.Schedule { return scheduleOf(a.config.Beacon) }

func scheduleOf(b config.Beacon) draw.Schedule {
	return draw.Schedule{Genesis: time.Unix(b.Genesis, 0).UTC(), Period: time.Duration(b.Period) * time.Second}
}

// beacon describes the configured beacon.
func (a *App) beacon() packs.BeaconInfo {
	return packs.BeaconInfo{PublicKey: a.config.Beacon.PublicKey, Schedule: a.beaconSchedule()}
}

// burnOrigin returns what burns of each collection's tokens earn.
func burnOrigin(goods []collection) func(eth.Address) reward.Origin {
	origins := map[eth.Address]reward.Origin{}
	for _, c := range goods {
		origins[c.address] = reward.Origin(c.Burn) // the same words
	}
	return func(contract eth.Address) reward.Origin { return origins[contract] }
}

// buildOpenings builds what settles burns and draws openings.
func (a *App) buildOpenings(goods []collection, gallery *gallery) error {
	key, err := hex.DecodeString(a.config.Beacon.PublicKey)
	if err != nil {
		return errors.New("BEACON_PUBLIC_KEY: not hex")
	}
	public, err := beacon.ParsePublicKey(key)
	if err != nil {
		return errors.Join(errors.New("BEACON_PUBLIC_KEY: no such point"), err)
	}
	client := beacon.NewClient(a.config.Beacon.URLs, public)
	a.rounds = rounds{client}
	a.beaconClock = &beaconClock{latest: client.Latest, schedule: a.beaconSchedule(), clock: a.clock, log: a.log}
	if err := a.beaconClock.measure(a.registry); err != nil {
		return err
	}
	a.opener = packs.NewOpener(packs.OpenerOptions{
		Store: crashable[packs.OpeningStore](rewards.New(a.db)), Registry: a.registryOf(goods), Beacon: a.rounds,
		Info:   a.beacon(),
		Tables: a.tables, Goods: a.brandGoods(goods, gallery), Clock: a.clock,
		Drawn: func() { a.rewards.Wake() },
	})
	a.settlers = map[string]*indexer.Rewarder{}
	for i, chain := range []config.Chain{a.config.GameChain, a.config.MainChain} {
		finality, err := indexer.ParseFinality(chain.Finality)
		if err != nil {
			return err
		}
		c := a.chains[chain.ChainID()]
		a.settlers[c.name] = &indexer.Rewarder{
			Chain: chain.ChainID(), RPC: c.rpc, Store: crashable[indexer.BurnStore](a.index), Finality: finality,
			Setting: []string{"GAME_CHAIN_FINALITY", "MAIN_CHAIN_FINALITY"}[i], Poll: max(chain.PollInterval, indexer.MinRewardPoll),
			Margin: chain.TimeMargin, DelayedInbox: slices.Contains(arbitrumChains, uint64(chain.ChainID())),
			Earned: func() { a.opener.Wake(); a.rewards.Wake() },
		}
	}
	game := a.chains[a.config.GameChain.ChainID()]
	wallet := notary{
		chain: game, id: a.config.GameChain.ChainID(), final: a.settlers[game.name], wallet: eth.MustAddress(a.config.Wallets.Claimer),
		chests: named(goods, "chests").address,
	}
	a.anchorer = packs.NewAnchorer(a.registryOf(goods), wallet, a.tables)
	a.recordAnchorer = packs.NewRecordAnchorer(rewards.New(a.db), wallet, a.beaconSchedule(), a.clock)
	return nil
}

// arbitrumChains are the chains of Arbitrum: One, Nova and Sepolia, whose transactions can come through a delayed inbox.
var arbitrumChains = []uint64{42161, arbitrumNova, arbitrumSepolia}

// registryOf returns where the drop tables of packs are fixed.
func (a *App) registryOf(goods []collection) *packs.Registry {
	return packs.NewRegistry(rewards.New(a.db), a.config.GameChain.ChainID(), named(goods, "chests").address)
}

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

func (a *App) brandGoods(goods []collection, gallery *gallery) brandGoods {
	return brandGoods{goods, gallery, eth.MustAddress(a.config.Contracts.USDC), a.config.GameChain.ChainID()}
}

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
	t, _ := g.gallery.Describe(contract, tokenID)
	return projection.DroppedItem{
		Contract: contract, TokenID: tokenID, Name: t.Name, Rarity: t.Rarity,
		Image: "/metadata/" + contract.Checksum() + "/" + tokenID + "/image.svg",
	}
}

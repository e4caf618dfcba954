package audit_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/audit"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/portal/draw"
	"pantheon/internal/store"
	"pantheon/test/player"
)

// size is how much is opened.
type size struct {
	limit    time.Duration
	players  int             // at least 2; the last one's orders are refunded
	supplies map[int64]int64 // of first editions, for each burner
	seconds  map[int64]int64 // of second editions
	own      map[int64]int64 // for each player
	some     int64           // packs that are burned before each reorganisation
	bulk     int64           // packs that are burned at last
	most     int64           // of one burn
	orders   int64           // units of the large orders
	openings int64           // at least
	strict   int             // openings that are checked strictly: so many that were burned, and as many that were bought
	whole    bool            // what takes longer too
}

// Openings of all kinds, while the chain is reorganised, the portal is killed, tables get new editions, orders are refunded and the beacon
// is out of order: all of them are verified from public pages, and they are exactly those of the packs that were burned and paid for.
// Spec: DRAW-18
func TestAudit_EveryOpeningIsVerifiedFromPublicPages(t *testing.T) {
	t.Parallel()
	of := size{
		limit: 15 * time.Minute, players: 4, supplies: map[int64]int64{general: 750, avatar: 150, god: 250},
		seconds: map[int64]int64{101: 150, 103: 100}, own: map[int64]int64{general: 50, avatar: 15, god: 15},
		some: 500, bulk: 6000, most: 500, orders: 20, openings: 10_000, strict: 200, whole: true,
	}
	if testing.Short() {
		of = size{
			limit: 5 * time.Minute, players: 2, supplies: map[int64]int64{general: 30, avatar: 6, god: 10},
			seconds: map[int64]int64{101: 6, 103: 6}, own: map[int64]int64{general: 3, avatar: 1, god: 1},
			some: 20, bulk: 170, most: 8, orders: 2, openings: 300, strict: 20,
		}
	}
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		if engine == store.PostgreSQL && !of.whole {
			continue
		}
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			openAndAudit(start(t, engine, of.limit), of)
		})
	}
}

func openAndAudit(s *scene, of size) {
	s.supply(of.supplies, burners...)
	players := s.newPlayers(of.players, of.own)
	s.sold("destiny-bronze", 1)
	for _, p := range players {
		s.buy(p, bronze, of.orders)
	}
	second := s.secondEditions()
	s.firstEditions(players, of)
	s.bothEditions(players, of)
	if of.whole {
		s.editionThatIsNotKnown()
		s.beaconIsOut(players[0])
	}
	s.bulk(players, of)

	var p progress
	byToken, burned := s.burned()
	all := burned + s.paid()
	s.allDrawn(&p, all)
	if all < of.openings {
		s.Errorf("%d packs were opened, want %d", all, of.openings)
	}
	s.ownEditions(p, byToken, of)
	s.pityCountsOverEditions(p, second, of)
	s.given(players, p, of.strict)
	s.refundedBefore(s.refunded[0])
	s.refund(players[len(players)-1], s.orders[len(s.orders)-1])
	found, err := s.auditor().All(s.ctx, audit.Chests{Chain: devnettest.GameChain, Contract: s.chests})
	s.ok(err)
	if err := found.Err(); err != nil {
		s.Error(err)
	}
	found.Faults, found.Ungiven = nil, 0 // most wallets are no player's
	want := audit.Summary{Openings: int(all), Drawn: int(all), Burned: int(burned), Recorded: int(s.paid())}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		s.Errorf("found %+v, want %+v", found, want)
	}
}

// secondEditions adds second editions of packs that are burned, and of one that is bought. It returns their tables.
func (s *scene) secondEditions() []draw.Table {
	s.Helper()
	tables := []draw.Table{s.table("general"), s.table("god"), s.table("destiny-bronze")}
	for i := range tables {
		t := &tables[i]
		t.Edition = 2
		t.Drops[0].Weight, t.Drops[1].Weight = t.Drops[0].Weight-100, t.Drops[1].Weight+100
		t.Drops[2].Name += ", again"
	}
	tables[0].Token, tables[0].Pity = "101", &draw.Pity{After: 6, Rarity: rarity.Epic}
	tables[1].Token, tables[1].Pity = "103", &draw.Pity{After: 4, Rarity: rarity.Mythic}
	tables[1].Caps[0].Most = 12 // which both editions reach together
	s.fix(10_000, tables[:2]...)
	s.announce(tables...)
	return tables
}

// firstEditions has packs of the first editions burned, some of them in blocks that are replaced, and others bought.
func (s *scene) firstEditions(players []*player.Player, of size) {
	s.Helper()
	for _, how := range []int{droppedAtFirst, byOthers} {
		s.reorganise(s.mined(s.burnSome(of.some, of.most)), how)
	}
	var waits []func()
	for _, p := range players {
		waits = append(waits, s.relay(p, map[int64]int64{general: of.own[general] / 2, god: of.own[god]}))
	}
	for _, wait := range waits {
		wait()
	}
	if of.whole {
		s.buyOnMarket(players[0], general)
		s.site.Kill()
		s.site.Restart()
	}
}

// bothEditions has packs of both editions burned and sold, and an order refunded before its draw.
func (s *scene) bothEditions(players []*player.Player, of size) {
	s.Helper()
	s.sold("destiny-bronze", 2)
	for _, p := range players {
		s.buy(p, bronze, of.orders)
		s.buy(p, gold, 1)
	}
	early := s.buy(players[len(players)-1], fiveBronze, 1)
	s.eventually(func() bool { return s.recorded() == s.paid() }, "the payments are not recorded")
	s.beacon.off.Store(true)
	s.refund(players[len(players)-1], early)
	s.beacon.off.Store(false)

	s.supply(of.seconds, burners...)
	for _, by := range burners { // one wallet after the other: the runs without luck go on in the second edition
		s.burn(by, map[int64]int64{god: 2})
		s.burn(by, map[int64]int64{103: 3})
		s.burn(by, map[int64]int64{general: 1, 101: 1})
	}
	for _, how := range []int{allAtTheEnd, byOthers, droppedAtFirst} {
		s.reorganise(s.mined(s.burnSome(of.some, of.most)), how)
		if !of.whole {
			break
		}
	}
	if of.whole {
		s.list(101)
		s.buyOnMarket(players[0], 101)
		s.relay(players[0], map[int64]int64{general: 1, 101: 1})()
	}
	s.site.Kill()
	s.site.Restart()
}

// editionThatIsNotKnown has packs burned whose table is fixed, and which the portal does not know yet.
func (s *scene) editionThatIsNotKnown() {
	s.Helper()
	third := s.table("general")
	third.Edition, third.Token = 3, "201"
	third.Drops[0].Name += ", for the third time"
	s.fix(1000, third)
	by := burners[0]
	s.supply(map[int64]int64{201: 6, general: 4}, by)
	s.burn(by, map[int64]int64{201: 3})
	s.mined(s.burn(by, map[int64]int64{general: 2}))
	var p progress
	_, burned := s.burned()
	s.eventually(func() bool {
		return s.look(&p) == nil && p.waiting == 3 && int64(p.drawn) == burned+s.paid()-3
	}, "%d are burned: %v", burned, &p)
	s.announce(third)
	s.mined(s.burn(by, map[int64]int64{201: 3, general: 2}))
	_, burned = s.burned()
	s.allDrawn(&p, burned+s.paid())
}

// refund pays a unit of an order back, and waits until the portal has taken back what it could.
func (s *scene) refund(p *player.Player, order int64) {
	s.Helper()
	s.refunded = append(s.refunded, uint64(order))
	s.shop.Refund(order, map[int64]int64{s.lineOf(order): 1})
	s.eventually(func() bool {
		type shown struct{ OrderID, Refunded int64 }
		var orders struct{ Items []shown }
		err := p.Call(s.ctx, "GET", "/api/auth/webstore/orders?limit=50", nil, &orders)
		return err == nil && slices.Contains(orders.Items, shown{order, 1})
	}, "the order is not refunded")
}

// lineOf returns the line of an order.
func (s *scene) lineOf(order int64) int64 {
	s.Helper()
	o, ok := s.shop.Order(order)
	if !ok {
		s.Fatalf("there is no order %d", order)
	}
	return o.Lines[0].ID
}

// beaconIsOut has packs burned and paid for while the beacon publishes nothing: nothing is drawn, and all is drawn by the same rounds
// afterwards.
func (s *scene) beaconIsOut(p *player.Player) {
	s.Helper()
	s.beacon.off.Store(true)
	burned := s.placeOf(s.burn(burners[1], map[int64]int64{general: 3}))
	s.buy(p, bronze, 2)
	var all progress
	s.eventually(func() bool { return s.look(&all) == nil && all.waiting == 5 }, "nothing waits")
	var rounds map[string]uint64
	s.eventually(func() bool {
		rounds = s.rounds(all)
		return !slices.Contains(slices.Collect(maps.Values(rounds)), 0)
	}, "the payments are not anchored")
	last := slices.Max(slices.Collect(maps.Values(rounds)))
	s.eventually(func() bool { return uint64(time.Now().Unix()) > beaconGenesis+last+2 }, "the last round is not over")
	s.ok(s.look(&all))
	if all.waiting != 5 {
		s.Errorf("without the beacon %d wait", all.waiting)
	}
	s.beacon.off.Store(false)
	_, n := s.burned()
	s.allDrawn(&all, n+s.paid())
	for id, round := range rounds {
		v := s.receipt(id)
		at := burned.time
		if v.Purchase != nil {
			at = v.Purchase.Anchor.BlockTime
		}
		want := uint64(at) + uint64(margin/time.Second) + 2 - beaconGenesis + 1
		if round != want || v.Beacon.Round != want {
			s.Errorf("%s waited for round %d, and was drawn by round %d, want %d", id, round, v.Beacon.Round, want)
		}
	}
}

// rounds returns the rounds that those openings wait for that are not drawn; 0 while one is not known.
func (s *scene) rounds(p progress) map[string]uint64 {
	s.Helper()
	var page struct{ Openings []opening }
	s.ok(s.get(fmt.Sprintf("/api/packs/openings?after=%d&limit=500", p.after), &page))
	out := map[string]uint64{}
	for _, o := range page.Openings {
		var proof struct{ Round uint64 }
		s.ok(s.get("/api/packs/openings/"+o.OpeningID, &proof))
		out[o.OpeningID] = proof.Round
	}
	return out
}

// receipt returns an opening's receipt, verified.
func (s *scene) receipt(id string) draw.Verified {
	s.Helper()
	r, err := s.auditor().Opening(s.ctx, id)
	s.ok(err)
	s.ok(r.Err(false))
	return r.Verified
}

// bulk has many packs of all editions burned and bought, and kills the portal while they are settled, and while they are drawn.
func (s *scene) bulk(players []*player.Player, of size) {
	s.Helper()
	var before progress
	s.ok(s.look(&before))
	for _, p := range players {
		s.buy(p, silver, of.orders)
		s.buy(p, fiveBronze, of.orders)
		s.relay(p, map[int64]int64{general: of.own[general] - of.own[general]/2, avatar: of.own[avatar]})()
	}
	if of.whole {
		s.mined(s.burnSome(of.bulk/2, of.most))
		s.site.Kill()
		s.site.Restart()
		of.bulk -= of.bulk / 2
	}
	s.mined(s.burnSome(of.bulk, of.most))
	p := before
	s.eventually(func() bool { return s.look(&p) == nil && p.waiting > 0 && p.drawn > before.drawn }, "nothing is drawn: %v", &p)
	s.site.Kill()
	s.site.Restart()
	// Whoever checks the portal meanwhile finds nothing wrong.
	found, err := s.auditor().All(s.ctx, audit.Chests{Chain: devnettest.GameChain, Contract: s.chests})
	s.ok(err)
	if err := found.Err(); err != nil {
		s.Errorf("while packs are opened: %v", err)
	}
	s.Logf("while packs are opened: %d drawn, %d waiting", found.Drawn, found.Waiting)
}

// sold waits until an edition is sold in the shop.
func (s *scene) sold(kind string, edition int) {
	s.Helper()
	s.eventually(func() bool {
		var odds struct {
			Tables []struct {
				Kind    string
				Edition int
				OnSale  bool
			}
		}
		if s.get("/api/packs/odds", &odds) != nil {
			return false
		}
		for _, t := range odds.Tables {
			if t.Kind == kind && t.Edition == edition {
				return t.OnSale
			}
		}
		return false
	}, "%s %d is not sold", kind, edition)
}

// list has the manager offer packs on the market.
func (s *scene) list(token int64) {
	s.Helper()
	s.mined(s.mint(devnet.WalletOf(devnet.Manager).Address, map[int64]int64{token: 5}))
	now := time.Now()
	listing := contracts.IDirectListingsListingParameters{
		AssetContract: common.Address(s.chests), TokenId: big.NewInt(token), Quantity: big.NewInt(5), Currency: common.Address(s.at.USDC),
		PricePerToken: big.NewInt(10_000_000), StartTimestamp: big.NewInt(now.Unix()), EndTimestamp: big.NewInt(now.Add(time.Hour).Unix()),
	}
	s.mined(s.send(devnet.Manager, s.at.Marketplace, contracts.NewDirectListingsLogic().PackCreateListing(listing)))
}

// buyOnMarket has a player buy a pack from the portal's listing.
func (s *scene) buyOnMarket(p *player.Player, token int64) {
	s.Helper()
	var offer player.Listing
	s.eventually(func() bool {
		listings, err := p.Listings(s.ctx, "chests", 50)
		i := slices.IndexFunc(listings, func(l player.Listing) bool { return l.TokenID == fmt.Sprint(token) })
		if err != nil || i < 0 {
			return false
		}
		offer = listings[i]
		return p.Hold(s.ctx, offer) == nil
	}, "no pack %d is for sale", token)
	order, err := p.Checkout(s.ctx)
	s.ok(err)
	s.act(p, order.Calls)
	s.eventually(func() bool {
		order, err = p.Order(s.ctx, order.OrderID)
		return err == nil && order.State == "complete"
	}, "the order is %+v", &order)
}

// ownEditions checks that the packs of each edition were drawn as such: those that were burned by their token, and the bought ones by
// the edition that was sold.
func (s *scene) ownEditions(p progress, burned map[int64]int64, of size) {
	s.Helper()
	want := maps.Clone(s.bought)
	for token, edition := range map[int64]string{
		general: "general 1", 101: "general 2", 201: "general 3", avatar: "avatar 1", god: "god 1", 103: "god 2",
	} {
		if burned[token] > 0 {
			want[edition] = burned[token]
		}
	}
	got := map[string]int64{}
	for _, o := range p.done {
		got[fmt.Sprint(o.Kind, " ", o.Edition)]++
	}
	if !maps.Equal(got, want) {
		s.Errorf("drawn %v, want %v", got, want)
	}
	editions := 9
	if of.whole {
		editions = 10 // with the third one of general packs
	}
	if len(want) != editions {
		s.Errorf("%d editions were opened, want %d: %v", len(want), editions, want)
	}
}

// pityCountsOverEditions checks that what wallets had opened of the first edition counts in the second one, and that its limit counts what
// the first has given.
func (s *scene) pityCountsOverEditions(p progress, second []draw.Table, of size) {
	s.Helper()
	before, counted, instead := map[eth.Address]int{}, 0, 0 // editions of the wallets' last god packs
	for _, o := range p.done {
		if o.Kind != "god" {
			continue
		}
		if o.Edition == 2 && (counted == 0 && before[*o.Wallet] == 1 || instead == 0) {
			v := s.receipt(o.OpeningID)
			if before[*o.Wallet] == 1 && v.Before.Without > 0 {
				counted++
			}
			if v.Outcome.Instead {
				instead++
				if given := v.Before.Given["elder-gods"]; given < second[1].Caps[0].Most {
					s.Errorf("%s: a substitute, and %d were given", o.OpeningID, given)
				}
			}
		}
		before[*o.Wallet] = o.Edition
	}
	if counted == 0 || instead == 0 && of.whole {
		s.Errorf("%d openings of the second edition counted those of the first, and %d gave a substitute", counted, instead)
	}
}

// given waits until what players have drawn is on the chain, and checks the first n that were burned and the first n that were bought
// strictly: nothing of them is unknown.
func (s *scene) given(players []*player.Player, p progress, n int) {
	s.Helper()
	a, checked := s.auditor(), map[bool]int{} // by whether it was burned
	for _, o := range p.done {
		burned := o.Wallet != nil
		if burned && !slices.ContainsFunc(players, func(p *player.Player) bool { return p.Smart == *o.Wallet }) || checked[burned] >= n {
			continue
		}
		r, err := a.Opening(s.ctx, o.OpeningID)
		s.ok(err)
		if p := r.Verified.Purchase; p != nil && slices.Contains(s.refunded, p.Order) {
			continue
		}
		checked[burned]++
		s.eventually(func() bool {
			r, err = a.Opening(s.ctx, o.OpeningID)
			return err == nil && r.Err(true) == nil
		}, "%s is not given: %+v", o.OpeningID, &r)
	}
	if checked[true] < 4 || checked[false] < 4 {
		s.Errorf("checked strictly: %v", checked)
	}
}

// refundedBefore checks that of an order that was refunded before its draw, everything is known but what was given.
func (s *scene) refundedBefore(order uint64) {
	s.Helper()
	r, err := s.auditor().Opening(s.ctx, fmt.Sprintf("shop-%d-%d-0", order, s.lineOf(int64(order))))
	s.ok(err)
	if err := r.Err(true); err == nil || !strings.Contains(err.Error(), "given: none of the drop's parts is given or to be given") {
		s.Errorf("of what was refunded before its draw: %v", err)
	}
}

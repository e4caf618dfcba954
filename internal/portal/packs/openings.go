package packs

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// Opening is one opened copy of a pack. It exists from the moment its burn is final or its payment is recorded, and is drawn
// once the beacon has published the round that follows from the block of the burn, or of the anchor of the payment's record.
type Opening struct {
	ID      string      // of the origin
	Kind    string      // of the drop table; "" while it is not known
	Edition int         // of the drop table; 0 while it is not known
	Origin  draw.Origin // a draw.Burn or a draw.Purchase
	BurnedPack
	Record uint64       // of a purchase: the number of the payment's record, from 1; 0 for a burn
	Anchor RecordAnchor // of a purchase: the first final one that covers the record; zero while there is none
	At     time.Time    // of the burn's block, or when the payment was first recorded; in whole seconds
	Place  int64        // the openings of a kind are drawn in the order of their places
	Round  uint64       // 0 while it is not known: before the anchor
	// GiveAt is when what can change hands is given at the earliest; zero for at once.
	GiveAt time.Time

	// Set when it is drawn.
	Drop    string
	Receipt []byte
	DrawnAt time.Time

	Error string // why it can never be drawn; "" otherwise
}

// BurnedPack is where a pack was burned. It is zero for a purchase.
type BurnedPack struct {
	Contract  eth.Address
	TokenID   string
	Wallet    eth.Address // that burned the pack
	Block     uint64
	BlockHash eth.Hash
	Margin    time.Duration // how far behind the clock the block can be dated
}

// Drawn is what an opening's draw leads to.
type Drawn struct {
	Drop    string
	Hit     string           // the drop whose weight was hit among all of the table; "" for a draw by the pity rule
	Rank    int              // of the drop's rarity
	Items   map[string]int64 // how many units of each token it gives, by draw.Grant.Item
	Receipt []byte
	Detail  string // of the reward
	Grants  []reward.Content
}

// DropKey names a drop of one edition of a kind.
type DropKey struct {
	Kind    string
	Edition int
	Drop    string
}

// DropTally says how often a drop was drawn, and how often its weight was hit among all drops of the table.
type DropTally struct{ Drawn, Hit int64 }

// Waiting says how many openings are not drawn, and the time of the oldest one's burn or payment.
type Waiting struct {
	Openings int64
	Since    time.Time
}

// Tally is what was drawn so far, and what waits, by kind.
type Tally struct {
	Drops   map[DropKey]DropTally
	Given   map[string]map[string]int64 // units of each item, by draw.Grant.Item
	Waiting map[string]Waiting
}

// TableStore stores drop tables.
type TableStore interface {
	// KeepTables passes the tables of earlier starts to follows, and unless that fails keeps the given ones too.
	KeepTables(ctx context.Context, tables []draw.Table, follows func(kept []draw.Table) error) error
}

// OpeningStore stores the openings.
type OpeningStore interface {
	// WaitingOpenings returns the first openings of each kind that are neither drawn nor failed, up to limit of a kind, by
	// kind and place.
	WaitingOpenings(ctx context.Context, limit int) ([]Opening, error)
	// UnknownPacks returns the tokens of openings that were recorded before their tables were known.
	UnknownPacks(ctx context.Context) ([]string, error)
	// KnowOpenings sets kind and edition of the openings of a token that were recorded before its table was known, and moves them
	// behind all others.
	KnowOpenings(ctx context.Context, t draw.Table) error
	// DrawOpening passes what came before the opening, as the table counts it, to fn and records its result, with the reward's
	// grants, in one transaction. It does nothing for an opening that is drawn, and returns a Conflict fault while an earlier
	// one of the kind waits.
	DrawOpening(ctx context.Context, o Opening, t draw.Table, fn func(before draw.Luck) (Drawn, error)) error
	// FailOpening ends an opening, and its reward, that can never be drawn.
	FailOpening(ctx context.Context, id, reason string) error
	// Opening returns an opening, or a NotFound fault.
	Opening(ctx context.Context, id string) (Opening, error)
	// OpeningsFrom returns the openings of a kind, or all for "", by their places, from the one after a place on.
	OpeningsFrom(ctx context.Context, kind string, after int64, limit int) ([]Listed, error)
	// Given returns the parts of what an opening has drawn, in the order of the drop.
	Given(ctx context.Context, id string) ([]Given, error)
	// Tally returns the counts of all openings.
	Tally(ctx context.Context) (Tally, error)
	TableStore
	// KeptTables returns all tables that were known, by kind and edition.
	KeptTables(ctx context.Context) ([]draw.Table, error)
	RecordStore
}

// Beacon is the source of randomness.
type Beacon interface {
	// Round returns the beacon's signature of a round, checked, and its randomness. It returns a Conflict fault for a
	// round that is not published yet.
	Round(ctx context.Context, number uint64) (signature []byte, randomness [32]byte, err error)
}

// BeaconInfo describes the beacon as receipts have it.
type BeaconInfo struct {
	PublicKey string // hex
	Schedule  draw.Schedule
}

// Goods knows the brand's tokens.
type Goods interface {
	// Collection returns the contract of a collection by its slug.
	Collection(slug string) (contract eth.Address, chain onchain.ChainID, standard onchain.Standard, ok bool)
	// Transferable reports whether the tokens of a collection can change hands.
	Transferable(slug string) bool
	// Item describes a token.
	Item(contract eth.Address, tokenID string) projection.DroppedItem
}

// Opener draws openings.
type Opener struct {
	store    OpeningStore
	registry *Registry
	beacon   Beacon
	info     BeaconInfo
	tables   func() *draw.Tables
	goods    Goods
	clock    clock.Clock
	drawn    func() // called after draws
	loop     periodic.Loop

	last       uint64 // the round read last
	signature  []byte
	randomness [32]byte
}

// OpenerOptions configure an Opener; all are required.
type OpenerOptions struct {
	Store    OpeningStore
	Registry *Registry
	Beacon   Beacon
	Info     BeaconInfo
	Tables   func() *draw.Tables // the current ones
	Goods    Goods
	Clock    clock.Clock
	Drawn    func()
}

// NewOpener returns an Opener.
func NewOpener(o OpenerOptions) *Opener {
	return &Opener{
		store: o.Store, registry: o.Registry, beacon: o.Beacon, info: o.Info, tables: o.Tables, goods: o.Goods, clock: o.Clock, drawn: o.Drawn,
		loop: periodic.NewLoop(),
	}
}

const (
	// openingBatch is how many openings of each kind are read at once.
	openingBatch = 100
	// idleOpening is how often waiting openings are looked for without a Wake.
	idleOpening = time.Second
	// beaconRetry is the wait for a round that is late, and after a failure.
	beaconRetry = 500 * time.Millisecond
	// beaconMargin is the extra wait after a round's time, for the round to propagate.
	beaconMargin = 20 * time.Millisecond
)

// Wake makes Run look for waiting openings now. It never blocks.
func (o *Opener) Wake() { o.loop.Wake() }

// Run draws openings until ctx ends. Errors are reported and retried.
func (o *Opener) Run(ctx context.Context, report func(error)) error {
	return o.loop.Run(ctx, o.Step, report)
}

// Step draws the waiting openings whose rounds are published, those of each kind in order, and returns how long to wait for
// the next. A round that is late is waited for and never replaced: it holds up all later openings of the kind. Kinds do not
// hold up each other, because pity and caps count within a kind.
func (o *Opener) Step(ctx context.Context) (wait time.Duration, err error) {
	if err := o.know(ctx); err != nil {
		return beaconRetry, err
	}
	for {
		waiting, err := o.store.WaitingOpenings(ctx, openingBatch)
		if err != nil {
			return beaconRetry, err
		}
		if len(waiting) == 0 {
			return idleOpening, nil
		}
		fixed, err := o.registry.Tables(ctx)
		if err != nil {
			return beaconRetry, err
		}
		wait, drawn, held := idleOpening, map[string]int{}, map[string]bool{} // by kind
		var faults []error
		for _, next := range waiting {
			if held[next.Kind] {
				continue
			}
			again, err := o.try(ctx, next, fixed)
			if again == 0 {
				drawn[next.Kind]++
				continue
			}
			held[next.Kind], wait, faults = true, min(wait, again), append(faults, err)
		}
		more := false
		for _, n := range drawn {
			more = more || n == openingBatch
		}
		if len(drawn) > 0 {
			o.drawn()
		}
		if !more {
			return wait, errors.Join(faults...)
		}
	}
}

// know finds the tables of packs that were burned before their tables were known.
func (o *Opener) know(ctx context.Context) error {
	tokens, err := o.store.UnknownPacks(ctx)
	if err != nil {
		return err
	}
	tables := o.tables()
	for _, token := range tokens {
		if t, ok := tables.OfToken(token); ok {
			if err := o.store.KnowOpenings(ctx, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// try draws one opening. If that has to wait, it returns how long, else 0.
func (o *Opener) try(ctx context.Context, next Opening, fixed FixedTables) (wait time.Duration, err error) {
	if next.Round == 0 {
		return idleOpening, nil
	}
	if wait := o.info.Schedule.PublishedAt(next.Round).Sub(o.clock.Now()); wait > 0 {
		return min(wait+beaconMargin, idleOpening), nil
	}
	switch err := o.open(ctx, next, fixed); {
	case err == nil:
		return 0, nil
	case fault.Is(err, fault.Conflict): // late
		return beaconRetry, nil
	default:
		return beaconRetry, err
	}
}

// open draws one opening. It returns an error while the table is not among those in use, or not the one that is fixed for the
// pack: drawn by another, the opening would contradict what was promised for good.
func (o *Opener) open(ctx context.Context, next Opening, fixed FixedTables) error {
	table, ok := o.tables().Edition(next.Kind, next.Edition)
	if !ok {
		return fmt.Errorf("packs: opening %s waits for %s, edition %d, which is not among the drop tables in use", next.ID,
			next.Kind, next.Edition)
	}
	at, ok, err := fixed.For(next, table)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("packs: opening %s waits until the table of %s, edition %d, is fixed", next.ID, next.Kind, next.Edition)
	}
	if !next.fixedBefore(at) {
		return o.store.FailOpening(ctx, next.ID, "The drop table of this pack was not fixed before the pack was opened.")
	}
	if next.Round != o.last {
		signature, randomness, err := o.beacon.Round(ctx, next.Round)
		if err != nil {
			return err
		}
		o.last, o.signature, o.randomness = next.Round, signature, randomness
	}
	return o.store.DrawOpening(ctx, next, table, func(before draw.Luck) (Drawn, error) { return o.draw(next, table, at, before) })
}

// fixedBefore reports whether a place of the table counts for the opening.
func (o Opening) fixedBefore(f Fixed) bool {
	if burn, ok := o.Origin.(draw.Burn); ok {
		return !f.At.After(o.At) && (f.Chain != burn.Chain || f.Block <= o.Block)
	}
	return f.At.Before(o.At) && (f.Chain != o.Anchor.Chain || f.Block < o.Anchor.Block)
}

// receipt returns the opening's receipt without what its draw leads to.
func (o Opening) receipt() draw.Receipt {
	switch of := o.Origin.(type) {
	case draw.Burn:
		return draw.Receipt{Burn: &draw.ReceiptBurn{
			ChainID: of.Chain, Contract: draw.ReceiptAddress(o.Contract), Token: o.TokenID, Tx: of.Tx, LogIndex: of.LogIndex,
			Number: of.Number,
			Wallet: draw.ReceiptAddress(o.Wallet), Block: o.Block, BlockHash: o.BlockHash, BlockTime: o.At.Unix(),
			Margin: int64(o.Margin / time.Second),
		}}
	case draw.Purchase:
		return draw.Receipt{Purchase: &draw.ReceiptPurchase{
			Shop: of.Shop, Order: of.Order, Line: of.Line, Unit: of.Unit, Nonce: of.Nonce, Record: o.Record, RecordedAt: o.At.Unix(),
			Anchor: draw.ReceiptAnchor{
				Record: o.Anchor.Number, ChainID: o.Anchor.Chain, Wallet: draw.ReceiptAddress(o.Anchor.Address), Tx: o.Anchor.Tx,
				Block: o.Anchor.Block, BlockHash: o.Anchor.BlockHash, BlockTime: o.Anchor.At.Unix(),
				Margin: int64(o.Anchor.Margin / time.Second),
			},
		}}
	}
	panic(fmt.Sprintf("packs: an opening of a %T", o.Origin)) // there is no other
}

// draw returns what an opening's draw leads to. The receipt is verified before it counts.
func (o *Opener) draw(next Opening, table draw.Table, fixed Fixed, before draw.Luck) (Drawn, error) {
	before = table.LuckOf(before)
	outcome := table.Draw(draw.NewWords(o.randomness, next.Origin, table.Hash()), before)
	r := next.receipt()
	r.Table, r.Fixed, r.Before, r.Outcome = string(table.Canonical()), fixed.receipt(), draw.ReceiptLuck(before), draw.OutcomeOf(outcome)
	r.Beacon = draw.ReceiptBeacon{
		Scheme: draw.Scheme, PublicKey: o.info.PublicKey, Genesis: o.info.Schedule.Genesis.Unix(),
		Period: int64(o.info.Schedule.Period / time.Second), Round: next.Round, Signature: hex.EncodeToString(o.signature),
	}
	receipt := r.Encode()
	// The signature has been checked when the round was read.
	if _, err := draw.Verify(receipt, func([]byte, uint64, []byte) ([32]byte, error) { return o.randomness, nil }); err != nil {
		return Drawn{}, fmt.Errorf("packs: the receipt of opening %s: %w", next.ID, err)
	}
	d := Drawn{Drop: outcome.Drop.ID, Rank: outcome.Drop.Rarity.Rank(), Items: map[string]int64{}, Receipt: receipt}
	if !outcome.Pitied {
		d.Hit = outcome.Picked.ID
	}
	return d, o.give(&d, next, outcome)
}

// give fills in the reward of an outcome.
func (o *Opener) give(d *Drawn, next Opening, outcome draw.Outcome) error {
	detail := projection.PackOpened{
		TokenID: next.TokenID, PackLevel: next.Kind, Drop: outcome.Drop.ID, Name: outcome.Drop.Name, Rarity: string(outcome.Drop.Rarity),
	}
	if !InShop(next.Kind) {
		detail.PackLevel = kindOf(next.Kind).Level
	}
	tokens := outcome.Tokens
	for _, g := range outcome.Drop.Gives {
		if g.Currency != "" {
			d.Grants = append(d.Grants, reward.Currency{Code: g.Currency, Amount: g.Amount}.Content())
			continue
		}
		contract, chain, standard, ok := o.goods.Collection(g.Collection)
		if !ok {
			return fmt.Errorf("packs: drop %s gives of %q, which is no collection", outcome.Drop.ID, g.Collection)
		}
		item := o.goods.Item(contract, g.Token)
		if g.Token == "" {
			// What the table says of a new token counts, whatever the catalogue says.
			item = o.goods.Item(contract, tokens[0].ID)
			item.Rarity = string(tokens[0].Variant.Rarity)
			tokens = tokens[1:]
		}
		if detail.ItemDropped == nil {
			detail.ItemDropped = &item
		}
		d.Items[g.Item()] += g.Amount
		mint := reward.Mint{
			Chain: chain, Contract: contract, Standard: standard, TokenID: item.TokenID, Amount: money.FromInt(g.Amount),
		}.Content()
		if o.goods.Transferable(g.Collection) {
			mint.NotBefore = next.GiveAt
		}
		d.Grants = append(d.Grants, mint)
	}
	text, err := json.Marshal(detail)
	d.Detail = string(text)
	return err
}

// Tables keeps the drop tables and refuses, with the reason, those that contradict what was known at an earlier start.
func Tables(ctx context.Context, store TableStore, tables *draw.Tables) error {
	return store.KeepTables(ctx, tables.All(), func(kept []draw.Table) error {
		if err := tables.Follows(draw.TablesOf(kept)); err != nil {
			return errors.Join(errors.New("the drop tables contradict those of an earlier start, which can never change"), err)
		}
		return nil
	})
}

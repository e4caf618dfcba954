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
// once the beacon has published its round.
type Opening struct {
	ID     string      // of the origin
	Kind   string      // of the drop tables
	Origin draw.Origin // a draw.Burn or a draw.Purchase
	Wallet eth.Address // that burned the pack; zero for a purchase
	At     time.Time   // of the burn's block, or when the payment was first recorded; in whole seconds
	Place  int64       // the openings of a kind are drawn in the order of their places
	Round  uint64
	// GiveAt is when what can change hands is given at the earliest; zero for at once.
	GiveAt time.Time

	// Set when it is drawn.
	Version int // of the drop table
	Drop    string
	Receipt []byte
	DrawnAt time.Time

	Error string // why it can never be drawn; "" otherwise
}

// Drawn is what an opening's draw leads to.
type Drawn struct {
	Version int
	Drop    string
	Hit     string // the drop whose weight was hit among all of the table; "" for a draw by the pity rule
	Without int64  // draw.Luck.Without of the wallet's next opening of the kind
	Receipt []byte
	Detail  string // of the reward
	Grants  []reward.Content
}

// DropKey names a drop of one version of a table.
type DropKey struct {
	Kind    string
	Version int
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
	Waiting map[string]Waiting
}

// OpeningStore stores the openings.
type OpeningStore interface {
	// WaitingOpenings returns the first openings of each kind that are neither drawn nor failed, up to limit of a kind, by
	// kind and place.
	WaitingOpenings(ctx context.Context, limit int) ([]Opening, error)
	// DrawOpening passes what came before the opening to fn and records its result, with the reward's grants, in one
	// transaction. It does nothing for an opening that is drawn, and returns a Conflict fault while an earlier one of the
	// kind waits.
	DrawOpening(ctx context.Context, o Opening, fn func(before draw.Luck) (Drawn, error)) error
	// FailOpening ends an opening, and its reward, that can never be drawn.
	FailOpening(ctx context.Context, id, reason string) error
	// Opening returns an opening, or a NotFound fault.
	Opening(ctx context.Context, id string) (Opening, error)
	// Tally returns the counts of all openings.
	Tally(ctx context.Context) (Tally, error)
	// KeepTables passes the tables of earlier starts to follows, and unless that fails keeps the given ones too.
	KeepTables(ctx context.Context, tables []draw.Table, follows func(kept []draw.Table) error) error
	// KeptTables returns all tables that were announced, by kind and version.
	KeptTables(ctx context.Context) ([]draw.Table, error)
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
	store  OpeningStore
	beacon Beacon
	info   BeaconInfo
	tables func() *draw.Tables
	goods  Goods
	clock  clock.Clock
	drawn  func() // called after draws
	loop   periodic.Loop

	last       uint64 // the round read last
	signature  []byte
	randomness [32]byte
}

// OpenerOptions configure an Opener; all are required.
type OpenerOptions struct {
	Store  OpeningStore
	Beacon Beacon
	Info   BeaconInfo
	Tables func() *draw.Tables // the current ones
	Goods  Goods
	Clock  clock.Clock
	Drawn  func()
}

// NewOpener returns an Opener.
func NewOpener(o OpenerOptions) *Opener {
	return &Opener{store: o.Store, beacon: o.Beacon, info: o.Info, tables: o.Tables, goods: o.Goods, clock: o.Clock, drawn: o.Drawn, loop: periodic.NewLoop()}
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
	for {
		waiting, err := o.store.WaitingOpenings(ctx, openingBatch)
		if err != nil {
			return beaconRetry, err
		}
		if len(waiting) == 0 {
			return idleOpening, nil
		}
		// Another process may have announced tables.
		kept, err := o.store.KeptTables(ctx)
		if err != nil {
			return beaconRetry, err
		}
		announced := draw.TablesOf(kept)
		wait, drawn, held := idleOpening, map[string]int{}, map[string]bool{} // by kind
		var faults []error
		for _, next := range waiting {
			if held[next.Kind] {
				continue
			}
			again, err := o.try(ctx, next, announced)
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

// try draws one opening. If that has to wait, it returns how long, else 0.
func (o *Opener) try(ctx context.Context, next Opening, announced *draw.Tables) (wait time.Duration, err error) {
	if wait := o.info.Schedule.PublishedAt(next.Round).Sub(o.clock.Now()); wait > 0 {
		return min(wait+beaconMargin, idleOpening), nil
	}
	switch err := o.open(ctx, next, announced); {
	case err == nil:
		return 0, nil
	case fault.Is(err, fault.Conflict): // late
		return beaconRetry, nil
	default:
		return beaconRetry, err
	}
}

// open draws one opening. It returns an error while the current tables lack the announced version that was in force at the
// time of the burn or payment: drawn by an older one, the opening would contradict the announcement for good.
func (o *Opener) open(ctx context.Context, next Opening, announced *draw.Tables) error {
	table, ok := o.tables().At(next.Kind, next.At)
	if a, known := announced.At(next.Kind, next.At); known && a.Version > table.Version {
		return fmt.Errorf("packs: opening %s waits for version %d of the table %q, which is announced but not among the drop tables in use", next.ID, a.Version, next.Kind)
	}
	if !ok {
		when := "burn"
		if _, ok := next.Origin.(draw.Purchase); ok {
			when = "purchase"
		}
		return o.store.FailOpening(ctx, next.ID, fmt.Sprintf("No drop table was in force at the time of the %s.", when))
	}
	if next.Round != o.last {
		signature, randomness, err := o.beacon.Round(ctx, next.Round)
		if err != nil {
			return err
		}
		o.last, o.signature, o.randomness = next.Round, signature, randomness
	}
	return o.store.DrawOpening(ctx, next, func(before draw.Luck) (Drawn, error) { return o.draw(next, table, before) })
}

// draw returns what an opening's draw leads to. The receipt is verified before it counts.
func (o *Opener) draw(next Opening, table draw.Table, before draw.Luck) (Drawn, error) {
	capped := map[string]int64{}
	for _, d := range table.Drops {
		if d.Cap > 0 {
			capped[d.ID] = before.Drawn[d.ID]
		}
	}
	before.Drawn = capped
	outcome := table.Draw(draw.NewWords(o.randomness, next.Origin, table.Hash()), before)
	r := draw.ReceiptOf(next.Origin, next.At)
	r.Beacon = draw.ReceiptBeacon{
		Scheme: draw.Scheme, PublicKey: o.info.PublicKey, Genesis: o.info.Schedule.Genesis.Unix(), Period: int64(o.info.Schedule.Period / time.Second),
		Round: next.Round, Signature: hex.EncodeToString(o.signature),
	}
	r.Table, r.Before, r.Outcome = string(table.Canonical()), draw.ReceiptLuck(before), draw.OutcomeOf(outcome)
	receipt := r.Encode()
	// The signature has been checked when the round was read.
	if _, err := draw.Verify(receipt, func([]byte, uint64, []byte) ([32]byte, error) { return o.randomness, nil }); err != nil {
		return Drawn{}, fmt.Errorf("packs: the receipt of opening %s: %w", next.ID, err)
	}
	d := Drawn{Version: table.Version, Drop: outcome.Drop.ID, Without: table.After(before, outcome).Without, Receipt: receipt}
	if !outcome.Pitied {
		d.Hit = outcome.Picked.ID
	}
	return d, o.give(&d, next, outcome)
}

// give fills in the reward of an outcome.
func (o *Opener) give(d *Drawn, next Opening, outcome draw.Outcome) error {
	detail := projection.PackOpened{PackLevel: next.Kind, Drop: outcome.Drop.ID, Name: outcome.Drop.Name, Rarity: string(outcome.Drop.Rarity)}
	if !InShop(next.Kind) {
		kind := kindOf(next.Kind)
		detail.TokenID, detail.PackLevel = kind.TokenID, kind.Level
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
		tokenID := g.Token
		if tokenID == "" {
			tokenID, tokens = tokens[0], tokens[1:]
		}
		if detail.ItemDropped == nil {
			item := o.goods.Item(contract, tokenID)
			detail.ItemDropped = &item
		}
		mint := reward.Mint{
			Chain: chain, Contract: contract, Standard: standard, TokenID: tokenID, Amount: money.FromInt(g.Amount),
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

// Tables keeps the drop tables and refuses, with the reason, those that contradict what was in force or announced at an
// earlier start.
func Tables(ctx context.Context, store OpeningStore, tables *draw.Tables, now time.Time) error {
	return store.KeepTables(ctx, tables.All(), func(kept []draw.Table) error {
		if err := tables.Follows(draw.TablesOf(kept), now); err != nil {
			return errors.Join(errors.New("the drop tables contradict those of an earlier start, which can never change"), err)
		}
		return nil
	})
}

package packs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/portal/draw"
)

// Fixed says where a table's hash is fixed.
type Fixed struct {
	Chain   onchain.ChainID
	By      string      // draw.ByContract or draw.ByWallet
	Address eth.Address // of the contract or the wallet
	Tx      eth.Hash
	Block   uint64
	At      time.Time // of the block
}

// Anchor is a table whose hash a wallet of the portal has fixed, in a final transaction.
type Anchor struct {
	Hash [32]byte
	Fixed
}

// FormerTable is a table that a contract of packs has fixed on a chain that the portal has left.
type FormerTable struct {
	Chain onchain.ChainID
	onchain.FixedTable
}

// FixedStore reads where tables are fixed.
type FixedStore interface {
	// FixedTables returns the tables that a contract of packs has fixed, by the index of its chain.
	FixedTables(ctx context.Context, chain onchain.ChainID, contract eth.Address) ([]onchain.FixedTable, error)
	// FormerTables returns the tables that the contract's predecessors have fixed, on chains that the portal has left.
	FormerTables(ctx context.Context, contract eth.Address) ([]FormerTable, error)
	// Anchors returns the tables that wallets of the portal have fixed.
	Anchors(ctx context.Context) ([]Anchor, error)
	// KeepAnchor records one, once.
	KeepAnchor(ctx context.Context, a Anchor) error
}

// Registry says where the tables are fixed: in the contract of the packs, or by a wallet of the portal for packs that have no
// token and for contracts that fix nothing. It is safe for concurrent use.
type Registry struct {
	store    FixedStore
	chain    onchain.ChainID
	contract eth.Address
}

// NewRegistry returns the Registry of the packs of one contract.
func NewRegistry(s FixedStore, chain onchain.ChainID, contract eth.Address) *Registry {
	return &Registry{s, chain, contract}
}

// FixedTables are the tables that are fixed.
type FixedTables struct {
	chain   onchain.ChainID
	byToken map[string]onchain.FixedTable
	byHash  map[[32]byte]Fixed
	former  []FormerTable
}

// Tables returns the tables that are fixed now.
func (r *Registry) Tables(ctx context.Context) (FixedTables, error) {
	fixed, err := r.store.FixedTables(ctx, r.chain, r.contract)
	if err != nil {
		return FixedTables{}, err
	}
	anchors, err := r.store.Anchors(ctx)
	if err != nil {
		return FixedTables{}, err
	}
	former, err := r.store.FormerTables(ctx, r.contract)
	if err != nil {
		return FixedTables{}, err
	}
	out := FixedTables{former: former, chain: r.chain, byToken: map[string]onchain.FixedTable{}, byHash: map[[32]byte]Fixed{}}
	for _, f := range fixed {
		out.byToken[f.TokenID] = f
	}
	for _, a := range anchors {
		out.byHash[a.Hash] = a.Fixed
	}
	return out, nil
}

// errOtherTable is the error for a token for which the contract has fixed another table than the portal knows.
var errOtherTable = errors.New("the contract of the packs has fixed another table for this token")

// Of returns where a table is fixed; ok is false while it is not. It fails if the contract has fixed another table for the pack.
func (f FixedTables) Of(t draw.Table) (at Fixed, ok bool, err error) {
	hash := t.Hash()
	if c, known := f.byToken[t.Token]; known && t.Token != "" {
		if c.Hash != hash {
			return at, false, fmt.Errorf("packs: %s, edition %d: %w: %x", t.Kind, t.Edition, errOtherTable, c.Hash)
		}
		return fixedBy(f.chain, c), true, nil
	}
	at, ok = f.byHash[hash]
	return at, ok, nil
}

func fixedBy(chain onchain.ChainID, t onchain.FixedTable) Fixed {
	return Fixed{Chain: chain, By: draw.ByContract, Address: t.Contract, Tx: t.Tx, Block: t.Block, At: t.Time}
}

// For returns where a table is fixed that counts for an opening: where it is fixed now, or was on a chain that the portal has left. Without
// such a place it returns the one where it is fixed now.
func (f FixedTables) For(o Opening, t draw.Table) (at Fixed, ok bool, err error) {
	at, ok, err = f.Of(t)
	if err == nil && ok && o.fixedBefore(at) {
		return at, ok, nil
	}
	hash := t.Hash()
	for _, former := range f.former {
		if place := fixedBy(former.Chain, former.FixedTable); former.Hash == hash && former.TokenID == t.Token && o.fixedBefore(place) {
			return place, true, nil
		}
	}
	return at, ok, err
}

// onSale reports whether packs of a table can be sold now.
func (f FixedTables) onSale(t draw.Table) bool {
	_, ok, err := f.Of(t)
	return ok && err == nil
}

// receipt writes the place as receipts do.
func (f Fixed) receipt() draw.ReceiptFixed {
	return draw.ReceiptFixed{
		ChainID: f.Chain, By: f.By, Address: draw.ReceiptAddress(f.Address), Tx: f.Tx, Block: f.Block, BlockTime: f.At.Unix(),
	}
}

// Notary sends transactions of a wallet of the portal to itself.
type Notary interface {
	// Send queues a transaction with an input under an id; an id is sent only once.
	Send(ctx context.Context, id string, input []byte) error
	// Sent returns where the transaction is, zero until it is in a block, and whether that block is final. It returns a NotFound
	// fault for an id that was not queued, and a Conflict fault for one whose transaction has failed for good.
	Sent(ctx context.Context, id string) (at Place, ok bool, err error)
	// Wallet returns the wallet that sends what is queued now. Earlier transactions may be of former ones.
	Wallet() eth.Address
	// Fixes reports whether the contract of the packs fixes tables itself.
	Fixes(ctx context.Context) (bool, error)
}

// Anchorer has the tables fixed by a wallet that no contract fixes. Only one process runs it at a time.
type Anchorer struct {
	registry *Registry
	notary   Notary
	tables   func() *draw.Tables
	loop     periodic.Loop
}

// NewAnchorer returns an Anchorer; tables returns the current drop tables.
func NewAnchorer(r *Registry, n Notary, tables func() *draw.Tables) *Anchorer {
	return &Anchorer{registry: r, notary: n, tables: tables, loop: periodic.NewLoop()}
}

const (
	// anchorInterval is how often tables that are not fixed are looked for.
	anchorInterval = time.Second
	// anchorAttempts is how often a table's transaction is sent while it fails for good.
	anchorAttempts = 5
)

// Run anchors tables until ctx ends. Errors are reported and retried.
func (a *Anchorer) Run(ctx context.Context, report func(error)) error {
	return a.loop.Run(ctx, func(ctx context.Context) (time.Duration, error) { return anchorInterval, a.Step(ctx) }, report)
}

// Step sends what is to be anchored, and records what has become final.
func (a *Anchorer) Step(ctx context.Context) error {
	fixed, err := a.registry.Tables(ctx)
	if err != nil {
		return err
	}
	var faults []error
	for _, t := range a.tables().All() {
		_, ok, err := fixed.Of(t)
		if err == nil && !ok {
			err = a.anchor(ctx, t)
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

func (a *Anchorer) anchor(ctx context.Context, t draw.Table) error {
	if t.Token != "" {
		if fixes, err := a.notary.Fixes(ctx); fixes || err != nil {
			return err // the administrator of the contract fixes it
		}
	}
	hash := t.Hash()
	var failed error
	for attempt := range anchorAttempts {
		id := fmt.Sprintf("table/%x", hash)
		if attempt > 0 {
			id = fmt.Sprintf("%s~%d", id, attempt)
		}
		at, ok, err := a.notary.Sent(ctx, id)
		switch {
		case fault.Is(err, fault.NotFound):
			return a.notary.Send(ctx, id, draw.Anchor(hash))
		case fault.Is(err, fault.Conflict):
			failed = err
			continue
		case !ok || err != nil:
			return err
		}
		return a.registry.store.KeepAnchor(ctx, Anchor{hash, at.Fixed})
	}
	return fmt.Errorf("packs: the table of %s, edition %d, is not anchored: %w", t.Kind, t.Edition, failed)
}

// Package audit checks openings of packs as a stranger would: from what a portal publishes, and from what endpoints of the chains
// answer. It trusts neither more than it must: the outcome is computed from the receipt, the beacon's signature is checked, and what
// a receipt names is looked up.
package audit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"pantheon/internal/beacon"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
)

// State is the result of a check.
type State string

// The results. What is unknown could not be looked up: there is no endpoint for it, or it has not happened yet.
const (
	OK      State = "ok"
	Wrong   State = "WRONG"
	Unknown State = "unknown"
)

// Check is one thing that was checked.
type Check struct {
	Name   string // draw, beacon, rules, burn, time, table, record, given or token
	State  State
	Detail string
}

// Report is what was found out about an opening.
type Report struct {
	ID       string
	Verified draw.Verified // zero if the draw does not follow from the receipt
	Mints    []eth.Hash    // the transactions that the portal names for what was given
	Checks   []Check
}

// Err returns what is wrong, or nil. If strict, what is unknown is wrong too.
func (r Report) Err(strict bool) error {
	var faults []error
	for _, c := range r.Checks {
		if c.State == Wrong || strict && c.State == Unknown {
			faults = append(faults, fmt.Errorf("%s: %s: %s", r.ID, c.Name, c.Detail))
		}
	}
	return errors.Join(faults...)
}

func (r *Report) add(name string, state State, format string, args ...any) {
	r.Checks = append(r.Checks, Check{name, state, fmt.Sprintf(format, args...)})
}

// result adds a check that is OK unless err is an error: Unknown for one of the network, else Wrong.
func (r *Report) result(name string, err error, format string, args ...any) {
	var away *awayError
	switch {
	case errors.As(err, &away):
		r.add(name, Unknown, "%v", err)
	case err != nil:
		r.add(name, Wrong, "%v", err)
	default:
		r.add(name, OK, format, args...)
	}
}

// awayError is an error that says nothing about what was checked: something did not answer.
type awayError struct{ err error }

func (e *awayError) Error() string { return e.err.Error() }
func (e *awayError) Unwrap() error { return e.err }

func away(format string, args ...any) error { return &awayError{fmt.Errorf(format, args...)} }

// Options configure an Auditor.
type Options struct {
	Site  string                     // the portal's address
	Nodes map[onchain.ChainID]string // JSON-RPC endpoints of the chains; what is on others is unknown
	// BeaconKey is the public key, in hex, of the beacon that is expected; that of drand's quicknet when empty.
	BeaconKey string
	HTTP      *http.Client // default: one with a timeout of 30 s
}

// Auditor checks openings. It is not safe for concurrent use: it keeps what it has read of the chains.
type Auditor struct {
	site  site
	nodes map[onchain.ChainID]*node
	key   string
	rules *odds // what the portal publishes; nil until it is asked
}

// New returns an Auditor.
func New(o Options) *Auditor {
	client := o.HTTP
	if client == nil {
		client = &http.Client{Timeout: 30 * time.Second}
	}
	a := &Auditor{site: site{o.Site, client}, nodes: map[onchain.ChainID]*node{}, key: o.BeaconKey}
	for chain, url := range o.Nodes {
		a.nodes[chain] = newNode(url, client)
	}
	return a
}

// Opening checks one opening. It returns an error if the portal knows no receipt of it.
func (a *Auditor) Opening(ctx context.Context, id string) (Report, error) {
	p, err := a.site.proof(ctx, id)
	if err != nil {
		return Report{}, err
	}
	return a.check(ctx, id, p), nil
}

// Receipt checks a receipt without asking the portal for anything.
func (a *Auditor) Receipt(ctx context.Context, text []byte) Report {
	return a.check(ctx, "", proof{Receipt: string(text)})
}

func (a *Auditor) check(ctx context.Context, id string, p proof) Report {
	r := Report{ID: id}
	v, err := draw.Verify([]byte(p.Receipt), beacon.VerifyRound)
	if err != nil {
		r.add("draw", Wrong, "%v", err)
		return r
	}
	if r.Verified = v; id == "" {
		r.ID = v.Opening()
	}
	if v.Opening() != r.ID {
		r.add("draw", Wrong, "the receipt is of the opening %s", v.Opening())
		return r
	}
	r.add("draw", OK, "the outcome follows from the receipt: %s", v.Receipt.Outcome.Drop)
	a.checkBeacon(&r)
	if id != "" {
		r.result("rules", a.published(ctx, v), "margin and wallet are those that the portal publishes")
	}
	if v.Burn != nil {
		a.checkBurn(ctx, &r, *v.Burn)
	} else {
		r.result("record", a.record(ctx, v), "the public log has the record, and the chain has it")
	}
	r.result("table", a.fixed(ctx, v), "edition %d of %s was fixed before", v.Table.Edition, v.Table.Kind)
	if id != "" {
		a.checkGiven(ctx, &r, p.Grants)
	}
	return r
}

func (a *Auditor) checkBeacon(r *Report) {
	b := r.Verified.Beacon
	switch {
	case a.key == "" && draw.Quicknet(b), a.key != "" && a.key == b.PublicKey:
		r.add("beacon", OK, "round %d is signed by the expected beacon", b.Round)
	case a.key == "":
		r.add("beacon", Unknown, "the beacon is not drand's quicknet; whoever runs it can know its rounds beforehand: key %s", b.PublicKey)
	default:
		r.add("beacon", Wrong, "the beacon's key is %s", b.PublicKey)
	}
}

// published checks that what the portal could choose for a receipt is what it publishes for all.
func (a *Auditor) published(ctx context.Context, v draw.Verified) error {
	if a.rules == nil {
		o, err := a.site.odds(ctx)
		if err != nil {
			return err
		}
		a.rules = &o
	}
	wallet := a.rules.Wallet
	switch b := v.Burn; {
	case b != nil && b.Margin != a.rules.Margin && (b.Margin != delayedMargin || !slices.Contains(arbitrum, b.ChainID)):
		return fmt.Errorf("the margin is %d seconds, and the portal publishes %d", b.Margin, a.rules.Margin)
	case v.Fixed.By == draw.ByWallet && (v.Fixed.ChainID != wallet.ChainID || eth.Address(v.Fixed.Address) != wallet.Address):
		return fmt.Errorf("the table is fixed by %s on chain %d, and not by the wallet that the portal publishes", eth.Address(v.Fixed.Address).Checksum(), v.Fixed.ChainID)
	}
	return nil
}

func (a *Auditor) node(chain onchain.ChainID) (*node, error) {
	if n := a.nodes[chain]; n != nil {
		return n, nil
	}
	return nil, away("no endpoint of chain %d was given", chain)
}

// checkBurn compares the burn and its time with the chain.
func (a *Auditor) checkBurn(ctx context.Context, r *Report, b draw.ReceiptBurn) {
	n, err := a.node(b.ChainID)
	if err != nil {
		r.result("burn", err, "")
		return
	}
	r.result("burn", n.burned(ctx, b), "%s burned it in block %d", eth.Address(b.Wallet).Checksum(), b.Block)
	r.result("time", n.dated(ctx, b), "block %d is dated %s", b.Block, unix(b.BlockTime))
}

// fixed checks that the chain has the table's hash where the receipt says.
func (a *Auditor) fixed(ctx context.Context, v draw.Verified) error {
	n, err := a.node(v.Fixed.ChainID)
	if err != nil {
		return err
	}
	if v.Fixed.By == draw.ByContract {
		return n.fixedByContract(ctx, v.Fixed, v.Table.Token, v.TableHash)
	}
	return n.sent(ctx, sentBy{v.Fixed.Address, v.Fixed.Tx, v.Fixed.Block, v.Fixed.BlockTime}, draw.Anchor(v.TableHash))
}

// anchorDelay is the longest time between the record of a payment and the block that anchors it. The portal anchors records every
// minute; a record that is anchored later may have been dated back.
const anchorDelay = 5 * time.Minute

// record checks that the public log of payments has the record, unchanged, and that the chain has it in time.
func (a *Auditor) record(ctx context.Context, v draw.Verified) error {
	l, err := a.site.records(ctx, v.Purchase.Record)
	if err != nil {
		return err
	}
	if err := l.matches(v); err != nil {
		return err
	}
	if len(l.Anchors) == 0 {
		return away("record %d is not anchored yet", v.Purchase.Record)
	}
	at := l.Anchors[0]
	n, err := a.node(at.ChainID)
	if err != nil {
		return err
	}
	if a.rules != nil && (at.ChainID != a.rules.Wallet.ChainID || at.Wallet != a.rules.Wallet.Address) {
		return fmt.Errorf("record %d is anchored by another wallet than the one that the portal publishes", v.Purchase.Record)
	}
	if late := time.Duration(at.BlockTime.Unix()-v.Purchase.RecordedAt) * time.Second; late > anchorDelay {
		return fmt.Errorf("record %d was anchored %s after its date: it may have been dated back", v.Purchase.Record, late)
	}
	return n.sent(ctx, sentBy{draw.ReceiptAddress(at.Wallet), at.TxID, at.Block, at.BlockTime.Unix()}, draw.RecordsAnchor(at.Number, at.Hash))
}

// checkGiven checks that each part of what was drawn was given, and that what new tokens are is what was drawn.
func (a *Auditor) checkGiven(ctx context.Context, r *Report, grants []grant) {
	drop, tokens := r.Verified.Outcome.Drop, r.Verified.Outcome.Tokens
	if len(grants) != len(drop.Gives) {
		r.add("given", Wrong, "the drop has %d parts, and the portal says of %d whether they were given", len(drop.Gives), len(grants))
		return
	}
	for i, g := range drop.Gives {
		given := grants[i]
		if given.TxID != nil {
			r.Mints = append(r.Mints, *given.TxID)
		}
		if g.Currency != "" {
			state, detail := OK, fmt.Sprintf("%d of the currency %s", g.Amount, g.Currency)
			switch {
			case given.Currency != g.Currency || given.Amount != fmt.Sprint(g.Amount):
				state, detail = Wrong, fmt.Sprintf("%s of %s instead of %s", given.Amount, given.Currency, detail)
			case given.State != "done":
				state, detail = Unknown, fmt.Sprintf("%s: %s", detail, given.State)
			}
			r.add("given", state, "%s", detail)
			continue
		}
		id := g.Token
		if id == "" {
			id = tokens[0].ID
			r.result("token", a.described(ctx, given, tokens[0]), "token %s is %s, %s", id, tokens[0].Variant.Name, tokens[0].Variant.Rarity)
			tokens = tokens[1:]
		}
		what := fmt.Sprintf("%d of token %s of %s", g.Amount, id, g.Collection)
		r.result("given", a.minted(ctx, given, id, g.Amount), "%s", what)
	}
}

// minted checks that the chain has the mint of a grant.
func (a *Auditor) minted(ctx context.Context, g grant, tokenID string, amount int64) error {
	switch {
	case g.TokenID != tokenID || g.Amount != fmt.Sprint(amount) || g.Contract == nil:
		return fmt.Errorf("%s of token %s was given instead of %d of token %s", g.Amount, g.TokenID, amount, tokenID)
	case g.TxID == nil:
		return away("token %s is not given yet: %s", tokenID, g.State)
	}
	n, err := a.node(g.ChainID)
	if err != nil {
		return err
	}
	return n.minted(ctx, *g.TxID, *g.Contract, tokenID, amount)
}

// described checks that the portal's metadata says of a new token what was drawn.
func (a *Auditor) described(ctx context.Context, g grant, t draw.NewToken) error {
	if g.Contract == nil {
		return fmt.Errorf("no contract is named for token %s", t.ID)
	}
	got, err := a.site.rarity(ctx, *g.Contract, t.ID)
	if err != nil {
		return err
	}
	if got != string(t.Variant.Rarity) {
		return fmt.Errorf("token %s is %s by its metadata, and %s was drawn", t.ID, got, t.Variant.Rarity)
	}
	return nil
}

func unix(seconds int64) string { return time.Unix(seconds, 0).UTC().Format(time.RFC3339) }

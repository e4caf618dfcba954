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
	"pantheon/internal/kit/clock"
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
	Name   string // draw, beacon, rules, burn, anchor, time, record, first, table, given or token
	State  State
	Detail string
}

// Report is what was found out about an opening.
type Report struct {
	ID       string
	Verified draw.Verified // zero if the draw does not follow from the receipt
	Checks   []Check

	delayed bool // the block that decides the round has messages of a delayed inbox
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
	Clock     clock.Clock  // default: the system's
}

// Auditor checks openings. It is not safe for concurrent use: it keeps what it has read of the chains.
type Auditor struct {
	site   site
	nodes  map[onchain.ChainID]*node
	key    string
	clock  clock.Clock
	rounds map[round][32]byte // whose signatures are right, with their randomness
	mints  map[mint]string    // what each was the grant of
	log    *records           // all of it, while All is running; else nil
	chests *Chests            // nil while it is not known
	rules  *odds              // what the portal publishes; nil until it is asked
}

type round struct {
	key, signature string
	number         uint64
}

// New returns an Auditor.
func New(o Options) *Auditor {
	client := o.HTTP
	if client == nil {
		client = &http.Client{Timeout: 30 * time.Second}
	}
	a := &Auditor{
		site: site{o.Site, client}, nodes: map[onchain.ChainID]*node{}, key: o.BeaconKey, clock: o.Clock,
		rounds: map[round][32]byte{}, mints: map[mint]string{},
	}
	if a.clock == nil {
		a.clock = clock.System{}
	}
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
	if p.Receipt == "" {
		return Report{}, fmt.Errorf("%s: the opening has no receipt, it is %s. %s", id, p.State, p.Message)
	}
	if a.chests == nil {
		chests, err := a.Chests(ctx)
		if err != nil {
			return Report{}, err
		}
		a.chests = &chests
	}
	return a.check(ctx, id, p), nil
}

// Receipt checks a receipt without asking the portal for anything but its public log of payments.
func (a *Auditor) Receipt(ctx context.Context, text []byte) Report {
	return a.check(ctx, "", proof{Receipt: string(text)})
}

func (a *Auditor) check(ctx context.Context, id string, p proof) Report {
	r := Report{ID: id}
	v, err := draw.Verify([]byte(p.Receipt), a.verifyRound)
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
	if id != "" && p.Drop != v.Receipt.Outcome.Drop {
		r.add("draw", Wrong, "the portal shows the drop %s, and the receipt has %s", p.Drop, v.Receipt.Outcome.Drop)
	}
	r.add("draw", OK, "the outcome follows from the receipt: %s", v.Receipt.Outcome.Drop)
	a.checkBeacon(&r)
	if id != "" {
		r.result("rules", a.published(ctx, v), "margin and wallet are published by the portal")
	}
	if v.Burn != nil {
		chests := a.chests
		if id == "" { // whatever it is of: a receipt alone is of no portal
			chests = nil
		}
		a.checkBurn(ctx, &r, *v.Burn, chests)
	} else {
		a.checkAnchor(ctx, &r, v.Purchase.Anchor)
		r.result("record", a.record(ctx, v), "the public log has the record, and the receipt's anchor is the first that covers it")
		if a.log == nil { // All looks for hidden anchors once
			r.result("first", a.first(ctx, v), "no wallet of the portal has sent another anchor before")
		}
	}
	r.result("table", a.fixed(ctx, v), "edition %d of %s was fixed before", v.Table.Edition, v.Table.Kind)
	if id != "" {
		a.checkGiven(ctx, &r, p.Grants)
	}
	return r
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
	if f := v.Fixed; f.By == draw.ByWallet {
		if err := a.rules.hasWallet("table is fixed", f.ChainID, f.Address); err != nil {
			return err
		}
	}
	if v.Purchase != nil {
		return a.rules.allows(v.Purchase.Anchor)
	}
	return a.rules.hasMargin(v.Burn.ChainID, v.Burn.Margin)
}

// allows checks that wallet and margin of an anchor are published ones.
func (o odds) allows(at draw.ReceiptAnchor) error {
	if err := o.hasWallet("record is anchored", at.ChainID, at.Wallet); err != nil {
		return err
	}
	return o.hasMargin(at.ChainID, at.Margin)
}

func (o odds) hasWallet(what string, chain onchain.ChainID, address draw.ReceiptAddress) error {
	if chain != o.Wallet.ChainID || !slices.Contains(o.wallets(), eth.Address(address)) {
		wallet := eth.Address(address).Checksum()
		return fmt.Errorf("the %s by %s on chain %d, and not by a wallet that the portal publishes", what, wallet, chain)
	}
	return nil
}

// wallets returns the wallets that the portal publishes, the present one first.
func (o odds) wallets() []eth.Address {
	out := []eth.Address{eth.Address(o.Wallet.Address)}
	for _, a := range o.Wallets {
		out = append(out, eth.Address(a))
	}
	return out
}

func (o odds) hasMargin(chain onchain.ChainID, margin int64) error {
	if margin != o.Margin && (margin != delayedMargin || !slices.Contains(arbitrum, chain)) {
		return fmt.Errorf("the margin is %d seconds, and the portal publishes %d", margin, o.Margin)
	}
	return nil
}

// verifyRound checks a round's signature as beacon.VerifyRound does, once for many openings.
func (a *Auditor) verifyRound(key []byte, number uint64, signature []byte) ([32]byte, error) {
	of := round{string(key), string(signature), number}
	if randomness, ok := a.rounds[of]; ok {
		return randomness, nil
	}
	randomness, err := beacon.VerifyRound(key, number, signature)
	if err == nil {
		a.rounds[of] = randomness
	}
	return randomness, err
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

func (a *Auditor) node(chain onchain.ChainID) (*node, error) {
	if n := a.nodes[chain]; n != nil {
		return n, nil
	}
	return nil, away("no endpoint of chain %d was given", chain)
}

// checkBurn compares the burn and its time with the chain.
func (a *Auditor) checkBurn(ctx context.Context, r *Report, b draw.ReceiptBurn, chests *Chests) {
	if chests != nil && (b.ChainID != chests.Chain || eth.Address(b.Contract) != chests.Contract) {
		r.add("burn", Wrong, "the contract %s is not that of the packs", eth.Address(b.Contract).Checksum())
		return
	}
	n, err := a.node(b.ChainID)
	if err != nil {
		r.result("burn", err, "")
		return
	}
	r.result("burn", n.burned(ctx, b), "%s burned it in block %d", eth.Address(b.Wallet).Checksum(), b.Block)
	a.checkTime(ctx, r, n, b.Block)
}

// checkAnchor compares the anchor of a payment's record and its time with the chain.
func (a *Auditor) checkAnchor(ctx context.Context, r *Report, at draw.ReceiptAnchor) {
	n, err := a.node(at.ChainID)
	if err != nil {
		r.result("anchor", err, "")
		return
	}
	_, err = n.anchor(ctx, at)
	r.result("anchor", err, "%s anchored record %d in block %d", eth.Address(at.Wallet).Checksum(), at.Record, at.Block)
	a.checkTime(ctx, r, n, at.Block)
}

// checkTime compares the time of the block that decides the round with the chain.
func (a *Auditor) checkTime(ctx context.Context, r *Report, n *node, number uint64) {
	d := decisiveOf(r.Verified.Receipt)
	var err error
	r.delayed, err = n.dated(ctx, d)
	if err == nil && !r.delayed && a.rules != nil && d.margin != a.rules.Margin {
		err = fmt.Errorf(
			"the margin is %d seconds without a message of the delayed inbox, and the portal publishes %d", d.margin, a.rules.Margin)
	}
	r.result("time", err, "block %d is dated %s", number, unix(d.time))
}

// fixed checks that the chain has the table's hash where the receipt says.
func (a *Auditor) fixed(ctx context.Context, v draw.Verified) error {
	var chests Chests
	if b := v.Burn; b != nil {
		chests = Chests{Chain: b.ChainID, Contract: eth.Address(b.Contract)}
	}
	return a.fixedFor(ctx, v.Fixed, chests, v.Table.Token, v.TableHash)
}

// fixedFor checks that a table is fixed somewhere for a token of the contract of the packs, or for packs without a token if it is "".
func (a *Auditor) fixedFor(ctx context.Context, f draw.ReceiptFixed, chests Chests, tokenID string, table [32]byte) error {
	switch {
	case f.By == draw.ByContract && (f.ChainID != chests.Chain || eth.Address(f.Address) != chests.Contract):
		return fmt.Errorf("the table is fixed in the contract %s, which is not that of the packs", eth.Address(f.Address).Checksum())
	case f.By == draw.ByWallet && tokenID != "":
		// A wallet can fix any number of tables. One that the contract has fixed is the only one.
		n, err := a.node(chests.Chain)
		if err != nil {
			return err
		}
		only, err := n.tableOf(ctx, chests.Contract, tokenID)
		if err != nil {
			return err
		}
		if only != [32]byte{} && only != table {
			return fmt.Errorf("the contract of the packs has fixed another table for token %s: %x", tokenID, only)
		}
	}
	n, err := a.node(f.ChainID)
	if err != nil {
		return err
	}
	if f.By == draw.ByContract {
		return n.fixedByContract(ctx, f, tokenID, table)
	}
	return n.sent(ctx, sentBy{f.Address, f.Tx, f.Block, f.BlockTime}, draw.Anchor(table))
}

// checkGiven checks that each part of what was drawn was given, and that what new tokens are is what was drawn.
func (a *Auditor) checkGiven(ctx context.Context, r *Report, grants []grant) {
	drop, tokens := r.Verified.Outcome.Drop, r.Verified.Outcome.Tokens
	if len(grants) == 0 { // such as of a pack that was refunded before its draw
		r.add("given", Unknown, "none of the drop's parts is given or to be given")
		return
	}
	if len(grants) != len(drop.Gives) {
		r.add("given", Wrong, "the drop has %d parts, and the portal says of %d whether they were given", len(drop.Gives), len(grants))
		return
	}
	for i, g := range drop.Gives {
		given := grants[i]
		if g.Currency != "" {
			state, detail := OK, fmt.Sprintf("%d of the currency %s", g.Amount, g.Currency)
			switch {
			case given.Currency != g.Currency || given.Amount != fmt.Sprint(g.Amount):
				state, detail = Wrong, fmt.Sprintf("%s of %q instead of %s", given.Amount, given.Currency, detail)
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
		err := a.inCollection(g.Collection, given)
		if err == nil {
			err = a.minted(ctx, r, i, given, id, g.Amount)
		}
		r.result("given", err, "%s", what)
	}
}

// inCollection checks that a grant's token is in the contract that the portal publishes for its collection.
func (a *Auditor) inCollection(slug string, g grant) error {
	if a.rules == nil || g.Contract == nil {
		return nil
	}
	for _, c := range a.rules.Collections {
		if c.Slug == slug && (c.ChainID != g.ChainID || c.Contract != *g.Contract) {
			given := g.Contract.Checksum()
			return fmt.Errorf("a token of %s was given on chain %d in the contract %s, and the collection is in another", slug, g.ChainID, given)
		}
		if c.Slug == slug {
			return nil
		}
	}
	return fmt.Errorf("the portal publishes no contract of the collection %s", slug)
}

// minted checks that the chain has the mint of part i of an opening, and that it is no other part's too.
func (a *Auditor) minted(ctx context.Context, r *Report, i int, g grant, tokenID string, amount int64) error {
	switch {
	case g.TokenID != tokenID || g.Amount != fmt.Sprint(amount) || g.Contract == nil:
		return fmt.Errorf("%s of token %q was given instead of %d of token %s", g.Amount, g.TokenID, amount, tokenID)
	case g.TxID == nil && g.State == "done":
		return fmt.Errorf("token %s was given, says the portal, and names no transaction", tokenID)
	case g.TxID == nil:
		return away("token %s is not given yet: %s", tokenID, g.State)
	}
	n, err := a.node(g.ChainID)
	if err != nil {
		return err
	}
	mints, err := n.mints(ctx, g.ChainID, *g.TxID, *g.Contract, tokenID, amount)
	if err != nil {
		return err
	}
	part := fmt.Sprintf("%s, part %d", r.ID, i+1)
	taken := ""
	for _, m := range mints {
		if of := a.mints[m.mint]; of != "" && of != part {
			taken = of
			continue
		}
		a.mints[m.mint] = part
		if b := r.Verified.Burn; b != nil && m.by != eth.Address(b.Wallet) { // a wallet of the same player, or not
			return away("token %s was minted to %s, and %s burned the pack", tokenID, m.by.Checksum(), eth.Address(b.Wallet).Checksum())
		}
		return nil
	}
	return fmt.Errorf("the mint of token %s in transaction %s is that of %s", tokenID, *g.TxID, taken)
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

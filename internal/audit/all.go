package audit

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
)

// Chests is the contract of the packs.
type Chests struct {
	Chain    onchain.ChainID
	Contract eth.Address
	From     uint64 // the first block whose burns open packs
}

// Chests returns the contract of the packs by the portal's public configuration.
func (a *Auditor) Chests(ctx context.Context) (Chests, error) {
	var c struct {
		Chain struct {
			ID onchain.ChainID `json:"id"`
		} `json:"gameChain"`
		Contracts struct {
			Chests eth.Address `json:"chests"`
		} `json:"contracts"`
	}
	err := a.site.get(ctx, "/api/config", &c)
	return Chests{Chain: c.Chain.ID, Contract: c.Contracts.Chests}, err
}

// Summary is what All has found.
type Summary struct {
	Openings, Drawn, Waiting int
	Burned, Recorded         int // packs that were burned, by the chain, and payments in the public log
	Unsure                   int // openings of which something else is unknown than whether all of it was given
	Ungiven                  int // openings of which it is not known that all was given: not yet, or not on a chain with an endpoint
	Faults                   []error
	Unknown                  []error // what could not be looked up about all of it
}

// Err returns what is wrong, or nil.
func (s Summary) Err() error { return errors.Join(s.Faults...) }

func (s *Summary) fault(format string, args ...any) {
	s.Faults = append(s.Faults, fmt.Errorf(format, args...))
}

// note adds an error as a fault, but returns one of the network.
func (s *Summary) note(err error) error {
	var away *awayError
	if errors.As(err, &away) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if err != nil {
		s.Faults = append(s.Faults, err)
	}
	return nil
}

// count counts a drawn opening.
func (s *Summary) count(r Report) {
	s.Drawn++
	unsure, ungiven := false, false
	for _, c := range r.Checks {
		unsure = unsure || c.State == Unknown && c.Name != "given"
		ungiven = ungiven || c.State == Unknown && c.Name == "given"
	}
	if unsure {
		s.Unsure++
	}
	if ungiven {
		s.Ungiven++
	}
}

// patience is how long openings and anchors may be missing: for the finality of a chain, and for rounds that are late.
const patience = time.Hour

// All checks every opening that the portal lists, by itself and against those before it, on which pity and caps depend. It also
// checks that
//   - each burned or paid pack is listed once, in the order of the chain or of the public log,
//   - the tables do not contradict one another,
//   - the tables and counts that the portal shows are those of the receipts.
//
// A grant that is still pending is no fault; see Report. All may run while packs are opened.
func (a *Auditor) All(ctx context.Context, chests Chests) (s Summary, err error) {
	before, err := a.site.odds(ctx)
	if err != nil {
		return s, err
	}
	list, err := a.site.openings(ctx, 0)
	if err != nil {
		return s, err
	}
	n, err := a.node(chests.Chain)
	if err != nil {
		return s, err
	}
	head, err := n.head(ctx)
	if err != nil {
		return s, err
	}
	burned, err := n.burns(ctx, chests.Chain, chests.Contract, chests.From)
	if err != nil {
		return s, err
	}
	log, err := a.site.records(ctx, 0)
	if err := s.note(err); err != nil {
		return s, err
	}
	a.log, a.chests = &log, &chests
	defer func() { a.log, a.chests = nil, nil }()
	s.Burned, s.Recorded = len(burned), len(log.byNumber)
	h := newHistory(&s, burned, log)
	for _, o := range list {
		if !h.list(o) {
			continue
		}
		if s.Openings++; o.State != "drawn" {
			s.Waiting++
			if err := a.waits(ctx, &s, o, chests, log); err != nil {
				return s, err
			}
			continue
		}
		p, err := a.site.proof(ctx, o.OpeningID)
		if err := s.note(err); err != nil {
			return s, err
		}
		r := a.check(ctx, o.OpeningID, p)
		if err := r.Err(false); err != nil {
			s.Faults = append(s.Faults, err)
		}
		if r.Verified.Receipt.Version == 0 {
			continue
		}
		s.count(r)
		h.add(r, o)
	}
	if err := a.allListed(ctx, &s, h, list, burned); err != nil {
		return s, err
	}
	if err := a.allAnchored(ctx, &s, log, before); err != nil {
		return s, err
	}
	if err := a.hiddenAnchors(ctx, &s, log, chests, before, head); err != nil {
		return s, err
	}
	after, err := a.site.odds(ctx)
	if err != nil {
		return s, err
	}
	return s, a.checkTables(ctx, &s, h, chests, before, after)
}

// waits checks that an opening that is not drawn has a reason to wait.
func (a *Auditor) waits(ctx context.Context, s *Summary, o listed, chests Chests, log records) error {
	p, err := a.site.proof(ctx, o.OpeningID)
	if err := s.note(err); err != nil || p.State == "drawn" { // meanwhile
		return err
	}
	if p.State == "failed" {
		s.fault("%s: it can never be drawn, says the portal: %s", o.OpeningID, p.Message)
		return nil
	}
	var since time.Time
	var margin int64
	if number, ok := log.byID[o.OpeningID]; ok {
		at, ok := log.cover(number)
		if !ok { // allAnchored says for how long
			return nil
		}
		since, margin = at.BlockTime, at.Margin
	} else {
		if since, err = a.burnedAt(ctx, o.OpeningID, chests.Chain); err != nil {
			return s.note(err)
		}
		if p.Burn != nil {
			margin = p.Burn.Margin
		}
	}
	since = since.Add(time.Duration(min(max(margin, 0), int64(draw.MaxMargin/time.Second))) * time.Second)
	if a.clock.Now().Sub(since) > patience {
		s.fault("%s: it is not drawn, and its round was published soon after %s", o.OpeningID, since.UTC().Format(time.RFC3339))
	}
	return nil
}

// burnedAt returns the time of the block in which the pack of an opening was burned.
func (a *Auditor) burnedAt(ctx context.Context, id string, chain onchain.ChainID) (at time.Time, err error) {
	n, err := a.node(chain)
	if err != nil {
		return at, err
	}
	parts := strings.Split(id, "-")
	if len(parts) != 4 {
		return at, fmt.Errorf("%s: it is not of a burn", id)
	}
	tx, err := eth.ParseHash(parts[1])
	if err != nil {
		return at, fmt.Errorf("%s: it is not of a burn", id)
	}
	r, err := n.receipt(ctx, tx)
	if err != nil {
		return at, err
	}
	made, err := n.block(ctx, r.BlockHash)
	if err != nil {
		return at, err
	}
	return time.Unix(int64(made.Time), 0), nil
}

// allListed checks that every burned pack, and every payment of the public log, is among the openings.
func (a *Auditor) allListed(ctx context.Context, s *Summary, h *history, list []listed, burned []Burned) error {
	last := int64(0)
	if len(list) > 0 {
		last = list[len(list)-1].Place
	}
	more, err := a.site.openings(ctx, last) // what was recorded since
	if err != nil {
		return err
	}
	for _, o := range more {
		h.seen[o.OpeningID] = true
	}
	for id, number := range h.records {
		if !h.seen[id] {
			s.fault("%s: payment %d is in the public log, and not among the openings", id, number)
		}
	}
	later := false // whether a later burn is listed: burns are listed in their order
	for i := len(burned) - 1; i >= 0; i-- {
		b := burned[i]
		if h.seen[b.String()] {
			later = true
			continue
		}
		if !later {
			n, err := a.node(b.Chain)
			if err != nil {
				return err
			}
			made, err := n.block(ctx, b.BlockHash)
			if err != nil {
				return err
			}
			if a.clock.Now().Sub(time.Unix(int64(made.Time), 0)) <= patience {
				continue
			}
		}
		s.fault("%s: pack %s was burned and is not among the openings", b, b.TokenID)
	}
	return nil
}

// allAnchored checks that the chain has the anchors of the public log, in their order and in time, and that they are by wallets and
// with the margin that the portal publishes.
func (a *Auditor) allAnchored(ctx context.Context, s *Summary, log records, rules odds) error {
	last := map[onchain.ChainID]sentAnchor{}
	for _, at := range log.anchors {
		if err := s.note(a.anchored(ctx, log, at)); err != nil {
			return err
		}
		if err := rules.allows(at.receipt()); err != nil {
			s.fault("the anchor of record %d: %w", at.Number, err)
		}
		sent, err := a.sentAnchor(ctx, at)
		if err != nil { // which is noted
			continue
		}
		_ = s.note(last[at.ChainID].precedes(sent)) // never one of the network
		last[at.ChainID] = sent
	}
	next := 0 // the first anchor that covers the record
	for number := uint64(1); number <= log.last.Number; number++ {
		r := log.byNumber[number]
		for next < len(log.anchors) && log.anchors[next].Number < number {
			next++
		}
		switch {
		case next < len(log.anchors):
			_ = s.note(log.anchors[next].inTime(r.Record)) // never one of the network
		case a.clock.Now().Sub(time.Unix(r.RecordedAt, 0)) > patience:
			s.fault("record %d: it is not anchored", number)
		}
	}
	return nil
}

// sentAnchor returns the transaction of an anchor.
func (a *Auditor) sentAnchor(ctx context.Context, at anchor) (s sentAnchor, err error) {
	n, err := a.node(at.ChainID)
	if err != nil {
		return s, err
	}
	return n.anchor(ctx, at.receipt())
}

// hiddenAnchors looks for anchors of records on the chain of the packs that the portal does not show, up to a block from before the log
// was read: of the wallets of the anchors that it shows, and of those that it names. One that fits the log is a fault as well, unless it
// is newer than all that are shown, and so may not be final yet: rounds should have followed from it.
func (a *Auditor) hiddenAnchors(ctx context.Context, s *Summary, log records, chests Chests, rules odds, head uint64) error {
	const what = "whether the portal hides anchors of its public log: %w"
	if rules.Wallet.ChainID != chests.Chain {
		err := away("its wallet is on chain %d, and the packs are on chain %d", rules.Wallet.ChainID, chests.Chain)
		s.Unknown = append(s.Unknown, fmt.Errorf(what, err))
	}
	var c struct {
		Contracts struct {
			Claimer eth.Address `json:"claimerBackendWallet"`
		} `json:"contracts"`
		Claimers []eth.Address `json:"claimerBackendWallets"`
	}
	if err := a.site.get(ctx, "/api/config", &c); err != nil {
		return s.note(err)
	}
	wallets := map[eth.Address]bool{c.Contracts.Claimer: true}
	for _, w := range append(rules.wallets(), c.Claimers...) {
		wallets[w] = true
	}
	shown, newest := map[eth.Hash]bool{}, uint64(0)
	for _, at := range log.anchors {
		shown[at.TxID] = true
		if at.ChainID != chests.Chain {
			continue
		}
		wallets[at.Wallet] = true
		if sent, err := a.sentAnchor(ctx, at); err == nil { // else it is noted
			newest = max(newest, sent.block)
		}
	}
	n, err := a.node(chests.Chain)
	if err != nil {
		return err
	}
	for wallet := range wallets {
		sent, err := n.anchors(ctx, span{wallet, max(chests.From, 1) - 1, head})
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			s.Unknown = append(s.Unknown, fmt.Errorf(what, err))
			continue
		}
		for _, t := range sent {
			if shown[t.tx] {
				continue
			}
			if err := log.fits(t.number, t.hash); err != nil {
				s.fault("%w (transaction %s, which the portal does not show)", err, t.tx)
				continue
			}
			if t.block > newest {
				continue
			}
			now, err := a.shows(ctx, t)
			if err := s.note(err); err != nil {
				return err
			}
			if !now {
				s.fault("record %d was anchored before, in transaction %s, which the portal does not show", t.number, t.tx)
			}
		}
	}
	return nil
}

// shows asks the portal again whether it shows an anchor: it may have become final while the log was read.
func (a *Auditor) shows(ctx context.Context, t sentAnchor) (bool, error) {
	l, err := a.site.records(ctx, t.number)
	return slices.ContainsFunc(l.anchors, func(at anchor) bool { return at.TxID == t.tx }), err
}

// checkTables checks what the portal shows of its tables, and of what was drawn by them, before and after the openings were read.
func (a *Auditor) checkTables(ctx context.Context, s *Summary, h *history, chests Chests, before, after odds) error {
	b := after.Beacon
	if h.beacon != nil && (b.PublicKey != h.beacon.PublicKey || b.Genesis != h.beacon.Genesis || b.Period != h.beacon.Period) {
		s.fault("the portal announces another beacon than that of the receipts: key %s, genesis %d, period %d", b.PublicKey, b.Genesis, b.Period)
	}
	h.compare(before, after)
	for _, published := range after.Tables {
		f := published.Fixed
		if f == nil {
			if published.OnSale {
				s.fault("%s: it is on sale, and its table is not fixed", published.key())
			}
			continue
		}
		hash, err := hash32(published.Hash)
		if err == nil {
			at := draw.ReceiptFixed{ChainID: f.ChainID, By: f.By, Address: f.Address, Tx: f.Tx, Block: f.Block, BlockTime: f.BlockTime.Unix()}
			err = a.fixedFor(ctx, at, chests, published.shown.Token, hash)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", published.key(), err)
		}
		if err := s.note(err); err != nil {
			return err
		}
	}
	return nil
}

// history is what earlier openings mean for later ones.
type history struct {
	summary *Summary
	burns   map[string]int    // places in the chain's order, from 1
	records map[string]uint64 // numbers in the public log
	seen    map[string]bool   // what is listed

	last    map[string]spot // the last opening of a kind, by chain or log
	edition map[string]spot // the last opening of an edition
	begun   map[string]bool // editions of which an opening has come in its turn

	beacon *draw.ReceiptBeacon         // of the first receipt
	margin *int64                      // of the last opening, but for delayed blocks
	ranks  map[string][]int            // the rarities of a wallet's drops of a kind, by both
	given  map[string]map[string]int64 // units of each item, by kind
	drawn  map[string]int64            // by kind, edition and drop
	hit    map[string]int64            // the same of the drops whose weight was hit in free draws
	opened map[string]int64            // by kind and edition
	free   map[string]int64            // of these, not by the pity rule
	tables map[string]draw.Table       // by kind and edition
}

// spot is an opening and its place in the order of the chain or the log.
type spot struct {
	place int
	id    string
}

func newHistory(s *Summary, burned []Burned, log records) *history {
	h := &history{
		summary: s, burns: map[string]int{}, records: log.byID, seen: map[string]bool{},
		last: map[string]spot{}, edition: map[string]spot{}, begun: map[string]bool{},
		ranks: map[string][]int{}, given: map[string]map[string]int64{}, drawn: map[string]int64{}, hit: map[string]int64{},
		opened: map[string]int64{}, free: map[string]int64{}, tables: map[string]draw.Table{},
	}
	for i, b := range burned {
		h.burns[b.String()] = i + 1
	}
	return h
}

// list checks the place of an opening in the list. It reports whether the opening is new.
func (h *history) list(o listed) bool {
	if h.seen[o.OpeningID] {
		h.summary.fault("%s: it is listed twice", o.OpeningID)
		return false
	}
	h.seen[o.OpeningID] = true
	place := h.burns[o.OpeningID]
	if place == 0 {
		place = int(h.records[o.OpeningID])
	}
	if place == 0 {
		h.summary.fault("%s: it is listed, and neither the chain has its burn nor the public log its payment", o.OpeningID)
		return true
	}
	if o.Kind == "" { // its table is not known yet
		return true
	}
	// Only the first openings of an edition may come late: those from before its table was known to the portal.
	key, at := fmt.Sprint(o.Kind, " ", o.Edition), spot{place, o.OpeningID}
	switch last, before := h.last[o.Kind], h.edition[key]; {
	case place < before.place:
		h.summary.fault("%s: it was opened after %s, which came later", o.OpeningID, before.id)
	case place > last.place:
		h.begun[key], h.last[o.Kind] = true, at
	case h.begun[key]:
		h.summary.fault("%s: it was opened after %s, which came later", o.OpeningID, last.id)
	}
	h.edition[key] = at
	return true
}

// add checks what came before an opening by its receipt, and counts it. Openings must come in the order of their places.
func (h *history) add(r Report, o listed) {
	v, id := r.Verified, r.ID
	t := v.Table
	key := fmt.Sprint(t.Kind, " ", t.Edition)
	if o.Kind != t.Kind || o.Edition != t.Edition {
		h.summary.fault("%s: it is listed as one of %s %d, and was drawn by the table of %s", id, o.Kind, o.Edition, key)
	}
	if known, ok := h.tables[key]; ok && known.Hash() != v.TableHash {
		h.summary.fault("%s: it was drawn by another table than others of %s", id, key)
	}
	h.tables[key] = t
	h.inputs(r)
	var wallet string
	if v.Burn != nil {
		wallet = fmt.Sprint(t.Kind, " ", eth.Address(v.Burn.Wallet))
	}
	before := draw.Luck{Given: h.given[t.Kind]}
	if t.Pity != nil {
		ranks := h.ranks[wallet]
		for i := len(ranks) - 1; i >= 0 && ranks[i] < t.Pity.Rarity.Rank(); i-- {
			before.Without++
		}
	}
	want := t.LuckOf(before)
	if want.Without != v.Before.Without {
		h.summary.fault("%s: %d openings without luck before, by the receipts before it there were %d", id, v.Before.Without, want.Without)
	}
	for _, c := range t.Caps {
		if n := want.Given[c.Item]; v.Before.Given[c.Item] != n {
			h.summary.fault("%s: %d of %s were given before, by the receipts before it there were %d", id, v.Before.Given[c.Item], c.Item, n)
		}
	}
	h.count(key, wallet, v)
}

// inputs checks what the portal could choose a round by: the beacon and the margin are the same in all receipts.
func (h *history) inputs(r Report) {
	b := r.Verified.Beacon
	if h.beacon == nil {
		h.beacon = &b
	}
	if b.PublicKey != h.beacon.PublicKey || b.Genesis != h.beacon.Genesis || b.Period != h.beacon.Period {
		h.summary.fault("%s: the beacon is another than before: key %s, genesis %d, period %d", r.ID, b.PublicKey, b.Genesis, b.Period)
	}
	margin := decisiveOf(r.Verified.Receipt).margin
	if h.margin == nil && !r.delayed {
		h.margin = &margin
	}
	if h.margin == nil {
		return
	}
	want := *h.margin
	if r.delayed {
		want = max(want, delayedMargin)
	}
	if margin != want {
		h.summary.fault("%s: the margin is %d s, and was %d s before: its round may have been chosen", r.ID, margin, want)
	}
	if !r.delayed {
		h.margin = &margin
	}
}

// count counts an opening.
func (h *history) count(key, wallet string, v draw.Verified) {
	kind, drop := v.Table.Kind, v.Outcome.Drop
	h.ranks[wallet] = append(h.ranks[wallet], drop.Rarity.Rank())
	h.drawn[key+" "+drop.ID]++
	if h.opened[key]++; !v.Outcome.Pitied {
		h.free[key]++
		h.hit[key+" "+v.Outcome.Picked.ID]++
	}
	if h.given[kind] == nil {
		h.given[kind] = map[string]int64{}
	}
	for _, g := range drop.Gives {
		if item := g.Item(); item != "" {
			h.given[kind][item] += g.Amount
		}
	}
}

// compare checks the portal's tables and counts. Counts grow while packs are opened: those by the receipts are between those before and
// those after.
func (h *history) compare(before, after odds) {
	earlier := map[string]publishedTable{}
	for _, published := range before.Tables {
		earlier[published.key()] = published
	}
	var tables []draw.Table
	for _, published := range after.Tables {
		key := published.key()
		t, err := draw.ParseTable([]byte(published.Canonical))
		if err != nil {
			h.summary.fault("%s: %v", key, err)
			continue
		}
		tables = append(tables, t)
		if hash := t.Hash(); hex.EncodeToString(hash[:]) != published.Hash {
			h.summary.fault("%s: the hash is not that of the table", key)
		}
		h.shows(key, t, published)
		if used, ok := h.tables[key]; ok && used.Hash() != t.Hash() {
			h.summary.fault("%s: another table than that of its openings is shown", key)
		}
		delete(h.tables, key)
		h.counts(key, published, earlier[key])
	}
	for key := range h.tables {
		h.summary.fault("%s: openings were drawn by a table that the portal does not show", key)
	}
	slices.Reverse(tables) // the portal has the newest first
	if err := draw.TablesOf(tables).Agree(); err != nil {
		h.summary.Faults = append(h.summary.Faults, err)
	}
}

// shows checks that what is shown of a table is in it, and that the chances are those that follow from it.
func (h *history) shows(key string, t draw.Table, published publishedTable) {
	if shown := published.shown; shown.Hash() != t.Hash() {
		what := "the table"
		for i, d := range t.Drops {
			if i >= len(shown.Drops) || !reflect.DeepEqual(shown.Drops[i], d) {
				what = "the drop " + d.ID
				break
			}
		}
		h.summary.fault("%s: %s is shown otherwise than it is in the table that was fixed", key, what)
	}
	given := map[string]int64{}
	for _, c := range published.Caps {
		given[c.Item] = c.Given
	}
	promised, effective, now := t.Shares(given)
	same := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	for i, d := range t.Drops {
		if i >= len(published.Results) || published.Results[i].ID != d.ID {
			h.summary.fault("%s: the chances of %s are not shown", key, d.ID)
			return
		}
		if r := published.Results[i]; !same(r.Promised, promised[i]) || !same(r.Effective, effective[i]) || !same(r.Now, now[i]) {
			h.summary.fault("%s: the chances of %s are shown as %g, %g and %g, and are %g, %g and %g",
				key, d.ID, r.Promised, r.Effective, r.Now, promised[i], effective[i], now[i])
		}
	}
}

// counts compares what the portal has counted of an edition with the receipts.
func (h *history) counts(key string, published, earlier publishedTable) {
	differ := func(what string, before, by, after int64) {
		if by < before || by > after {
			h.summary.fault("%s: %s %d times by the portal, %d by the receipts", key, what, after, by)
		}
	}
	differ("opened", earlier.Openings, h.opened[key], published.Openings)
	differ("drawn freely", earlier.Free, h.free[key], published.Free)
	for i, r := range published.Results {
		var was struct{ drawn, hit int64 }
		if i < len(earlier.Results) {
			was.drawn, was.hit = earlier.Results[i].Drawn, earlier.Results[i].Hit
		}
		differ(r.ID+" was drawn", was.drawn, h.drawn[key+" "+r.ID], r.Drawn)
		differ(r.ID+" was hit", was.hit, h.hit[key+" "+r.ID], r.Hit)
	}
	for i, c := range published.Caps {
		was := int64(0)
		if i < len(earlier.Caps) {
			was = earlier.Caps[i].Given
		}
		if n := h.given[published.Kind][c.Item]; n < was || n > c.Given {
			h.summary.fault("%s: %d of %s were given by the portal, %d by the receipts", key, c.Given, c.Item, n)
		}
	}
}

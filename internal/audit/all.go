package audit

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

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
	Openings, Drawn, Waiting, Burned int
	Faults                           []error
}

// Err returns what is wrong, or nil.
func (s Summary) Err() error { return errors.Join(s.Faults...) }

func (s *Summary) fault(format string, args ...any) {
	s.Faults = append(s.Faults, fmt.Errorf(format, args...))
}

// All checks every opening that the portal lists: each by itself, and each against all before it, on which pity and caps depend. It
// checks that every pack that was burned is listed, once, by an endpoint of its chain; that the tables do not contradict one another;
// and that the portal's counts are those of the receipts. What is not given yet is not wrong: see Report.
func (a *Auditor) All(ctx context.Context, chests Chests) (Summary, error) {
	var s Summary
	list, err := a.site.openings(ctx)
	if err != nil {
		return s, err
	}
	h := history{summary: &s, ranks: map[string][]int{}, given: map[string]map[string]int64{}, drawn: map[string]int64{}, tables: map[string]draw.Table{},
		last: map[string]uint64{}, mints: map[eth.Hash]string{}}
	seen := map[string]bool{}
	for _, o := range list {
		if seen[o.OpeningID] {
			s.fault("%s is listed twice", o.OpeningID)
		}
		seen[o.OpeningID] = true
		if s.Openings++; o.State != "drawn" {
			s.Waiting++
			continue
		}
		r, err := a.Opening(ctx, o.OpeningID)
		if err != nil {
			return s, err
		}
		if err := r.Err(false); err != nil {
			s.Faults = append(s.Faults, err)
		}
		if r.Verified.Receipt.Version == 0 {
			continue
		}
		s.Drawn++
		h.ordered(r.ID, r.Verified)
		h.add(r.ID, r.Verified)
		h.minted(r.ID, r.Mints)
	}
	if err := a.burnsListed(ctx, chests, seen, &s); err != nil {
		return s, err
	}
	odds, err := a.site.odds(ctx)
	if err != nil {
		return s, err
	}
	h.compare(odds)
	return s, nil
}

// burnsListed checks that every burned pack whose table is fixed is among the openings.
func (a *Auditor) burnsListed(ctx context.Context, chests Chests, listed map[string]bool, s *Summary) error {
	n, err := a.node(chests.Chain)
	if err != nil {
		return err
	}
	burned, err := n.burns(ctx, chests.Chain, chests.Contract, chests.From)
	if err != nil {
		return err
	}
	for _, b := range burned {
		if s.Burned++; !listed[b.String()] {
			s.fault("%s: pack %s was burned and is not among the openings", b, b.TokenID)
		}
	}
	return nil
}

// history is what earlier openings mean for later ones.
type history struct {
	summary *Summary
	ranks   map[string][]int            // the rarities of a wallet's drops of a kind, by both
	given   map[string]map[string]int64 // units of each item, by kind
	drawn   map[string]int64            // by kind, edition and drop
	tables  map[string]draw.Table       // by kind and edition
	last    map[string]uint64           // the block of the last burn, or the number of the last record, by kind
	mints   map[eth.Hash]string         // the openings that mints serve
}

// ordered checks that an opening does not come before one that was burned or recorded earlier.
func (h *history) ordered(id string, v draw.Verified) {
	at := uint64(0)
	if v.Burn != nil {
		at = v.Burn.Block
	} else {
		at = v.Purchase.Record
	}
	if at < h.last[v.Table.Kind] {
		h.summary.fault("%s: it comes after an opening of the kind that was burned or recorded later", id)
	}
	h.last[v.Table.Kind] = max(at, h.last[v.Table.Kind])
}

// minted checks that no mint serves two openings.
func (h *history) minted(id string, mints []eth.Hash) {
	for _, tx := range mints {
		if other, ok := h.mints[tx]; ok {
			h.summary.fault("%s: it is given by the transaction %s, which gives %s too", id, tx, other)
		}
		h.mints[tx] = id
	}
}

// add checks what came before an opening by its receipt, and counts it. Openings must come in the order of their places.
func (h *history) add(id string, v draw.Verified) {
	t := v.Table
	key := fmt.Sprint(t.Kind, " ", t.Edition)
	if known, ok := h.tables[key]; ok && known.Hash() != v.TableHash {
		h.summary.fault("%s: drawn by another table than others of %s", id, key)
	}
	h.tables[key] = t
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
	for item, n := range want.Given {
		if v.Before.Given[item] != n {
			h.summary.fault("%s: %d of %s were given before, by the receipts before it there were %d", id, v.Before.Given[item], item, n)
		}
	}
	drop := v.Outcome.Drop
	h.ranks[wallet] = append(h.ranks[wallet], drop.Rarity.Rank())
	h.drawn[key+" "+drop.ID]++
	if h.given[t.Kind] == nil {
		h.given[t.Kind] = map[string]int64{}
	}
	for _, g := range drop.Gives {
		if item := g.Item(); item != "" {
			h.given[t.Kind][item] += g.Amount
		}
	}
}

// compare checks the portal's tables and counts.
func (h *history) compare(o odds) {
	var tables []draw.Table
	for _, told := range o.Tables {
		key := fmt.Sprint(told.Kind, " ", told.Edition)
		t, err := draw.ParseTable([]byte(told.Canonical))
		if err != nil {
			h.summary.fault("%s: %v", key, err)
			continue
		}
		tables = append([]draw.Table{t}, tables...) // the portal has the newest first
		if hash := t.Hash(); hex.EncodeToString(hash[:]) != strings.ToLower(told.Hash) {
			h.summary.fault("%s: the hash is not that of the table", key)
		}
		if used, ok := h.tables[key]; ok && used.Hash() != t.Hash() {
			h.summary.fault("%s: another table than that of its openings is shown", key)
		}
		delete(h.tables, key)
		for _, r := range told.Results {
			if r.Drawn != h.drawn[key+" "+r.ID] {
				h.summary.fault("%s: %s was drawn %d times by the portal, %d by the receipts", key, r.ID, r.Drawn, h.drawn[key+" "+r.ID])
			}
		}
		for _, c := range told.Caps {
			if c.Given != h.given[told.Kind][c.Item] {
				h.summary.fault("%s: %d of %s were given by the portal, %d by the receipts", key, c.Given, c.Item, h.given[told.Kind][c.Item])
			}
		}
	}
	for key := range h.tables {
		h.summary.fault("%s: openings were drawn by a table that the portal does not show", key)
	}
	if err := draw.TablesOf(tables).Agree(); err != nil {
		h.summary.Faults = append(h.summary.Faults, err)
	}
}

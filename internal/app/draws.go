package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"pantheon/internal/audit"
	"pantheon/internal/brand"
	"pantheon/internal/catalogue"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/operator"
)

// VerifyOptions say what VerifyOpening compares a receipt with.
type VerifyOptions struct {
	Site   string   // the portal's address
	RPC    []string // JSON-RPC endpoints of chains
	Beacon string   // the public key of the expected beacon, in hex; that of drand's quicknet when empty
	Strict bool     // whether what could not be looked up is a failure
}

// OpeningReport is what was found out about an opening.
type OpeningReport struct {
	ID     string         `json:"id,omitzero"`
	Inputs []OpeningInput `json:"inputs"` // of the draw, and its result; none if it does not follow from the receipt
	Checks []OpeningCheck `json:"checks"`
}

// OpeningInput is a line about a draw.
type OpeningInput struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// OpeningCheck is one thing that was checked.
type OpeningCheck struct {
	Name   string      `json:"name"`
	State  audit.State `json:"state"`
	Detail string      `json:"detail"`
}

// VerifyOpening repeats the draw of an opening, by its id or its receipt, and compares what the receipt names with the portal, the
// chains and the beacon. It returns what it has found, nil if there is nothing to check, and what is wrong. Nothing of the portal's own
// data is read.
func VerifyOpening(ctx context.Context, id string, receipt []byte, o VerifyOptions) (*OpeningReport, error) {
	a, err := auditorOf(ctx, o)
	if err != nil {
		return nil, err
	}
	var r audit.Report
	if id == "" {
		r = a.Receipt(ctx, bytes.TrimSpace(receipt))
	} else if r, err = a.Opening(ctx, id); err != nil {
		return nil, err
	}
	out := &OpeningReport{ID: r.ID, Inputs: inputsOf(r.Verified), Checks: make([]OpeningCheck, len(r.Checks))}
	for i, c := range r.Checks {
		out.Checks[i] = OpeningCheck(c)
	}
	return out, r.Err(o.Strict)
}

// AuditReport is what was found out about all openings of a portal.
type AuditReport struct {
	Openings int      `json:"openings"`
	Drawn    int      `json:"drawn"`
	Waiting  int      `json:"waiting"`
	Burned   int      `json:"burned"`   // packs
	Recorded int      `json:"recorded"` // payments
	Ungiven  int      `json:"ungiven"`  // of which it is unknown whether all that was drawn was given
	Faults   []string `json:"faults"`
	Unknown  []string `json:"unknown"` // what could not be looked up
}

// VerifyAll does so for all openings of a portal, and compares them with one another and with all burns of packs; see audit.Auditor.All.
// The contract of the packs is that of the portal's public configuration if none is named; from is the first block whose burns open packs.
func VerifyAll(ctx context.Context, contract string, from uint64, o VerifyOptions) (*AuditReport, error) {
	a, err := auditorOf(ctx, o)
	if err != nil {
		return nil, err
	}
	chests, err := a.Chests(ctx)
	if err != nil {
		return nil, err
	}
	if contract != "" {
		if chests.Contract, err = eth.ParseAddress(contract); err != nil {
			return nil, fmt.Errorf("--chests: %w", err)
		}
	}
	chests.From = from
	s, err := a.All(ctx, chests)
	if err != nil {
		return nil, err
	}
	if s.Unsure > 0 {
		s.Unknown = append(s.Unknown, fmt.Errorf("of %d openings something could not be looked up; verify one of them by its id", s.Unsure))
	}
	r := &AuditReport{
		Openings: s.Openings, Drawn: s.Drawn, Waiting: s.Waiting, Burned: s.Burned, Recorded: s.Recorded, Ungiven: s.Ungiven,
		Faults: textsOf(s.Faults), Unknown: textsOf(s.Unknown),
	}
	if o.Strict {
		return r, errors.Join(s.Err(), errors.Join(s.Unknown...))
	}
	return r, s.Err()
}

func textsOf(errs []error) []string {
	out := make([]string, len(errs))
	for i, err := range errs {
		out[i] = err.Error()
	}
	return out
}

func auditorOf(ctx context.Context, o VerifyOptions) (*audit.Auditor, error) {
	client := &http.Client{Timeout: 30 * time.Second}
	nodes := map[onchain.ChainID]string{}
	for _, url := range o.RPC {
		chain, err := audit.ChainOf(ctx, url, client)
		if err != nil {
			return nil, fmt.Errorf("--rpc %s: %w", url, err)
		}
		nodes[chain] = url
	}
	return audit.New(audit.Options{Site: o.Site, Nodes: nodes, BeaconKey: o.Beacon, HTTP: client}), nil
}

// inputsOf returns the inputs of a draw and what was drawn.
func inputsOf(v draw.Verified) []OpeningInput {
	out := []OpeningInput{}
	if v.Receipt.Version == 0 {
		return out
	}
	line := func(name, format string, args ...any) {
		out = append(out, OpeningInput{name, fmt.Sprintf(format, args...)})
	}
	if b := v.Burn; b != nil {
		line("burn", "chain %d, transaction %s, log %d, copy %d", b.ChainID, b.Tx, b.LogIndex, b.Number)
		line("wallet", "%s", eth.Address(b.Wallet).Checksum())
		line("block", "%d, %s, %s", b.Block, b.BlockHash, unixTime(b.BlockTime))
	} else {
		line("purchase", "shop %s, order %d, line %d, unit %d", v.Purchase.Shop, v.Purchase.Order, v.Purchase.Line, v.Purchase.Unit)
		line("record", "%d, %s", v.Purchase.Record, unixTime(v.Purchase.RecordedAt))
		at := v.Purchase.Anchor
		line("anchor", "chain %d, transaction %s, block %d, %s, %s", at.ChainID, at.Tx, at.Block, at.BlockHash, unixTime(at.BlockTime))
	}
	line("beacon", "%s", beaconName(v.Beacon))
	line("round", "%d", v.Beacon.Round)
	line("table", "%s, edition %d, SHA-256 %x", v.Table.Kind, v.Table.Edition, v.TableHash)
	f := v.Fixed
	line("fixed", "by %s %s on chain %d, block %d, transaction %s, %s",
		f.By, eth.Address(f.Address).Checksum(), f.ChainID, f.Block, f.Tx, unixTime(f.BlockTime))
	line("drawn", "%s, %s", v.Outcome.Drop.Name, v.Outcome.Drop.Rarity)
	for _, t := range v.Outcome.Tokens {
		line("token", "%s, %s, number %s", t.Variant.Name, t.Variant.Rarity, t.ID)
	}
	return out
}

// unixTime writes a time in Unix seconds.
func unixTime(seconds int64) string { return time.Unix(seconds, 0).UTC().Format(time.RFC3339) }

// openingID is what the ids of openings look like: those of burns and those of purchases.
var openingID = regexp.MustCompile(`^([0-9]{1,20}-0x[0-9a-f]{64}(-[0-9]{1,20}){2}|[a-z][a-z0-9]*(-[a-z0-9]+)*(-[0-9]{1,20}){3})$`)

// IsOpeningID reports whether a text is the id of an opening.
func IsOpeningID(text string) bool { return openingID.MatchString(text) }

// AnnouncedTable is an edition that can never change any more.
type AnnouncedTable struct {
	Kind    string `json:"kind"`
	Edition int    `json:"edition"`
	Hash    string `json:"sha256"`
	Token   string `json:"tokenId,omitzero"` // for which the contract of the packs is to fix it; "" if a wallet of the portal fixes it
}

// KeepOdds checks that the drop tables of a file of game rules may take the place of the known ones and keeps the new editions: from
// then on they can never change. It returns what is to be fixed in the contract of the packs.
func KeepOdds(ctx context.Context, c config.Config, file string, by operator.By) ([]AnnouncedTable, error) {
	rules, err := readRules(c.Brand, file)
	if err != nil {
		return nil, err
	}
	if err := Act(ctx, c, func(s *operator.Service) error { return s.AnnounceTables(ctx, rules.tables, by) }); err != nil {
		return nil, err
	}
	var out []AnnouncedTable
	for _, t := range rules.tables.All() {
		out = append(out, AnnouncedTable{t.Kind, t.Edition, fmt.Sprintf("%x", t.Hash()), t.Token})
	}
	return out, nil
}

// beaconName says which beacon a receipt names. Nobody vouches for any but drand's quicknet.
func beaconName(b draw.ReceiptBeacon) string {
	if draw.Quicknet(b) {
		return "drand quicknet"
	}
	return fmt.Sprintf("NOT A KNOWN PUBLIC ONE: first round %s, every %d s, key %s", time.Unix(b.Genesis, 0).UTC().Format(time.RFC3339),
		b.Period, b.PublicKey)
}

// checkGrant checks that there is what a drop gives; see draw.CheckGrant. Any currency may be given.
func checkGrant(b *brand.Brand, g draw.Grant) error {
	if g.Collection == "" {
		return nil
	}
	c, ok := b.Collections.Of(g.Collection)
	switch {
	case !ok:
		return fmt.Errorf("there is no collection %q", g.Collection)
	case g.Token == "" && c.Standard != onchain.ERC721:
		return fmt.Errorf("%s needs a token", g.Collection)
	case g.Token != "" && c.Standard == onchain.ERC721:
		return fmt.Errorf("%s gives new tokens only", g.Collection)
	case g.Token == "":
		return checkVariants(b.Catalogue, g)
	}
	_, err := b.Catalogue.Describe(g.Collection, g.Token)
	return err
}

// checkVariants checks that the tokens of each variant's series are what the table says.
func checkVariants(c *catalogue.Catalogue, g draw.Grant) error {
	for _, v := range g.Variants {
		id, r, ok := c.Variant(g.Collection, v.Series)
		switch {
		case !ok:
			return fmt.Errorf("the catalogue knows no series %d of %s", v.Series, g.Collection)
		case id != v.ID || r != v.Rarity:
			return fmt.Errorf("series %d of %s is %q, %s, in the catalogue", v.Series, g.Collection, id, r)
		}
	}
	return nil
}

// TableOdds are the odds of an edition.
type TableOdds struct {
	Kind    string     `json:"kind"`
	Edition int        `json:"edition"`
	Hash    string     `json:"sha256"`
	Pity    *draw.Pity `json:"pity,omitzero"`
	Drops   []DropOdds `json:"drops"`
}

// DropOdds are the odds of a drop.
type DropOdds struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Rarity string  `json:"rarity"`
	Chance float64 `json:"chance"` // in percent, before pity rule and substitution
}

// CheckOdds checks the game rules and returns the odds of each drop table.
func CheckOdds(c config.Config) ([]TableOdds, error) {
	rules, err := readRules(c.Brand, c.GameRules)
	if err != nil {
		return nil, err
	}
	var out []TableOdds
	for _, t := range rules.tables.All() {
		odds := TableOdds{Kind: t.Kind, Edition: t.Edition, Hash: fmt.Sprintf("%x", t.Hash()), Pity: t.Pity}
		for _, d := range t.Drops {
			odds.Drops = append(odds.Drops, DropOdds{d.ID, d.Name, string(d.Rarity), 100 * float64(d.Weight) / float64(t.Total)})
		}
		out = append(out, odds)
	}
	return out, nil
}

// SimulatedTable is an edition that was drawn from many times.
type SimulatedTable struct {
	Kind    string          `json:"kind"`
	Edition int             `json:"edition"`
	Draws   int             `json:"draws"`
	Pitied  int             `json:"pitied"` // that the pity rule decided
	Drops   []SimulatedDrop `json:"drops"`
}

// SimulatedDrop is how often a drop was promised and drawn.
type SimulatedDrop struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Promised float64 `json:"promised"` // in percent
	Picked   float64 `json:"picked"`   // in percent of what the pity rule did not decide, before substitution
	Given    int     `json:"given"`
}

// SimulateOdds opens each kind by the game rules, draws times for one wallet with random seeds. It returns the promised
// frequencies beside those picked freely, which are without the openings that the pity rule decided and before substitution,
// and how often each drop was given in all.
func SimulateOdds(c config.Config, draws int) ([]SimulatedTable, error) {
	rules, err := readRules(c.Brand, c.GameRules)
	if err != nil {
		return nil, err
	}
	var randomness [32]byte
	_, _ = rand.Read(randomness[:]) // never fails, as documented
	var out []SimulatedTable
	for _, t := range rules.tables.All() {
		free, given, pitied := map[string]int{}, map[string]int{}, 0
		hash, luck := t.Hash(), draw.Luck{Given: map[string]int64{}}
		for i := range draws {
			burn := draw.Burn{Tx: eth.Hash(randomness), Number: uint64(i)}
			got := t.Draw(draw.NewWords(randomness, burn, hash), luck)
			luck.Without++
			if t.Consoles(got.Drop) {
				luck.Without = 0
			}
			for _, c := range t.Caps {
				luck.Given[c.Item] += got.Drop.Units(c.Item)
			}
			given[got.Drop.ID]++
			if got.Pitied {
				pitied++
			} else {
				free[got.Picked.ID]++
			}
		}
		table := SimulatedTable{Kind: t.Kind, Edition: t.Edition, Draws: draws, Pitied: pitied}
		for _, d := range t.Drops {
			table.Drops = append(table.Drops, SimulatedDrop{
				d.ID, d.Name, 100 * float64(d.Weight) / float64(t.Total), 100 * float64(free[d.ID]) / float64(max(1, draws-pitied)), given[d.ID],
			})
		}
		out = append(out, table)
	}
	return out, nil
}

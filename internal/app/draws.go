package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"text/tabwriter"
	"time"

	"pantheon/internal/art"
	"pantheon/internal/audit"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/store"
)

// VerifyOptions say what VerifyOpening compares a receipt with.
type VerifyOptions struct {
	Site   string   // the portal's address
	RPC    []string // JSON-RPC endpoints of chains
	Beacon string   // the public key of the expected beacon, in hex; that of drand's quicknet when empty
	Strict bool     // whether what could not be looked up is a failure
}

// VerifyOpening repeats the draw of an opening, by its id or its receipt, and compares what the receipt names with the portal, the
// chains and the beacon. It writes what it has found, and returns what is wrong. Nothing of the portal's own data is read.
func VerifyOpening(ctx context.Context, id string, receipt []byte, o VerifyOptions, w io.Writer) error {
	a, err := auditorOf(ctx, o)
	if err != nil {
		return err
	}
	var r audit.Report
	if id == "" {
		r = a.Receipt(ctx, bytes.TrimSpace(receipt))
	} else if r, err = a.Opening(ctx, id); err != nil {
		return err
	}
	writeReport(r, w)
	return r.Err(o.Strict)
}

// VerifyAll does so for all openings of a portal, and compares them with one another and with all burns of packs; see audit.Auditor.All.
// The contract of the packs is that of the portal's public configuration if none is named; from is the first block whose burns open packs.
func VerifyAll(ctx context.Context, contract string, from uint64, o VerifyOptions, w io.Writer) error {
	a, err := auditorOf(ctx, o)
	if err != nil {
		return err
	}
	chests, err := a.Chests(ctx)
	if err != nil {
		return err
	}
	if contract != "" {
		if chests.Contract, err = eth.ParseAddress(contract); err != nil {
			return fmt.Errorf("--chests: %w", err)
		}
	}
	chests.From = from
	s, err := a.All(ctx, chests)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(w, "%d openings, of which %d are drawn and %d wait; %d packs were burned, and %d payments recorded. %d faults.\n",
		s.Openings, s.Drawn, s.Waiting, s.Burned, s.Recorded, len(s.Faults))
	if s.Ungiven > 0 {
		_, _ = fmt.Fprintf(w, "Of %d it is unknown whether all that was drawn was given.\n", s.Ungiven)
	}
	if s.Unsure > 0 {
		s.Unknown = append(s.Unknown, fmt.Errorf("of %d openings something could not be looked up; verify one of them by its id", s.Unsure))
	}
	for _, err := range s.Unknown {
		_, _ = fmt.Fprintf(w, "Unknown: %v\n", err)
	}
	if o.Strict {
		return errors.Join(s.Err(), errors.Join(s.Unknown...))
	}
	return s.Err()
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

// writeReport writes the inputs of a draw and the result of each check.
func writeReport(r audit.Report, out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		_, _ = fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	if v := r.Verified; v.Receipt.Version != 0 {
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
		line("fixed", "by %s %s on chain %d, block %d, transaction %s, %s", f.By, eth.Address(f.Address).Checksum(), f.ChainID, f.Block, f.Tx, unixTime(f.BlockTime))
		line("drawn", "%s, %s", v.Outcome.Drop.Name, v.Outcome.Drop.Rarity)
		for _, t := range v.Outcome.Tokens {
			line("token", "%s, %s, number %s", t.Variant.Name, t.Variant.Rarity, t.ID)
		}
		_, _ = fmt.Fprintln(w)
	}
	for _, c := range r.Checks {
		line(c.Name, "%s\t%s", c.State, c.Detail)
	}
	_ = w.Flush()
	_, _ = fmt.Fprint(out, "\nWhat had been opened before, on which pity rules and limits depend, shows in all receipts together: see --all.\n")
}

// unixTime writes a time in Unix seconds.
func unixTime(seconds int64) string { return time.Unix(seconds, 0).UTC().Format(time.RFC3339) }

// openingID is what the ids of openings look like: those of burns and those of purchases.
var openingID = regexp.MustCompile(`^([0-9]{1,20}-0x[0-9a-f]{64}(-[0-9]{1,20}){2}|[a-z][a-z0-9]*(-[a-z0-9]+)*(-[0-9]{1,20}){3})$`)

// IsOpeningID reports whether a text is the id of an opening.
func IsOpeningID(text string) bool { return openingID.MatchString(text) }

// KeepOdds checks that the drop tables of a file of game rules may take the place of the known ones and keeps the new editions: from
// then on they can never change. It writes what is to be fixed in the contract of the packs: token, table and edition.
func KeepOdds(ctx context.Context, c config.Config, file string, w io.Writer) error {
	rules, err := readRules(file)
	if err != nil {
		return err
	}
	return withStore(ctx, c, func(db *store.DB) error {
		if err := packs.Tables(ctx, db, rules.tables); err != nil {
			return err
		}
		for _, t := range rules.tables.All() {
			where := "a wallet of the portal fixes it"
			if t.Token != "" {
				where = "to be fixed for token " + t.Token
			}
			_, _ = fmt.Fprintf(w, "%s, edition %d, SHA-256 %x: %s\n", t.Kind, t.Edition, t.Hash(), where)
		}
		return nil
	})
}

// beaconName says which beacon a receipt names. Nobody vouches for any but drand's quicknet.
func beaconName(b draw.ReceiptBeacon) string {
	if draw.Quicknet(b) {
		return "drand quicknet"
	}
	return fmt.Sprintf("NOT A KNOWN PUBLIC ONE: first round %s, every %d s, key %s", time.Unix(b.Genesis, 0).UTC().Format(time.RFC3339), b.Period, b.PublicKey)
}

// checkGrant checks that there is what a drop gives; see draw.CheckGrant. Any currency may be given.
func checkGrant(catalogue *art.Catalogue, g draw.Grant) error {
	if g.Collection == "" {
		return nil
	}
	c, ok := collections.Of(g.Collection)
	switch {
	case !ok:
		return fmt.Errorf("there is no collection %q", g.Collection)
	case g.Token == "" && c.Standard != onchain.ERC721:
		return fmt.Errorf("%s needs a token", g.Collection)
	case g.Token != "" && c.Standard == onchain.ERC721:
		return fmt.Errorf("%s gives new tokens only", g.Collection)
	case g.Token == "":
		return checkVariants(catalogue, g)
	}
	_, err := catalogue.Describe(g.Collection, g.Token)
	return err
}

// checkVariants checks that the tokens of each variant's series are what the table says.
func checkVariants(catalogue *art.Catalogue, g draw.Grant) error {
	for _, v := range g.Variants {
		id, r, ok := catalogue.Series(g.Collection, v.Series)
		switch {
		case !ok:
			return fmt.Errorf("the catalogue knows no series %d of %s", v.Series, g.Collection)
		case id != v.ID || r != v.Rarity:
			return fmt.Errorf("series %d of %s is %q, %s, in the catalogue", v.Series, g.Collection, id, r)
		}
	}
	return nil
}

// CheckOdds checks a file of game rules, the built-in ones if there is no name, and writes the odds of each drop table.
func CheckOdds(file string, out io.Writer) error {
	rules, err := readRules(file)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, t := range rules.tables.All() {
		_, _ = fmt.Fprintf(w, "%s, edition %d, SHA-256 %x\n", t.Kind, t.Edition, t.Hash())
		if t.Pity != nil {
			_, _ = fmt.Fprintf(w, "after %d openings without it, the next is %s or rarer\n", t.Pity.After, t.Pity.Rarity)
		}
		for _, d := range t.Drops {
			_, _ = fmt.Fprintf(w, "  %s\t%s\t%.4f %%\n", d.Name, d.Rarity, 100*float64(d.Weight)/float64(t.Total))
		}
	}
	return w.Flush()
}

// SimulateOdds opens each kind by the game rules of a file, the built-in ones if there is no name, draws times for one wallet
// with random seeds. It writes the promised frequencies beside those picked freely, which are without the openings that the
// pity rule decided and before substitution, and how often each drop was given in all.
func SimulateOdds(file string, draws int, out io.Writer) error {
	rules, err := readRules(file)
	if err != nil {
		return err
	}
	var randomness [32]byte
	_, _ = rand.Read(randomness[:]) // never fails, as documented
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
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
		_, _ = fmt.Fprintf(w, "%s %d\tpromised\tpicked freely\tgiven, of %d, %d by the pity rule\t\n", t.Kind, t.Edition, draws, pitied)
		for _, d := range t.Drops {
			_, _ = fmt.Fprintf(w, "%s\t%.3f %%\t%.3f %%\t%d\t\n", d.Name, 100*float64(d.Weight)/float64(t.Total), 100*float64(free[d.ID])/float64(draws-pitied), given[d.ID])
		}
	}
	return w.Flush()
}

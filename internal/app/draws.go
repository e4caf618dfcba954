package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"

	"pantheon/internal/art"
	"pantheon/internal/beacon"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/store"
)

// VerifyReceipt repeats the draw of a receipt and writes its inputs and steps. It fails, with the reason, if the
// receipt's outcome does not follow from it. It makes no network requests.
func VerifyReceipt(text []byte, w io.Writer) error {
	r, err := draw.Verify(bytes.TrimSpace(text), beacon.VerifyRound)
	if err != nil {
		return err
	}
	var opened, unproven string
	if b := r.Burn; b != nil {
		opened = fmt.Sprintf("burn     chain %d, transaction %s, log %d, copy %d\n  wallet   %s\n  block    %d, %s, %s", b.ChainID, b.Tx, b.LogIndex, b.Number,
			eth.Address(b.Wallet).Checksum(), b.Block, b.BlockHash, unixTime(b.BlockTime))
		unproven = "that the chain has this burn, that the table is fixed there, and what the wallet\nand all others had opened before."
	} else {
		p := r.Purchase
		opened = fmt.Sprintf("purchase shop %s, order %d, line %d, unit %d\n  record   %d, %s", p.Shop, p.Order, p.Line, p.Unit, p.Record, unixTime(p.RecordedAt))
		unproven = "that the public log has this record, that the table is fixed there, and what all\nothers had opened before."
	}
	drawn := r.Receipt.Outcome.Drop
	for _, t := range r.Outcome.Tokens {
		drawn += fmt.Sprintf(", %s (%s), token %s", t.Variant.Name, t.Variant.Rarity, t.ID)
	}
	f := r.Fixed
	_, err = fmt.Fprintf(w, `The outcome follows from the receipt: %s.

  %s
  beacon   %s
  round    %d
  table    %s, edition %d, SHA-256 %x
  fixed    by %s %s on chain %d in block %d, transaction %s, %s

A receipt cannot prove by itself %s
`, drawn, opened, beaconName(r.Beacon), r.Beacon.Round, r.Table.Kind, r.Table.Edition, r.TableHash,
		f.By, eth.Address(f.Address).Checksum(), f.ChainID, f.Block, f.Tx, unixTime(f.BlockTime), unproven)
	return err
}

// unixTime writes a time in Unix seconds.
func unixTime(seconds int64) string { return time.Unix(seconds, 0).UTC().Format(time.RFC3339) }

// openingID is what the ids of openings look like: those of burns and those of purchases.
var openingID = regexp.MustCompile(`^([0-9]{1,20}-0x[0-9a-f]{64}(-[0-9]{1,20}){2}|[a-z][a-z0-9]*(-[a-z0-9]+)*(-[0-9]{1,20}){3})$`)

// IsOpeningID reports whether a text is the id of an opening.
func IsOpeningID(text string) bool { return openingID.MatchString(text) }

// FetchReceipt returns the receipt of an opening from a portal. The portal need not be trusted: see VerifyReceipt.
func FetchReceipt(ctx context.Context, site, id string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(site, "/")+"/api/packs/openings/"+id, nil)
	if err != nil {
		return nil, err
	}
	response, err := (&http.Client{Timeout: 30 * time.Second}).Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var proof struct{ State, Receipt, Message string }
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&proof); err != nil {
		return nil, fmt.Errorf("%s: no answer about opening %s (status %d)", site, id, response.StatusCode)
	}
	switch {
	case response.StatusCode != http.StatusOK:
		return nil, errors.New(proof.Message)
	case proof.Receipt == "":
		return nil, fmt.Errorf("the opening has no receipt yet, it is %s", proof.State)
	}
	var r draw.Receipt
	if err := json.Unmarshal([]byte(proof.Receipt), &r); err != nil || r.Opening() != id {
		return nil, fmt.Errorf("%s answered with the receipt of another opening, or with none", site)
	}
	return []byte(proof.Receipt), nil
}

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

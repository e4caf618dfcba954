package audit_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/beacon"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/portal/draw"
	"pantheon/internal/store"
)

// way is a way to cheat.
type way struct {
	name string
	// cheat changes what is published, and returns names for what is in braces in the fault, by pairs.
	cheat func(o *operator) []string
	fault string        // what the fault that the audit must find begins with
	later time.Duration // after which the audit takes place
	// strict is whether the audit of all openings finds nothing, and that of the opening {id} the fault, if it takes what is unknown for
	// wrong.
	strict bool
	alone  bool   // whether the audit of the opening {id} alone finds the fault, too
	one    string // what the fault of the audit of the opening {id} alone begins with, if it is another
}

// plot is what the operator has prepared before packs were opened: tables that are fixed by a wallet and shown to nobody.
type plot struct {
	avatars draw.Table // another table of the first avatar packs
	fixed   draw.ReceiptFixed
	late    draw.ReceiptFixed // of the same table, after packs were opened

	items      draw.Table // of game items, as if they were packs
	itemsFixed draw.ReceiptFixed
}

// Whoever operates a portal has its database, its keys and its pages. Whatever is done with them to openings shows to everybody.
// Spec: DRAW-18, DRAW-19
func TestAudit_AnOperatorWhoCheatsIsFound(t *testing.T) {
	t.Parallel()
	s := start(t, store.SQLite, 8*time.Minute)
	var p plot
	p.avatars = s.table("avatar")
	p.avatars.Drops[0].Weight, p.avatars.Drops[2].Weight = p.avatars.Drops[2].Weight, p.avatars.Drops[0].Weight
	p.fixed = s.anchorTable(p.avatars)
	p.items = p.avatars
	p.items.Token = "5"
	p.itemsFixed = s.anchorTable(p.items)

	s.supply(map[int64]int64{general: 8, avatar: 4, god: 8}, burners[0], burners[1])
	players := s.newPlayers(1, map[int64]int64{general: 6, avatar: 4, god: 14})
	s.sold("destiny-bronze", 1)
	s.buy(players[0], fiveBronze, 1)
	s.buy(players[0], bronze, 2)
	s.roundsFollowAnchors()
	s.burn(burners[0], map[int64]int64{general: 4, avatar: 2, god: 3})
	s.burn(burners[1], map[int64]int64{general: 4, avatar: 2, god: 3})
	s.relay(players[0], map[int64]int64{general: 4, avatar: 4, god: 14})()
	s.mined(s.burn(burners[0], map[int64]int64{general: 2, god: 3}))
	_, burned := s.burned()
	var listed progress
	s.allDrawn(&listed, burned+s.paid())
	s.given(players, listed, 100)

	honest := &operator{scene: s, published: s.publication(), honest: map[string]draw.Verified{}}
	for _, opening := range listed.done {
		honest.ids = append(honest.ids, opening.OpeningID)
		honest.honest[opening.OpeningID] = s.receipt(opening.OpeningID)
	}
	found, _ := honest.audit(honest.open(), 0, "")
	if found.Err() != nil || len(found.Unknown)+found.Unsure > 0 || int64(found.Drawn) != burned+s.paid() {
		t.Fatalf("of an honest operator: %+v", found)
	}
	endpoint := s.nodes[devnettest.GameChain]
	verify := s.site.Command("verify", "--all", "--strict", "--site", s.site.URL, "--rpc", endpoint, "--beacon", s.beacon.key)
	if out, err := verify.CombinedOutput(); err != nil {
		t.Errorf("pantheon verify --all: %v\n%s", err, out)
	}
	p.late = s.anchorTable(p.avatars)
	for _, w := range ways(p) {
		t.Run(w.name, func(t *testing.T) {
			mine := *s
			mine.T = t
			o := &operator{scene: &mine, published: honest.copyOf(t), honest: honest.honest, ids: honest.ids}
			url := o.open()
			names := w.cheat(o)
			fill := strings.NewReplacer(append(names, "{site}", url)...)
			want := fill.Replace(w.fault)
			id := ""
			if w.strict || w.alone || w.one != "" {
				id = names[1]
			}
			found, one := o.audit(url, w.later, id)
			faults := found.Err()
			if w.strict {
				if faults != nil {
					t.Errorf("what is unknown is taken for wrong: %v", faults)
				}
				faults = one
			}
			isNamed(t, faults, want)
			if w.alone {
				isNamed(t, one, want)
			}
			if w.one != "" {
				isNamed(t, one, fill.Replace(w.one))
			}
		})
	}
	t.Run("with the portal's own program and its database", func(t *testing.T) {
		mine := *s
		mine.T = t
		o := &operator{scene: &mine, published: honest.copyOf(t), honest: honest.honest, ids: honest.ids}
		wants := o.cheatInTheDatabase(p)
		found, _ := o.audit(s.site.URL, 0, "")
		for _, want := range wants {
			isNamed(t, found.Err(), want)
		}
	})
}

// roundsFollowAnchors follows the openings of what was bought until all are drawn: no round of theirs is known before a block has an anchor
// of the payment's record. Before that block the round is unknown, so replacing the record gains nothing.
func (s *scene) roundsFollowAnchors() {
	s.Helper()
	type shown struct {
		State    string
		Round    uint64
		RoundAt  *time.Time
		Purchase struct{ Anchor *anchor }
	}
	before := map[string]bool{} // what was seen without an anchor
	s.eventually(func() bool {
		var list progress
		drawn := s.look(&list) == nil && int64(list.drawn) == s.paid()
		var all struct{ Openings []opening }
		s.ok(s.get("/api/packs/openings?limit=500", &all))
		for _, o := range all.Openings {
			var of shown
			s.ok(s.get("/api/packs/openings/"+o.OpeningID, &of))
			known, unanchored := of.Round > 0 || of.RoundAt != nil || of.State == "drawn", of.Purchase.Anchor == nil
			if before[o.OpeningID] = before[o.OpeningID] || unanchored; known == unanchored {
				s.Errorf("%s: it is %s, with the round %d and the anchor %+v", o.OpeningID, of.State, of.Round, of.Purchase.Anchor)
			}
		}
		return drawn
	}, "what was bought is not drawn")
	if !slices.Contains(slices.Collect(maps.Values(before)), true) {
		s.Error("nothing was seen before its anchor")
	}
}

// isNamed checks that one of several faults begins with a text.
func isNamed(t *testing.T, faults error, want string) {
	t.Helper()
	if faults == nil || !slices.ContainsFunc(strings.Split(faults.Error(), "\n"), func(f string) bool { return strings.HasPrefix(f, want) }) {
		t.Errorf("no fault begins with %q:\n%v", want, faults)
	}
}

// The portal's binary serves a database in which rows were changed, deleted, or recorded again.
func (o *operator) cheatInTheDatabase(p plot) (wants []string) {
	o.Helper()
	withheld, other := o.first("general", whichever), o.first("avatar", whichever)
	unpaid := o.first("general", func(v draw.Verified) bool { return !o.byPlayer(v) && v.Burn.Number > 1 })
	o.cheat(other, func(r *draw.Receipt) { r.Table = string(p.avatars.Canonical()) })
	o.site.Stop()
	db, err := sql.Open("sqlite", filepath.Join(o.site.Dir, "pantheon.db"))
	o.ok(err)
	var counted string // which drops have a count is chance
	o.ok(db.QueryRowContext(o.ctx, "SELECT min(drop_id) FROM drop_count WHERE kind = 'god' AND edition = 1").Scan(&counted))
	for _, statement := range []struct {
		text string
		args []any
	}{
		{"DELETE FROM opening WHERE id = ?", []any{withheld}},
		{"UPDATE opening SET receipt = ?, drop_id = ? WHERE id = ?", []any{o.Proofs[other]["receipt"], o.Proofs[other]["drop"], other}},
		{"UPDATE drop_count SET drawn = drawn + 7 WHERE kind = 'god' AND edition = 1 AND drop_id = ?", []any{counted}},
		{"UPDATE reward_grant SET state = 'done' WHERE source = ?", []any{unpaid}},
		// The payments are recorded again, and the anchor is deleted.
		{"DELETE FROM opening WHERE shop <> ''", nil}, {"DELETE FROM reward_grant WHERE source LIKE 'shop-%'", nil},
		{"DELETE FROM reward WHERE source LIKE 'shop-%'", nil}, {"DELETE FROM payment_record", nil},
		{"DELETE FROM record_anchor", nil}, {"DELETE FROM drop_count WHERE kind = 'destiny-bronze'", nil},
		{"DELETE FROM gas_attempt WHERE transaction_id LIKE 'records/%' OR transaction_id LIKE 'shop-%'", nil},
		{"DELETE FROM gas_transaction WHERE id LIKE 'records/%' OR id LIKE 'shop-%'", nil},
		{"UPDATE shop_line SET given = 0", nil},
	} {
		changed, err := db.ExecContext(o.ctx, statement.text, statement.args...)
		o.ok(err)
		if n, err := changed.RowsAffected(); n == 0 || err != nil {
			o.Fatalf("%s: %d rows, %v", statement.text, n, err)
		}
	}
	o.ok(db.Close())
	o.site.Restart()
	for _, order := range o.orders {
		o.shop.SetStatus(order, "completed")
	}
	o.eventually(func() bool { return o.recorded() == o.paid() }, "nothing is recorded anew")
	var listed progress
	_, burned := o.burned()
	o.allDrawn(&listed, burned-1+o.paid())
	given := o.honest[unpaid].Outcome.Drop.Gives[0].Token
	return []string{
		withheld + ": pack 1 was burned and is not among the openings",
		other + ": table: transaction " + o.honest[other].Fixed.Tx.String() + " fixes no such table for token 2",
		"god 1: " + counted + " was drawn ",
		unpaid + ": given: token " + given + " was given, says the portal, and names no transaction",
		fmt.Sprintf("record %d was anchored with another hash: records were changed (transaction %s, which the portal does not show)",
			o.Anchors[0].Number, o.Anchors[0].TxID),
	}
}

func ways(p plot) []way {
	stranger := beacon.NewSigner([32]byte{7})
	return []way{
		{
			name:  "a backdated table: receipts are made again for another one",
			fault: "{id}: table: transaction {tx} fixes no such table for token 2",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("avatar", whichever)
				for _, id := range o.ids {
					if o.honest[id].Table.Kind == "avatar" {
						o.cheat(id, func(r *draw.Receipt) { r.Table = string(p.avatars.Canonical()) })
					}
				}
				o.show(o.shown("avatar", 1), p.avatars, o.honest[id].Fixed)
				return []string{"{id}", id, "{tx}", o.honest[id].Fixed.Tx.String()}
			},
		},
		{
			name:  "another table for one pack only",
			fault: "{id}: it was drawn by another table than others of avatar 1",
			cheat: func(o *operator) []string {
				id := o.first("avatar", func(v draw.Verified) bool { return v.Burn.Number > 4 })
				o.cheat(id, func(r *draw.Receipt) { r.Table = string(p.avatars.Canonical()) })
				return []string{"{id}", id}
			},
		},
		{
			name:  "a table that a wallet has fixed in time, and nobody was shown",
			fault: "{id}: table: the contract of the packs has fixed another table for token 2",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("avatar", whichever)
				o.cheat(id, func(r *draw.Receipt) { r.Table, r.Fixed = string(p.avatars.Canonical()), p.fixed })
				return []string{"{id}", id}
			},
		},
		{
			name:  "a table that was fixed after the pack was opened",
			fault: "{id}: draw: the table was not fixed yet at the time of the burn",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("avatar", whichever)
				o.cheat(id, func(r *draw.Receipt) { r.Table, r.Fixed = string(p.avatars.Canonical()), p.late })
				return []string{"{id}", id}
			},
		},
		{
			name:  "the same, dated back",
			fault: "{id}: table: the chain has the transaction in block {block}",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("destiny-bronze", whichever)
				other := o.honest[id].Table
				other.Drops = slices.Clone(other.Drops)
				other.Drops[0].Weight, other.Drops[1].Weight = other.Drops[1].Weight, other.Drops[0].Weight
				late := o.anchorTable(other)
				o.cheat(id, func(r *draw.Receipt) {
					r.Table = string(other.Canonical())
					r.Fixed.Address, r.Fixed.Tx = late.Address, late.Tx
				})
				return []string{"{id}", id, "{block}", fmt.Sprint(late.Block)}
			},
		},
		{
			name:  "a payment that is recorded anew, at the end of the log",
			fault: "record {anchored} was anchored with another hash: records were changed",
			cheat: func(o *operator) []string { return o.recordAnew(true) },
		},
		{
			name:  "the same, and the anchor is not shown",
			fault: "record {anchored} was anchored with another hash: records were changed (transaction {tx}, which the portal does not show)",
			cheat: func(o *operator) []string {
				names := append(o.recordAnew(true), "{tx}", o.Anchors[0].TxID.String())
				o.Anchors = nil
				return names
			},
		},
		{
			name:  "the same, anchored anew by another wallet",
			fault: "record {anchored} was anchored with another hash: records were changed (transaction {tx}, which the portal does not show)",
			cheat: func(o *operator) []string {
				names := append(o.recordAnew(true), "{tx}", o.Anchors[0].TxID.String())
				o.anchorAgain(devnet.Deployer, len(o.Records))
				return names
			},
		},
		{
			name:  "the same, with the transaction of the anchor before",
			fault: "the anchor of record {anchored}: transaction {tx} has the hash {hash}",
			cheat: func(o *operator) []string {
				names := []string{"{tx}", o.Anchors[0].TxID.String(), "{hash}", o.Anchors[0].Hash}
				names = append(names, o.recordAnew(true)...)
				o.Anchors[0].Hash = fmt.Sprintf("%x", o.Records[o.Anchors[0].Number-1].Hash)
				return names
			},
		},
		{
			name:  "a record that is changed after its anchor",
			fault: "record {anchored} was anchored with another hash: records were changed",
			one:   "{id}: record: record {anchored} was anchored with another hash: records were changed",
			cheat: func(o *operator) []string {
				o.Records[0].Nonce[0]++
				o.rewrite()
				return []string{"{id}", o.Records[0].OpeningID, "{anchored}", fmt.Sprint(o.Anchors[0].Number)}
			},
		},
		{
			name:  "a later round by a second anchor, and the first one is not shown",
			fault: "record {anchored} was anchored before, in transaction {tx}, which the portal does not show",
			one:   "{id}: first: record {anchored} was anchored before, in transaction {tx}, which the portal does not show",
			cheat: func(o *operator) []string {
				names := o.firstAnchor()
				o.anchorAgain(devnet.Claimer, len(o.Records))
				return names
			},
		},
		{
			name:  "a later round by the anchor of a later transaction",
			fault: "{id}: record: the receipt's anchor is not the first one that covers record 1 in the public log",
			alone: true,
			cheat: func(o *operator) []string {
				o.anchorAgain(devnet.Claimer, 3, len(o.Records))
				o.cheat(o.Records[0].OpeningID, o.Anchors[1].decide)
				return o.firstAnchor()
			},
		},
		{
			name:  "anchors in another order than the chain's",
			fault: "the anchor of record {anchored} is before that of record 1 on the chain",
			one:   "{id}: first: the anchor of record {anchored} is before that of record 1 on the chain",
			cheat: func(o *operator) []string {
				last := slices.Clone(o.Anchors[len(o.Anchors)-1:])
				o.anchorAgain(devnet.Claimer, 1)
				o.Anchors = append(o.Anchors, last...)
				o.follow()
				return []string{"{id}", o.Records[len(o.Records)-1].OpeningID, "{anchored}", fmt.Sprint(last[0].Number)}
			},
		},
		{
			name:  "a later round by another time of the anchor's block",
			fault: "{id}: time: the block is dated {time}",
			alone: true,
			cheat: func(o *operator) []string {
				return o.forgeAnchor(func(a *anchor) { a.BlockTime = a.BlockTime.Add(time.Second) })
			},
		},
		{
			name:  "the same, and the log has the right one",
			fault: "{id}: record: the receipt's anchor is not the first one that covers record 1 in the public log",
			alone: true,
			cheat: func(o *operator) []string {
				names, forged := o.firstAnchor(), o.Anchors[0]
				forged.BlockTime = forged.BlockTime.Add(time.Second)
				o.cheat(o.Records[0].OpeningID, forged.decide)
				return names
			},
		},
		{
			name:  "an anchor in another block",
			fault: "{id}: anchor: the chain has the anchor in block {block}, {hash}",
			alone: true,
			cheat: func(o *operator) []string { return o.forgeAnchor(func(a *anchor) { a.Block++ }) },
		},
		{
			name:  "an anchor in a block with another hash",
			fault: "{id}: anchor: the chain has the anchor in block {block}, {hash}",
			alone: true,
			cheat: func(o *operator) []string { return o.forgeAnchor(func(a *anchor) { a.BlockHash[0]++ }) },
		},
		{
			name:  "a later round by a larger margin of an anchor",
			fault: "{id}: rules: the margin is 3 seconds, and the portal publishes 2",
			alone: true,
			cheat: func(o *operator) []string { return o.forgeAnchor(func(a *anchor) { a.Margin++ }) },
		},
		{
			name:  "the same, among the margins of others",
			fault: "{id}: the margin is 3 s, and was 2 s before: its round may have been chosen",
			cheat: func(o *operator) []string {
				id := o.Records[1].OpeningID
				o.cheat(id, func(r *draw.Receipt) { r.Purchase.Anchor.Margin++; r.Beacon.Round++ })
				return []string{"{id}", id}
			},
		},
		{
			name:  "an anchor that another wallet is said to have sent",
			fault: "{id}: anchor: transaction {tx} is not of that wallet to itself, or does not anchor record {anchored}",
			alone: true,
			cheat: func(o *operator) []string {
				return o.forgeAnchor(func(a *anchor) { a.Wallet = devnet.WalletOf(devnet.Deployer).Address })
			},
		},
		{
			name:  "a later round by an anchor that another wallet has sent",
			fault: "{id}: rules: the record is anchored by {wallet} on chain {chain}, and not by a wallet that the portal publishes",
			alone: true,
			cheat: func(o *operator) []string {
				o.anchorAgain(devnet.Deployer, len(o.Records))
				wallet := devnet.WalletOf(devnet.Deployer).Address.Checksum()
				return append(o.firstAnchor(), "{wallet}", wallet, "{chain}", fmt.Sprint(devnettest.GameChain))
			},
		},
		{
			name:  "an anchor on another chain",
			fault: "{id}: anchor: the chain has no such transaction, or it failed: {tx}",
			alone: true,
			cheat: func(o *operator) []string { return o.forgeAnchor(func(a *anchor) { a.ChainID = devnettest.MainChain }) },
		},
		{
			name:  "an anchor of an earlier record",
			fault: "{id}: draw: the anchor is of an earlier record than the payment's",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.Records[1].OpeningID
				o.cheat(id, func(r *draw.Receipt) { r.Purchase.Anchor.Record = 1 })
				return []string{"{id}", id}
			},
		},
		{
			name:  "a table that was fixed after the payment",
			fault: "{id}: draw: the table was not fixed yet at the time of the purchase",
			alone: true,
			cheat: func(o *operator) []string { return o.fixLate(func(*draw.ReceiptFixed, draw.ReceiptFixed) {}) },
		},
		{
			name:  "a table that was fixed in a later block than the anchor, dated back",
			fault: "{id}: draw: the table was not fixed yet at the time of the purchase",
			alone: true,
			cheat: func(o *operator) []string {
				return o.fixLate(func(late *draw.ReceiptFixed, honest draw.ReceiptFixed) { late.BlockTime = honest.BlockTime })
			},
		},
		{
			name:  "a payment that is recorded anew, and the others keep their numbers",
			fault: "the public log: record 3: it follows record 1",
			cheat: func(o *operator) []string {
				id := o.Records[1].OpeningID
				o.Records = slices.Delete(o.Records, 1, 2)
				o.withhold(id)
				return nil
			},
		},
		{
			name:  "a payment that is recorded twice",
			fault: "the public log: record {last}: opening {id} is recorded twice",
			cheat: func(o *operator) []string {
				names := o.recordAnew(false)
				return append(names, "{last}", fmt.Sprint(len(o.Records)))
			},
		},
		{
			name:  "a payment whose record is changed",
			fault: "the public log: record 2: its hash is not that of the record and the hash before",
			cheat: func(o *operator) []string { o.Records[1].Nonce[0]++; return nil },
		},
		{
			name:  "a record that is dated back among others",
			fault: "the public log: record 3: it is older than the record before",
			cheat: func(o *operator) []string {
				o.Records[2].RecordedAt -= 30
				o.rewrite()
				return nil
			},
		},
		{
			name:  "a record that is dated back by 20 minutes, anchored now",
			fault: "record 1 was anchored 20m",
			cheat: func(o *operator) []string {
				for _, r := range o.Records[1:] {
					o.withhold(r.OpeningID)
				}
				o.Records = o.Records[:1]
				o.Records[0].RecordedAt = time.Now().Unix() - 1205
				o.rewrite()
				o.anchorAgain(devnet.Deployer, 1)
				return nil
			},
		},
		{
			name:  "a clock that is an hour behind",
			fault: "record 1 was anchored 1h0m",
			cheat: func(o *operator) []string {
				for i := range o.Records {
					o.Records[i].RecordedAt = time.Now().Unix() - 3605
				}
				o.rewrite()
				o.anchorAgain(devnet.Deployer, len(o.Records))
				return nil
			},
		},
		{
			name:  "a log that ends before an anchored record",
			fault: "record {anchored} is anchored, and the public log ends with record 2",
			cheat: func(o *operator) []string {
				for _, r := range o.Records[2:] {
					o.withhold(r.OpeningID)
				}
				o.Records = o.Records[:2]
				return []string{"{anchored}", fmt.Sprint(o.Anchors[0].Number)}
			},
		},
		{
			name:  "a log that is gone",
			fault: "record {anchored} is anchored, and the public log ends with record 0 (transaction {tx}, which the portal does not show)",
			cheat: func(o *operator) []string {
				names := []string{"{anchored}", fmt.Sprint(o.Anchors[0].Number), "{tx}", o.Anchors[0].TxID.String()}
				for _, r := range o.Records {
					o.withhold(r.OpeningID)
				}
				o.Records, o.Anchors = nil, nil
				return names
			},
		},
		{
			name:  "records that are never anchored",
			fault: "record 1: it is not anchored",
			later: 2 * time.Hour,
			cheat: func(o *operator) []string {
				o.Anchors = nil
				for _, r := range o.Records {
					o.Openings[o.listing(r.OpeningID)]["state"] = "waiting"
					o.Proofs[r.OpeningID] = object{"state": "waiting"}
				}
				return nil
			},
		},
		{
			name:  "an anchor that is not shown, and receipts that name it",
			fault: "{id}: record: the public log has no anchor that covers record 1, and the receipt names transaction {tx}",
			alone: true,
			cheat: func(o *operator) []string {
				names := o.firstAnchor()
				o.Anchors = nil
				return names
			},
		},
		{
			name:  "a drop that is shown under another name",
			fault: "general 1: the drop yew-bow is shown otherwise than it is in the table that was fixed",
			cheat: func(o *operator) []string {
				o.shown("general", 1)["drops"].([]any)[4].(object)["name"] = "Crown of Destiny"
				return nil
			},
		},
		{
			name:  "a pity rule that is shown and not in the table",
			fault: "avatar 1: the table is shown otherwise than it is in the table that was fixed",
			cheat: func(o *operator) []string {
				o.shown("avatar", 1)["pity"] = object{"after": 5, "rarity": "rare"}
				return nil
			},
		},
		{
			name:  "chances that are shown larger than they are",
			fault: "god 1: the chances of elder-god are shown as 0.2, ",
			cheat: func(o *operator) []string { o.result("god", 6)["promised"] = 0.2; return nil },
		},
		{
			name:  "a table that is on sale and fixed nowhere",
			fault: "god 1: it is on sale, and its table is not fixed",
			cheat: func(o *operator) []string { delete(o.shown("god", 1), "fixed"); return nil },
		},
		{
			name:  "a table that is shown as fixed in another contract",
			fault: "god 1: the table is fixed in the contract {contract}, which is not that of the packs",
			cheat: func(o *operator) []string {
				items := o.at.Collections["game-items"]
				o.shown("god", 1)["fixed"].(object)["address"] = items
				return []string{"{contract}", items.Checksum()}
			},
		},
		{
			name:  "a table that is shown as fixed by a wallet, and the contract has another",
			fault: "avatar 1: the contract of the packs has fixed another table for token 2: {hash}",
			cheat: func(o *operator) []string {
				hash := o.shown("avatar", 1)["hash"].(string)
				o.show(o.shown("avatar", 1), p.avatars, p.fixed)
				return []string{"{hash}", hash}
			},
		},
		{
			name:  "a table that is shown as fixed where it is not",
			fault: "god 1: transaction {tx} fixes no such table for token 3",
			cheat: func(o *operator) []string {
				o.shown("god", 1)["fixed"].(object)["tx"] = p.fixed.Tx
				return []string{"{tx}", p.fixed.Tx.String()}
			},
		},
		{
			name:  "another drop",
			fault: `{id}: draw: the draw gives "{drop}" [], and the receipt says "crown-of-destiny"`,
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("general", func(v draw.Verified) bool { return v.Receipt.Outcome.Drop != "crown-of-destiny" })
				o.say(id, func(out *draw.ReceiptOutcome) { out.Drop = "crown-of-destiny" })
				return []string{"{id}", id, "{drop}", o.honest[id].Receipt.Outcome.Drop}
			},
		},
		{
			name:  "another variant",
			fault: `{id}: draw: the draw gives "{drop}" [{{variant} {token}}`,
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("avatar", func(v draw.Verified) bool { return v.Outcome.Tokens[0].Variant.ID != "mythic" })
				o.say(id, func(out *draw.ReceiptOutcome) { out.Tokens[0].Variant = "mythic" })
				was := o.honest[id].Receipt.Outcome
				return []string{"{id}", id, "{drop}", was.Drop, "{variant}", was.Tokens[0].Variant, "{token}", was.Tokens[0].ID}
			},
		},
		{
			name:  "another token",
			fault: `{id}: draw: the draw gives "{drop}" [{{variant} {token}}`,
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("avatar", whichever)
				o.say(id, func(out *draw.ReceiptOutcome) { out.Tokens[0].ID = "160000000000007" })
				was := o.honest[id].Receipt.Outcome
				return []string{"{id}", id, "{drop}", was.Drop, "{variant}", was.Tokens[0].Variant, "{token}", was.Tokens[0].ID}
			},
		},
		{
			name:  "another drop on the page of the opening than in the receipt",
			fault: "{id}: draw: the portal shows the drop crown-of-destiny, and the receipt has {drop}",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("general", whichever)
				o.Proofs[id]["drop"] = "crown-of-destiny"
				return []string{"{id}", id, "{drop}", o.honest[id].Receipt.Outcome.Drop}
			},
		},
		{
			name:  "the receipt of another opening",
			fault: "{id}: draw: the receipt is of the opening {other}",
			alone: true,
			cheat: func(o *operator) []string {
				id, other := o.ids[0], o.ids[1]
				o.Proofs[id] = o.Proofs[other]
				return []string{"{id}", id, "{other}", other}
			},
		},
		{
			name:  "no receipt",
			fault: "{id}: draw: this is no receipt",
			cheat: func(o *operator) []string { o.Proofs[o.ids[0]]["receipt"] = ""; return []string{"{id}", o.ids[0]} },
		},
		{
			name:  "another beacon, whose rounds the operator knows",
			fault: "{id}: beacon: the beacon's key is {key}",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("god", whichever)
				r := o.redraw(copyReceipt(o.honest[id].Receipt), o.honest[id].Table, stranger)
				o.publish(id, r, o.honest[id].Table)
				return []string{"{id}", id, "{key}", fmt.Sprintf("%x", stranger.PublicKey().Bytes())}
			},
		},
		{
			name:  "another beacon that is announced",
			fault: "the portal announces another beacon than that of the receipts: key {key}",
			cheat: func(o *operator) []string {
				key := fmt.Sprintf("%x", stranger.PublicKey().Bytes())
				o.Odds["beacon"].(object)["publicKey"] = key
				return []string{"{key}", key}
			},
		},
		{
			name:  "a later round",
			fault: "{id}: draw: the burn's round is {round}, not {later}",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("god", whichever)
				o.cheat(id, func(r *draw.Receipt) { r.Beacon.Round++ })
				round := o.honest[id].Beacon.Round
				return []string{"{id}", id, "{round}", fmt.Sprint(round), "{later}", fmt.Sprint(round + 1)}
			},
		},
		{
			name:  "a later round by another time of the block",
			fault: "{id}: time: the block is dated {time}",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("god", whichever)
				o.cheat(id, func(r *draw.Receipt) { r.Burn.BlockTime++; r.Beacon.Round++ })
				return []string{"{id}", id, "{time}", time.Unix(o.honest[id].Burn.BlockTime, 0).UTC().Format(time.RFC3339)}
			},
		},
		{
			name:  "a later round by a larger margin",
			fault: "{id}: the margin is 3 s, and was 2 s before: its round may have been chosen",
			cheat: func(o *operator) []string {
				id := o.first("god", func(v draw.Verified) bool { return v.Burn.Number > 5 })
				o.cheat(id, func(r *draw.Receipt) { r.Burn.Margin++; r.Beacon.Round++ })
				return []string{"{id}", id}
			},
		},
		{
			name:  "a later round by another beginning of the beacon",
			fault: "{id}: the beacon is another than before: key {key}, genesis 1767225599",
			cheat: func(o *operator) []string {
				id := o.first("god", func(v draw.Verified) bool { return v.Burn.Number > 5 })
				o.cheat(id, func(r *draw.Receipt) { r.Beacon.Genesis--; r.Beacon.Round++ })
				return []string{"{id}", id, "{key}", o.honest[id].Beacon.PublicKey}
			},
		},
		{
			name:  "a burn in another block",
			fault: "{id}: burn: the chain has the burn in block {block}",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("god", whichever)
				o.cheat(id, func(r *draw.Receipt) { r.Burn.Block++ })
				return []string{"{id}", id, "{block}", fmt.Sprint(o.honest[id].Burn.Block)}
			},
		},
		{
			name:  "a burn by another wallet",
			fault: "{id}: burn: log {log} of the transaction is no burn by that wallet in that contract",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("avatar", whichever)
				o.cheat(id, func(r *draw.Receipt) { r.Burn.Wallet = draw.ReceiptAddress(devnet.WalletOf(devnet.Manager).Address) })
				return []string{"{id}", id, "{log}", fmt.Sprint(o.honest[id].Burn.LogIndex)}
			},
		},
		{
			name:  "a run without luck that is forgotten",
			fault: "{id}: 0 openings without luck before, by the receipts before it there were {without}",
			cheat: func(o *operator) []string {
				id := o.first("general", func(v draw.Verified) bool { return v.Before.Without > 0 })
				o.cheat(id, func(r *draw.Receipt) { r.Before.Without = 0 })
				return []string{"{id}", id, "{without}", fmt.Sprint(o.honest[id].Before.Without)}
			},
		},
		{
			name:  "a limit that is reached too early",
			fault: "{id}: 1000 of elder-gods were given before, by the receipts before it there were {given}",
			cheat: func(o *operator) []string {
				id := o.first("god", whichever)
				o.cheat(id, func(r *draw.Receipt) { r.Before.Given["elder-gods"] = 1000 })
				return []string{"{id}", id, "{given}", fmt.Sprint(o.honest[id].Before.Given["elder-gods"])}
			},
		},
		{
			name:  "an opening that is withheld",
			fault: "{id}: pack 1 was burned and is not among the openings",
			cheat: func(o *operator) []string {
				id := o.first("general", whichever)
				o.withhold(id)
				return []string{"{id}", id}
			},
		},
		{
			name:  "the last opening is withheld",
			fault: "{id}: pack 3 was burned and is not among the openings",
			later: 2 * time.Hour,
			cheat: func(o *operator) []string {
				var last draw.Verified
				for _, id := range o.ids {
					if v := o.honest[id]; v.Burn != nil {
						last = v
					}
				}
				o.withhold(last.Opening())
				return []string{"{id}", last.Opening()}
			},
		},
		{
			name:  "the opening of a payment is withheld",
			fault: "{id}: payment 2 is in the public log, and not among the openings",
			cheat: func(o *operator) []string {
				id := o.Records[1].OpeningID
				o.withhold(id)
				return []string{"{id}", id}
			},
		},
		{
			name:  "the proof of an opening is withheld",
			fault: "{site}/api/packs/openings/{id}: the portal has no such thing",
			cheat: func(o *operator) []string {
				id := o.first("general", whichever)
				delete(o.Proofs, id)
				return []string{"{id}", id}
			},
		},
		{
			name:  "an opening that waits for ever",
			fault: "{id}: it is not drawn, and its round was published soon after {time}",
			later: 2 * time.Hour,
			cheat: func(o *operator) []string {
				id := o.first("god", whichever)
				o.Openings[o.listing(id)]["state"] = "waiting"
				o.Proofs[id] = object{"state": "waiting", "burn": object{"margin": 2}}
				return []string{"{id}", id, "{time}", time.Unix(o.honest[id].Burn.BlockTime+2, 0).UTC().Format(time.RFC3339)}
			},
		},
		{
			name:  "a bought pack that waits for ever",
			fault: "{id}: it is not drawn, and its round was published soon after {time}",
			later: 2 * time.Hour,
			cheat: func(o *operator) []string {
				id := o.first("destiny-bronze", whichever)
				o.Openings[o.listing(id)]["state"] = "waiting"
				o.Proofs[id] = object{"state": "waiting"}
				return []string{"{id}", id, "{time}", time.Unix(o.honest[id].Purchase.Anchor.BlockTime+2, 0).UTC().Format(time.RFC3339)}
			},
		},
		{
			name:  "an opening that has failed",
			fault: "{id}: it can never be drawn, says the portal: Bad luck.",
			cheat: func(o *operator) []string {
				id := o.first("god", whichever)
				o.Openings[o.listing(id)]["state"] = "failed"
				o.Proofs[id] = object{"state": "failed", "message": "Bad luck."}
				return []string{"{id}", id}
			},
		},
		{
			name:  "an opening that is listed twice",
			fault: "{id}: it is listed twice",
			cheat: func(o *operator) []string {
				id := o.first("god", whichever)
				again := maps.Clone(o.Openings[o.listing(id)])
				again["place"] = json.Number("1000")
				o.Openings = append(o.Openings, again)
				return []string{"{id}", id}
			},
		},
		{
			name:  "an opening that nobody has burned",
			fault: "{id}: it is listed, and neither the chain has its burn nor the public log its payment",
			cheat: func(o *operator) []string {
				first := o.first("god", whichever)
				id := first + "9"
				again := maps.Clone(o.Openings[o.listing(first)])
				again["place"], again["openingId"] = json.Number("1000"), id
				o.Openings, o.Proofs[id] = append(o.Openings, again), o.Proofs[first]
				return []string{"{id}", id}
			},
		},
		{
			name:  "openings in another order than the chain's",
			fault: "{id}: it was opened after {later}, which came later",
			cheat: func(o *operator) []string {
				id := o.first("avatar", whichever)
				later := o.first("avatar", func(v draw.Verified) bool { return v.Opening() != id })
				a, b := o.listing(id), o.listing(later)
				o.Openings[a]["place"], o.Openings[b]["place"] = o.Openings[b]["place"], o.Openings[a]["place"]
				o.Openings[a], o.Openings[b] = o.Openings[b], o.Openings[a]
				return []string{"{id}", id, "{later}", later}
			},
		},
		{
			name:  "an opening that is listed as one of another edition",
			fault: "{id}: it is listed as one of god 2, and was drawn by the table of god 1",
			cheat: func(o *operator) []string {
				id := o.first("god", whichever)
				o.Openings[o.listing(id)]["edition"] = 2
				return []string{"{id}", id}
			},
		},
		{
			name:  "something else that was burned",
			fault: "{id}: burn: the contract {contract} is not that of the packs",
			alone: true,
			cheat: func(o *operator) []string { return o.openAnItem(p) },
		},
		{
			name:  "a mint that never was",
			fault: "{id}: given: transaction {tx} mints no 1 of token {token}",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("general", o.byPlayer)
				o.grant(id, 0)["txId"] = p.fixed.Tx
				return []string{"{id}", id, "{tx}", p.fixed.Tx.String(), "{token}", o.honest[id].Outcome.Drop.Gives[0].Token}
			},
		},
		{
			name:  "a mint by a transaction that is not on the chain",
			fault: "{id}: given: the chain has no such transaction, or it failed: 0x07000000000000000000",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("general", o.byPlayer)
				o.grant(id, 0)["txId"] = eth.Hash{7}
				return []string{"{id}", id}
			},
		},
		{
			name:  "a mint without a transaction",
			fault: "{id}: given: token {token} was given, says the portal, and names no transaction",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("general", o.byPlayer)
				delete(o.grant(id, 0), "txId")
				return []string{"{id}", id, "{token}", o.honest[id].Outcome.Drop.Gives[0].Token}
			},
		},
		{
			name:   "a mint that is withheld",
			fault:  "{id}: given: token {token} is not given yet: pending",
			strict: true,
			cheat: func(o *operator) []string {
				id := o.first("general", o.byPlayer)
				delete(o.grant(id, 0), "txId")
				o.grant(id, 0)["state"] = "pending"
				return []string{"{id}", id, "{token}", o.honest[id].Outcome.Drop.Gives[0].Token}
			},
		},
		{
			name:   "nothing is said of what was given",
			fault:  "{id}: given: none of the drop's parts is given or to be given",
			strict: true,
			cheat: func(o *operator) []string {
				id := o.first("general", o.byPlayer)
				o.Proofs[id]["grants"] = []any{}
				return []string{"{id}", id}
			},
		},
		{
			name:   "a mint to somebody else",
			fault:  "{id}: given: token {token} was minted to {wallet}, and ",
			strict: true,
			cheat: func(o *operator) []string {
				id := o.first("general", o.byPlayer)
				token, friend := o.honest[id].Outcome.Drop.Gives[0].Token, devnet.WalletOf(devnet.Studio).Address
				number, _ := new(big.Int).SetString(token, 10)
				call := contracts.NewCollection1155().PackMint(common.Address(friend), number, big.NewInt(1), nil)
				at := o.placeOf(o.send(devnet.Manager, o.at.Collections["game-items"], call))
				o.grant(id, 0)["txId"] = at.tx
				return []string{"{id}", id, "{token}", token, "{wallet}", friend.Checksum()}
			},
		},
		{
			name:  "one mint for two openings",
			fault: "{id}: given: the mint of token {token} in transaction {tx} is that of {other}, part 1",
			alone: true,
			cheat: func(o *operator) []string {
				seen := map[string]string{}
				for _, id := range o.ids {
					v := o.honest[id]
					if v.Table.Kind != "god" || !o.byPlayer(v) || v.Outcome.Drop.ID == "elder-god" {
						continue
					}
					other, drop := seen[v.Outcome.Drop.ID], v.Outcome.Drop
					if other == "" {
						seen[drop.ID] = id
						continue
					}
					tx := o.grant(other, 0)["txId"].(string)
					o.grant(id, 0)["txId"] = tx
					return []string{"{id}", id, "{other}", other, "{tx}", tx, "{token}", drop.Gives[0].Token}
				}
				o.Fatal("all that was drawn differs")
				return nil
			},
		},
		{
			name:  "a mint of another token",
			fault: `{id}: given: 1 of token "1" was given instead of 1 of token {token}`,
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("general", func(v draw.Verified) bool { return o.byPlayer(v) && v.Outcome.Drop.Gives[0].Token != "1" })
				o.grant(id, 0)["tokenId"] = "1"
				return []string{"{id}", id, "{token}", o.honest[id].Outcome.Drop.Gives[0].Token}
			},
		},
		{
			name:  "more parts than were drawn",
			fault: "{id}: given: the drop has 1 parts, and the portal says of 2 whether they were given",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("general", whichever)
				o.Proofs[id]["grants"] = append(o.Proofs[id]["grants"].([]any), object{"currency": "fa", "amount": "1", "state": "done"})
				return []string{"{id}", id}
			},
		},
		{
			name:  "metadata by which a token is rarer or more common than it was drawn",
			fault: "{id}: token: token {token} is {rarity} by its metadata, and {drawn} was drawn",
			alone: true,
			cheat: func(o *operator) []string {
				id := o.first("avatar", whichever)
				token := o.honest[id].Outcome.Tokens[0]
				other := rarity.Common
				if token.Variant.Rarity == other {
					other = rarity.Mythic
				}
				o.describe(o.at.Collections["avatars"], token.ID, other)
				return []string{"{id}", id, "{token}", token.ID, "{rarity}", string(other), "{drawn}", string(token.Variant.Rarity)}
			},
		},
		{
			name:  "no metadata",
			fault: "{id}: token: {site}",
			alone: true,
			cheat: func(o *operator) []string { o.Metadata = nil; return []string{"{id}", o.first("avatar", whichever)} },
		},
		{
			name:  "counts that differ from what was drawn",
			fault: "general 1: yew-bow was drawn {told} times by the portal, {drawn} by the receipts",
			cheat: func(o *operator) []string {
				drawn, _ := o.result("general", 4)["drawn"].(json.Number).Int64()
				o.result("general", 4)["drawn"] = drawn + 3
				return []string{"{told}", fmt.Sprint(drawn + 3), "{drawn}", fmt.Sprint(drawn)}
			},
		},
		{
			name:  "counts of openings that differ",
			fault: "god 1: drawn freely 5000 times by the portal, ",
			cheat: func(o *operator) []string { o.shown("god", 1)["free"] = 5000; return nil },
		},
		{
			name:  "counts of what is left that differ",
			fault: "god 1: 999 of elder-gods were given by the portal, ",
			cheat: func(o *operator) []string { o.shown("god", 1)["caps"].([]any)[0].(object)["given"] = 999; return nil },
		},
		{
			name:  "a limit that another edition raises",
			fault: "god 2: caps[0].most: is more than the 1000 of edition 1",
			cheat: func(o *operator) []string {
				next := o.table("god")
				next.Edition, next.Token = 2, "103"
				next.Caps[0].Most = 2000
				o.announceFalsely(next)
				return nil
			},
		},
		{
			name:  "a series that means something else in another edition",
			fault: `avatar 2: drops[0].gives[0].variants[0].series: 11 of avatars is "Common avatar", common, in avatar 1, and what an id`,
			cheat: func(o *operator) []string {
				next := o.table("avatar")
				next.Edition, next.Token = 2, "102"
				next.Drops[0].Gives = slices.Clone(next.Drops[0].Gives)
				next.Drops[0].Gives[0].Variants = slices.Clone(next.Drops[0].Gives[0].Variants)
				next.Drops[0].Gives[0].Variants[0].Name = "Mythic avatar"
				o.announceFalsely(next)
				return nil
			},
		},
		{
			name:  "a table that is shown no more",
			fault: "god 1: openings were drawn by a table that the portal does not show",
			cheat: func(o *operator) []string {
				o.Odds["tables"] = slices.DeleteFunc(o.Odds["tables"].([]any), func(t any) bool { return t.(object)["kind"] == "god" })
				return nil
			},
		},
		{ // the last one: what the portal's own wallet has anchored here contradicts the log of all others
			name:  "a payment that is drawn anew by another record and a second anchor, and the first one is not shown",
			fault: "record {anchored} was anchored with another hash: records were changed (transaction {tx}, which the portal does not show)",
			one:   "{id}: first: record {anchored} was anchored before, in transaction {tx}, which the portal does not show",
			cheat: func(o *operator) []string {
				names := o.firstAnchor()
				o.Records[0].Nonce[0]++
				o.rewrite()
				o.anchorAgain(devnet.Claimer, len(o.Records))
				return names
			},
		},
	}
}

// firstAnchor returns the names of the first anchor, and of the opening of the first record.
func (o *operator) firstAnchor() []string {
	o.Helper()
	at := o.Anchors[0]
	return []string{
		"{id}", o.Records[0].OpeningID, "{anchored}", fmt.Sprint(at.Number), "{tx}", at.TxID.String(), "{block}", fmt.Sprint(at.Block),
		"{hash}", at.BlockHash.String(), "{time}", at.BlockTime.Format(time.RFC3339),
	}
}

// forgeAnchor changes the first anchor in the log and in the receipts that follow from it. It returns the names of what it was.
func (o *operator) forgeAnchor(change func(*anchor)) []string {
	o.Helper()
	names := o.firstAnchor()
	change(&o.Anchors[0])
	o.follow()
	return names
}

// fixLate has the first payment drawn by another table, which is fixed now. change changes where that is said to be.
func (o *operator) fixLate(change func(late *draw.ReceiptFixed, honest draw.ReceiptFixed)) []string {
	o.Helper()
	id := o.Records[0].OpeningID
	other := o.honest[id].Table
	other.Drops = slices.Clone(other.Drops)
	other.Drops[0].Weight, other.Drops[1].Weight = other.Drops[1].Weight, other.Drops[0].Weight
	late := o.anchorTable(other)
	change(&late, o.honest[id].Fixed)
	o.cheat(id, func(r *draw.Receipt) { r.Table, r.Fixed = string(other.Canonical()), late })
	return []string{"{id}", id}
}

// say changes what an opening's receipt says of its outcome.
func (o *operator) say(id string, change func(*draw.ReceiptOutcome)) {
	o.Helper()
	r := copyReceipt(o.honest[id].Receipt)
	change(&r.Outcome)
	o.publish(id, r, o.honest[id].Table)
}

// recordAnew records the second payment again at the end of the log, as if it had come in then; the record before is gone, or is not. It
// returns the names of what is concerned.
func (o *operator) recordAnew(gone bool) []string {
	o.Helper()
	again := o.Records[1]
	again.RecordedAt = o.Records[len(o.Records)-1].RecordedAt + 5
	if gone {
		o.Records = slices.Delete(o.Records, 1, 2)
	}
	o.Records = append(o.Records, again)
	o.rewrite()
	return []string{"{id}", again.OpeningID, "{anchored}", fmt.Sprint(o.Anchors[0].Number)}
}

// openAnItem opens a game item as if it were a pack, by a table that a wallet has fixed in time.
func (o *operator) openAnItem(p plot) []string {
	o.Helper()
	items, burner := o.at.Collections["game-items"], devnet.WalletOf(burners[0]).Address
	abi := contracts.NewCollection1155()
	o.mined(o.send(devnet.Manager, items, abi.PackMint(common.Address(burner), big.NewInt(5), big.NewInt(1), nil)))
	at := o.placeOf(o.send(burners[0], items, abi.PackBurn(common.Address(burner), big.NewInt(5), big.NewInt(1))))
	header, err := o.node.HeaderByNumber(o.ctx, new(big.Int).SetUint64(at.block))
	o.ok(err)
	r := copyReceipt(o.honest[o.first("avatar", whichever)].Receipt)
	r.Burn = &draw.ReceiptBurn{
		ChainID: devnettest.GameChain, Contract: draw.ReceiptAddress(items), Token: "5", Tx: at.tx, Wallet: draw.ReceiptAddress(burner),
		Block: at.block, BlockHash: eth.Hash(header.Hash()), BlockTime: at.time, Margin: int64(margin / time.Second),
	}
	r.Table, r.Fixed = string(p.items.Canonical()), p.itemsFixed
	r.Beacon.Round = draw.Schedule{Genesis: time.Unix(beaconGenesis, 0), Period: time.Second}.RoundAfter(time.Unix(at.time, 0), margin)
	r = o.redraw(r, p.items, o.beacon.signer)
	id := r.Opening()
	o.Openings = append(o.Openings, object{"place": json.Number("1000"), "openingId": id, "kind": "avatar", "edition": 1, "state": "drawn"})
	o.Proofs[id] = object{}
	o.publish(id, r, p.items)
	return []string{"{id}", id, "{contract}", items.Checksum()}
}

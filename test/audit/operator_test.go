package audit_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pantheon/internal/audit"
	"pantheon/internal/beacon"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/portal/draw"
)

// object is a JSON object whose numbers are kept as they are written.
type object = map[string]any

// read reads JSON into objects.
func read(t *testing.T, text []byte, out any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	must(t, d.Decode(out))
}

// published is what a portal publishes about openings.
type published struct {
	Config   object
	Odds     object
	Openings []object
	Records  []draw.LoggedRecord
	Anchors  []anchor
	Proofs   map[string]object
	Metadata map[string]object
}

type anchor struct {
	Number    uint64          `json:"number"`
	Hash      string          `json:"hash"`
	ChainID   onchain.ChainID `json:"chainId"`
	Wallet    eth.Address     `json:"wallet"`
	TxID      eth.Hash        `json:"txId"`
	Block     uint64          `json:"block"`
	BlockHash eth.Hash        `json:"blockHash"`
	BlockTime time.Time       `json:"blockTime"`
	Margin    int64           `json:"margin"`
}

// copyOf returns a copy that shares nothing.
func (p published) copyOf(t *testing.T) (out published) {
	t.Helper()
	text, err := json.Marshal(p)
	must(t, err)
	read(t, text, &out)
	return out
}

// publication reads all that the portal publishes.
func (s *scene) publication() (p published) {
	s.Helper()
	fetch := func(path string, out any) {
		s.Helper()
		var raw json.RawMessage
		s.ok(s.get(path, &raw))
		read(s.T, raw, out)
	}
	p.Proofs, p.Metadata = map[string]object{}, map[string]object{}
	fetch("/api/config", &p.Config)
	fetch("/api/packs/odds", &p.Odds)
	var list struct{ Openings []object }
	fetch("/api/packs/openings?limit=500", &list)
	p.Openings = list.Openings
	for _, o := range p.Openings {
		id := o["openingId"].(string)
		var proof object
		fetch("/api/packs/openings/"+id, &proof)
		p.Proofs[id] = proof
		for _, g := range proof["grants"].([]any) {
			if contract, ok := g.(object)["contract"].(string); ok {
				path := "/metadata/" + eth.MustAddress(contract).Checksum() + "/" + g.(object)["tokenId"].(string)
				var metadata object
				fetch(path, &metadata)
				p.Metadata[path] = metadata
			}
		}
	}
	var log struct {
		Records []struct {
			draw.Record
			RecordedAt time.Time `json:"recordedAt"`
			Hash       string
		}
		Anchors []anchor
	}
	fetch("/api/packs/records?limit=500", &log)
	for _, r := range log.Records {
		r.Record.RecordedAt = r.RecordedAt.Unix()
		hash, err := hex.DecodeString(r.Hash)
		s.ok(err)
		p.Records = append(p.Records, draw.LoggedRecord{Record: r.Record, Hash: [32]byte(hash)})
	}
	p.Anchors = log.Anchors
	return p
}

// operator is whoever operates a portal: it publishes what it likes.
type operator struct {
	*scene
	published
	honest map[string]draw.Verified // the receipts as the portal has made them
	ids    []string                 // in the order of their places
}

// ServeHTTP answers as the portal does.
func (o *operator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseUint(r.URL.Query().Get("after"), 10, 64) // 0 without one
	var answer any
	id, isProof := strings.CutPrefix(r.URL.Path, "/api/packs/openings/")
	switch {
	case r.URL.Path == "/api/config":
		answer = o.Config
	case r.URL.Path == "/api/packs/odds":
		answer = o.Odds
	case isProof && o.Proofs[id] != nil:
		answer = o.Proofs[id]
	case o.Metadata[r.URL.Path] != nil:
		answer = o.Metadata[r.URL.Path]
	case r.URL.Path == "/api/packs/openings":
		list := []object{}
		for _, entry := range o.Openings {
			if place, _ := entry["place"].(json.Number).Int64(); uint64(place) > after {
				list = append(list, entry)
			}
		}
		answer = object{"openings": list}
	case r.URL.Path == "/api/packs/records":
		type record struct {
			draw.Record
			RecordedAt time.Time `json:"recordedAt"`
			Hash       string    `json:"hash"`
		}
		records, anchors := []record{}, []anchor{}
		for _, logged := range o.Records {
			if logged.Number > after {
				records = append(records, record{logged.Record, time.Unix(logged.RecordedAt, 0).UTC(), hex.EncodeToString(logged.Hash[:])})
			}
		}
		for _, at := range o.Anchors {
			if at.Number > after && len(records) > 0 {
				anchors = append(anchors, at)
			}
		}
		answer = object{"records": records, "anchors": anchors}
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// open opens the operator's site until the test ends, and returns its address.
func (o *operator) open() string {
	o.Helper()
	server := httptest.NewServer(o)
	o.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		server.Close()
	})
	return server.URL
}

// audit has a stranger check a site, by a clock that is ahead: all openings, and one strictly.
func (o *operator) audit(site string, ahead time.Duration, opening string) (all audit.Summary, one error) {
	o.Helper()
	a := audit.New(audit.Options{Site: site, Nodes: o.nodes, BeaconKey: o.beacon.key, Clock: clock.NewFake(time.Now().Add(ahead))})
	all, err := a.All(o.ctx, audit.Chests{Chain: devnettest.GameChain, Contract: o.chests})
	o.ok(err)
	if opening != "" {
		r, err := a.Opening(o.ctx, opening)
		o.ok(err)
		one = r.Err(true)
	}
	return all, one
}

// first returns the first opening of a kind whose receipt is as wanted.
func (o *operator) first(kind string, wanted func(draw.Verified) bool) string {
	o.Helper()
	for _, id := range o.ids {
		if v := o.honest[id]; v.Table.Kind == kind && wanted(v) {
			return id
		}
	}
	o.Fatalf("there is no such opening of the kind %s", kind)
	return ""
}

func whichever(draw.Verified) bool { return true }

// byPlayer reports whether a player burned the pack, who has what was drawn.
func (o *operator) byPlayer(v draw.Verified) bool {
	return !slices.ContainsFunc(burners, func(by devnet.Role) bool { return devnet.WalletOf(by).Address == eth.Address(v.Burn.Wallet) })
}

// listing returns the entry of an opening in the list.
func (o *operator) listing(id string) (i int) {
	o.Helper()
	i = slices.IndexFunc(o.Openings, func(e object) bool { return e["openingId"] == id })
	if i < 0 {
		o.Fatalf("%s is not listed", id)
	}
	return i
}

// withhold takes an opening from the list.
func (o *operator) withhold(id string) {
	o.Helper()
	i := o.listing(id)
	o.Openings = slices.Delete(o.Openings, i, i+1)
	delete(o.Proofs, id)
}

// grants returns what is said of the parts of a drop.
func (o *operator) grant(id string, i int) object {
	o.Helper()
	return o.Proofs[id]["grants"].([]any)[i].(object)
}

// publish replaces an opening's receipt, and everything that is shown of it. What its drop has is not given yet.
func (o *operator) publish(id string, r draw.Receipt, t draw.Table) {
	o.Helper()
	proof := o.Proofs[id]
	proof["receipt"], proof["drop"] = string(r.Encode()), r.Outcome.Drop
	d := t.Drops[slices.IndexFunc(t.Drops, func(d draw.Drop) bool { return d.ID == r.Outcome.Drop })]
	tokens := r.Outcome.Tokens
	grants := []any{}
	for _, g := range d.Gives {
		grant := object{"currency": g.Currency, "amount": fmt.Sprint(g.Amount), "state": "pending"}
		if g.Currency == "" {
			contract := o.at.Collections[g.Collection]
			delete(grant, "currency")
			grant["chainId"], grant["contract"], grant["tokenId"] = devnettest.GameChain, contract, g.Token
			if g.Token == "" && len(tokens) > 0 {
				id, of := tokens[0].ID, tokens[0].Variant
				variant := g.Variants[max(0, slices.IndexFunc(g.Variants, func(v draw.Variant) bool { return v.ID == of }))]
				grant["tokenId"], tokens = id, tokens[1:]
				o.describe(contract, id, variant.Rarity)
			}
		}
		grants = append(grants, grant)
	}
	proof["grants"] = grants
}

// describe publishes metadata of a token.
func (o *operator) describe(contract eth.Address, tokenID string, r rarity.Rarity) {
	o.Metadata["/metadata/"+contract.Checksum()+"/"+tokenID] = object{
		"attributes": []object{{"trait_type": "Rarity", "value": strings.ToUpper(string(r))}},
	}
}

// redraw makes a receipt that follows from a table and from a beacon's signature of its round.
func (o *operator) redraw(r draw.Receipt, t draw.Table, by *beacon.Signer) draw.Receipt {
	o.Helper()
	signature, err := by.Sign(r.Beacon.Round)
	o.ok(err)
	key := by.PublicKey().Bytes()
	randomness, err := beacon.VerifyRound(key, r.Beacon.Round, signature)
	o.ok(err)
	r.Table, r.Beacon.PublicKey, r.Beacon.Signature = string(t.Canonical()), hex.EncodeToString(key), hex.EncodeToString(signature)
	origin, _ := r.Origin()
	r.Outcome = draw.OutcomeOf(t.Draw(draw.NewWords(randomness, origin, t.Hash()), draw.Luck(r.Before)))
	return r
}

// cheat publishes an opening with another receipt, whose draw follows from it.
func (o *operator) cheat(id string, change func(*draw.Receipt)) {
	o.Helper()
	v := o.honest[id]
	r := copyReceipt(v.Receipt)
	change(&r)
	t, err := draw.ParseTable([]byte(r.Table))
	o.ok(err)
	o.publish(id, o.redraw(r, t, o.beacon.signer), t)
}

func copyReceipt(r draw.Receipt) draw.Receipt {
	if r.Burn != nil {
		burn := *r.Burn
		r.Burn = &burn
	}
	if r.Purchase != nil {
		purchase := *r.Purchase
		r.Purchase = &purchase
	}
	r.Before.Given = maps.Clone(r.Before.Given)
	r.Outcome.Tokens = slices.Clone(r.Outcome.Tokens)
	return r
}

// shown returns an edition on the page of odds.
func (o *operator) shown(kind string, edition int) object {
	o.Helper()
	for _, t := range o.Odds["tables"].([]any) {
		if t := t.(object); t["kind"] == kind && t["edition"] == json.Number(strconv.Itoa(edition)) {
			return t
		}
	}
	o.Fatalf("%s %d is not shown", kind, edition)
	return nil
}

// result returns what is shown of a drop.
func (o *operator) result(kind string, i int) object {
	o.Helper()
	return o.shown(kind, 1)["results"].([]any)[i].(object)
}

// show shows a table in the place of another edition, with counts of nothing.
func (o *operator) show(in object, t draw.Table, f draw.ReceiptFixed) {
	o.Helper()
	var table object
	read(o.T, t.Canonical(), &table)
	maps.Copy(in, table)
	hash := t.Hash()
	in["canonical"], in["hash"] = string(t.Canonical()), hex.EncodeToString(hash[:])
	in["fixed"] = object{
		"chainId": f.ChainID, "by": f.By, "address": f.Address, "tx": f.Tx, "block": f.Block, "blockTime": time.Unix(f.BlockTime, 0).UTC(),
	}
	promised, effective, now := t.Shares(map[string]int64{})
	results := []any{}
	for i, d := range t.Drops {
		results = append(results, object{"id": d.ID, "promised": promised[i], "effective": effective[i], "now": now[i], "drawn": 0, "hit": 0})
	}
	in["results"], in["openings"], in["free"] = results, 0, 0
}

// announceFalsely shows another edition of a kind, before the others. It is fixed in the contract.
func (o *operator) announceFalsely(t draw.Table) {
	o.Helper()
	in, at := object{"onSale": false}, o.fix(1000, t)
	o.show(in, t, draw.ReceiptFixed{
		ChainID: devnettest.GameChain, By: draw.ByContract, Address: draw.ReceiptAddress(o.chests),
		Tx: at.tx, Block: at.block, BlockTime: at.time,
	})
	o.Odds["tables"] = append([]any{in}, o.Odds["tables"].([]any)...)
}

// notarise has a wallet of the portal send itself a transaction with an input.
func (s *scene) notarise(by devnet.Role, input []byte) place {
	s.Helper()
	return s.placeOf(s.send(by, devnet.WalletOf(by).Address, input))
}

// anchorTable has a wallet of the portal fix a table.
func (s *scene) anchorTable(t draw.Table) draw.ReceiptFixed {
	s.Helper()
	at, by := s.notarise(devnet.Deployer, draw.Anchor(t.Hash())), devnet.WalletOf(devnet.Deployer).Address
	return draw.ReceiptFixed{
		ChainID: devnettest.GameChain, By: draw.ByWallet, Address: draw.ReceiptAddress(by), Tx: at.tx, Block: at.block, BlockTime: at.time,
	}
}

// rewrite numbers the records of the log and computes the hashes. The receipts follow from them.
func (o *operator) rewrite() {
	o.Helper()
	previous := [32]byte{}
	for i := range o.Records {
		r := &o.Records[i]
		r.Number = uint64(i + 1)
		r.Hash = r.HashAfter(previous)
		previous = r.Hash
	}
	o.follow()
}

// follow makes the receipts of purchases again: they follow from the records and from the first anchors that cover these.
func (o *operator) follow() {
	o.Helper()
	for _, r := range o.Records {
		if o.Proofs[r.OpeningID] == nil {
			continue
		}
		o.cheat(r.OpeningID, func(c *draw.Receipt) {
			p := c.Purchase
			p.Record, p.RecordedAt, p.Nonce = r.Number, r.RecordedAt, r.Nonce
			if i := slices.IndexFunc(o.Anchors, func(a anchor) bool { return a.Number >= r.Number }); i >= 0 {
				o.Anchors[i].decide(c)
			}
		})
	}
}

// decide has an anchor decide the round of a purchase.
func (a anchor) decide(r *draw.Receipt) {
	r.Purchase.Anchor = draw.ReceiptAnchor{
		Record: a.Number, ChainID: a.ChainID, Wallet: draw.ReceiptAddress(a.Wallet), Tx: a.TxID, Block: a.Block, BlockHash: a.BlockHash,
		BlockTime: a.BlockTime.Unix(), Margin: a.Margin,
	}
	schedule := draw.Schedule{Genesis: time.Unix(beaconGenesis, 0), Period: time.Second}
	r.Beacon.Round = schedule.RoundAfter(a.BlockTime, time.Duration(a.Margin)*time.Second)
}

// anchorAgain has a wallet anchor records of the operator's own log, one after the other, in place of all anchors before. The receipts
// follow from them.
func (o *operator) anchorAgain(by devnet.Role, numbers ...int) {
	o.Helper()
	o.Anchors = nil
	for _, n := range numbers {
		r := o.Records[n-1]
		at := o.notarise(by, draw.RecordsAnchor(r.Number, r.Hash))
		o.Anchors = append(o.Anchors, anchor{
			Number: r.Number, Hash: hex.EncodeToString(r.Hash[:]), ChainID: devnettest.GameChain, Wallet: devnet.WalletOf(by).Address,
			TxID: at.tx, Block: at.block, BlockHash: at.hash, BlockTime: time.Unix(at.time, 0).UTC(), Margin: int64(margin / time.Second),
		})
	}
	o.follow()
}

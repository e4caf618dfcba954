package api_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	portalpacks "pantheon/internal/portal/packs"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store/rewards"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/testkit"
)

// buyPacks records the payment of a player for packs of one order.
func (p *portal) buyPacks(me actor, order uint64, packs int) (ids []string) {
	p.t.Helper()
	for unit := range uint64(packs) {
		of := draw.Purchase{Shop: "gift-shop", Order: order, Line: 1, Unit: unit, Nonce: [32]byte{31: byte(order)}}
		_, err := testkit.AddPurchaseOpening(p.t.Context(), p.db, of, projection.Pack{Kind: "destiny-gold", Edition: 1}, p.clock.Now(), 0)
		p.ok(err)
		p.ok(rewards.New(p.db).AddReward(p.t.Context(), reward.Reward{
			Source: of.String(), Origin: reward.FromWebstore, PlayerID: me.id,
			EarnedAt: p.clock.Now().Add(time.Duration(unit) * time.Millisecond), Detail: `{"orderId":1}`,
		}, p.clock.Now()))
		ids = append(ids, of.String())
	}
	return ids
}

// Spec: DRAW-5
func TestRecords_AreAPublicChainWithItsAnchors(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	empty := p.mustSucceed(request{method: "GET", path: "/api/packs/records"}, 200).text
	if want := `{"records":[],"anchors":[],"head":{"number":0,"hash":"` + strings.Repeat("0", 64) + `"}}`; strings.TrimSpace(empty) != want {
		t.Errorf("an empty log is %s, want %s", empty, want)
	}
	for order := range uint64(4) {
		p.buyPacks(me, order+1, 2)
		p.clock.Advance(time.Minute)
	}
	log, err := rewards.New(p.db).Records(t.Context(), 0, 100)
	p.ok(err)
	block := opening.Add(5 * time.Minute)
	for _, number := range []uint64{3, 6} {
		a := portalpacks.RecordAnchor{Number: number, Hash: log[number-1].Hash, Begun: opening}
		p.ok(rewards.New(p.db).BeginRecordAnchor(t.Context(), a))
		a.Fixed = portalpacks.Fixed{
			Chain: testkit.GameChain, Address: eth.Address{19: 7}, Tx: eth.Hash{31: byte(number)}, Block: number, At: block,
		}
		a.BlockHash, a.Margin, a.Final = eth.Hash{30: byte(number)}, 30*time.Second, true
		p.ok(rewards.New(p.db).MoveRecordAnchor(t.Context(), a, 1203))
	}
	// Whoever reads the log page by page can verify it.
	var before draw.LoggedRecord
	var anchors []uint64
	for {
		var page api.PaymentRecords
		answer := p.mustSucceed(request{method: "GET", path: fmt.Sprintf("/api/packs/records?after=%d&limit=3", before.Number)}, 200)
		if strings.Contains(answer.text, me.id) || strings.Contains(answer.text, "zeus") {
			t.Errorf("the log names the player: %s", answer.text)
		}
		p.json(answer, &page)
		if page.Head.Number != 8 || page.Head.Hash != hex.EncodeToString(log[7].Hash[:]) {
			t.Errorf("head %+v", page.Head)
		}
		if len(page.Records) == 0 {
			break
		}
		var records []draw.LoggedRecord
		for _, r := range page.Records {
			hash, err := hex.DecodeString(r.Hash)
			p.ok(err)
			records = append(records, draw.LoggedRecord{Hash: [32]byte(hash), Record: draw.Record{
				Number: r.Number, OpeningID: r.OpeningID, Kind: r.Kind, Edition: r.Edition, Table: r.Table, Nonce: r.Nonce,
				RecordedAt: r.RecordedAt.Unix(),
			}})
		}
		p.ok(draw.VerifyRecords(before, records))
		before = records[len(records)-1]
		for _, a := range page.Anchors {
			if a.Hash != hex.EncodeToString(log[a.Number-1].Hash[:]) || a.ChainID != testkit.GameChain || a.Block != a.Number ||
				!a.BlockTime.Equal(block) ||
				a.Wallet != (eth.Address{19: 7}) || a.TxID != (eth.Hash{31: byte(a.Number)}) ||
				a.BlockHash != (eth.Hash{30: byte(a.Number)}) || a.Margin != 30 {
				t.Errorf("anchor %+v", a)
			}
			anchors = append(anchors, a.Number)
		}
	}
	if before.Number != 8 || !slices.Equal(anchors, []uint64{3, 6}) {
		t.Errorf("the log ends with record %d and has the anchors %v", before.Number, anchors)
	}
	whole := p.mustSucceed(request{method: "GET", path: "/api/packs/records?after=2&limit=2"}, 200).text
	if !strings.Contains(whole, `"number":3,"openingId":"gift-shop-2-1-0","kind":"destiny-gold","edition":1,"table":"`) ||
		!strings.Contains(whole, `"nonce":"0x0000000000000000000000000000000000000000000000000000000000000002","recordedAt":"`+
			opening.Add(time.Minute).Format(time.RFC3339)+`","hash":"`) {
		t.Errorf("records %s", whole)
	}
	for _, query := range []string{"limit=501", "limit=0", "after=-1", "after=x", "after=9007199254740992"} {
		p.mustBeProblem(query, p.send(request{method: "GET", path: "/api/packs/records?" + query}), http.StatusBadRequest)
	}
}

// Spec: DRAW-2
func TestOpenings_AllAreListedWithoutTheirPlayers(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	wallet := testkit.WalletOf(me.id)
	tx, _ := p.burnPack(wallet, true)
	p.drawAll()
	bought := p.buyPacks(me, 7731, 2)
	p.ok(rewards.New(p.db).FailOpening(t.Context(), bought[1], "It cannot be drawn."))
	burned := fmt.Sprintf("%d-%s-4-0", testkit.GameChain, tx)
	get := func(query string) (out api.AllOpenings) {
		t.Helper()
		answer := p.mustSucceed(request{method: "GET", path: "/api/packs/openings" + query}, 200)
		if strings.Contains(answer.text, me.id) || strings.Contains(answer.text, "zeus") {
			t.Errorf("the list names the player: %s", answer.text)
		}
		p.json(answer, &out)
		return out
	}
	all := get("").Openings
	if len(all) != 3 {
		t.Fatalf("%d openings, want 3", len(all))
	}
	if o := all[0]; o.OpeningID != burned || o.Place != 1 || o.Kind != "general" || o.Edition != 1 || o.State != "drawn" || o.Wallet == nil ||
		*o.Wallet != wallet || o.DrawnAt == nil {
		t.Errorf("burned: %+v", o)
	}
	if o := all[1]; o.OpeningID != bought[0] || o.Place != 2 || o.Kind != "destiny-gold" || o.Edition != 1 || o.State != "waiting" ||
		o.Wallet != nil || o.DrawnAt != nil {
		t.Errorf("bought: %+v", o)
	}
	if o := all[2]; o.OpeningID != bought[1] || o.State != "failed" {
		t.Errorf("failed: %+v", o)
	}
	for query, want := range map[string][]string{
		"?limit=1": {burned}, "?after=1&limit=1": bought[:1], "?after=3": {}, "?kind=general": {burned}, "?kind=destiny-gold&after=2": bought[1:],
		"?kind=god": {}, "?kind=": {burned, bought[0], bought[1]},
	} {
		ids := []string{}
		for _, o := range get(query).Openings {
			ids = append(ids, o.OpeningID)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("%s: %q, want %q", query, ids, want)
		}
	}
	for _, query := range []string{"limit=501", "limit=0", "after=-1", "kind=General", "kind=a%27", "kind=" + strings.Repeat("a", 65)} {
		p.mustBeProblem(query, p.send(request{method: "GET", path: "/api/packs/openings?" + query}), http.StatusBadRequest)
	}
}

// Spec: PACK-9
func TestOpenings_OfThePlayerHavePacksOfTheShopToo(t *testing.T) {
	t.Parallel()
	p := open(t)
	me, other := p.admit("zeus", "1"), p.admit("hera", "2")
	tx, _ := p.burnPack(testkit.WalletOf(me.id), true)
	mine := p.buyPacks(me, 7731, 1)
	theirs := p.buyPacks(other, 7732, 1)
	p.ok(rewards.New(p.db).AddReward(t.Context(), reward.Reward{
		Source: "gift-shop-7733-1-0", Origin: reward.FromWebstore, PlayerID: me.id, EarnedAt: p.clock.Now(), Detail: "{}",
		Grants: []reward.Content{reward.Currency{Code: "ig", Amount: 5}.Content()},
	}, p.clock.Now()))
	ids := func(token string, nonce byte) (out []string) {
		var page api.Rewards
		p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/packs/openings", authorization: token}, 200), &page)
		for _, r := range page.Items {
			if r.Opening == nil || r.Opening.OpeningID != r.ID {
				t.Errorf("%s has the opening %+v", r.ID, r.Opening)
			} else if n := r.Opening.Nonce; (n == nil) != (r.Origin == reward.FromPack) || n != nil && n[31] != nonce {
				t.Errorf("%s has the nonce %v", r.ID, n)
			}
			out = append(out, r.ID)
		}
		slices.Sort(out)
		return out
	}
	if got, want := ids(me.token, 7731&0xff), []string{fmt.Sprintf("%d-%s-4-0", testkit.GameChain, tx), mine[0]}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := ids(other.token, 7732&0xff); !slices.Equal(got, theirs) {
		t.Errorf("the other's: %q, want %q", got, theirs)
	}
}

// Spec: DRAW-11
func TestWebstore_CheckoutFixesEditionAndNonce(t *testing.T) {
	t.Parallel()
	sold := true
	p := open(t, func(o *api.Options) {
		options := o.Webstore.Options
		options.Edition = func(context.Context, string) (int, error) {
			if sold {
				return 1, nil
			}
			return 0, fault.New(fault.Unavailable, "These packs are not on sale yet: what they can contain is not fixed.")
		}
		o.Webstore = webstore.NewService(options)
	})
	me := p.register("zeus")
	p.mustSucceed(request{method: "POST", path: "/api/auth/packs/confirm-age", authorization: me.token}, 200)
	buy := func(body string) answer {
		return p.send(request{method: "POST", path: "/api/auth/webstore/checkout", authorization: me.token, body: body})
	}
	begun := func(body string) (out api.WebstoreCheckout, h webstore.HandOff) {
		t.Helper()
		a := buy(body)
		if a.status != 200 {
			t.Fatalf("%s: %d %s", body, a.status, a.text)
		}
		p.json(a, &out)
		h, err := shopstore.New(p.db).HandedOff(t.Context(), me.id, out.HandOffID)
		p.ok(err)
		return out, h
	}
	tables, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, func(draw.Grant) error { return nil })
	p.ok(err)
	table, _ := tables.Edition("destiny-bronze", 1)
	hash := table.Hash()
	nonce := "0x" + strings.Repeat("0f", 32)
	out, h := begun(`{"productId":100,"variationId":101,"nonce":"` + nonce + `"}`)
	if out.Edition != 1 || out.Table != hex.EncodeToString(hash[:]) || h.Kind != "destiny-bronze" || h.Edition != 1 ||
		eth.Hash(h.Nonce).String() != nonce {
		t.Errorf("packs: %+v, %+v", out, h)
	}
	if out, h := begun(`{"productId":100,"variationId":101}`); out.Edition != 1 || h.Nonce != [32]byte{} {
		t.Errorf("packs without a nonce: %+v, %+v", out, h)
	}
	if out, h := begun(`{"productId":200,"variationId":201,"nonce":"` + nonce + `"}`); out.Edition != 0 || out.Table != "" ||
		h.Nonce != [32]byte{} {
		t.Errorf("something else: %+v, %+v", out, h)
	}
	for _, bad := range []string{
		nonce[2:], nonce[:64], nonce + "00", strings.ToUpper(nonce), "0X" + nonce[2:], "0x" + strings.Repeat("0F", 32),
		"0x" + strings.Repeat("0g", 32), " " + nonce, nonce + `\n`, "0x",
	} {
		p.mustBeProblem(bad, buy(`{"productId":100,"variationId":101,"nonce":"`+bad+`"}`), http.StatusBadRequest)
	}
	for _, bad := range []string{"7", "[]", `{"a":1}`} {
		if a := buy(`{"productId":100,"variationId":101,"nonce":` + bad + `}`); a.status != http.StatusBadRequest {
			t.Errorf("nonce %s: %d %s", bad, a.status, a.text)
		}
	}
	sold = false
	a := buy(`{"productId":100,"variationId":101,"nonce":"` + nonce + `"}`)
	p.mustBeProblem("not fixed yet", a, http.StatusServiceUnavailable)
	if !strings.Contains(a.text, "These packs are not on sale yet") {
		t.Errorf("not fixed yet: %s", a.text)
	}
}

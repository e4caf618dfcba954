package api_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/section"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/draw"
	portalpacks "pantheon/internal/portal/packs"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store/index"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

// undescribed describes no token.
type undescribed struct{}

func (undescribed) Describe(eth.Address, string, *metadata.Document) index.Description {
	return index.Description{}
}

// builtInTables returns the drop tables that come with the portal.
func builtInTables() *draw.Tables {
	tables, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, func(draw.Grant) error { return nil })
	if err != nil {
		panic(err)
	}
	return tables
}

// burnPack puts a burn of a general pack by the wallet into the index, and settles it if asked to.
func (p *portal) burnPack(wallet eth.Address, settle bool) (tx eth.Hash, x *index.Index) {
	p.t.Helper()
	x = index.New(p.db, index.Options{Rounds: draw.Schedule{Genesis: opening.Add(-time.Hour), Period: 3 * time.Second},
		Describer: undescribed{}, Chains: map[onchain.ChainID]index.ChainRules{
			testkit.GameChain: {
				Rules: projection.Rules{Burns: map[eth.Address]func(projection.Burn) projection.Earned{packs: portalpacks.Burned(builtInTables)}},
			},
		}})
	_, err := x.Resume(p.t.Context(), testkit.GameChain, onchain.Sources{Base: "test"}, false)
	p.ok(err)
	block := onchain.Block{Number: 1, Hash: eth.Hash{1}, Time: p.clock.Now().Truncate(time.Second)}
	tx = eth.Hash{2}
	p.ok(x.ApplyBatch(p.t.Context(), onchain.Batch{Chain: testkit.GameChain, From: 1, To: 1, Blocks: []onchain.Block{block},
		Transfers: []onchain.Transfer{{
			Position: onchain.Position{Block: 1, Tx: tx, Time: block.Time}, Contract: packs, Standard: onchain.ERC1155, TokenID: "1",
			From: wallet, Amount: money.FromInt(1),
		}}}))
	if settle {
		p.settle(x)
	}
	return tx, x
}

func (p *portal) settle(x *index.Index) {
	p.t.Helper()
	burns, err := x.UnsettledBurns(p.t.Context(), testkit.GameChain, 1, 10)
	p.ok(err)
	for _, b := range burns {
		_, err := x.SettleBurn(p.t.Context(), testkit.GameChain, b, 4)
		p.ok(err)
	}
}

// drawAll draws what waits: each opening gives fate.
func (p *portal) drawAll() {
	p.t.Helper()
	waiting, err := rewards.New(p.db).WaitingOpenings(p.t.Context(), 10)
	p.ok(err)
	for _, o := range waiting {
		p.ok(rewards.New(p.db).DrawOpening(p.t.Context(), o, draw.Table{}, func(draw.Luck) (portalpacks.Drawn, error) {
			detail, err := json.Marshal(projection.PackOpened{
				TokenID: "1", PackLevel: "General", Drop: "kingmaker", Name: "Kingmaker", Rarity: "legendary",
			})
			return portalpacks.Drawn{
				Drop: "kingmaker", Hit: "kingmaker", Receipt: []byte(`{"version":3}`), Detail: string(detail),
				Grants: []reward.Content{reward.Currency{Code: "fa", Amount: 25}.Content()},
			}, err
		}))
	}
}

// Spec: DRAW-2
func TestPacks_AnOpeningHasAPublicProof(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	tx, _ := p.burnPack(testkit.WalletOf(me.id), true)
	id := fmt.Sprintf("%d-%s-4-0", testkit.GameChain, tx)
	proof := request{method: "GET", path: "/api/packs/openings/" + id}
	waiting := p.mustSucceed(proof, 200).text
	for _, want := range []string{
		`"openingId":"` + id + `"`, `"kind":"general"`, `"state":"waiting"`, `"round":1203`,
		`"roundAt":"` + opening.Add(6*time.Second).Format(time.RFC3339) + `"`,
	} {
		if !strings.Contains(waiting, want) {
			t.Errorf("there is no %s in %s", want, waiting)
		}
	}
	if strings.Contains(waiting, "receipt") || strings.Contains(waiting, me.id) {
		t.Errorf("too much is told: %s", waiting)
	}
	p.drawAll()
	drawn := p.mustSucceed(proof, 200).text
	for _, want := range []string{
		`"state":"drawn"`, `"drop":"kingmaker"`, `"receipt":"{\"version\":3}"`, `"edition":1`,
		`"grants":[{"currency":"fa","amount":"25","state":"pending"}]`,
	} {
		if !strings.Contains(drawn, want) {
			t.Errorf("there is no %s in %s", want, drawn)
		}
	}
	if !strings.Contains(drawn, `"burn":{"chainId":`) || strings.Contains(drawn, `"purchase"`) {
		t.Errorf("it is not that of a burn: %s", drawn)
	}
	for _, id := range []string{"7", "gift-shop-7731-1", "Gift-shop-7731-1-2", strings.Replace(id, "0x", "1x", 1)} {
		p.mustBeProblem("a malformed id", p.send(request{method: "GET", path: "/api/packs/openings/" + id}), 400)
	}
	p.mustBeProblem("an unknown id", p.send(request{method: "GET", path: "/api/packs/openings/gift-shop-7731-1-2"}), 404)
}

// Spec: DRAW-2
func TestPacks_AnOpeningOfAPurchaseHasAPublicProof(t *testing.T) {
	t.Parallel()
	p := open(t)
	of := draw.Purchase{Shop: "gift-shop", Order: 7731, Line: 1, Unit: 2}
	_, err := testkit.AddPurchaseOpening(t.Context(), p.db, of, projection.Pack{Kind: "destiny-gold", Edition: 1}, opening, 0)
	p.ok(err)
	proof := request{method: "GET", path: "/api/packs/openings/gift-shop-7731-1-2"}
	unanchored := p.mustSucceed(proof, 200).text
	if !strings.Contains(unanchored, `"state":"waiting"`) || strings.Contains(unanchored, `"round`) ||
		strings.Contains(unanchored, `"anchor"`) {
		t.Errorf("before its record is anchored: %s", unanchored)
	}
	head, err := rewards.New(p.db).HeadRecord(t.Context())
	p.ok(err)
	a := portalpacks.RecordAnchor{Number: 1, Hash: head.Hash, Begun: opening}
	p.ok(rewards.New(p.db).BeginRecordAnchor(t.Context(), a))
	a.Fixed = portalpacks.Fixed{
		Chain: testkit.GameChain, Address: eth.Address{19: 7}, Tx: eth.Hash{31: 1}, Block: 9, At: opening.Add(time.Second),
	}
	a.BlockHash, a.Margin, a.Final = eth.Hash{31: 2}, 30*time.Second, true
	p.ok(rewards.New(p.db).MoveRecordAnchor(t.Context(), a, 1203))
	waiting := p.mustSucceed(proof, 200).text
	for _, want := range []string{
		`"openingId":"gift-shop-7731-1-2"`, `"kind":"destiny-gold"`, `"state":"waiting"`, `"round":1203`,
		`"roundAt":"` + opening.Add(6*time.Second).Format(time.RFC3339) + `"`,
		`"purchase":{"shop":"gift-shop","order":7731,"line":1,"unit":2,` +
			`"nonce":"0x0000000000000000000000000000000000000000000000000000000000000000","record":1,"recordedAt":"` +
			opening.Format(time.RFC3339) + `",` +
			`"anchor":{"number":1,"hash":"` + hex.EncodeToString(head.Hash[:]) + `","chainId":`,
		`,"txId":"0x0000000000000000000000000000000000000000000000000000000000000001","block":9,` +
			`"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000002","blockTime":"` +
			opening.Add(time.Second).Format(time.RFC3339) + `","margin":30}}`,
	} {
		if !strings.Contains(waiting, want) {
			t.Errorf("there is no %s in %s", want, waiting)
		}
	}
	if strings.Contains(waiting, `"burn"`) || strings.Contains(waiting, "receipt") {
		t.Errorf("too much is told: %s", waiting)
	}
	p.drawAll()
	if drawn := p.mustSucceed(proof, 200).text; !strings.Contains(drawn, `"state":"drawn"`) ||
		!strings.Contains(drawn, `"receipt":"{\"version\":3}"`) {
		t.Errorf("after the draw: %s", drawn)
	}
}

// Spec: DRAW-3
func TestPacks_OddsSayWhatIsPromisedAndWasDrawn(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	p.burnPack(testkit.WalletOf(me.id), true)
	type odds struct {
		Collections []struct{ Slug string }
		Tables      []struct {
			Kind     string
			InShop   bool
			Edition  int
			Fixed    *struct{ By string }
			Openings int64
			Waiting  int64
			Test     *struct{ P float64 }
			Results  []struct {
				ID                  string
				Promised, Effective float64
				Drawn               int64
			}
			Rarities []struct {
				Rarity                   string
				Promised, Effective, Now float64
			}
		}
	}
	read := func() (o odds) {
		p.ok(json.Unmarshal([]byte(p.mustSucceed(request{method: "GET", path: "/api/packs/odds"}, 200).text), &o))
		return o
	}
	before := read()
	if slugs := fmt.Sprint(before.Collections); slugs != "[{avatars} {elder-gods} {game-items} {piggy-banks}]" {
		t.Errorf("the collections are %s", slugs)
	}
	if len(before.Tables) != 6 || before.Tables[0].Kind != "general" || before.Tables[0].Fixed != nil || before.Tables[0].Waiting != 1 ||
		before.Tables[0].Test != nil {
		t.Errorf("before the draw: %+v", before.Tables)
	}
	kinds := ""
	for _, table := range before.Tables {
		kinds += fmt.Sprint(table.Kind, " ", table.InShop, " ")
	}
	if kinds != "general false avatar false god false destiny-bronze true destiny-silver true destiny-gold true " {
		t.Errorf("the kinds are %s", kinds)
	}
	p.drawAll()
	after := read().Tables[0]
	if after.Openings != 1 || after.Waiting != 0 || after.Test != nil { // one says nothing
		t.Errorf("after the draw: %+v", after)
	}
	// The pity rule gives epic or rarer in 9.86 % of openings, and the weights 8 %.
	rare := 0.0
	for _, r := range after.Rarities[3:] {
		rare += r.Effective
	}
	if len(after.Rarities) != 6 || after.Rarities[3].Rarity != "epic" || math.Round(1e4*rare) != 986 || after.Rarities[3].Promised != 0.06 {
		t.Errorf("rarities %+v, %v", after.Rarities, rare)
	}
	for _, r := range after.Results {
		if drawn := r.ID == "kingmaker"; (r.Drawn == 1) != drawn || drawn && r.Promised != 0.0034 {
			t.Errorf("%+v", r)
		}
	}
}

// Spec: MARKET-3
func TestPacks_ProductsHavePriceAvailabilityAndOdds(t *testing.T) {
	t.Parallel()
	p := open(t)
	text := p.mustSucceed(request{method: "GET", path: "/api/marketplace/getProducts"}, 200).text
	var shelf struct {
		Products []struct {
			ProductID, Kind string
			Available       int64
			Odds            *struct {
				Edition int
				Total   int64
				Hash    string
			}
		}
	}
	p.ok(json.Unmarshal([]byte(text), &shelf))
	if len(shelf.Products) != 3 {
		t.Fatalf("%s", text)
	}
	for i, want := range []string{"1 general 100000", "2 avatar 1000", "3 god 10000"} {
		product := shelf.Products[i]
		if product.Odds == nil || len(product.Odds.Hash) != 64 || product.Available != 0 {
			t.Errorf("%+v", product)
			continue
		}
		if got := fmt.Sprint(product.ProductID, " ", product.Kind, " ", product.Odds.Total); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// settling is a store in which a burn is settled between the two reads of a page of rewards.
type settling struct {
	reward.RecordStore
	reads  int
	settle func()
}

func (s *settling) next() {
	if s.reads++; s.reads == 2 {
		s.settle()
	}
}

func (s *settling) RewardRecords(ctx context.Context, q reward.Query) ([]reward.Record, error) {
	s.next()
	return s.RecordStore.RewardRecords(ctx, q)
}

func (s *settling) UnsettledBurnsOf(ctx context.Context, wallets []eth.Address, limit int) ([]reward.Burn, error) {
	s.next()
	return s.RecordStore.UnsettledBurnsOf(ctx, wallets, limit)
}

// If neither read returned the burn, the page would see nothing open and stop polling.
func TestRewards_ABurnThatIsSettledMeanwhileIsNotMissing(t *testing.T) {
	t.Parallel()
	between := &settling{}
	p := open(t, func(o *api.Options) {
		between.RecordStore, o.Records = o.Records.RecordStore, reward.Records{RecordStore: between}
	})
	me := p.admit("zeus", "1")
	tx, x := p.burnPack(testkit.WalletOf(me.id), false)
	between.settle = func() { p.settle(x) }
	if text := p.mustSucceed(request{
		method: "GET", path: "/api/auth/packs/openings", authorization: me.token,
	}, 200).text; !strings.Contains(text, tx.String()) {
		t.Errorf("the burn is missing: %s", text)
	}
}

// A burn of another kind that is newer does not take the place of one that was asked for.
func TestRewards_BurnsAreChosenByOriginBeforeTheyAreCounted(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	tx, x := p.burnPack(testkit.WalletOf(me.id), false)
	block := onchain.Block{Number: 2, Hash: eth.Hash{3}, Time: p.clock.Now().Add(time.Second).Truncate(time.Second)}
	p.ok(x.ApplyBatch(p.t.Context(), onchain.Batch{Chain: testkit.GameChain, From: 2, To: 2, Parent: eth.Hash{1},
		Blocks: []onchain.Block{block}, Transfers: []onchain.Transfer{{
			Position: onchain.Position{Block: 2, Tx: eth.Hash{4}, Time: block.Time}, Contract: items, Standard: onchain.ERC1155, TokenID: "1",
			From: testkit.WalletOf(me.id), Amount: money.FromInt(1),
		}}}))
	if text := p.mustSucceed(request{
		method: "GET", path: "/api/auth/packs/openings?limit=1", authorization: me.token,
	}, 200).text; !strings.Contains(text, tx.String()) {
		t.Errorf("the burn is missing: %s", text)
	}
}

// What a contract says is for operators. A reward that is still being given has not failed, whatever one of its grants has.
func TestRewards_PlayersReadNoReasonsOfContracts(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	message := func() string {
		t.Helper()
		var page struct {
			Items []struct{ ID, Message string }
		}
		p.ok(json.Unmarshal([]byte(p.mustSucceed(request{method: "GET", path: "/api/auth/rewards", authorization: me.token}, 200).text), &page))
		for _, item := range page.Items {
			if item.ID == "burn 1" {
				return item.Message
			}
		}
		t.Fatal("the reward is missing")
		return ""
	}
	token := reward.Mint{
		Chain: testkit.GameChain, Contract: items, Standard: onchain.ERC1155, TokenID: "1", Amount: money.FromInt(1),
	}.Content()
	p.ok(rewards.New(p.db).AddReward(t.Context(), reward.Reward{
		Source: "burn 1", Origin: reward.FromVault, PlayerID: me.id, Grants: []reward.Content{token, token},
	}, p.clock.Now()))
	fail := func(number int) {
		t.Helper()
		_, err := rewards.New(p.db).MoveGrant(t.Context(), reward.Grant{Source: "burn 1", Number: number, State: reward.Pending}, reward.Failed,
			"reverted with 0x1234", p.clock.Now())
		p.ok(err)
	}
	fail(0)
	if got := message(); got != "" {
		t.Errorf("while it is being given: %q", got)
	}
	fail(1)
	if got := message(); got != "This could not be sent to your wallet. We are looking into it." {
		t.Errorf("when it has failed: %q", got)
	}
}

// A burn is shown from its block on: burned, settled, drawn, sending, done, each with its time or the expected one.
// Spec: PACK-9, BURN-6
func TestRewards_ABurnIsFollowedFromItsBlockToThePlayer(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	_, x := p.burnPack(testkit.WalletOf(me.id), false)
	type item struct {
		ID, Origin, State string
		Grants            []struct{ Kind, State, Currency, Amount string }
		Steps             []struct {
			Step         string
			At, Expected *time.Time
		}
		Opening *struct{ OpeningID, Drop string }
	}
	read := func(want string) item {
		t.Helper()
		var page struct{ Items []item }
		p.ok(json.Unmarshal([]byte(p.mustSucceed(request{
			method: "GET", path: "/api/auth/packs/openings", authorization: me.token,
		}, 200).text), &page))
		if len(page.Items) != 1 {
			t.Fatalf("%d rewards", len(page.Items))
		}
		got := ""
		for _, s := range page.Items[0].Steps {
			if (s.At == nil) == (s.Expected == nil) {
				t.Errorf("step %s has at %v and expected %v", s.Step, s.At, s.Expected)
			}
			if s.At != nil {
				got += s.Step + " "
			}
		}
		if got = strings.TrimSpace(got); got != want {
			t.Errorf("happened: %s, want %s", got, want)
		}
		return page.Items[0]
	}
	if r := read("burned"); r.State != "burned" || r.Origin != "pack" || len(r.Steps) != 5 {
		t.Errorf("%+v", r)
	}
	p.settle(x)
	if r := read("burned settled"); r.State != "settled" || r.Opening == nil || r.Opening.OpeningID != r.ID {
		t.Errorf("%+v", r)
	}
	p.drawAll()
	if r := read("burned settled drawn"); r.State != "drawn" || r.Opening.Drop != "kingmaker" || len(r.Grants) != 1 ||
		r.Grants[0].Currency != "fa" {
		t.Errorf("%+v", r)
	}
	_, err := reward.NewService(rewards.New(p.db), nil, reward.Treasury{}, p.clock).Step(t.Context())
	p.ok(err)
	if r := read("burned settled drawn sending done"); r.State != "done" || r.Grants[0].State != "done" {
		t.Errorf("%+v", r)
	}
	other := p.admit("hera", "2")
	if text := p.mustSucceed(request{
		method: "GET", path: "/api/auth/packs/openings", authorization: other.token,
	}, 200).text; strings.TrimSpace(text) != `{"items":[]}` {
		t.Errorf("another player sees %s", text)
	}
}

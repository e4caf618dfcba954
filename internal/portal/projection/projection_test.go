package projection_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

var (
	packs   = eth.Address{19: 1}
	items   = eth.Address{19: 2}
	manager = eth.Address{19: 3}
	seller  = eth.Address{19: 4}
	tx      = eth.Hash{31: 5}
	rules   = projection.Rules{Packs: packs, Manager: manager, Symbol: "USDC", Decimals: 6}
)

// lines formats announcements as "target topic payload".
func lines(e projection.Effects) (out []string) {
	for _, a := range e.Announcements {
		out = append(out, fmt.Sprintf("%s %s %s", a.Target, a.Topic, a.Payload))
	}
	return out
}

func want(t *testing.T, what string, e projection.Effects, told ...string) {
	t.Helper()
	if got := lines(e); !slices.Equal(got, told) {
		t.Errorf("%s: %q, want %q", what, got, told)
	}
}

func TestProjection_ThePlayerIsToldOfPurchasesOfPacksOnly(t *testing.T) {
	t.Parallel()
	want(t, "packs", rules.Bought(projection.Purchase{Tx: tx, PlayerID: "A", Contract: packs, TokenID: "2"}),
		`A message {"channelId":"kod-pack","type":"purchase-complete",`+
			`"payload":{"txId":"0x0000000000000000000000000000000000000000000000000000000000000005","success":true,"productId":"2",`+
			`"errorMessage":""}}`)
	want(t, "items", rules.Bought(projection.Purchase{Tx: tx, PlayerID: "A", Contract: items, TokenID: "2"}))
}

func TestProjection_ThePlayerIsToldOfListings(t *testing.T) {
	t.Parallel()
	const rest = `{"txId":"0x0000000000000000000000000000000000000000000000000000000000000005","success":true,"listingId":"7",` +
		`"errorMessage":""}}`
	want(t, "created", projection.ListingCreated("A", tx, "7"), `A message {"channelId":"listing","type":"new","payload":`+rest)
	want(t, "cancelled", projection.ListingCancelled("A", tx, "7"), `A message {"channelId":"listing","type":"remove","payload":`+rest)
}

func TestProjection_ThePlayerIsToldWhatIsHeld(t *testing.T) {
	t.Parallel()
	want(t, "holdings", projection.HoldingsChanged("A", []eth.Address{items}),
		`A message {"channelId":"holdings","type":"change","payload":{"contracts":["0x0000000000000000000000000000000000000002"]}}`)
}

func TestProjection_EverybodyIsToldHowAnOfferChanged(t *testing.T) {
	t.Parallel()
	offer := func(quantity int64, active, valid bool) projection.Offer {
		return projection.Offer{Contract: items, TokenID: "1", Seller: seller, Quantity: quantity, Active: active, Valid: valid}
	}
	none := projection.Offer{}
	for what, c := range map[string]struct {
		before, after projection.Offer
		told          []string
	}{
		"new":               {none, offer(3, true, true), []string{" listing-new id"}},
		"new, not backed":   {none, offer(3, true, false), nil},
		"backed now":        {offer(3, true, false), offer(3, true, true), []string{" listing-new id"}},
		"fewer":             {offer(3, true, true), offer(2, true, true), []string{" listing id"}},
		"no longer backed":  {offer(3, true, true), offer(3, true, false), []string{" listing id"}},
		"ended":             {offer(3, true, true), offer(0, false, false), []string{" listing-gone id"}},
		"back from its end": {offer(0, false, false), offer(3, true, true), []string{" listing-new id"}},
		"ended as it was":   {offer(0, false, false), offer(0, false, false), nil},
		"taken away":        {offer(3, true, true), none, nil},
	} {
		want(t, what, rules.OfferChanged("id", c.before, c.after), c.told...)
	}
}

func TestProjection_EverybodyIsToldWhenTheStockOfPacksChanges(t *testing.T) {
	t.Parallel()
	offer := func(by eth.Address, quantity int64) projection.Offer {
		return projection.Offer{Contract: packs, TokenID: "1", Seller: by, Quantity: quantity, Active: true, Valid: true}
	}
	other := offer(manager, 3)
	other.TokenID = "2"
	invalid := offer(manager, 3)
	invalid.Valid = false
	for what, c := range map[string]struct {
		before, after projection.Offer
		told          bool
	}{
		"fewer":             {offer(manager, 3), offer(manager, 2), true},
		"another kind":      {offer(manager, 3), other, true},
		"no longer backed":  {offer(manager, 3), invalid, true},
		"taken away":        {offer(manager, 3), projection.Offer{}, true},
		"new":               {projection.Offer{}, offer(manager, 3), true},
		"another's":         {offer(seller, 3), offer(seller, 2), false},
		"as many as before": {offer(manager, 3), offer(manager, 3), false},
	} {
		told := slices.ContainsFunc(rules.OfferChanged("id", c.before, c.after).Announcements, func(a announce.Announcement) bool {
			return a == announce.Announcement{Topic: "packs"}
		})
		if told != c.told {
			t.Errorf("%s: told %v", what, told)
		}
	}
}

func TestProjection_TheHolderReadsWhyAHoldEnded(t *testing.T) {
	t.Parallel()
	valid, gone := projection.Offer{Active: true, Valid: true}, projection.Offer{Active: true}
	hold := projection.Hold{PlayerID: "A", Number: "7", Contract: items, Unit: 4}
	told := func(text string) string {
		return `A message {"channelId":"listing","type":"hold-ended","payload":{"listingId":"7",` +
			`"assetContractAddress":"0x0000000000000000000000000000000000000002","index":4,"message":"` + text + `"}}`
	}
	for text, why := range map[string]projection.HoldEnd{
		"Somebody else bought this just now, so it has left your cart.":           projection.WhyHoldEnded(valid, false, true),
		"The seller took this off the market, so it has left your cart.":          projection.WhyHoldEnded(gone, true, true),
		"The seller now offers fewer of these, so one has left your cart.":        projection.WhyHoldEnded(valid, false, false),
		"This can't be bought any more, so it has left your cart.":                projection.WhyHoldEnded(gone, false, false),
		"Your wallet no longer has the money for this, so it has left your cart.": projection.HoldUncovered,
	} {
		want(t, text, projection.HoldEnded(hold, why), told(text))
	}
	want(t, "a price raised", rules.PriceRaised(hold, money.FromInt(4_000_000), money.FromInt(12_500_000)),
		told("The seller raised the price from 4 to 12.5 USDC, so this has left your cart."))
}

// Burning an item earns its amount in fate.
func TestProjection_ABurnEarnsWhatTheRulesSay(t *testing.T) {
	t.Parallel()
	earning := projection.Rules{Burns: map[eth.Address]func(projection.Burn) projection.Earned{
		items: func(b projection.Burn) projection.Earned {
			n, _ := b.Amount.Int64()
			return projection.Earned{Origin: "relic", Grants: []reward.Content{reward.Currency{Code: "fa", Amount: 10 * n}.Content()}}
		},
	}}
	burn := projection.Burn{Tx: tx, Contract: items, TokenID: "1", Amount: money.FromInt(3)}
	got := earning.Burned(burn)
	if got.Origin != "relic" || len(got.Grants) != 1 ||
		got.Grants[0] != (reward.Content{Kind: "currency", Detail: `{"code":"fa","amount":30}`}) {
		t.Errorf("earned %+v", got)
	}
	burn.Contract = packs
	if e := earning.Burned(burn); e.Origin != "" || e.Grants != nil {
		t.Errorf("a burn of something else earned %+v", e)
	}
}

func TestProjection_ThePlayerIsToldOfARewardAndOfItsEnd(t *testing.T) {
	t.Parallel()
	const hash = "0x0000000000000000000000000000000000000000000000000000000000000005"
	update := func(origin, state string) string {
		return `A message {"channelId":"reward","type":"update","payload":{"id":"s","origin":"` + origin + `","state":"` + state +
			`","txId":"` + hash + `"}}`
	}
	change := func(origin reward.Origin, state reward.State, detail any) projection.RewardChange {
		text, err := json.Marshal(detail)
		if err != nil {
			t.Fatal(err)
		}
		return projection.RewardChange{
			Reward: reward.Reward{Source: "s", Origin: origin, PlayerID: "A", Tx: tx, Detail: string(text)}, State: state,
		}
	}
	item := &projection.DroppedItem{Contract: items, TokenID: "7", Name: "Kingmaker", Image: "/i.svg", Rarity: "legendary"}
	pack := projection.PackOpened{TokenID: "1", PackLevel: "General", ItemDropped: item, Drop: "kingmaker"}
	want(t, "a pack that is drawn", projection.RewardMoved(change("pack", "drawn", pack)), update("pack", "drawn"))
	want(t, "a pack that is given", projection.RewardMoved(change("pack", "done", pack)), update("pack", "done"),
		`A message {"channelId":"kod-pack","type":"open","payload":{"txId":"`+hash+
			`","openingId":"s","itemDropped":{"contract":"0x0000000000000000000000000000000000000002","tokenId":"7","name":"Kingmaker",`+
			`"image":"/i.svg","rarity":"legendary"},"packLevel":"General","error":""}}`)
	want(t, "a pack that failed", projection.RewardMoved(change("pack", "failed", struct{}{})), update("pack", "failed"),
		`A message {"channelId":"kod-pack","type":"open","payload":{"txId":"`+hash+
			`","openingId":"s","itemDropped":null,"packLevel":"KOD","error":"Could not open KOD pack."}}`)
	bank := projection.BankBroken{TokenID: "2", Amount: 2, FateAmount: 500, IsVIP: true}
	want(t, "banks", projection.RewardMoved(change("piggy-bank", "done", bank)), update("piggy-bank", "done"),
		`A message {"channelId":"piggy-bank","type":"burn","payload":{"txId":"`+hash+`","success":true,"fateAmount":500,"isVipPiggy":true}}`)
	want(t, "banks that failed", projection.RewardMoved(change("piggy-bank", "failed", bank)), update("piggy-bank", "failed"),
		`A message {"channelId":"piggy-bank","type":"burn","payload":{"txId":"`+hash+`","success":false,"fateAmount":0,"isVipPiggy":true}}`)
	ark := change("ark", "done", projection.CurrenciesEarned{Rewards: map[string]int64{"d0": 12, "gt": 9}})
	ark.Others = []string{`{"rewards":{"d0":1,"nt":2}}`}
	want(t, "arks of one transaction", projection.RewardMoved(ark), update("ark", "done"),
		`A message {"channelId":"ark","type":"`+hash+`","payload":{"txId":"`+hash+`","success":true,"rewards":{"d0":13,"gt":9,"nt":2}}}`)
	avatar := struct {
		TokenID  string      `json:"tokenId"`
		Season   string      `json:"season"`
		Contract eth.Address `json:"contract"`
	}{"12", "dawn", items}
	want(t, "an avatar on its way", projection.RewardMoved(change("avatar", "sending", avatar)), update("avatar", "sending"))
	want(t, "an avatar", projection.RewardMoved(change("avatar", "done", avatar)), update("avatar", "done"),
		`A message {"channelId":"avatar-pack-claim","type":"claimed","payload":{"claimId":"s",`+
			`"contract":"0x0000000000000000000000000000000000000002","tokenId":"12"}}`)
	want(t, "an avatar that failed", projection.RewardMoved(change("avatar", "failed", avatar)), update("avatar", "failed"))
	want(t, "a vault", projection.RewardMoved(change("vault", "done", struct{}{})), update("vault", "done"))
	want(t, "a power pack", projection.RewardMoved(change("power-pack", "done", struct{}{})), update("power-pack", "done"))
	nobody := change("ark", "done", struct{}{})
	nobody.PlayerID = ""
	want(t, "of a wallet that nobody has", projection.RewardMoved(nobody))
}

func TestProjection_FailedOperationSendsTheMessagesOfItsSuccess(t *testing.T) {
	t.Parallel()
	want(t, "nothing to tell", projection.Failed(projection.Operation{PlayerID: "A", Tx: tx, Reason: "no"}))
	const id = `"txId":"0x0000000000000000000000000000000000000000000000000000000000000005","success":false`
	want(t, "everything", projection.Failed(projection.Operation{
		PlayerID: "A", Tx: tx, Reason: "out of gas", Creates: 1, Cancels: []string{"7"}, Packs: []string{"2"},
	}),
		`A message {"channelId":"listing","type":"new","payload":{`+id+
			`,"listingId":"","errorMessage":"Your listing could not be put on the market, and nothing has changed. (out of gas)"}}`,
		`A message {"channelId":"listing","type":"remove","payload":{`+id+
			`,"listingId":"7","errorMessage":"Your listing could not be taken off the market, and nothing has changed. (out of gas)"}}`,
		`A message {"channelId":"kod-pack","type":"purchase-complete","payload":{`+id+
			`,"productId":"2","errorMessage":"The purchase was refused, and you were not charged. (out of gas)"}}`,
	)
}
